"""Words of a PDF: the data of pdfium about each page, as words with place, size and weight.

A word that a reader does not see is kept apart: transparent or invisible, of the colour of the
page, tiny, outside the page, clipped, or covered by what is painted later.
"""

from __future__ import annotations

import ctypes
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal

from revkit.dataclass import dataclass
from revkit.documents.pdf_clip import Box, bounds_of, is_clipped_away, may_be_cut

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

Concealment = Literal["transparent", "invisible", "white", "tiny", "off-page", "clipped", "covered"]
"""Why a word is not seen."""
_TINY = 2.5
_INVISIBLE_MODE = 3
_CLIPPING_MODE = 7
_TEXT, _PATH, _IMAGE = 1, 2, 3
_SMALLEST_COVER = 4.0
_MOST_OBJECTS = 4_000
_WHITE = 242
_BOLD = re.compile(r"bold|black|heavy|demi|medi(?!um)|CMBX|CMSSBX|SFBX|LMRoman\d+-Bold|-B\b", re.I)
_LIGATURES = {
    0xFB00: "ff",
    0xFB01: "fi",
    0xFB02: "fl",
    0xFB03: "ffi",
    0xFB04: "ffl",
    0xFB05: "st",
    0xFB06: "st",
}
_ACCENTS = dict(
    zip(
        "´¨ˆ˜ˇ¯˘˙˚`¸˝",
        "\u0301\u0308\u0302\u0303\u030c\u0304\u0306\u0307\u030a\u0300\u0327\u030b",
        strict=True,
    )
)
_FIRST_HALVES, _LATER_HALVES = range(0xD800, 0xDC00), range(0xDC00, 0xE000)
_FAR = 1.6
"""So many times the font size behind the last letter, a sign is not behind the hyphen after it."""
_HYPHENS = (0x02, 0xFFFE, 0xAD)
SOFT_HYPHEN = "\u00ad"
"""Ends a word that goes on in the next line."""


@dataclass(slots=True)
class Word:
    """One word: its text, left and right edge, baseline and font size in points."""

    text: str
    x0: float
    x1: float
    y: float
    size: float
    bold: bool
    spaced: bool
    """Whether a blank is before it."""
    hidden: Concealment | None = None
    places: list[float] = field(default_factory=list)
    """The left edge of each character."""
    signs: list[int] = field(default_factory=list)
    """The numbers of its characters on the page, as pdfium counts them."""


@dataclass(frozen=True, slots=True)
class _Style:
    size: float
    bold: bool
    upright: bool
    hidden: Concealment | None


def read_words(page: PdfPage) -> tuple[list[Word], float, float]:
    """Return the words of ``page`` in the order of its content, with the page's width and height.

    Text that is not upright, such as a stamp along the margin, is left out.
    """
    reader = _PageReader(page)
    try:
        return reader.words(), reader.width, reader.height
    finally:
        reader.close()


