"""Shapes: whether the glyphs that a page shows are the letters that its fonts state.

A letter's box is compared with the boxes of that letter in common faces first, which costs no
drawing. Where many letters in a row do not fit, the row is drawn, and each outline is compared with
the outlines of all letters and digits: a statement is rejected if its letter is not among the five
most similar, and another letter is similar. Decorative faces are similar to nothing, so they reject
nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from revkit.dataclass import dataclass
from revkit.papers import HiddenText, shorten
from revkit.scan.pages import box_of, words_of
from revkit.scan.signs import Sign

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

Shape: TypeAlias = NDArray[np.float64]
_FACES = (
    "DejaVuSans.ttf",
    "DejaVuSans-Bold.ttf",
    "DejaVuSerif.ttf",
    "DejaVuSerif-Italic.ttf",
    "DejaVuSansMono.ttf",
    "STIXGeneral.ttf",
    "STIXGeneralBol.ttf",
    "STIXGeneralItalic.ttf",
    "cmr10.ttf",
    "cmss10.ttf",
    "cmtt10.ttf",
    "cmb10.ttf",
)
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_WINDOW = 20
_MISFITS = 5
_REJECTED = 8
_NEAREST = 5
_SIMILAR = 0.20
_SLACK = 0.08
_GRID = 20
_SCALE = 6.0
_MOST_PIXELS = 6_000_000


def _folded(sign: str) -> str:
    """One letter for all that look alike in some face: case twins, "I" and "1", "O" and "0"."""
    return {"i": "l", "1": "l", "j": "l", "0": "o"}.get(sign.casefold(), sign.casefold())


@dataclass(frozen=True)
class _Reference:
    """Boxes of each letter over all faces (lowest and highest of top, bottom and width, in units of
    the size), and the shapes with the folded letter of each."""

    boxes: dict[str, tuple[tuple[float, float], ...]]
    shapes: Shape
    letters: tuple[str, ...]


@cache
def _reference() -> _Reference:
    from pathlib import Path

    import matplotlib
    from matplotlib.ft2font import FT2Font

    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    boxes: dict[str, list[tuple[float, float, float]]] = {}
    shapes, letters = [], []
    for face in _FACES:
        font = FT2Font(str(folder / face))
        font.set_size(60, 72)
        for letter in _LETTERS:
            font.clear()
            glyph = font.load_char(ord(letter))
            left, bottom, right, top = (value / 64 / 60 for value in glyph.bbox)
            boxes.setdefault(letter, []).append((top, bottom, right - left))
            font.set_text(letter)
            font.draw_glyphs_to_bitmap()
            shapes.append(_shape(np.asarray(font.get_image(), np.float64) / 255))
            letters.append(_folded(letter))
    ranges = {
        letter: tuple((min(column), max(column)) for column in zip(*rows, strict=True))
        for letter, rows in boxes.items()
    }
    return _Reference(ranges, np.array(shapes), tuple(letters))


def _shape(ink: NDArray[np.float64]) -> Shape:
    """``ink`` (0 to 1) without margins, on a square grid, with its aspect; of unit length."""
    rows, columns = np.flatnonzero(ink.max(1) > 0.3), np.flatnonzero(ink.max(0) > 0.3)
    if not rows.size or not columns.size:
        return np.zeros(_GRID * _GRID + 1)
    part = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    height, width = part.shape
    grid = _resized(part)
    aspect = np.log(width / height) * 0.25
    flat = grid.ravel()
    return np.append(flat / max(float(np.linalg.norm(flat)), 1e-9), aspect)


def _resized(part: NDArray[np.float64]) -> NDArray[np.float64]:
    """Means over the cells of a square grid."""
    for axis in (0, 1):
        size = part.shape[axis]
        sums = np.concatenate([np.zeros_like(part.take([0], axis)), part.cumsum(axis)], axis)
        edges = np.linspace(0, size, _GRID + 1)
        low = np.minimum(edges.astype(int), size - 1)
        share = edges - low
        shape = (-1, 1) if axis == 0 else (1, -1)
        at = sums.take(low, axis) + share.reshape(shape) * part.take(low, axis)
        part = np.diff(at, axis=axis) * _GRID / size
    return part


def find_by_shape(number: int, page: PdfPage, signs: Sequence[Sign]) -> list[HiddenText]:
    """The rows of page ``number`` whose glyphs show other letters than the file states."""
    letters = [
        sign
        for sign in signs
        if sign.text in _LETTERS and sign.style.size > 0 and sign.style.turns is not None
    ]
    found = []
    for part in _suspicious(letters):
        drawn, rejected = _read(page, part)
        if _most_in_window(rejected) >= _REJECTED:
            evidence = (
                f"{sum(rejected)} of {len(part)} glyphs do not look like the letter that the file "
                f'states; they look like "{shorten(drawn)[:120]}"'
            )
            place = number, box_of(part), evidence
            found.append(HiddenText("glyph-shapes", None, None, None, words_of(part), *place))
    return found


def _most_in_window(flags: Sequence[bool]) -> int:
    sums = np.cumsum([0, *flags])
    if len(flags) <= _WINDOW:
        return int(sums[-1])
    return int((sums[_WINDOW:] - sums[:-_WINDOW]).max())


def _suspicious(letters: Sequence[Sign]) -> Iterator[list[Sign]]:
    """Rows of letters in which a fourth of a window has boxes that no common face has."""
    misfits = np.array([_misfits(sign) for sign in letters], np.int64)
    if misfits.sum() < _MISFITS:
        return
    sums = np.concatenate([[0], misfits.cumsum()])
    marked = np.zeros(len(letters), bool)
    width = min(_WINDOW, len(letters))
    for start in np.flatnonzero(sums[width:] - sums[:-width] >= _MISFITS):
        marked[start : start + width] = True
    part: list[Sign] = []
    for sign, inside in zip(letters, marked, strict=True):
        if inside:
            part.append(sign)
        elif part:
            yield part
            part = []
    if part:
        yield part


def _misfits(sign: Sign) -> bool:
    ranges = _reference().boxes[sign.text]
    return any(
        not low - _SLACK <= value / sign.style.size <= high + _SLACK
        for value, (low, high) in zip(_measured(sign), ranges, strict=True)
    )


def _measured(sign: Sign) -> tuple[float, float, float]:
    """Top and bottom over the baseline, and the width, as the letter is read."""
    x0, y0, x1, y1 = sign.box
    x, y = sign.origin
    return (
        (y1 - y, y0 - y, x1 - x0),
        (x - x0, x - x1, y1 - y0),
        (y - y0, y - y1, x1 - x0),
        (x1 - x, x0 - x, y1 - y0),
    )[sign.style.turns or 0]


def _read(page: PdfPage, part: Sequence[Sign]) -> tuple[str, list[bool]]:
    """The letters that the glyphs of a row look like, and for each whether the statement of the
    file is rejected."""
    left, bottom, right, top = box_of(part)
    edges = page.get_cropbox()
    margin = 2.0
    cut = (
        max(0.0, left - margin - edges[0]),
        max(0.0, bottom - margin - edges[1]),
        max(0.0, edges[2] - right - margin),
        max(0.0, edges[3] - top - margin),
    )
    wide, high = edges[2] - edges[0] - cut[0] - cut[2], edges[3] - edges[1] - cut[1] - cut[3]
    if wide <= 1 or high <= 1:
        return "", [False] * len(part)
    scale = min(_SCALE, (_MOST_PIXELS / (wide * high)) ** 0.5)
    bitmap = page.render(scale=scale, crop=cut, grayscale=True)
    picture = bitmap.to_numpy().reshape(bitmap.height, bitmap.width, -1)[:, :, 0] / 255
    bitmap.close()
    ground = float(np.median(picture))
    ink = np.abs(picture - ground)
    ink /= max(float(ink.max()), 1e-9)
    shapes = []
    for sign in part:
        x0 = int((sign.box[0] - edges[0] - cut[0]) * scale)
        x1 = int(np.ceil((sign.box[2] - edges[0] - cut[0]) * scale))
        y0 = int((edges[3] - cut[3] - sign.box[3]) * scale)
        y1 = int(np.ceil((edges[3] - cut[3] - sign.box[1]) * scale))
        crop = ink[max(0, y0) : max(0, y1), max(0, x0) : max(0, x1)]
        crop = np.rot90(crop, -(sign.style.turns or 0))
        shapes.append(_shape(crop) if crop.size else np.zeros(_GRID * _GRID + 1))
    return _judged(np.array(shapes), [sign.text for sign in part])


def _judged(shapes: Shape, stated: Sequence[str]) -> tuple[str, list[bool]]:
    reference = _reference()
    distances = 0.5 * (
        (shapes**2).sum(1)[:, None]
        + (reference.shapes**2).sum(1)[None, :]
        - 2 * shapes @ reference.shapes.T
    )
    names = sorted(set(reference.letters))
    columns = [np.array([each == name for each in reference.letters]) for name in names]
    best = np.stack([distances[:, column].min(1) for column in columns], 1)
    ranks = best.argsort(1)
    rejected = [
        _folded(letter) not in [names[place] for place in order[:_NEAREST]]
        and bool(row[order[0]] <= _SIMILAR)
        for row, order, letter in zip(best, ranks, stated, strict=True)
    ]
    blank = shapes[:, :-1].max(1) == 0
    drawn = [" " if empty else names[order[0]] for order, empty in zip(ranks, blank, strict=True)]
    return "".join(drawn), rejected
