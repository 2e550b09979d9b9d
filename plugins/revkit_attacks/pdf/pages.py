"""Pages: adding content, fonts and resources to the pages of a PDF that exists already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from revkit.dataclass import dataclass

if TYPE_CHECKING:
    from pypdf import PageObject, PdfWriter
    from pypdf.generic import DictionaryObject, IndirectObject, PdfObject

SIZE = 8.0
"""The font size of what is written, in points."""
LEADING = 10.0
_WIDE = 88


@dataclass(frozen=True)
class Spot:
    """Where text is written: the page's index and the place of its first baseline, in points."""

    page: int
    x: float
    y: float


def lines_of(text: str) -> list[str]:
    """``text`` in lines that fit on a page."""
    import textwrap

    return textwrap.wrap(text, _WIDE, break_long_words=True, break_on_hyphens=False) or [""]


def page_size(page: PageObject) -> tuple[float, float, float, float]:
    """Left, bottom, right and top edge of what a reader sees of ``page``."""
    box = page.cropbox
    return float(box.left), float(box.bottom), float(box.right), float(box.top)


def resources_of(page: PageObject, kind: str) -> DictionaryObject:
    """The page's own table of resources of one kind, such as "/Font", to add to.

    Pages may share tables; what is added to this one reaches no other page.
    """
    from pypdf.generic import DictionaryObject, NameObject

    shared = page.get("/Resources")
    resources = DictionaryObject(shared.get_object() if shared is not None else {})
    page[NameObject("/Resources")] = resources
    entry = resources.get(kind)
    table = DictionaryObject(entry.get_object() if entry is not None else {})
    resources[NameObject(kind)] = table
    return table


def add_resource(page: PageObject, kind: str, name: str, value: PdfObject) -> None:
    """Make ``value`` known to the content of ``page`` as ``name``."""
    from pypdf.generic import NameObject

    resources_of(page, kind)[NameObject(name)] = value


def add_content(writer: PdfWriter, page: PageObject, operators: str) -> None:
    """Draw ``operators`` after all that ``page`` holds, in the page's own coordinates."""
    from pypdf.generic import ArrayObject, NameObject

    contents = page.get("/Contents")
    old: list[PdfObject] = []
    if contents is not None:
        whole = contents.get_object()
        old = list(whole) if isinstance(whole, ArrayObject) else [page.raw_get("/Contents")]
    head = _stream(writer, "q\n")
    tail = _stream(writer, f"\nQ\nq\n{operators}\nQ\n")
    page[NameObject("/Contents")] = ArrayObject([head, *old, tail])


def _stream(writer: PdfWriter, operators: str) -> IndirectObject:
    return add_stream(writer, operators.encode("ascii"), {})


def add_stream(writer: PdfWriter, data: bytes, entries: Mapping[str, PdfObject]) -> IndirectObject:
    """Add a stream with ``entries`` in its dictionary; return its reference."""
    from pypdf.generic import DecodedStreamObject, NameObject

    stream = DecodedStreamObject()
    stream.set_data(data)
    for name, value in entries.items():
        stream[NameObject(name)] = value
    return writer._add_object(stream)


def add_dictionary(writer: PdfWriter, entries: Mapping[str, PdfObject]) -> IndirectObject:
    """Add a dictionary; return its reference."""
    return writer._add_object(dictionary(entries))


def dictionary(entries: Mapping[str, PdfObject]) -> DictionaryObject:
    """A dictionary of PDF."""
    from pypdf.generic import DictionaryObject, NameObject

    return DictionaryObject({NameObject(name): value for name, value in entries.items()})


def hexadecimal(codes: Sequence[int]) -> str:
    """A string of PDF that holds these bytes."""
    return "<" + "".join(f"{code:02X}" for code in codes) + ">"


def codes_of(text: str) -> list[int]:
    """The bytes of ``text`` in the encoding of the standard font; "?" for what it lacks."""
    return list(text.encode("cp1252", "replace"))


def text_operators(
    spot: Spot, lines: Sequence[Sequence[int]], font: str, *, size: float = SIZE, before: str = ""
) -> str:
    """Operators that show ``lines`` of codes, one below the other."""
    leading = LEADING * size / SIZE
    shown = " T*\n".join(f"{hexadecimal(line)} Tj" for line in lines)
    return (
        f"{before} BT {font} {size:g} Tf {leading:g} TL 1 0 0 1 {spot.x:g} {spot.y:g} Tm\n"
        f"{shown} ET"
    )


def add_standard_font(writer: PdfWriter, page: PageObject, name: str) -> None:
    """Make Helvetica known to ``page`` as ``name``."""
    from pypdf.generic import NameObject

    font = add_dictionary(
        writer,
        {
            "/Type": NameObject("/Font"),
            "/Subtype": NameObject("/Type1"),
            "/BaseFont": NameObject("/Helvetica"),
            "/Encoding": NameObject("/WinAnsiEncoding"),
        },
    )
    add_resource(page, "/Font", name, font)


def unicode_map(pairs: Mapping[int, str], wide: int = 1) -> bytes:
    """A ToUnicode map: the text for each code of ``wide`` bytes."""
    width = 2 * wide
    rows = [
        f"<{code:0{width}X}> <{text.encode('utf-16-be').hex().upper()}>"
        for code, text in sorted(pairs.items())
    ]
    blocks = []
    for start in range(0, len(rows), 100):
        part = rows[start : start + 100]
        blocks.append(f"{len(part)} beginbfchar\n" + "\n".join(part) + "\nendbfchar")
    top = "F" * width
    body = "\n".join(blocks)
    return (
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
        "/CMapName /Made-UCS def\n/CMapType 2 def\n1 begincodespacerange\n"
        f"<{'0' * width}> <{top}>\nendcodespacerange\n{body}\nendcmap\n"
        "CMapName currentdict /CMap defineresource pop\nend\nend\n"
    ).encode("ascii")