class _PageReader:
    """The characters of one page, joined to words."""

    def __init__(self, page: PdfPage) -> None:
        import pypdfium2.raw as raw

        self.raw: Any = raw
        self.page = page
        self.text = page.get_textpage()
        left, bottom, right, top = page.get_cropbox()
        self.left, self.bottom, self.width, self.height = left, bottom, right - left, top - bottom
        self.styles: dict[int, _Style] = {}
        self.shapes: list[Box] | None = None
        self.covers, self.order = self._covers()

    def close(self) -> None:
        self.text.close()

    def words(self) -> list[Word]:
        """The words, with accents that are drawn apart on their letters."""
        accents: list[tuple[str, float, float]] = []
        words = list(self._plain_words(accents))
        for accent, x, y in accents:
            _set_accent(words, accent, x, y)
        return words

    def _plain_words(self, accents: list[tuple[str, float, float]]) -> Iterator[Word]:
        raw, text = self.raw, self.text.raw
        x, y = ctypes.c_double(), ctypes.c_double()
        at_x, at_y = ctypes.byref(x), ctypes.byref(y)
        unicode_of, origin_of = raw.FPDFText_GetUnicode, raw.FPDFText_GetCharOrigin
        word: Word | None = None
        last, spaced, half = 0, True, 0
        for index in range(raw.FPDFText_CountChars(text)):
            code = unicode_of(text, index)
            if code in _LATER_HALVES and half:
                half = 0
                last = index
                continue
            half = code if code in _FIRST_HALVES else 0
            if half:
                code = _character_of(half, unicode_of(text, index + 1))
            if (code <= 0x20 and code != 0x02) or code == 0xA0:
                if word is not None:
                    yield self._ended(word, last)
                word, spaced = None, True
                continue
            if code in _HYPHENS:
                if word is not None and not word.text.endswith(SOFT_HYPHEN):
                    word.text += SOFT_HYPHEN
                    word.places.append(word.places[-1])
                    last = index
                continue
            origin_of(text, index, at_x, at_y)
            left, base = x.value - self.left, y.value - self.bottom
            if code < 0x300 and chr(code) in _ACCENTS:
                accents.append((chr(code), left, base))
                continue
            if word is not None and (
                abs(base - word.y) > 0.08 * word.size
                or left < word.x0 - 1
                or index == 0
                or (word.text.endswith(SOFT_HYPHEN) and left - word.places[-1] > _FAR * word.size)
            ):
                yield self._ended(word, last)
                word, spaced = None, False
            sign = _LIGATURES.get(code) or (chr(code) if _is_character(code) else "\ufffd")
            if word is None:
                style = self._style(index)
                if not style.upright:
                    continue
                word = Word(sign, left, left, base, style.size, style.bold, spaced, style.hidden)
                word.places = [left] * len(sign)
                word.signs = [index]
                spaced = False
            else:
                word.text += sign
                word.places += [left] * len(sign)
                word.signs.append(index)
            last = index
        if word is not None:
            yield self._ended(word, last)

    def _ended(self, word: Word, last: int) -> Word:
        edges = [ctypes.c_double() for _ in range(4)]
        self.raw.FPDFText_GetCharBox(self.text.raw, last, *map(ctypes.byref, edges))
        right = edges[1].value - self.left
        word.x1 = max(word.x0, right)
        if word.hidden is None and (
            word.x1 < 0 or word.x0 > self.width or word.y < -2 or word.y > self.height
        ):
            word.hidden = "off-page"
        if word.hidden == "white" and self._on_shape(word):
            word.hidden = None
        if word.hidden is None and self.covers and self._is_covered(word, last):
            word.hidden = "covered"
        return word

    def _is_covered(self, word: Word, last: int) -> bool:
        """Whether a shape or picture that is painted after the word lies over all of it."""
        place = self.order.get(_address(self.raw.FPDFText_GetTextObject(self.text.raw, last)))
        if place is None:
            return False
        x0, x1 = word.x0 + self.left + 0.5, word.x1 + self.left - 0.5
        low, high = word.y + self.bottom + 0.05 * word.size, word.y + self.bottom + 0.5 * word.size
        return any(
            later > place and box[0] <= x0 and x1 <= box[2] and box[1] <= low and high <= box[3]
            for later, box in self.covers
        )

    def _covers(self) -> tuple[list[tuple[int, Box]], dict[int, int]]:
        """What is painted without transparency over a rectangle, and when; and when each text is
        painted. Both are empty where nothing of that kind follows a text."""
        raw, page = self.raw, self.page.raw
        covers: list[tuple[int, Box]] = []
        order: dict[int, int] = {}
        for number in range(min(raw.FPDFPage_CountObjects(page), _MOST_OBJECTS)):
            thing = raw.FPDFPage_GetObject(page, number)
            kind = raw.FPDFPageObj_GetType(thing)
            if kind == _TEXT:
                order[_address(thing)] = number
            elif order and kind in (_PATH, _IMAGE):
                bounds = bounds_of(thing)
                if bounds is not None and self._is_cover(thing, kind, bounds):
                    covers.append((number, bounds))
        return covers, order if covers else {}

    def _is_cover(self, thing: Any, kind: int, box: Box) -> bool:
        raw = self.raw
        if box[2] - box[0] < _SMALLEST_COVER or box[3] - box[1] < _SMALLEST_COVER:
            return False
        if kind == _PATH:
            if raw.FPDFPath_CountSegments(thing) not in (4, 5):
                return False
            fill, stroke = ctypes.c_int(), ctypes.c_int()
            raw.FPDFPath_GetDrawMode(thing, ctypes.byref(fill), ctypes.byref(stroke))
            if not fill.value:
                return False
        return not raw.FPDFPageObj_HasTransparency(thing) and not may_be_cut(thing, box)

    def _style(self, index: int) -> _Style:
        thing = self.raw.FPDFText_GetTextObject(self.text.raw, index)
        key = ctypes.cast(thing, ctypes.c_void_p).value or -index - 1
        style = self.styles.get(key)
        if style is None:
            style = self.styles[key] = self._read_style(index, thing)
        return style

    def _read_style(self, index: int, thing: Any) -> _Style:
        raw, text = self.raw, self.text.raw
        matrix = raw.FS_MATRIX()
        raw.FPDFText_GetMatrix(text, index, ctypes.byref(matrix))
        scale = (matrix.c**2 + matrix.d**2) ** 0.5 or 1.0
        size = raw.FPDFText_GetFontSize(text, index) * scale
        name = ctypes.create_string_buffer(128)
        flags = ctypes.c_int()
        raw.FPDFText_GetFontInfo(text, index, name, 128, ctypes.byref(flags))
        font = name.value.decode("utf-8", "replace")
        bold = bool(_BOLD.search(font)) or raw.FPDFText_GetFontWeight(text, index) >= 600
        upright = matrix.a > 0 and abs(matrix.b) < 0.3 * abs(matrix.a)
        return _Style(size, bold, upright, self._concealment(index, thing, size))

    def _concealment(self, index: int, thing: Any, size: float) -> Concealment | None:
        raw = self.raw
        mode = raw.FPDFTextObj_GetTextRenderMode(thing) if thing else 0
        if mode in (_INVISIBLE_MODE, _CLIPPING_MODE):
            return "invisible"
        if size < _TINY:
            return "tiny"
        parts = [ctypes.c_uint() for _ in range(4)]
        if raw.FPDFText_GetFillColor(self.text.raw, index, *map(ctypes.byref, parts)):
            *color, alpha = (part.value for part in parts)
            if alpha <= 12:
                return "transparent"
            if min(color) >= _WHITE and mode in (0, 4):
                return "white"
        return "clipped" if thing and is_clipped_away(thing) else None

    def _on_shape(self, word: Word) -> bool:
        """Whether white text lies on a dark shape or a picture, such as the head of a table."""
        if self.shapes is None:
            self.shapes = list(self._dark_shapes())
        x, y = (word.x0 + word.x1) / 2 + self.left, word.y + 0.3 * word.size + self.bottom
        return any(
            left <= x <= right and low <= y <= high for left, low, right, high in self.shapes
        )

    def _dark_shapes(self) -> Iterator[Box]:
        raw, page = self.raw, self.page.raw
        for number in range(min(raw.FPDFPage_CountObjects(page), _MOST_OBJECTS)):
            thing = raw.FPDFPage_GetObject(page, number)
            kind = raw.FPDFPageObj_GetType(thing)
            if kind == _TEXT:
                continue
            bounds = bounds_of(thing)
            if bounds is None:
                continue
            if kind == _PATH:
                parts = [ctypes.c_uint() for _ in range(4)]
                raw.FPDFPageObj_GetFillColor(thing, *map(ctypes.byref, parts))
                *color, alpha = (part.value for part in parts)
                fill, stroke = ctypes.c_int(), ctypes.c_int()
                raw.FPDFPath_GetDrawMode(thing, ctypes.byref(fill), ctypes.byref(stroke))
                if not fill.value or alpha < 40 or min(color) >= _WHITE:
                    continue
            yield bounds


