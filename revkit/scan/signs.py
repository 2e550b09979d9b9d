"""Signs: the letters that an extractor takes from a page, with box, style and text object."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from revkit.documents.pdf_clip import is_clipped_away
from revkit.papers import Box

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

_TEXT, _IMAGE, _FORM = 1, 3, 5
_DEEPEST = 12
_MOST_OBJECTS = 200_000
_MARK_BYTES = 8_192


@dataclass(frozen=True, slots=True)
class Style:
    """What one text object looks like: effective size in points, render mode, fill colour with
    opacity (0 to 255, None for a pattern), whether it is clipped or in an optional layer, and the
    replacement text ("ActualText") that is attached to it, as `replacement_key` gives it.

    ``turns`` counts quarter turns against the clock; None for another angle, and for mirrors."""

    size: float
    mode: int
    color: tuple[int, int, int] | None
    alpha: int
    turns: int | None
    clipped: bool
    layered: bool
    replacement: str


@dataclass(frozen=True, slots=True)
class Sign:
    """One letter or digit: its number on the page, character, box in points, and style."""

    index: int
    text: str
    box: Box
    origin: tuple[float, float]
    style: Style


def page_objects(page: PdfPage) -> Iterator[tuple[Any, int]]:
    """The objects of a page and of the forms in it, with their types, without end in loops."""
    import pypdfium2.raw as raw

    budget = _MOST_OBJECTS
    waiting = [(page.raw, False, 0)]
    while waiting:
        holder, is_form, depth = waiting.pop()
        count = (raw.FPDFFormObj_CountObjects if is_form else raw.FPDFPage_CountObjects)(holder)
        get = raw.FPDFFormObj_GetObject if is_form else raw.FPDFPage_GetObject
        for number in range(min(max(count, 0), budget)):
            thing = get(holder, number)
            kind = raw.FPDFPageObj_GetType(thing)
            budget -= 1
            yield thing, kind
            if kind == _FORM and depth < _DEEPEST:
                waiting.append((thing, True, depth + 1))


def text_objects(page: PdfPage) -> list[Any]:
    """The text objects of a page, those in forms too."""
    return [thing for thing, kind in page_objects(page) if kind == _TEXT]


def read_signs(textpage: Any) -> list[Sign]:
    """The letters and digits of a page in the order in which PDFium returns them."""
    import pypdfium2.raw as raw

    text = textpage.raw
    edges = [ctypes.c_double() for _ in range(4)]
    refs = [ctypes.byref(edge) for edge in edges]
    x, y = ctypes.c_double(), ctypes.c_double()
    at_x, at_y = ctypes.byref(x), ctypes.byref(y)
    styles: dict[int, Style] = {}
    signs = []
    unicode_of, box_of, thing_of = (
        raw.FPDFText_GetUnicode,
        raw.FPDFText_GetCharBox,
        raw.FPDFText_GetTextObject,
    )
    origin_of = raw.FPDFText_GetCharOrigin
    for index in range(raw.FPDFText_CountChars(text)):
        code = unicode_of(text, index)
        if code <= 0x2F or not chr(code).isalnum():
            continue
        box_of(text, index, *refs)
        origin_of(text, index, at_x, at_y)
        thing = thing_of(text, index)
        key = ctypes.cast(thing, ctypes.c_void_p).value or 0
        style = styles.get(key)
        if style is None:
            style = styles[key] = _style(text, index, thing)
        left, right, bottom, top = (edge.value for edge in edges)
        signs.append(Sign(index, chr(code), (left, bottom, right, top), (x.value, y.value), style))
    return signs


def _style(text: Any, index: int, thing: Any) -> Style:
    import pypdfium2.raw as raw

    matrix = raw.FS_MATRIX()
    raw.FPDFText_GetMatrix(text, index, ctypes.byref(matrix))
    scale = (matrix.c**2 + matrix.d**2) ** 0.5
    size = raw.FPDFText_GetFontSize(text, index) * scale
    parts = [ctypes.c_uint() for _ in range(4)]
    known = raw.FPDFText_GetFillColor(text, index, *map(ctypes.byref, parts))
    red, green, blue, alpha = (part.value for part in parts)
    mode = raw.FPDFTextObj_GetTextRenderMode(thing) if thing else 0
    marks = list(_marks(thing)) if thing else []
    return Style(
        abs(size),
        mode,
        (red, green, blue) if known else None,
        alpha if known else 255,
        _turns(matrix.a, matrix.b, matrix.c, matrix.d),
        bool(thing) and is_clipped_away(thing),
        any(name == "OC" for name, _ in marks),
        next((text for _, text in marks if text), ""),
    )


def _turns(a: float, b: float, c: float, d: float) -> int | None:
    if a * d - b * c <= 0:
        return None
    if abs(b) < 0.2 * abs(a):
        return 0 if a > 0 else 2
    if abs(a) < 0.2 * abs(b):
        return 1 if b > 0 else 3
    return None


def replacement_texts(page: PdfPage) -> list[str]:
    """The replacement texts attached to the content of a page, each as `replacement_key`."""
    texts = [text for thing in text_objects(page) for _, text in _marks(thing) if text]
    return list(dict.fromkeys(texts))


def has_text_without_width(page: PdfPage) -> bool:
    """Whether a text object of ``page`` is scaled to no width: PDFium leaves its text out."""
    import pypdfium2.raw as raw

    matrix = raw.FS_MATRIX()
    for thing in text_objects(page):
        if raw.FPDFPageObj_GetMatrix(thing, ctypes.byref(matrix)):
            wide = (matrix.a**2 + matrix.b**2) ** 0.5
            high = (matrix.c**2 + matrix.d**2) ** 0.5
            if wide < 0.05 * high:
                return True
    return False


def _marks(thing: Any) -> Iterator[tuple[str, str]]:
    """Name and replacement text of each mark of an object; "" without one."""
    import pypdfium2.raw as raw

    for number in range(min(max(raw.FPDFPageObj_CountMarks(thing), 0), 16)):
        mark = raw.FPDFPageObj_GetMark(thing, number)
        buffer = (ctypes.c_ushort * 64)()
        size = ctypes.c_ulong()
        raw.FPDFPageObjMark_GetName(mark, buffer, ctypes.sizeof(buffer), ctypes.byref(size))
        name = bytes(buffer)[: max(0, min(size.value, 128) - 2)].decode("utf-16-le", "replace")
        yield name, _replacement(mark)


def _replacement(mark: Any) -> str:
    import pypdfium2.raw as raw

    buffer = (ctypes.c_ushort * (_MARK_BYTES // 2))()
    size = ctypes.c_ulong()
    if not raw.FPDFPageObjMark_GetParamStringValue(
        mark, b"ActualText", buffer, _MARK_BYTES, ctypes.byref(size)
    ):
        return ""
    data = bytes(buffer)[: max(0, min(size.value, _MARK_BYTES) - 2)]
    return "".join(sign for sign in data.decode("utf-16-le", "replace") if 0 < ord(sign) < 0x80)


def replacement_key(text: str) -> str:
    """What PDFium gives of a replacement text: of its bytes in UTF-16, those that are ASCII."""
    data = text.encode("utf-16-be", "surrogatepass")
    return "".join(chr(byte) for byte in data if 0 < byte < 0x80)[: _MARK_BYTES // 2]


def image_share(page: PdfPage) -> float:
    """The share of the page that its largest picture covers."""
    import pypdfium2.raw as raw

    left, bottom, right, top = page.get_cropbox()
    area = max(1.0, (right - left) * (top - bottom))
    edges = [ctypes.c_float() for _ in range(4)]
    most = 0.0
    for thing, kind in page_objects(page):
        if kind == _IMAGE and raw.FPDFPageObj_GetBounds(thing, *map(ctypes.byref, edges)):
            x0, y0, x1, y1 = (edge.value for edge in edges)
            most = max(most, (x1 - x0) * (y1 - y0) / area)
    return most
