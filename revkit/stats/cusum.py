"""Cumulative sum charts: detect whether a process has moved away from 0.

Page (1954, Biometrika 41): deviations from 0 beyond an allowance add up until they pass a
threshold. A chart with allowance 1/2 is tuned to a shift of one standard deviation.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from revkit.dataclass import dataclass
from revkit.errors import StatisticsError
from revkit.stats.values import FloatArray, finite_array

ALLOWANCE = 0.5


@dataclass(frozen=True)
class CusumChart:
    """A chart after its last value: both sums after each value (before a reset), and the places
    (from 0) at which it gave an alarm."""

    upper: tuple[float, ...]
    lower: tuple[float, ...]
    alarms: tuple[int, ...]


def cusum_step(
    upper: FloatArray, lower: FloatArray, values: FloatArray, allowance: float = ALLOWANCE
) -> tuple[FloatArray, FloatArray]:
    """Return both sums of several charts after one more value for each.

    upper = max(0, upper + z - allowance) grows under a shift upwards, lower = max(0, lower - z -
    allowance) under one downwards.
    """
    return (
        np.maximum(0.0, upper + values - allowance),
        np.maximum(0.0, lower - values - allowance),
    )


def cusum(values: ArrayLike, threshold: float, *, allowance: float = ALLOWANCE) -> CusumChart:
    """A two-sided chart of values with mean 0 and standard deviation 1 while nothing moves.

    An alarm is given where a sum passes ``threshold``; both sums then start again at 0, so a shift
    that goes on gives one alarm after another until what caused it is mended. Raises
    `StatisticsError` for NaN, and unless ``threshold`` is above 0 and ``allowance`` not below it.
    """
    array = finite_array("values", values)
    if not (threshold > 0 and math.isfinite(threshold)):
        raise StatisticsError(f"threshold must be above 0, but is {threshold!r}")
    if not (allowance >= 0 and math.isfinite(allowance)):
        raise StatisticsError(f"allowance must not be negative, but is {allowance!r}")
    up, down = np.zeros(1), np.zeros(1)
    uppers, lowers, alarms = [], [], []
    for place, value in enumerate(array):
        up, down = cusum_step(up, down, np.array([value]), allowance)
        uppers.append(float(up[0]))
        lowers.append(float(down[0]))
        if max(uppers[-1], lowers[-1]) > threshold:
            alarms.append(place)
            up, down = np.zeros(1), np.zeros(1)
    return CusumChart(tuple(uppers), tuple(lowers), tuple(alarms))
