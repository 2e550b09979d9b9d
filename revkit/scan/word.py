"""Word: hidden text in a Word file, and text beside what it shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from revkit.documents import Limits, Parts, read_docx
from revkit.papers import ChannelKind, HiddenText, shorten
from revkit.scan.channels import Body
from revkit.scan.results import Gap, ScanResult, with_canaries
from revkit.scan.texts import scan_text

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_SHOWN_NAMES = ("title", "creator", "lastModifiedBy")
_MOST = 20_000
_MOST_FINDINGS = 200
_Text = tuple[ChannelKind, str, str]


def scan_word(
    name: str, path: Path, limits: Limits | None = None, canaries: Sequence[str] = ()
) -> ScanResult:
    """Find text in the Word file at ``path`` that its reader does not see.

    That is text with the property that hides it, in the colour of its ground (the page, a shade, a
    cell or a box), or of two points or less in height or width, by the run itself or by a style, in
    the body, in headers, footers and text boxes; what `scan_text` finds in the text; and prose of
    eight words or more in comments, deletions, descriptions of pictures and properties of the file
    that the text does not hold. Raises `Unreadable` as `read_docx`.
    """
    limits = limits or Limits()
    read = read_docx(path, limits, authors=True)
    result = scan_text(name, read.text)
    found = [
        HiddenText(each.look, None, None, None, shorten(each.text), None, None, each.place)
        for each in read.concealed[:_MOST_FINDINGS]
    ]
    body = Body(read.text)
    gaps = list(result.gaps)
    with Parts(path, limits.max_bytes) as parts:
        beside = _beside(parts)
        for kind, says, evidence in islice(beside, _MOST):
            place = HiddenText(kind, None, None, None, shorten(says), None, None, evidence)
            if body.is_new_prose(says) and place not in found and len(found) < _MOST_FINDINGS:
                found.append(place)
        if next(beside, None) is not None:
            gaps.append(Gap(None, "text beside the body", f"more than {_MOST:,} texts"))
    if max(len(found), len(read.concealed)) >= _MOST_FINDINGS:
        gaps.append(Gap(None, "hidden text", f"{_MOST_FINDINGS} findings or more"))
    findings = with_canaries([*found, *result.findings], canaries)
    return ScanResult(name, None, findings, result.text, read.title, read.notes, gaps=tuple(gaps))


def _beside(parts: Parts) -> Iterator[_Text]:
    document = parts.read("word/document.xml")
    for element in document.iter() if document is not None else ():
        if element.tag in (f"{_W}del", f"{_W}moveFrom"):
            says = "".join(part.text or "" for part in element.iter(f"{_W}delText"))
            yield "annotation", says, "deleted text of a tracked change"
        elif element.tag.endswith(("}docPr", "}cNvPr")):
            for key in ("descr", "title"):
                yield "alternative-text", element.get(key, ""), f"picture, {key}"
    comments = parts.read("word/comments.xml")
    for comment in comments if comments is not None else ():
        says = " ".join(part.text or "" for part in comment.iter(f"{_W}t"))
        yield "annotation", says, "comment"
    for part in ("docProps/core.xml", "docProps/app.xml", "docProps/custom.xml"):
        root = parts.read(part)
        for element in root.iter() if root is not None else ():
            key = element.tag.rpartition("}")[2]
            if key not in _SHOWN_NAMES:
                yield "metadata", element.text or "", f"property of the file, {key}"