def _address(thing: Any) -> int:
    """The address of an object of pdfium, by which two handles of one object are known; 0 for
    none."""
    return ctypes.cast(thing, ctypes.c_void_p).value or 0


def _character_of(first: int, later: int) -> int:
    """The character of two halves, as pdfium counts signs beyond the first 65,536."""
    if later not in _LATER_HALVES:
        return first
    return 0x10000 + ((first - 0xD800) << 10) + (later - 0xDC00)


def _is_character(code: int) -> bool:
    return 0x20 < code < 0x110000 and not 0xD800 <= code < 0xE000 and code not in (0xFFFF, 0xFFFE)


def _set_accent(words: Sequence[Word], accent: str, x: float, y: float) -> None:
    """Put an accent on the letter below it; without one it is left out."""
    best: tuple[float, Word, int] | None = None
    for word in words:
        if abs(y - word.y) < 0.45 * word.size and word.x0 - 3 <= x <= word.x1 + 3:
            for place, left in enumerate(word.places):
                distance = abs(left - x)
                if word.text[place].isalpha() and (best is None or distance < best[0]):
                    best = distance, word, place
    if best is None or best[0] > 0.4 * best[1].size:
        return
    _, word, place = best
    letter = {"ı": "i", "ȷ": "j"}.get(word.text[place], word.text[place])
    composed = unicodedata.normalize("NFC", letter + _ACCENTS[accent])
    if len(composed) == 1:
        word.text = word.text[:place] + composed + word.text[place + 1 :]
