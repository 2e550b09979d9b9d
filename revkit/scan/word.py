"""Word: hidden text in a Word file, and text beside what it shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from revkit.documents import Limits, Parts, read_docx
from revkit.papers import HiddenText, shorten
from revkit.scan.beside import MOST_FINDINGS, Beside, Body, judge
from revkit.scan.results import Gap, ScanResult, with_canaries
from revkit.scan.texts import scan_text

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_DESCRIBES = ("}docPr", "}cNvPr")
_SHOWN_NAMES = ("title", "creator", "lastModifiedBy")
_MOST = 20_000


def scan_word(
    name: str, path: Path, limits: Limits | None = None, canaries: Sequence[str] = ()
) -> ScanResult:
    """Find text in the Word file at ``path`` that its reader does not see.

    That is text with the property that hides it or its row, in the colour of its ground (the page,
    a shade, a cell or a box), of two points or less in height or width, with letters on each other,
    or outside the page, by the run itself or by a style, in the body, in headers, footers and text
    boxes; what `scan_text` finds in the text; and prose of
    eight words or more in comments, deletions, descriptions of pictures and properties of the file
    that the text does not hold. Raises `Unreadable` as `read_docx`.
    """
    limits = limits or Limits()
    read = read_docx(path, limits, authors=True)
    result = scan_text(name, read.text)
    found = [
        HiddenText(each.look, None, None, None, shorten(each.text), None, None, each.place)
        for each in read.concealed[:MOST_FINDINGS]
    ]
    body = Body(read.text)
    gaps = list(result.gaps)
    with Parts(path, limits.max_bytes) as parts:
        beside = _beside(parts)
        judged = judge(islice(beside, _MOST), body)
        if not judged.is_cut and next(beside, None) is not None:
            gaps.append(Gap(None, "text beside the body", f"more than {_MOST:,} texts"))
    if judged.is_cut or len(read.concealed) >= MOST_FINDINGS:
        gaps.append(Gap(None, "hidden text", f"{MOST_FINDINGS} findings or more"))
    findings = with_canaries([*found, *judged.findings, *result.findings], canaries)
    notes = (*read.notes, *judged.notes)
    return ScanResult(name, None, findings, result.text, read.title, notes, gaps=tuple(gaps))


def _beside(parts: Parts) -> Iterator[Beside]:
    document = parts.read("word/document.xml")
    described = _described(document)
    for element in document.iter() if document is not None else ():
        if element.tag in (f"{_W}del", f"{_W}moveFrom"):
            says = "".join(part.text or "" for part in element.iter(f"{_W}delText"))
            yield Beside("annotation", None, says, "deleted text of a tracked change")
        elif element.tag.endswith(_DESCRIBES):
            is_usual = id(element) in described
            for key in ("descr", "title"):
                says = element.get(key, "")
                yield Beside("alternative-text", None, says, f"picture, {key}", is_usual)
    comments = parts.read("word/comments.xml")
    for comment in comments if comments is not None else ():
        says = " ".join(part.text or "" for part in comment.iter(f"{_W}t"))
        yield Beside("annotation", None, says, "comment")
    for part in ("docProps/core.xml", "docProps/app.xml", "docProps/custom.xml"):
        root = parts.read(part)
        for element in root.iter() if root is not None else ():
            key = element.tag.rpartition("}")[2]
            if key not in _SHOWN_NAMES:
                place = f"property of the file, {key}"
                yield Beside("metadata", None, element.text or "", place)


def _described(document: Element | None) -> set[int]:
    """The elements that describe a drawing which holds a picture, a chart or shapes."""
    found: set[int] = set()
    for drawing in document.iter(f"{_W}drawing") if document is not None else ():
        holds = any(len(data) for data in drawing.iter(f"{_A}graphicData"))
        if holds:
            found |= {id(each) for each in drawing.iter() if each.tag.endswith(_DESCRIBES)}
    return found
