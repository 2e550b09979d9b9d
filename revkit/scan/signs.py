"""Signs: the letters that an extractor takes from a page, with box, style and text object."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from revkit.dataclass import dataclass
from revkit.documents.pdf_clip import is_clipped_away
from revkit.papers import Box
from revkit.scan.results import CutOff

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

TEXT, FORM = 1, 5
_IMAGE = 3
_DEEPEST = 12
_MOST_OBJECTS = 200_000
_MARK_BYTES = 8_192
_MOST_MARKS = 16
_NAME_SIGNS = 64
_LAYER = [ord("O"), ord("C")]


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
    """The objects of a page and of the forms in it, with their types. Raises `CutOff` after the
    last one where there are more, or where forms are nested too deeply, as in a loop.
    """
    import pypdfium2.raw as raw

    budget = _MOST_OBJECTS
    waiting = [(page.raw, False, 0)]
    reason = ""
    while waiting:
        holder, is_form, depth = waiting.pop()
        count = (raw.FPDFFormObj_CountObjects if is_form else raw.FPDFPage_CountObjects)(holder)
        get = raw.FPDFFormObj_GetObject if is_form else raw.FPDFPage_GetObject
        if count > budget:
            reason = f"more than {_MOST_OBJECTS:,} objects"
        for number in range(min(max(count, 0), budget)):
            thing = get(holder, number)
            kind = raw.FPDFPageObj_GetType(thing)
            budget -= 1
            yield thing, kind
            if kind == FORM and depth < _DEEPEST:
                waiting.append((thing, True, depth + 1))
            elif kind == FORM:
                reason = f"forms in more than {_DEEPEST} forms"
    if reason:
        raise CutOff(reason)


@dataclass(frozen=True, slots=True)
class Objects:
    """The objects of a page and of the forms in it, listed once, since a page may have thousands of
    them: those of text, the share of the page that its largest picture covers, and why some are
    missing ("" if none is).
    """

    texts: Sequence[Any]
    image_share: float
    missing: str


def objects_of(page: PdfPage) -> Objects:
    """List the objects of ``page``."""
    import pypdfium2.raw as raw

    left, bottom, right, top = page.get_cropbox()
    area = max(1.0, (right - left) * (top - bottom))
    edges = [ctypes.c_float() for _ in range(4)]
    texts, most, missing = [], 0.0, ""
    try:
        for thing, kind in page_objects(page):
            if kind == TEXT:
                texts.append(thing)
            elif kind == _IMAGE and raw.FPDFPageObj_GetBounds(thing, *map(ctypes.byref, edges)):
                x0, y0, x1, y1 = (edge.value for edge in edges)
                most = max(most, (x1 - x0) * (y1 - y0) / area)
    except CutOff as error:
        missing = str(error)
    return Objects(texts, most, missing)


class Marks:
    """Reads the marks of the objects of one page, each object once, into the same buffers.

    ``missing`` states why some were not read; "" if all were.
    """

    def __init__(self) -> None:
        self.missing = ""
        self._known: dict[bytes, tuple[bool, tuple[str, ...]]] = {}
        self._name = (ctypes.c_ushort * _NAME_SIGNS)()
        self._text = (ctypes.c_ushort * (_MARK_BYTES // 2))()
        self._size = ctypes.c_ulong()

    def of(self, thing: Any) -> tuple[bool, tuple[str, ...]]:
        """Whether an object is in a layer, and the replacement texts of its marks."""
        key = bytes(thing)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._read(thing)
        return found

    def _read(self, thing: Any) -> tuple[bool, tuple[str, ...]]:
        import pypdfium2.raw as raw

        layered, texts = False, []
        size, at = self._size, ctypes.byref(self._size)
        count = raw.FPDFPageObj_CountMarks(thing)
        if count > _MOST_MARKS:
            self.missing = f"more than {_MOST_MARKS} marks around one object"
        for number in range(min(max(count, 0), _MOST_MARKS)):
            mark = raw.FPDFPageObj_GetMark(thing, number)
            size.value = 0
            raw.FPDFPageObjMark_GetName(mark, self._name, 2 * _NAME_SIGNS, at)
            layered |= size.value == 6 and self._name[:2] == _LAYER
            if raw.FPDFPageObjMark_GetParamStringValue(
                mark, b"ActualText", self._text, _MARK_BYTES, at
            ):
                data = bytes(self._text)[: max(0, min(size.value, _MARK_BYTES) - 2)]
                text = data.decode("utf-16-le", "replace")
                texts.append("".join(sign for sign in text if 0 < ord(sign) < 0x80))
        return layered, tuple(filter(None, texts))


def read_signs(textpage: Any, marks: Marks) -> list[Sign]:
    """The letters and digits of a page in the order in which PDFium returns them."""
    import pypdfium2.raw as raw

    text = textpage.raw
    edges = [ctypes.c_double() for _ in range(4)]
    refs = [ctypes.byref(edge) for edge in edges]
    x, y = ctypes.c_double(), ctypes.c_double()
    at_x, at_y = ctypes.byref(x), ctypes.byref(y)
    styles: dict[bytes, Style] = {}
    signs: list[Sign] = []
    room = _StyleRoom()
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
        key = bytes(thing)
        style = styles.get(key)
        if style is None:
            style = styles[key] = _style(text, index, thing, marks, room)
        left, right, bottom, top = (edge.value for edge in edges)
        signs.append(Sign(index, chr(code), (left, bottom, right, top), (x.value, y.value), style))
    return signs


class _StyleRoom:
    """Memory into which PDFium writes matrix and colour; a page may have thousands of objects."""

    def __init__(self) -> None:
        import pypdfium2.raw as raw

        self.matrix = raw.FS_MATRIX()
        self.at_matrix = ctypes.byref(self.matrix)
        self.parts = [ctypes.c_uint() for _ in range(4)]
        self.at_parts = [ctypes.byref(part) for part in self.parts]


def _style(text: Any, index: int, thing: Any, marks: Marks, room: _StyleRoom) -> Style:
    import pypdfium2.raw as raw

    matrix = room.matrix
    raw.FPDFText_GetMatrix(text, index, room.at_matrix)
    scale = (matrix.c**2 + matrix.d**2) ** 0.5
    size = raw.FPDFText_GetFontSize(text, index) * scale
    known = raw.FPDFText_GetFillColor(text, index, *room.at_parts)
    red, green, blue, alpha = (part.value for part in room.parts)
    mode = raw.FPDFTextObj_GetTextRenderMode(thing) if thing else 0
    layered, texts = marks.of(thing) if thing else (False, ())
    return Style(
        abs(size),
        mode,
        (red, green, blue) if known else None,
        alpha if known else 255,
        _turns(matrix.a, matrix.b, matrix.c, matrix.d),
        bool(thing) and is_clipped_away(thing),
        layered,
        texts[0] if texts else "",
    )


def _turns(a: float, b: float, c: float, d: float) -> int | None:
    if a * d - b * c <= 0:
        return None
    if abs(b) < 0.2 * abs(a):
        return 0 if a > 0 else 2
    if abs(a) < 0.2 * abs(b):
        return 1 if b > 0 else 3
    return None


def replacement_texts(things: Sequence[Any], marks: Marks) -> list[str]:
    """The replacement texts attached to objects of a page, each as `replacement_key`."""
    return list(dict.fromkeys(text for thing in things for text in marks.of(thing)[1]))


def has_text_without_width(things: Sequence[Any]) -> bool:
    """Whether one of the text objects ``things`` is scaled to no width: PDFium leaves its text
    out."""
    import pypdfium2.raw as raw

    matrix = raw.FS_MATRIX()
    at = ctypes.byref(matrix)
    for thing in things:
        if raw.FPDFPageObj_GetMatrix(thing, at):
            wide = matrix.a**2 + matrix.b**2
            high = matrix.c**2 + matrix.d**2
            if wide < 0.05**2 * high:
                return True
    return False


def replacement_key(text: str) -> str:
    """What PDFium gives of a replacement text: of its bytes in UTF-16, those that are ASCII."""
    data = text.encode("utf-16-be", "surrogatepass")
    return "".join(chr(byte) for byte in data if 0 < byte < 0x80)[: _MARK_BYTES // 2]
