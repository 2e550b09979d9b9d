"""Ink: what the text of a page changes in its picture, by two renders with and without text."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from contextlib import suppress
from math import ceil
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from revkit.dataclass import dataclass
from revkit.model.colors import (
    GLARE,
    LEAST_CONTRAST,
    LUMINANCE_SHARES,
    MOST_ALIKE,
    linear,
)
from revkit.papers import Box
from revkit.scan.results import CutOff
from revkit.scan.signs import FORM, TEXT, page_objects

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

Picture: TypeAlias = NDArray[np.uint8]
"""Height, width, and the channels red, green and blue."""
Counts: TypeAlias = NDArray[np.int32]
Color: TypeAlias = tuple[int, int, int] | None
SCALE = 1.5
"""Pixels a point."""
_MOST_PIXELS = 4_000_000
_MARK = 30
_FINE = 1000
_LIGHT = np.array(
    [[share * linear(value) for share in LUMINANCE_SHARES] for value in range(256)], np.float32
)
_LEAST = 12
"""Colours whose channels all differ by no more have less than the contrast of text anywhere."""
_LEAST_OF_LARGE = 1.1
"""Letters of 24 points and more, as of a watermark, are seen from this contrast ratio up."""
_LEAST_SHARE = 0.05
_APART = np.array(MOST_ALIKE, np.int16)


@dataclass(frozen=True)
class Inks:
    """Two renders of one page, and the pixels that its text changes visibly."""

    drawn: Picture
    bare: Picture
    changed: NDArray[np.bool_]
    matrix: tuple[float, float, float, float, float, float]

    def pixels(self, box: Box) -> tuple[int, int, int, int]:
        """Left, top, right and bottom pixel of ``box``, at least one wide, within the picture."""
        a, b, c, d, e, f = self.matrix
        xs = [a * x + c * y + e for x in (box[0], box[2]) for y in (box[1], box[3])]
        ys = [b * x + d * y + f for x in (box[0], box[2]) for y in (box[1], box[3])]
        height, width = self.changed.shape
        left = int(min(max(min(xs), 0), width))
        top = int(min(max(min(ys), 0), height))
        right = int(min(max(ceil(max(xs)), left + 1), width))
        bottom = int(min(max(ceil(max(ys)), top + 1), height))
        return left, top, right, bottom

    def counts(self, boxes: Sequence[Box]) -> NDArray[np.int32]:
        """How many pixels in each of ``boxes`` the text changes visibly."""
        if not boxes:
            return np.zeros(0, np.int32)
        left, top, right, bottom = self._all_pixels(np.array(boxes, np.float64))
        sums = np.zeros((self.changed.shape[0] + 1, self.changed.shape[1] + 1), np.int32)
        np.cumsum(self.changed, 0, np.int32, out=sums[1:, 1:])
        np.cumsum(sums[1:, 1:], 1, np.int32, out=sums[1:, 1:])
        counts: NDArray[np.int32] = (
            sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]
        )
        return counts

    def shares(self, boxes: Sequence[Box], counts: NDArray[np.int32]) -> NDArray[np.float64]:
        """What share of the pixels of each of ``boxes`` the ``counts`` of them are."""
        if not boxes:
            return np.zeros(0)
        left, top, right, bottom = self._all_pixels(np.array(boxes, np.float64))
        return np.asarray(counts / np.maximum((right - left) * (bottom - top), 1), np.float64)

    def expected(self, boxes: Sequence[Box], colors: Sequence[Color], alone: Picture) -> Counts:
        """How many pixels in each of ``boxes`` text of these ``colors`` changes visibly where
        nothing covers it: on the picture without text, or on white paper. ``alone`` is the text,
        black on white.
        """
        left, top, right, bottom = self._all_pixels(np.array(boxes, np.float64))
        counts = np.zeros(len(boxes), np.int32)
        for number, color in enumerate(colors):
            part = np.s_[top[number] : bottom[number], left[number] : right[number]]
            cover = 1 - alone[part].reshape(-1, 3) / 255
            seen = np.zeros(len(cover), bool)
            for ground in (self.bare[part].reshape(-1, 3), np.full(cover.shape, 255, np.uint8)):
                inked = ground * (1 - cover) + np.array(color or (0, 0, 0)) * cover
                seen |= ~_are_alike(inked.round().astype(np.uint8), ground)
            counts[number] = seen.sum()
        return counts

    def _all_pixels(self, boxes: NDArray[np.float64]) -> tuple[NDArray[np.int64], ...]:
        """What `pixels` computes, for many boxes, half a pixel wider."""
        a, b, c, d, e, f = self.matrix
        x, y = boxes[:, [0, 0, 2, 2]], boxes[:, [1, 3, 1, 3]]
        xs, ys = a * x + c * y + e, b * x + d * y + f
        height, width = self.changed.shape
        left = np.clip(xs.min(1) - 0.5, 0, width).astype(np.int64)
        top = np.clip(ys.min(1) - 0.5, 0, height).astype(np.int64)
        right = np.minimum(np.maximum(np.ceil(xs.max(1) + 0.5), left + 1), width).astype(np.int64)
        low = np.minimum(np.maximum(np.ceil(ys.max(1) + 0.5), top + 1), height).astype(np.int64)
        return left, top, right, low

    def is_like_ground(self, box: Box, color: tuple[int, int, int]) -> bool:
        """Whether ``color`` differs from what is below the text by less than an eye sees."""
        left, top, right, bottom = self.pixels(box)
        ground = self.bare[top:bottom, left:right].reshape(-1, 3)
        if not ground.size:
            return False
        alike = _are_alike(ground, np.array([color], np.uint8))
        return bool(alike.mean() >= 0.9)

    def is_pale_mark(self, box: Box) -> bool:
        """Whether text in ``box`` changes the picture as much as an eye sees in large letters."""
        left, top, right, bottom = self.pixels(box)
        drawn, bare = (
            each[top:bottom, left:right].reshape(-1, 3) for each in (self.drawn, self.bare)
        )
        if not drawn.size:
            return False
        return bool((_contrast(drawn, bare) >= _LEAST_OF_LARGE).mean() >= _LEAST_SHARE)

    def varies(self, box: Box) -> bool:
        """Whether the picture without text shows marks in ``box``."""
        left, top, right, bottom = self.pixels(box)
        part = self.bare[top:bottom, left:right]
        return bool(part.size) and int(part.max()) - int(part.min()) > _MARK


def read_inks(page: PdfPage, things: Sequence[Any]) -> Inks:
    """Draw ``page`` with and without its text objects ``things``.

    The page cannot be read as text afterwards.
    """
    import pypdfium2.raw as raw

    width, height = page.get_size()
    scale = min(SCALE, (_MOST_PIXELS / max(1.0, width * height)) ** 0.5)
    drawn = draw(page, scale)
    for thing in things:
        raw.FPDFPageObj_SetIsActive(thing, False)
    bare = draw(page, scale)
    return Inks(drawn, bare, _differs(drawn, bare), device_matrix(page, drawn))


def draw_alone(page: PdfPage, like: Picture) -> Picture:
    """Draw the text of ``page`` in black, without anything else, in the size of ``like``."""
    import pypdfium2.raw as raw

    with suppress(CutOff):
        for thing, kind in page_objects(page):
            if kind == TEXT:
                raw.FPDFPageObj_SetIsActive(thing, True)
                raw.FPDFPageObj_SetFillColor(thing, 0, 0, 0, 255)
            elif kind != FORM:
                raw.FPDFPageObj_SetIsActive(thing, False)
    picture = draw(page, like.shape[1] / max(1.0, page.get_size()[0]))
    alone = np.full_like(like, 255)
    height, width = (
        min(one, other) for one, other in zip(like.shape[:2], picture.shape[:2], strict=True)
    )
    alone[:height, :width] = picture[:height, :width]
    return alone


def _differs(one: Picture, other: Picture) -> NDArray[np.bool_]:
    """Where two pictures differ by more than an eye needs."""
    difference = np.maximum(one, other) - np.minimum(one, other)
    red, green, blue = (difference[:, :, each] for each in range(3))
    apart = (red > MOST_ALIKE[0]) | (green > MOST_ALIKE[1]) | (blue > MOST_ALIKE[2])
    # The contrast of the many pixels that differ by nothing or by far is not needed.
    near = ((red > _LEAST) | (green > _LEAST) | (blue > _LEAST)) & ~apart
    apart[near] = ~_are_alike(one[near], other[near])
    return apart


def _are_alike(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """What `revkit.model.colors.are_alike` states, for rows of red, green and blue."""
    apart = np.abs(one.astype(np.int16) - other.astype(np.int16)) > _APART
    alike: NDArray[np.bool_] = (_contrast(one, other) < LEAST_CONTRAST) & ~apart.any(axis=1)
    return alike


def _contrast(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> NDArray[np.float32]:
    light, ground = _luminance(one) + GLARE, _luminance(other) + GLARE
    contrast: NDArray[np.float32] = np.maximum(light, ground) / np.minimum(light, ground)
    return contrast


def _luminance(colors: NDArray[np.uint8]) -> NDArray[np.float32]:
    red, green, blue = (_LIGHT[:, each][colors[:, each]] for each in range(3))
    light: NDArray[np.float32] = red + green + blue
    return light


def draw(page: PdfPage, scale: float) -> Picture:
    """The picture of ``page`` as its reader sees it."""
    bitmap = page.render(scale=scale, rev_byteorder=True)
    picture: Picture = bitmap.to_numpy()[:, :, :3].copy()
    bitmap.close()
    return picture


def device_matrix(page: Any, picture: Picture) -> tuple[float, float, float, float, float, float]:
    """How points of the page become pixels of ``picture``."""
    import pypdfium2.raw as raw

    height, width = picture.shape[:2]
    x, y = ctypes.c_int(), ctypes.c_int()

    def at(left: float, low: float) -> tuple[float, float]:
        raw.FPDF_PageToDevice(
            page.raw,
            0,
            0,
            min(width * _FINE, 2**30),
            min(height * _FINE, 2**30),
            0,
            left,
            low,
            ctypes.byref(x),
            ctypes.byref(y),
        )
        return x.value / _FINE, y.value / _FINE

    (e, f), (ax, ay), (cx, cy) = at(0, 0), at(100, 0), at(0, 100)
    return (ax - e) / 100, (ay - f) / 100, (cx - e) / 100, (cy - f) / 100, e, f
