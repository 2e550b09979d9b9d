"""In-page techniques: text in the content of a page that no eye sees, and extractors return."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from revkit_attacks.pdf.pages import (
    LEADING,
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
    page_size,
    text_operators,
    unicode_map,
)

if TYPE_CHECKING:
    from pypdf import PageObject, PdfWriter

Write = Callable[["PdfWriter", Spot, str], None]
"""Writes a text at a spot of a document, in one way."""
_FONT = "/RevkitF"


def visible(writer: PdfWriter, spot: Spot, text: str) -> None:
    """In black, as anybody would."""
    _plain(writer, spot, text, "0 g")


def _plain(
    writer: PdfWriter, spot: Spot, text: str, before: str, after: str = "", size: float = SIZE
) -> PageObject:
    page = writer.pages[spot.page]
    add_standard_font(writer, page, _FONT)
    lines = [codes_of(line) for line in lines_of(text)]
    shown = text_operators(spot, lines, _FONT, size=size, before=before)
    add_content(writer, page, f"{shown}\n{after}")
    return page


def _styled(before: str, size: float = SIZE) -> Write:
    def write(writer: PdfWriter, spot: Spot, text: str) -> None:
        _plain(writer, spot, text, before, size=size)

    return write


def _box(spot: Spot, text: str) -> str:
    """The rectangle around the lines of ``text``: left, bottom, width and height."""
    high = LEADING * len(lines_of(text)) + 4
    return f"{spot.x - 3:g} {spot.y + SIZE - high:g} 460 {high + 2:g}"


def _panel(writer: PdfWriter, spot: Spot, text: str) -> None:
    _plain(writer, spot, text, f"0.8 0.86 0.95 rg {_box(spot, text)} re f")


def _scaled(writer: PdfWriter, spot: Spot, text: str) -> None:
    matrix = f"0 g 0.02 0 0 0.02 {spot.x:g} {spot.y:g} cm"
    _plain(writer, replace(spot, x=0.0, y=0.0), text, matrix)


def _off_page(writer: PdfWriter, spot: Spot, text: str) -> None:
    _plain(writer, replace(spot, x=-2000.0), text, "0 g")


def _outside_crop_box(writer: PdfWriter, spot: Spot, text: str) -> None:
    from pypdf.generic import RectangleObject

    page = writer.pages[spot.page]
    left, bottom, right, top = page_size(page)
    page.cropbox = RectangleObject((left, bottom, right, top))
    page.mediabox = RectangleObject((left, bottom - 90, right, top))
    _plain(writer, replace(spot, y=bottom - 20), text, "0 g")


def _covered(writer: PdfWriter, spot: Spot, text: str) -> None:
    _plain(writer, spot, text, "0 g", f"1 g {_box(spot, text)} re f")


def _covered_by_image(writer: PdfWriter, spot: Spot, text: str) -> None:
    from pypdf.generic import NameObject, NumberObject

    left, bottom, width, height = _box(spot, text).split()
    entries = {
        "/Type": NameObject("/XObject"),
        "/Subtype": NameObject("/Image"),
        "/Width": NumberObject(1),
        "/Height": NumberObject(1),
        "/BitsPerComponent": NumberObject(8),
        "/ColorSpace": NameObject("/DeviceGray"),
    }
    after = f"q {width} 0 0 {height} {left} {bottom} cm /RevkitI Do Q"
    page = _plain(writer, spot, text, "0 g", after)
    add_resource(page, "/XObject", "/RevkitI", add_stream(writer, b"\xff", entries))


def _transparent(writer: PdfWriter, spot: Spot, text: str) -> None:
    from pypdf.generic import NumberObject

    page = _plain(writer, spot, text, "/RevkitG gs 0 g")
    state = dictionary({"/ca": NumberObject(0), "/CA": NumberObject(0)})
    add_resource(page, "/ExtGState", "/RevkitG", state)


def _clipped(writer: PdfWriter, spot: Spot, text: str) -> None:
    _plain(writer, spot, text, f"0 g {spot.x + 2:g} {spot.y - 400:g} 1 1 re W n")


def _layer_off(writer: PdfWriter, spot: Spot, text: str) -> None:
    from pypdf.generic import ArrayObject, NameObject, TextStringObject

    page = _plain(writer, spot, text, "0 g /OC /RevkitL BDC", "EMC")
    group = add_dictionary(
        writer, {"/Type": NameObject("/OCG"), "/Name": TextStringObject("notes")}
    )
    add_resource(page, "/Properties", "/RevkitL", group)
    config = dictionary({"/OFF": ArrayObject([group]), "/Order": ArrayObject([])})
    properties = dictionary({"/OCGs": ArrayObject([group]), "/D": config})
    writer.root_object[NameObject("/OCProperties")] = properties


def _empty_glyphs(writer: PdfWriter, spot: Spot, text: str) -> None:
    """A font of the document's own (Type 3) whose glyphs draw nothing."""
    from pypdf.generic import ArrayObject, FloatObject, NameObject, NumberObject

    signs = sorted(set(text))[:220]
    codes = {sign: code for code, sign in enumerate(signs, 33)}
    nothing = add_stream(writer, b"500 0 d0", {})
    names = {sign: f"/g{code}" for sign, code in codes.items()}
    last = 32 + len(signs)
    matrix = ArrayObject([FloatObject(each) for each in (0.001, 0, 0, 0.001, 0, 0)])
    differences = ArrayObject([NumberObject(33), *(NameObject(names[sign]) for sign in signs)])
    font = add_dictionary(
        writer,
        {
            "/Type": NameObject("/Font"),
            "/Subtype": NameObject("/Type3"),
            "/FontBBox": ArrayObject([NumberObject(each) for each in (0, 0, 1000, 1000)]),
            "/FontMatrix": matrix,
            "/CharProcs": dictionary(dict.fromkeys(names.values(), nothing)),
            "/Encoding": dictionary(
                {"/Type": NameObject("/Encoding"), "/Differences": differences}
            ),
            "/FirstChar": NumberObject(33),
            "/LastChar": NumberObject(last),
            "/Widths": ArrayObject([NumberObject(500)] * len(signs)),
            "/ToUnicode": add_stream(
                writer, unicode_map({code: sign for sign, code in codes.items()}), {}
            ),
            "/Resources": dictionary({}),
        },
    )
    page = writer.pages[spot.page]
    add_resource(page, "/Font", "/RevkitE", font)
    lines = [[codes.get(sign, 33) for sign in line] for line in lines_of(text)]
    add_content(writer, page, text_operators(spot, lines, "/RevkitE", before="0 g"))


