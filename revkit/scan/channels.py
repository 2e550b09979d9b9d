"""Channels: text in a PDF beside its pages, which some programs give to a model.

Such text is usual: authors write keywords, and programs write their names. `revkit.scan.beside`
decides which of it is hidden text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from html import unescape
from itertools import islice
from typing import TYPE_CHECKING, Any

from revkit.model.colors import WHITE, Color, are_alike
from revkit.papers.prose import FEWEST_SPACELESS, SPACELESS, WORD
from revkit.scan.attachments import read_attached
from revkit.scan.beside import MOST_FINDINGS, Beside, Body, Judged, judge
from revkit.scan.results import CutOff, Gap

if TYPE_CHECKING:
    from pypdf import PdfReader

_HIDDEN_FLAGS = 0x02 | 0x20
_MOST = 20_000
_MOST_NODES = 100_000
_MOST_FORMS = 1_000
_MOST_FILES = 100
_MOST_ATTACHED = 4_000_000
_MOST_BYTES = 4_000_000
_LONGEST_REASON = 200
_LONG_TEXT = 20
_LONG_NAME = 20
_OUTSIDE_TAGS = re.compile(r"[^<>]+")
_TAG_NAME = re.compile(r"[\w:.-]+")
_VALUE = re.compile(r"([\w:.-]{1,40})\s{0,3}=\s{0,3}(?:\"([^\"]+)\"|'([^']+)')")
# Fields with names of people: a list of names is as long as a sentence.
_PEOPLE = frozenset(("Author", "Authors", "Editors", "creator", "contributor", "AuthorsPosition"))
_PARTICLES = frozenset(
    ("and", "al", "bin", "da", "de", "del", "der", "di", "dos", "la", "le", "van", "von")
)
_KEYWORDS = frozenset(("Keywords", "keywords"))
_MOST_IN_A_KEYWORD = 5
_SUBJECTS = frozenset(("Subject", "publicationName"))
_SET_COLOR = re.compile(
    r"((?:(?:\d{0,4}\.\d{1,8}|\d{1,4}\.?)\s{1,9}){3}(?=rg\b)"
    r"|(?:\d{0,4}\.\d{1,8}|\d{1,4}\.?)\s{1,9}(?=g\b))(rg|g)\b"
)
_MOST_DRAWN = 100_000
_LEAST_SIDE = 4.0
_VENUE = re.compile(
    r"\b(?:Proceedings of|(?:Conference|Workshop|Transactions) on|Journal of|vol\.|doi:|doi\.org)",
    re.I,
)
# Fields in which a program describes itself, in a line that may be as long as a sentence.
_PROGRAMS = frozenset(("Producer", "Creator", "PTEX.Fullbanner", "Trapped", "CreatorTool"))
_ORDER = re.compile(
    r"\b(?:review|refere|accept|reject|scor|rat(?:e[ds]?|ing)s?\b|instruct|ignor|prais|recommend(?!er)"
    r"|deserv|verdict|assistant|prompt|you|must|should)",
    re.I,
)
_PRAISE = re.compile(
    r"\b(?:grad(?:e[ds]?|ing)\b|criti|weakness|flaw|excellen|outstand|superb|brilliant|merit|endors"
    r"|approv|evaluat|assess|judg)",
    re.I,
)
_LONGEST_SPACELESS_NAME = 4


def reason_of(error: Exception) -> str:
    """Why a part of a file cannot be scanned, in at most 200 characters."""
    reason = str(error)
    if not isinstance(error, CutOff):
        reason = f"damaged: {type(error).__name__}: {reason}"
    return reason[:_LONGEST_REASON]


def _may_be_a_name(word: str) -> bool:
    if SPACELESS.match(word):
        return len(word) <= _LONGEST_SPACELESS_NAME
    return word[0].isupper() or word in _PARTICLES


def find_in_channels(reader: PdfReader, body: Body) -> tuple[Judged, list[Gap]]:
    """The text beside the pages of a file, and the parts that cannot be read."""
    gaps: list[Gap] = []
    texts = _texts(reader, gaps)
    judged = judge(islice(texts, _MOST), body)
    if judged.is_cut:
        gaps.append(Gap(None, "text beside the pages", f"{MOST_FINDINGS} findings or more"))
    elif next(texts, None) is not None:
        gaps.append(Gap(None, "text beside the pages", f"more than {_MOST:,} texts"))
    return judged, gaps


def _texts(reader: PdfReader, gaps: list[Gap]) -> Iterator[Beside]:
    """All texts beside the pages; a part that is too damaged or too large to read becomes one of
    ``gaps``.
    """
    for page, what, read in _parts(reader):
        try:
            yield from read()
        except MemoryError:
            raise
        except Exception as error:  # pypdf raises errors of many kinds on damaged objects
            gaps.append(Gap(page, what, reason_of(error)))


def _parts(reader: PdfReader) -> Iterator[tuple[int | None, str, Callable[[], Iterator[Beside]]]]:
    for number in range(1, len(reader.pages) + 1):
        yield number, "annotations", partial(_annotations, reader, number)
    for what, read in (
        ("document information", _information),
        ("XMP packet", _packets),
        ("outline", _outline),
        ("structure tree", _structure),
        ("attachments", _attachments),
    ):
        yield None, what, partial(read, reader)


def _annotations(reader: PdfReader, number: int) -> Iterator[Beside]:
    page = reader.pages[number - 1]
    edges = [float(edge) for edge in page.cropbox]
    for annotation in _array(page.get("/Annots")):
        yield from _annotation(number, annotation, edges)


def _information(reader: PdfReader) -> Iterator[Beside]:
    for key, value in dict(reader.metadata or {}).items():
        name = key.lstrip("/")
        if isinstance(value, str):
            place = f"document information, {name}"
            yield Beside("metadata", None, value, place, is_weighed=not _is_usual(name, value))
        if len(name) >= _LONG_NAME:
            yield Beside("metadata", None, name, "document information, name of a field")


def _is_usual(field: str, says: str) -> bool:
    """Whether ``field`` holds what it is for, and says nothing to a reader: the line in which a
    program describes itself, names of people, keywords, or the name of a venue.
    """
    name = field.rpartition(":")[2]
    if _ORDER.search(says) is not None:
        return False
    parts = re.split(r"[,;、，；]", says)
    if any(len(SPACELESS.findall(part)) >= FEWEST_SPACELESS for part in parts):
        return False  # as long as a sentence in a script without blanks
    if _PRAISE.search(says) is not None and name not in _KEYWORDS:
        return False
    if name in _PEOPLE:
        words = [word for word in WORD.findall(says) if word.isalpha()]
        return all(map(_may_be_a_name, words))
    if name in _SUBJECTS and _VENUE.search(says) is not None:
        return True
    if name in _KEYWORDS or name in _SUBJECTS:
        return all(len(WORD.findall(part)) <= _MOST_IN_A_KEYWORD for part in parts)
    return name in _PROGRAMS


def _array(value: Any) -> Iterator[Any]:
    whole = value.get_object() if value is not None else None
    if isinstance(whole, list):
        for each in islice(whole, _MOST):
            yield each.get_object()
        if len(whole) > _MOST:
            raise CutOff(f"more than {_MOST:,} entries")


def _annotation(number: int, annotation: Any, edges: Sequence[float]) -> Iterator[Beside]:
    if not isinstance(annotation, dict):
        return
    subtype, flags = str(annotation.get("/Subtype", "")), annotation.get("/F", 0)
    hidden = isinstance(flags, int) and bool(flags & _HIDDEN_FLAGS)
    hidden = hidden or not _is_drawn(annotation, edges)
    state = "hidden" if hidden else "shown by some programs"
    if subtype == "/Widget":
        for key in ("/V", "/DV", "/TU"):
            if isinstance(annotation.get(key), str) and (hidden or key != "/V"):
                says, usual = str(annotation[key]), key == "/TU"
                yield Beside("form-value", number, says, f"form field, {state}", usual)
        return
    contents = annotation.get("/Contents")
    if isinstance(contents, str) and (hidden or subtype != "/FreeText"):
        # Files that a reader of screens reads describe each link.
        place = f"{subtype.lstrip('/')}, {state}"
        yield Beside("annotation", number, contents, place, subtype == "/Link")


def _is_drawn(annotation: dict[str, Any], edges: Sequence[float]) -> bool:
    """Whether an annotation that shows its text is on the page, large enough, and not in white."""
    try:
        x0, y0, x1, y1 = (float(edge) for edge in annotation["/Rect"])
    except (KeyError, TypeError, ValueError):
        return False
    left, right = max(min(x0, x1), edges[0]), min(max(x0, x1), edges[2])
    low, high = max(min(y0, y1), edges[1]), min(max(y0, y1), edges[3])
    return min(right - left, high - low) >= _LEAST_SIDE and not _is_pale(annotation)


def _is_pale(annotation: dict[str, Any]) -> bool:
    """Whether the text of an annotation is set in a colour that white paper hides."""
    found = [_SET_COLOR.findall(str(annotation.get("/DA", "")))]
    drawn = _dictionary(annotation.get("/AP")).get("/N")
    stream = drawn.get_object() if drawn is not None else None
    get_data = getattr(stream, "get_data", None)
    if get_data is not None:
        data = get_data()[:_MOST_DRAWN].decode("latin-1")
        found.append(_SET_COLOR.findall(data.partition("BT")[2]))
    colors = [colors[-1] for colors in found if colors]
    return any(are_alike(_color_of(numbers), WHITE) for numbers, _ in colors)


def _color_of(numbers: str) -> Color:
    parts = [255 * min(max(float(part), 0.0), 1.0) for part in numbers.split()]
    return (parts[0], parts[0], parts[0]) if len(parts) == 1 else (parts[0], parts[1], parts[2])


def _packets(reader: PdfReader) -> Iterator[Beside]:
    """The texts in the XMP packets of the file, its pages, and the pictures on them."""
    root = _dictionary(reader.trailer["/Root"])
    yield from _packet(root.get("/Metadata"), "XMP packet")
    seen: set[int] = set()
    for number, page in enumerate(reader.pages, 1):
        forms = _dictionary(_dictionary(page.get("/Resources")).get("/XObject"))
        owners = [page, *(_dictionary(form) for form in islice(forms.values(), _MOST_FORMS))]
        for stream in (owner.get("/Metadata") for owner in owners):
            whole = stream.get_object() if stream is not None else None
            if whole is not None and id(whole) not in seen:
                seen.add(id(whole))
                yield from _packet(whole, f"XMP packet of page {number}")


def _packet(stream: Any, place: str) -> Iterator[Beside]:
    data = getattr(stream.get_object(), "get_data", bytes)() if stream is not None else b""
    text = data[:_MOST_BYTES].decode("utf-8", "replace")
    for match in _OUTSIDE_TAGS.finditer(text):
        start, end = match.span()
        if match[0].isspace():
            continue
        if (text[start - 1 : start], text[end : end + 1]) == (">", "<"):
            tag = _TAG_NAME.match(text, text.rfind("<", 0, start) + 1)
            says = unescape(match[0])
            weighed = len(says) >= _LONG_TEXT and (tag is None or not _is_usual(tag[0], says))
            yield Beside("metadata", None, says, place, is_weighed=weighed)
        else:
            for value in _VALUE.finditer(match[0]):
                says = unescape(value[2] or value[3] or "")
                long = len(says) >= _LONG_TEXT and " " in says.strip()
                weighed = long and not _is_usual(value[1], says)
                where = f"{place}, attribute"
                yield Beside("metadata", None, says, where, is_weighed=weighed)
    if len(data) > _MOST_BYTES:
        raise CutOff(f"more than {_MOST_BYTES:,} bytes")


def _outline(reader: PdfReader) -> Iterator[Beside]:
    waiting: list[Any] = [reader.outline]
    while waiting:
        entry = waiting.pop()
        if isinstance(entry, list):
            waiting.extend(reversed(entry))
        elif isinstance(title := entry.get("/Title"), str):
            yield Beside("outline", None, title, "title of an entry")


def _structure(reader: PdfReader) -> Iterator[Beside]:
    root = reader.trailer["/Root"].get_object()
    start = root.get("/StructTreeRoot") if isinstance(root, dict) else None
    waiting: list[Any] = [start] if start is not None else []
    seen: set[int] = set()
    while waiting:
        node = waiting.pop().get_object()
        if id(node) in seen:
            continue
        if len(seen) >= _MOST_NODES:
            raise CutOff(f"more than {_MOST_NODES:,} nodes")
        seen.add(id(node))
        if isinstance(node, list):
            waiting.extend(each for each in reversed(node) if hasattr(each, "get_object"))
        elif isinstance(node, dict):
            for key in ("/Alt", "/ActualText", "/E", "/T"):
                if isinstance(node.get(key), str):
                    place = f"structure tree, {key.lstrip('/')}"
                    is_usual = key == "/Alt" and _has_content(node)
                    yield Beside("alternative-text", None, str(node[key]), place, is_usual)
            if "/K" in node:
                waiting.append(node.raw_get("/K"))  # type: ignore[attr-defined]


def _has_content(node: dict[str, Any]) -> bool:
    """Whether a node of the structure tree has a part of a page."""
    below = node.get("/K")
    return below is not None and below != []


def _attachments(reader: PdfReader) -> Iterator[Beside]:
    missing, left = "", _MOST_ATTACHED
    files = _files(reader)
    for name, data, description in islice(files, _MOST_FILES):
        file = read_attached(name, data, left)
        left -= len(file.says)
        place = f"{name}, {len(data):,} bytes"
        yield Beside("attachment", None, file.says, place, is_usual=file.is_data)
        yield Beside("annotation", None, description, f"description of {name}")
        missing = missing or (file.missing and f"{name}: {file.missing}")
    if next(files, None) is not None:
        raise CutOff(f"more than {_MOST_FILES} files")
    if missing:
        raise CutOff(missing)


def _files(reader: PdfReader) -> Iterator[tuple[str, bytes, str]]:
    """Name, content and description of each attached file: in the list of attached files, beside
    the document or a page, or in an annotation.
    """
    root = _dictionary(reader.trailer["/Root"])
    waiting = [_dictionary(_dictionary(root.get("/Names")).get("/EmbeddedFiles"))]
    specifications: list[Any] = []
    nodes: set[int] = set()
    while waiting and len(nodes) < _MOST_NODES:
        node = waiting.pop()
        if id(node) in nodes:
            continue
        nodes.add(id(node))
        specifications += [*_array(node.get("/Names"))][1::2]
        waiting += [_dictionary(kid) for kid in _array(node.get("/Kids"))]
    for owner in (root, *reader.pages):
        specifications += _array(owner.get("/AF"))
        specifications += [
            each.get("/FS") for each in _array(owner.get("/Annots")) if isinstance(each, dict)
        ]
    seen: set[int] = set()
    for each in map(_dictionary, filter(None, specifications)):
        embedded = _dictionary(each.get("/EF"))
        name = str(each.get("/UF") or each.get("/F") or "file")
        for stream in embedded.values():
            content = stream.get_object()
            if id(content) not in seen and hasattr(content, "get_data"):
                seen.add(id(content))
                yield name, content.get_data(), str(each.get("/Desc", ""))


def replacements_of(reader: PdfReader, number: int) -> list[str]:
    """The replacement texts ("ActualText") in the content of page ``number`` (from 0) and in the
    forms that it uses. Raises `CutOff` where it uses too many.
    """
    from pypdf.generic import ContentStream

    page = reader.pages[number]
    texts: list[str] = []
    waiting: list[tuple[Any, Any]] = [(page.get("/Contents"), page.get("/Resources"))]
    seen: set[int] = set()
    while waiting:
        content, table = waiting.pop(0)
        if len(seen) > _MOST_FORMS:
            raise CutOff(f"more than {_MOST_FORMS:,} forms")
        resources = _dictionary(table)
        if content is not None:
            for operands, operator in ContentStream(content.get_object(), reader).operations:
                if operator == b"BDC" and len(operands) == 2:
                    texts += _replacement(operands[1], resources)
        for form in _dictionary(resources.get("/XObject")).values():
            stream = form.get_object()
            if id(stream) in seen:
                continue
            if isinstance(stream, dict) and stream.get("/Subtype") == "/Form":
                seen.add(id(stream))
                waiting.append((stream, stream.get("/Resources")))
    return list(dict.fromkeys(texts))


def _dictionary(value: Any) -> dict[str, Any]:
    whole = value.get_object() if value is not None else None
    return whole if isinstance(whole, dict) else {}


def _replacement(operand: Any, resources: dict[str, Any]) -> Iterator[str]:
    entry = operand.get_object()
    if isinstance(entry, str):
        entry = _dictionary(_dictionary(resources.get("/Properties")).get(entry))
    if isinstance(entry, dict) and isinstance(entry.get("/ActualText"), str):
        yield str(entry["/ActualText"])


def new_words(text: str, page_text: str) -> Sequence[str]:
    """The words of three letters or more in ``text`` that ``page_text`` does not hold."""
    known = {word.casefold() for word in WORD.findall(page_text)}
    joined = "".join(page_text.casefold().split())
    return [
        word
        for word in WORD.findall(text)
        if len(word) >= 3
        and word.isalpha()
        and word.casefold() not in known
        and word.casefold() not in joined
    ]
