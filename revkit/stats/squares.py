"""Square-and-add: the interval of a sum or difference of two rates from the intervals of both."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from revkit.stats.values import (
    Estimate,
    FloatArray,
    Interval,
    name_conservative,
    undefined_interval,
)

SQUARES = "square-and-add"


def correlation_of(first: FloatArray, second: FloatArray) -> float | None:
    """Return the correlation of two estimates from their residuals, one for each paper; None if one
    does not vary.
    """
    size = math.sqrt(math.fsum(first**2) * math.fsum(second**2))
    if size == 0:
        return None
    return max(-1.0, min(1.0, math.fsum(first * second) / size))


def squares_added(
    parts: Sequence[tuple[float, Estimate]], correlation: float, *, unit: str, clusters: int
) -> Interval:
    """Bounds of w1 r1 + w2 r2 from the bounds of the two rates and the correlation of the rates.

    With a_i the distance from w_i r_i to its lower bound, and s the sign of w1 w2, the lower bound
    is the value - sqrt(a_1^2 + 2 s rho a_1 a_2 + a_2^2); the upper one likewise (Newcombe 1998,
    Statistics in Medicine 17, 873-890 and 2635-2650, for a difference; Zou and Donner 2008,
    Statistics in Medicine 27, 1693-1702, in general). Undefined where either has no bounds. If the
    bounds of a rate are ``short`` or conservative, so is the result; ``sharp`` then is made from
    the sharper bounds.
    """
    confidence = parts[0][1].interval.confidence
    value, downs, ups = 0.0, [], []
    for weight, part in parts:
        low, high = part.interval.low, part.interval.high
        if part.value is None or low is None or high is None:
            note = part.interval.note or part.note
            return undefined_interval(confidence, SQUARES, unit, clusters, note)
        value += weight * part.value
        below, above = weight * (part.value - low), weight * (high - part.value)
        downs.append(below if weight > 0 else -above)
        ups.append(above if weight > 0 else -below)
    cross = 2 * correlation * (1 if parts[0][0] * parts[1][0] > 0 else -1)

    def length(a: float, b: float) -> float:
        return math.sqrt(max(0.0, a * a + cross * a * b + b * b))

    most = sum(max(0.0, weight) for weight, _ in parts)
    least = sum(min(0.0, weight) for weight, _ in parts)
    methods = " and ".join(dict.fromkeys(part.interval.method for _, part in parts))
    short = next((part.interval for _, part in parts if part.interval.short), None)
    bounds = Interval(
        max(least, value - length(*downs)),
        min(most, value + length(*ups)),
        confidence,
        f"{SQUARES}: {methods}",
        unit,
        clusters,
        "" if short is None else short.note,
        short is not None,
    )
    if not any(part.interval.conservative for _, part in parts):
        return bounds
    sharper = [(weight, _sharper(part)) for weight, part in parts]
    other = squares_added(sharper, correlation, unit=unit, clusters=clusters)
    return name_conservative(bounds, other.low, other.high)


def _sharper(estimate: Estimate) -> Estimate:
    """``estimate`` with its sharper interval in place of a conservative one."""
    bounds = estimate.interval
    if bounds.sharp is None:
        return estimate
    low, high = bounds.sharp
    return replace(estimate, interval=replace(bounds, low=low, high=high, sharp=None))
