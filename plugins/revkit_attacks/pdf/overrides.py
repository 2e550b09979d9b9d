"""Overrides: a reader sees one text, and a program takes another one from the same glyphs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from itertools import groupby
from typing import TYPE_CHECKING

from revkit_attacks.pdf.in_page import Write
from revkit_attacks.pdf.pages import (
    SIZE,
    Spot,
    add_content,
    add_dictionary,
    add_resource,
    add_standard_font,
    add_stream,
    codes_of,
    dictionary,
    lines_of,
    text_operators,
    unicode_map,
)

if TYPE_CHECKING:
    from pypdf import PdfWriter
    from pypdf.generic import IndirectObject

_COVER = (
    "Further details of the procedure are given in the material that goes with this manuscript, "
    "together with the lists of all settings and the order in which the steps were made. "
)
_CODES = range(33, 253)


def cover_text(length: int) -> str:
    """Plain text of just this many characters, for a reader to see."""
    return (_COVER * (length // len(_COVER) + 1))[:length]


def _glyph_name(sign: str) -> str:
    from fontTools import agl

    return f"/{agl.UV2AGL.get(ord(sign), 'space')}"


def _remapped(writer: PdfWriter, spot: Spot, text: str) -> None:
    """A code for each place: its glyph shows the cover, its ToUnicode entry states the text."""
    from pypdf.generic import ArrayObject, NameObject, NumberObject

    page = writer.pages[spot.page]
    cover = cover_text(len(text))
    size = len(_CODES)
    shown = []
    for part, start in enumerate(range(0, len(text), size)):
        said, seen = text[start : start + size], cover[start : start + size]
        names = [NameObject(_glyph_name(sign)) for sign in seen]
        differences = ArrayObject([NumberObject(_CODES[0]), *names])
        font = add_dictionary(
            writer,
            {
                "/Type": NameObject("/Font"),
                "/Subtype": NameObject("/Type1"),
                "/BaseFont": NameObject("/Helvetica"),
                "/Encoding": dictionary({"/Differences": differences}),
                "/ToUnicode": add_stream(
                    writer, unicode_map(dict(zip(_CODES, said, strict=False))), {}
                ),
            },
        )
        name = f"/RevkitM{part}"
        add_resource(page, "/Font", name, font)
        shown += [(name, code) for code, _ in zip(_CODES, said, strict=False)]
    add_content(writer, page, _show_codes(spot, shown))


def _show_codes(spot: Spot, shown: Sequence[tuple[str, int]], wide: int = 2) -> str:
    """Operators that show codes, each in its font, 88 a line; a run in one font is one string,
    because PDFium leaves out a letter that follows itself in another string nearby."""
    parts = [f"0 g BT 10 TL 1 0 0 1 {spot.x:g} {spot.y:g} Tm"]
    for start in range(0, len(shown), 88):
        for font, run in groupby(shown[start : start + 88], key=lambda each: each[0]):
            codes = "".join(f"{code:0{wide}X}" for _, code in run)
            parts.append(f"{font} {SIZE:g} Tf <{codes}> Tj")
        parts.append("T*")
    return "\n".join([*parts, "ET"])


def _actual_text(writer: PdfWriter, spot: Spot, text: str) -> None:
    write_replaced(writer, spot, text)


def _tag_characters(writer: PdfWriter, spot: Spot, text: str) -> None:
    tags = "".join(chr(0xE0000 + ord(sign)) for sign in text if 0x20 <= ord(sign) < 0x7F)
    write_replaced(writer, spot, f"see the material{tags}", "see the material")


def write_replaced(writer: PdfWriter, spot: Spot, text: str, cover: str = "") -> None:
    """Draw ``cover``, or neutral text, with ``text`` as its replacement text."""
    page = writer.pages[spot.page]
    add_standard_font(writer, page, "/RevkitF")
    data = (b"\xfe\xff" + text.encode("utf-16-be")).hex().upper()
    lines = [codes_of(line) for line in lines_of(cover or cover_text(60))]
    before = f"0 g /Span <</ActualText <{data}>>> BDC"
    add_content(writer, page, text_operators(spot, lines, "/RevkitF", before=before) + " EMC")


def _swapped(writer: PdfWriter, spot: Spot, text: str) -> None:
    """A font whose names, character map and ToUnicode agree, with the outlines of other letters.

    A letter of the text that needs several outlines has alternates ("r.alt1"), as real fonts do.
    """
    page = writer.pages[spot.page]
    said = [sign if sign in _OUTLINED else "?" for sign in text]
    pairs = list(zip(said, cover_text(len(text)), strict=True))
    places = {pair: number for number, pair in enumerate(dict.fromkeys(pairs), 1)}
    add_resource(page, "/Font", "/RevkitS", _swapped_font(writer, places))
    shown = [("/RevkitS", places[pair]) for pair in pairs]
    add_content(writer, page, _show_codes(spot, shown, 4))


_OUTLINED = frozenset(map(chr, range(0x20, 0x7F)))
_Pair = tuple[str, str]


def _swapped_program(places: Mapping[_Pair, int]) -> tuple[bytes, list[int]]:
    """A font program with one glyph for each pair, the name of the first character and the outline
    of the second; and the widths of the glyphs in thousandths."""
    from pathlib import Path

    import reportlab
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.filterPen import DecomposingFilterPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen
    from fontTools.ttLib import TTFont

    source = TTFont(Path(reportlab.__file__).parent / "fonts" / "Vera.ttf")
    outlines, names = source.getGlyphSet(), source.getBestCmap()
    order, glyphs, metrics = [".notdef"], {}, {".notdef": (600, 0)}
    characters: dict[int, str] = {}
    glyphs[".notdef"] = TTGlyphPen(None).glyph()
    for said, seen in places:
        base, shown = names[ord(said)], names[ord(seen)]
        name = base if base not in glyphs else f"{base}.alt{len(order)}"
        characters.setdefault(ord(said), name)
        pen = TTGlyphPen(None)
        outlines[shown].draw(DecomposingFilterPen(pen, outlines))
        glyphs[name] = pen.glyph()
        metrics[name] = source["hmtx"][shown]
        order.append(name)
    units = source["head"].unitsPerEm
    builder = FontBuilder(units, isTTF=True)
    builder.setupGlyphOrder(order)
    builder.setupCharacterMap(characters)
    builder.setupGlyf(glyphs)
    builder.setupHorizontalMetrics(metrics)
    builder.setupHorizontalHeader(ascent=1901, descent=-483)
    builder.setupOS2()
    builder.setupPost()
    builder.setupHead(unitsPerEm=units, created=0, modified=0)
    builder.font.recalcTimestamp = False
    data = BytesIO()
    builder.save(data)
    return data.getvalue(), [round(metrics[name][0] * 1000 / units) for name in order]


def _swapped_font(writer: PdfWriter, places: Mapping[_Pair, int]) -> IndirectObject:
    from pypdf.generic import ArrayObject, NameObject, NumberObject, TextStringObject

    data, widths = _swapped_program(places)
    name = NameObject("/REVKIT+Sans")
    file = add_stream(writer, data, {"/Length1": NumberObject(len(data))})
    box = ArrayObject([NumberObject(each) for each in (-200, -250, 1200, 950)])
    numbers = {"/Ascent": 930, "/Descent": -240, "/CapHeight": 730, "/ItalicAngle": 0}
    descriptor = add_dictionary(
        writer,
        {
            "/Type": NameObject("/FontDescriptor"),
            "/FontName": name,
            "/Flags": NumberObject(4),
            "/FontBBox": box,
            "/StemV": NumberObject(80),
            "/FontFile2": file,
            **{key: NumberObject(value) for key, value in numbers.items()},
        },
    )
    system = dictionary(
        {
            "/Registry": TextStringObject("Adobe"),
            "/Ordering": TextStringObject("Identity"),
            "/Supplement": NumberObject(0),
        }
    )
    descendant = add_dictionary(
        writer,
        {
            "/Type": NameObject("/Font"),
            "/Subtype": NameObject("/CIDFontType2"),
            "/BaseFont": name,
            "/CIDSystemInfo": system,
            "/FontDescriptor": descriptor,
            "/CIDToGIDMap": NameObject("/Identity"),
            "/W": ArrayObject([NumberObject(0), ArrayObject([*map(NumberObject, widths)])]),
        },
    )
    pairs = {number: said for (said, _), number in places.items()}
    return add_dictionary(
        writer,
        {
            "/Type": NameObject("/Font"),
            "/Subtype": NameObject("/Type0"),
            "/BaseFont": name,
            "/Encoding": NameObject("/Identity-H"),
            "/DescendantFonts": ArrayObject([descendant]),
            "/ToUnicode": add_stream(writer, unicode_map(pairs, 2), {}),
        },
    )


OVERRIDES: dict[str, Write] = {
    "unicode-map": _remapped,
    "swapped-outlines": _swapped,
    "actual-text": _actual_text,
    "tag-characters": _tag_characters,
}
"""The overrides by their names."""
