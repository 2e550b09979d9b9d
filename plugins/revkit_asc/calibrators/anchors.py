"""The rows on which a map is fitted: checked, sorted, and grouped by raw score.

Rows are sorted by raw score, target and weight before anything is summed, so the order of the
input cannot change a map, not even in the last bit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from revkit.dataclass import dataclass
from revkit.errors import BadAnchors, OutsideScale, TooFewAnchors, UninformativeAnchors
from revkit.model.values import is_number

FloatArray = NDArray[np.float64]
LOW, HIGH = 0.0, 100.0
FEW_ANCHORS = 40
# A weight that is smaller beside the largest cannot move a sum; its square root still can be held.
NOTHING = 1e-200


@dataclass(frozen=True)
class Levels:
    """Distinct raw scores, each with its mean target and summed weight.

    ``within`` is the weighted sum of squares around those means, which no map can change;
    ``count`` is the number of rows of each level, ``n`` of all.
    """

    raw: FloatArray
    target: FloatArray
    weight: FloatArray
    count: NDArray[np.int64]
    within: float
    n: int


@dataclass(frozen=True)
class Anchors:
    """Valid rows, sorted; ``dropped`` counts the invalid rows by reason."""

    raw: FloatArray
    target: FloatArray
    weight: FloatArray
    dropped: Mapping[str, int]

    @property
    def n(self) -> int:
        """The number of anchors."""
        return len(self.raw)

    def levels(self) -> Levels:
        """Group rows of equal raw score, which leaves every least-squares fit unchanged."""
        raw = self.raw
        starts = np.flatnonzero(np.concatenate(([True], raw[1:] != raw[:-1])))
        count = np.diff(np.append(starts, len(raw)))
        if len(starts) == len(raw):
            return Levels(raw, self.target, self.weight, count, 0.0, len(raw))
        weight = np.add.reduceat(self.weight, starts)
        # The offset keeps the mean of equal targets exactly where they are.
        first = self.target[starts]
        excess = self.target - np.repeat(first, count)
        shift = np.add.reduceat(self.weight * excess, starts) / weight
        mean = first + shift
        within = dot(self.weight, (excess - np.repeat(shift, count)) ** 2)
        return Levels(raw[starts], mean, weight, count, within, len(raw))

    def reweighted(self, factors: FloatArray) -> Anchors:
        """Return the same rows with their weights multiplied by ``factor``."""
        return Anchors(self.raw, self.target, self.weight * factors, self.dropped)

    def chosen(self, rows: NDArray[np.bool_]) -> Anchors:
        """Return a subset of the rows."""
        return Anchors(self.raw[rows], self.target[rows], self.weight[rows], self.dropped)


def as_numbers(values: Any) -> FloatArray:
    """Return ``values`` as floats; a value that is not a number (text, None, a boolean) becomes
    NaN.

    Text is never read as a number: "3,5" and "3.5" alike show a file that was not understood.
    Raises `BadAnchors` for anything but one flat sequence.
    """
    array = np.asarray(values) if isinstance(values, np.ndarray) else _from_sequence(values)
    if array.ndim != 1:
        raise BadAnchors(f"scores must be one flat sequence, not of {array.ndim} dimensions")
    if array.dtype.kind in "fiu":
        return np.asarray(array, dtype=np.float64)
    return np.array([_number(value) for value in array.tolist()], dtype=np.float64)


def _from_sequence(values: Any) -> NDArray[Any]:
    if isinstance(values, str | bytes | Mapping):
        raise BadAnchors(f"expected a sequence of numbers, not {type(values).__name__}")
    try:
        items = list(values)
    except TypeError:
        raise BadAnchors(f"expected a sequence of numbers, not {type(values).__name__}") from None
    if all(type(item) is float for item in items):
        return np.array(items, dtype=np.float64)
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array


def _number(value: Any) -> float:
    if isinstance(value, np.generic):
        value = value.item()
    if not is_number(value):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.inf


def read_anchors(
    raw: Any,
    target: Any,
    weights: Any = None,
    *,
    scale: tuple[float, float] | None = None,
    strict: bool = False,
) -> Anchors:
    """Check, sort and count the rows.

    Dropped, with a count under the name of the reason: ``raw`` or ``target`` that is not a finite
    number, a ``target`` outside [0, 100] (``target_range``), a ``weight`` that is not finite,
    a weight of 0 or of nothing beside the largest (``zero_weight``). With ``strict`` the first four
    raise `BadAnchors` instead. Negative weights and unequal lengths always do. `OutsideScale` where
    a raw score lies outside the declared ``scale``.
    """
    x, y = as_numbers(raw), as_numbers(target)
    w = np.ones(len(x)) if weights is None else as_numbers(weights)
    if not len(x) == len(y) == len(w):
        raise BadAnchors(
            f"inputs must have the same length: raw {len(x)}, target {len(y)}, weights {len(w)}"
        )
    if bool((w < 0).any()):
        raise BadAnchors("weights must not be negative")
    w = _relative(w)
    keep = np.ones(len(x), dtype=bool)
    dropped = {}
    for fault, bad in (
        ("raw", ~np.isfinite(x)),
        ("target", ~np.isfinite(y)),
        ("target_range", (y < LOW) | (y > HIGH)),
        ("weight", ~np.isfinite(w)),
        ("zero_weight", w == 0),
    ):
        count = int((bad & keep).sum())
        keep &= ~bad
        if count:
            dropped[fault] = count
    faults = {fault: count for fault, count in dropped.items() if fault != "zero_weight"}
    if strict and faults:
        reasons = ", ".join(f"{count} by {reason}" for reason, count in faults.items())
        raise BadAnchors(f"{sum(faults.values())} of {len(x)} anchors cannot be used: {reasons}")
    x, y, w = x[keep], y[keep], w[keep]
    if scale is not None and len(x) and not (scale[0] <= x.min() and x.max() <= scale[1]):
        outside = int(((x < scale[0]) | (x > scale[1])).sum())
        raise OutsideScale(
            f"{outside} of {len(x)} raw scores lie outside the agent's scale "
            f"{scale[0]:g} to {scale[1]:g}"
        )
    # Adding 0 turns -0 into 0, which would compare equal and divide otherwise.
    x, y, w = _sorted(x + 0.0, y + 0.0, w, equal=weights is None)
    return Anchors(x, y, w / w.mean() if len(w) else w, dropped)


def _relative(w: FloatArray) -> FloatArray:
    """Return the weights divided by the largest one, without overflow or underflow."""
    finite = w[np.isfinite(w)]
    if not len(finite) or not finite.max() > 0:
        return w
    with np.errstate(over="ignore", under="ignore"):
        share = w / finite.max()
    return np.where(share < NOTHING, 0.0, share)


def _sorted(
    x: FloatArray, y: FloatArray, w: FloatArray, *, equal: bool
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Sort by raw score, then target, then weight, by the fastest of three methods."""
    if equal:
        # Complex numbers sort by real part, then imaginary part.
        pairs = np.sort(x + 1j * y)
        return pairs.real.copy(), pairs.imag.copy(), w
    order = np.lexsort((w, y, x))
    return x[order], y[order], w[order]