IN_PAGE: dict[str, Write] = {
    "white": _styled("1 1 1 rg"),
    "near-white": _styled("0.985 0.985 0.985 rg"),
    "panel-colour": _panel,
    "tiny": _styled("0 g", size=0.3),
    "tiny-by-matrix": _scaled,
    "off-page": _off_page,
    "outside-crop-box": _outside_crop_box,
    "covered": _covered,
    "covered-by-image": _covered_by_image,
    "not-painted": _styled("0 g 3 Tr"),
    "only-clipping": _styled("0 g 7 Tr"),
    "opacity-zero": _transparent,
    "clipped": _clipped,
    "layer-off": _layer_off,
    "no-width": _styled("0 g 0 Tz"),
    "empty-glyphs": _empty_glyphs,
}
"""The techniques by their names."""


def spots(sizes: Sequence[tuple[float, float, float, float]]) -> dict[str, Spot]:
    """The spots of a document with these page edges: in the upper margin of the first page, in
    the lower margin of the middle and of the last."""
    first, middle, last = sizes[0], sizes[len(sizes) // 2], sizes[-1]
    return {
        "start": Spot(0, first[0] + 60, first[3] - 34),
        "middle": Spot(len(sizes) // 2, middle[0] + 60, middle[1] + 46),
        "end": Spot(len(sizes) - 1, last[0] + 60, last[1] + 46),
    }
