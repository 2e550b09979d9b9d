"""Spots: the places in a PDF at which a text can be planted, found in the file itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, get_args

from revkit_attacks.pdf.in_page import spots
from revkit_attacks.pdf.pages import SIZE, Spot, page_size

if TYPE_CHECKING:
    from pypdf import PdfWriter
    from pypdfium2 import PdfPage

Position = Literal["start", "middle", "end", "caption", "figure"]
"""In a margin of the first, middle or last page; directly below the first line of a caption; at the
lower left corner of a picture, on it."""
POSITIONS: tuple[Position, ...] = get_args(Position)
_CAPTION = re.compile(r"(?:^|[\r\n])(?P<head>(?:Figure|Fig\.|Table)\s\d{1,3}\s?[.:])")
_SMALLEST = 50.0  # points: what is smaller is a rule, a bullet or a logo


def spot_of(source: bytes, writer: PdfWriter, position: Position) -> Spot:
    """The spot of ``position`` in the file ``source``, which ``writer`` has opened.

    Raises `ValueError` where the file has no caption or no picture on any page.
    """
    margins = spots([page_size(page) for page in writer.pages])
    if position in margins:
        return margins[position]
    import pypdfium2

    find = _caption if position == "caption" else _figure
    document = pypdfium2.PdfDocument(source)
    try:
        for number in range(len(document)):
            found = find(document[number])
            if found is not None:
                return Spot(number, *found)
    finally:
        document.close()
    what = "caption" if position == "caption" else "picture"
    raise ValueError(f"no page of the PDF has a {what}")


def _caption(page: PdfPage) -> tuple[float, float] | None:
    text = page.get_textpage()
    match = _CAPTION.search(text.get_text_range(errors="replace"))
    if match is None:
        return None
    left, bottom, _, _ = text.get_charbox(match.start("head"), loose=True)
    return round(left, 2), round(bottom - SIZE, 2)


def _figure(page: PdfPage) -> tuple[float, float] | None:
    import pypdfium2.raw as raw

    for each in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=1):
        left, bottom, right, top = each.get_bounds()
        if right - left >= _SMALLEST and top - bottom >= _SMALLEST:
            return round(left + 4, 2), round(bottom + 4 * SIZE, 2)
    return None
