"""Prediction intervals for a new item, from residuals of anchors that were left out of the fit."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from revkit.dataclass import dataclass
from revkit.errors import UnreadableMap
from revkit.model.values import Json
from revkit.stats.values import check_confidence
from revkit_asc.calibrators.anchors import Anchors, FloatArray

METHOD = "cross-conformal, absolute residuals, width by place"
CONSTANT = "cross-conformal, absolute residuals, constant width"
FOLDS = 10
# Above so many anchors a half is enough to fit the same map, and ten fits would cost too much.
MANY = 2000
LEAST = 4
# Below this many residuals a width by place would follow single anchors.
BY_PLACE = 40
# The share of the residuals that count at one place, and of the local size in the scale there:
# with 240 anchors, residuals of about 100 anchors, drawn half-way towards the mean.
SPAN, LOCAL = 0.4, 0.5
PARTS = ((0.0, 100.0 / 3), (100.0 / 3, 200.0 / 3), (200.0 / 3, 100.0))


@dataclass(frozen=True)
class HeldOut:
    """Absolute residuals of the anchors, each from a fit without its fold: for each fold, the
    predicted score (the place) and the size of the residual, in the order of the places.

    A map of an older version has sizes without places (None).
    """

    folds: tuple[tuple[tuple[float | None, float], ...], ...]

    def to_json(self) -> list[Json]:
        return [[size if place is None else [place, size] for place, size in fold]
                for fold in self.folds]  # fmt: skip

    @classmethod
    def from_json(cls, value: Any) -> HeldOut:
        if not all(isinstance(fold, list | tuple) for fold in value):
            raise _damaged()
        return cls(tuple(tuple(_row(item) for item in fold) for fold in value))

    def widths(self, middle: FloatArray, level: float) -> tuple[FloatArray | None, dict[str, Json]]:
        """Return the half-width at each place in ``middle`` (mapped scores), and facts about it;
        None if no bound exists at ``level``.
        """
        check_confidence(level)
        places, sizes, fold = self._arrays()
        factor = _factor(places, sizes, fold, level)
        known: dict[str, Json] = {
            "method": CONSTANT if _constant(places) else METHOD,
            "level": level,
            "n": len(sizes),
            "folds": len(self.folds),
            "bounded": factor is not None,
            **_measured(places, sizes, fold, level),
        }
        if factor is None:
            least = math.ceil(round(1 / (1 - level) - 1, 9))
            known["note"] = (
                f"unbounded: {len(sizes)} held-out residuals, {least} are needed at this level"
            )
            return None, known
        return factor * scale_at(places, sizes, np.asarray(middle)), known

    def _arrays(self) -> tuple[FloatArray, FloatArray, NDArray[np.intp]]:
        """Return the places (NaN if unknown), sizes and folds of all residuals."""
        rows = [(place, size, k) for k, fold in enumerate(self.folds) for place, size in fold]
        places = np.array([np.nan if p is None else p for p, _, _ in rows], dtype=np.float64)
        sizes = np.array([size for _, size, _ in rows], dtype=np.float64)
        return places, sizes, np.array([k for _, _, k in rows], dtype=np.intp)


def _row(item: Any) -> tuple[float | None, float]:
    pair = isinstance(item, list | tuple) and len(item) == 2
    place, size = item if pair else (None, item)
    for number in (size, *([place] if pair else [])):
        if isinstance(number, bool) or not isinstance(number, float | int):
            raise _damaged()
        if not math.isfinite(number):
            raise _damaged()
    if size < 0:
        raise _damaged()
    return None if place is None else float(place), float(size)


def _damaged() -> UnreadableMap:
    return UnreadableMap("the stored map is damaged: 'residuals' must hold numbers")


def _constant(places: FloatArray) -> bool:
    """Return whether the width is the same everywhere: with few residuals, or with unknown
    places.
    """
    return len(places) < BY_PLACE or bool(np.isnan(places).any())


def scale_at(places: FloatArray, sizes: FloatArray, at: FloatArray) -> FloatArray:
    """The typical size of a residual at each place in ``at``: half the mean of all, half a local
    mean with tricube weights over the nearest two fifths (Cleveland 1979, JASA 74)."""
    mean = float(sizes.mean()) if len(sizes) else 0.0
    if _constant(places) or mean <= 0.0:
        return np.ones(len(at))
    grid, back = np.unique(at, return_inverse=True)
    nearest = max(2, math.ceil(SPAN * len(places))) - 1
    local = np.empty(len(grid))
    for start in range(0, len(grid), 256):
        part = grid[start : start + 256, None]
        apart = np.abs(part - places)
        reach = np.partition(apart, nearest, axis=1)[:, nearest, None]
        weight = np.clip(1.0 - (apart / np.maximum(reach, 1e-9)) ** 3, 0.0, None) ** 3
        weight = np.where(reach > 1e-9, weight, apart <= 1e-9)
        local[start : start + 256] = weight @ sizes / np.maximum(weight.sum(axis=1), 1e-300)
    return np.asarray(((1.0 - LOCAL) * mean + LOCAL * local)[back])


def _conformity(places: FloatArray, sizes: FloatArray, fold: NDArray[np.intp]) -> FloatArray:
    """Return each residual divided by the scale at its place, which is computed without its
    fold.
    """
    result = np.empty(len(sizes))
    for k in np.unique(fold).tolist():
        inside = fold == k
        result[inside] = sizes[inside] / scale_at(places[~inside], sizes[~inside], places[inside])
    return result


def _factor(
    places: FloatArray, sizes: FloatArray, fold: NDArray[np.intp], level: float
) -> float | None:
    """Return the factor on the scale: an order statistic of the conformity scores."""
    return order_statistic(np.sort(_conformity(places, sizes, fold)), level)


def order_statistic(ordered: FloatArray, level: float) -> float | None:
    """Return the k-th smallest value, k = ceil((n + 1) level); None if k > n. ``ordered`` is a
    vector of n values in increasing order, ``level`` in (0, 1).
    """
    # Rounding first: (9 + 1) * 0.9 is 9, not a hair above it.
    k = math.ceil(round((len(ordered) + 1) * level, 9))
    return float(ordered[k - 1]) if k <= len(ordered) else None


def _measured(
    places: FloatArray, sizes: FloatArray, fold: NDArray[np.intp], level: float
) -> dict[str, Json]:
    """Return the share of anchors within their width, overall and by third of the scale; scale and
    factor are computed without the fold on which they are tested.
    """
    inside = np.zeros(len(sizes), dtype=bool)
    widths = np.zeros(len(sizes))
    for k in np.unique(fold).tolist():
        out = fold == k
        rest = (places[~out], sizes[~out])
        factor = _factor(*rest, fold[~out], level) if len(np.unique(fold)) > 1 else None
        if factor is None:
            return {"held_out_anchors": None, "by_place": []}
        widths[out] = factor * scale_at(*rest, places[out])
        inside[out] = sizes[out] <= widths[out]
    if not len(sizes):
        return {"held_out_anchors": None, "by_place": []}
    by_place: list[Json] = []
    for low, high in () if _constant(places) else PARTS:
        part = (places >= low) & ((places < high) | (high == 100.0))
        if part.any():
            by_place.append(
                {
                    "from": low,
                    "to": high,
                    "anchors": int(part.sum()),
                    "half_width": float(widths[part].mean()),
                    "held_out_anchors": float(inside[part].mean()),
                }
            )
    return {"held_out_anchors": float(inside.mean()), "by_place": by_place}


def folds_of(n: int) -> NDArray[np.intp] | None:
    """Return the fold of each sorted row: each fold takes every tenth row, so that it covers the
    range.

    Two folds above 2,000 anchors, single rows below ten, None below four.
    """
    if n < LEAST:
        return None
    return np.arange(n) % (2 if n > MANY else min(FOLDS, n))


def held_out(
    anchors: Anchors, fit: Callable[[Anchors], Callable[[FloatArray], FloatArray]]
) -> HeldOut:
    """Return the residuals of each fold from a fit on the other folds."""
    fold = folds_of(anchors.n)
    if fold is None:
        return HeldOut(())
    predicted = np.empty(anchors.n)
    for number in range(int(fold.max()) + 1):
        out = fold == number
        predicted[out] = fit(anchors.chosen(~out))(anchors.raw[out])
    return from_predictions(anchors, fold, predicted)


def from_predictions(anchors: Anchors, fold: NDArray[np.intp], predicted: FloatArray) -> HeldOut:
    """Return the residuals from the prediction of each row without its fold."""
    miss = np.abs(anchors.target - predicted)
    rows = np.column_stack([predicted, miss])
    return HeldOut(
        tuple(
            tuple(sorted((float(p), float(m)) for p, m in rows[fold == number]))
            for number in range(int(fold.max()) + 1)
        )
    )
