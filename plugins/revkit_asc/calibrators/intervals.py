"""Intervals for the target of a new item, from residuals that no fit has seen."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from revkit.errors import UnreadableMap
from revkit.model.values import Json
from revkit.stats.values import check_confidence
from revkit_asc.calibrators.anchors import Anchors, FloatArray

METHOD = "cross-conformal, absolute residuals, constant width"
FOLDS = 10
# Above so many anchors a half is enough to fit the same map, and ten fits would cost too much.
MANY = 2000
LEAST = 4


@dataclass(frozen=True)
class HeldOut:
    """Absolute residuals of the anchors, sorted within each fold, from fits without that fold."""

    folds: tuple[tuple[float, ...], ...]

    def to_json(self) -> list[Json]:
        return [list(fold) for fold in self.folds]

    @classmethod
    def from_json(cls, value: Any) -> HeldOut:
        for fold in value:
            numbers = isinstance(fold, list | tuple) and all(
                isinstance(item, float | int)
                and not isinstance(item, bool)
                and math.isfinite(item)
                and item >= 0
                for item in fold
            )
            if not numbers:
                raise UnreadableMap("the stored map is damaged: 'residuals' must hold numbers")
        return cls(tuple(tuple(float(item) for item in fold) for fold in value))

    def width(self, level: float) -> tuple[float | None, dict[str, Json]]:
        """Half the width at ``level`` and what is known of it; None where no bound exists."""
        check_confidence(level)
        folds = [np.array(fold) for fold in self.folds]
        pooled = np.sort(np.concatenate(folds)) if folds else np.zeros(0)
        width = order_statistic(pooled, level)
        told: dict[str, Json] = {
            "method": METHOD,
            "level": level,
            "measured": _measured(folds, level),
            "n": len(pooled),
            "folds": len(folds),
            "bounded": width is not None,
            "half_width": width,
        }
        if width is None:
            least = math.ceil(round(1 / (1 - level) - 1, 9))
            told["note"] = (
                f"unbounded: {len(pooled)} held-out residuals, {least} are needed at this level"
            )
        return width, told


def order_statistic(ordered: FloatArray, level: float) -> float | None:
    """The k-th smallest, k = ceil((n + 1) level); None where k > n."""
    # Rounding first: (9 + 1) * 0.9 is 9, not a hair above it.
    k = math.ceil(round((len(ordered) + 1) * level, 9))
    return float(ordered[k - 1]) if k <= len(ordered) else None


def _measured(folds: Sequence[FloatArray], level: float) -> float | None:
    """The share of residuals of each fold within the bound that the other folds give."""
    inside = total = 0
    for number, fold in enumerate(folds):
        others = [other for place, other in enumerate(folds) if place != number]
        width = order_statistic(np.sort(np.concatenate(others)), level) if others else None
        if width is None:
            return None
        inside += int((fold <= width).sum())
        total += len(fold)
    return inside / total if total else None


def folds_of(n: int) -> NDArray[np.intp] | None:
    """The fold of each sorted row: every tenth, so that each fold spans the range.

    Two folds above 2,000 anchors, single rows below ten, None below four.
    """
    if n < LEAST:
        return None
    return np.arange(n) % (2 if n > MANY else min(FOLDS, n))


def held_out(
    anchors: Anchors, fit: Callable[[Anchors], Callable[[FloatArray], FloatArray]]
) -> HeldOut:
    """Residuals of each fold from a fit on the others."""
    fold = folds_of(anchors.n)
    if fold is None:
        return HeldOut(())
    predicted = np.empty(anchors.n)
    for number in range(int(fold.max()) + 1):
        out = fold == number
        predicted[out] = fit(anchors.chosen(~out))(anchors.raw[out])
    return from_predictions(anchors, fold, predicted)


def from_predictions(anchors: Anchors, fold: NDArray[np.intp], predicted: FloatArray) -> HeldOut:
    """Residuals from what each row was predicted to be without its fold."""
    miss = np.abs(anchors.target - predicted)
    return HeldOut(
        tuple(
            tuple(np.sort(miss[fold == number]).tolist()) for number in range(int(fold.max()) + 1)
        )
    )