def dot(a: FloatArray, b: FloatArray) -> float:
    """Return the sum of products of two vectors of one length, which does not depend on the number
    of threads.
    """
    return float((a * b).sum())


def require_informative(anchors: Anchors) -> None:
    """Raise `TooFewAnchors` or `UninformativeAnchors` if the rows do not determine an order."""
    lost = sum(anchors.dropped.values())
    more = f" ({lost} more could not be used: {_reasons(anchors.dropped)})" if lost else ""
    if anchors.n < 2:
        raise TooFewAnchors(f"a map needs at least two anchors, not {anchors.n}{more}")
    raw, target = anchors.raw, anchors.target
    if raw[0] == raw[-1]:
        raise UninformativeAnchors(f"all {anchors.n} raw scores are equal ({raw[0]:g}){more}")
    if not math.isfinite(float(raw[-1]) - float(raw[0])):
        raise UninformativeAnchors("the raw scores span more than floating point can hold")
    if target.min() == target.max():
        raise UninformativeAnchors(
            f"all {anchors.n} target scores are equal ({target[0]:g}){more}: "
            "a constant map would fit and say nothing"
        )


def _reasons(dropped: Mapping[str, int]) -> str:
    return ", ".join(f"{reason} {count}" for reason, count in dropped.items())


def flags_of(anchors: Anchors) -> list[str]:
    """Return the flags that all calibrators have in common."""
    flags = ["few_anchors"] if anchors.n < FEW_ANCHORS else []
    lost = sum(anchors.dropped.values())
    return [*flags, f"dropped={lost}"] if lost else flags
