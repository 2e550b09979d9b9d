"""Region: a part of a page of a PDF, as its reader sees it."""

from __future__ import annotations

from revkit.papers import Box
from revkit.scan.ink import draw
from revkit.scan.pdf import png

_MOST_POINTS = 2_000.0


def draw_region(data: bytes, page: int, box: Box, *, scale: float = 1.0) -> bytes:
    """Return the part ``box`` (left, bottom, right, top, in points) of page ``page`` (from 1) as a
    PNG.

    What lies outside the visible page is left out. Raises `ValueError` where nothing of the box is
    on the page, or the page is larger than 2,000 points.
    """
    import pypdfium2

    document = pypdfium2.PdfDocument(data)
    try:
        sheet = document[page - 1]
        left, bottom, right, top = sheet.get_cropbox()
        if max(right - left, top - bottom) > _MOST_POINTS:
            raise ValueError(f"page {page} is too large to be drawn")
        picture = draw(sheet, scale)
    finally:
        document.close()
    height, width = picture.shape[:2]
    x0, x1 = (round(min(max(x - left, 0) * scale, width)) for x in (box[0], box[2]))
    y0, y1 = (round(min(max(top - y, 0) * scale, height)) for y in (box[3], box[1]))
    if x1 <= x0 or y1 <= y0:
        raise ValueError(f"the box is not on page {page}")
    return png(picture[y0:y1, x0:x1])
