"""The result types of all statistics, and the checks of their input.

A number is right, or it is not a number: what is undefined is ``None`` with a reason in ``note``.
NaN never leaves this package, and nothing replaces a value that could not be computed.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

from revkit.dataclass import dataclass
from revkit.errors import StatisticsError

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Interval:
    """A two-sided confidence interval.

    ``unit`` is what was taken to be independent ("paper", "pair", ...) and ``n`` counts those
    units. A bound that is undefined, or that lies at infinity, is ``None``; ``note`` states which
    and why. ``short`` is true where a rule of docs/statistics.md expects the interval to cover less
    than its confidence; ``note`` then states the reason, and reports warn of it. ``sharp`` is given
    where a rule of that page calls the interval conservative, that is, expects it to cover more
    than its confidence: the two ends of a shorter, approximate interval. Reports show its width
    beside the interval.
    """

    low: float | None
    high: float | None
    confidence: float
    method: str
    unit: str
    n: int
    note: str = ""
    short: bool = False
    sharp: tuple[float | None, float | None] | None = None

    @property
    def conservative(self) -> bool:
        """Whether the interval is expected to cover more than its confidence."""
        return self.sharp is not None

    def map_ends(self, change: Callable[[float], float]) -> Interval:
        """Return the interval with ``change``, a monotone function, applied to all ends."""

        def mapped(low: float | None, high: float | None) -> tuple[float | None, float | None]:
            ends = (None if low is None else change(low), None if high is None else change(high))
            falls = change(1.0) < change(0.0)
            return (ends[1], ends[0]) if falls else ends

        low, high = mapped(self.low, self.high)
        sharp = None if self.sharp is None else mapped(*self.sharp)
        return replace(self, low=low, high=high, sharp=sharp)


@dataclass(frozen=True)
class Estimate:
    """A value from ``n`` observations, with its interval; ``value`` is None where undefined."""

    value: float | None
    n: int
    interval: Interval
    note: str = ""


def name_conservative(interval: Interval, low: float | None, high: float | None) -> Interval:
    """Return ``interval`` with the sharper ends ``low`` and ``high``; without them if they are not
    closer together.
    """
    if interval.low is None and interval.high is None:
        return interval
    length = _length(interval.low, interval.high)
    if math.isfinite(length) and _length(low, high) >= length * (1 - 1e-9):
        return interval
    return replace(interval, sharp=(low, high))


def _length(low: float | None, high: float | None) -> float:
    return math.inf if low is None or high is None else high - low


def undefined_interval(confidence: float, method: str, unit: str, n: int, note: str) -> Interval:
    """An interval without bounds, and why."""
    return Interval(None, None, confidence, method, unit, n, note)


def check_count(name: str, value: int) -> int:
    """Return ``value`` as a whole number from 0 up; booleans and floats are refused."""
    if isinstance(value, (bool, np.bool_)):
        raise StatisticsError(f"{name} must be a whole number, not {value!r}")
    try:
        whole = operator.index(value)
    except TypeError:
        raise StatisticsError(f"{name} must be a whole number, not {value!r}") from None
    if whole < 0:
        raise StatisticsError(f"{name} must not be negative, but is {whole}")
    return whole


def check_share(name: str, value: float, *, ends: bool = True) -> float:
    """Return ``value`` as a float in [0, 1], or in (0, 1) if ``ends`` is false. Raises
    `StatisticsError`, which names it ``name``, for other values.
    """
    number = float(value)
    inside = 0.0 <= number <= 1.0 if ends else 0.0 < number < 1.0
    if not inside:
        raise StatisticsError(
            f"{name} must lie {'in' if ends else 'strictly within'} [0, 1], but is {value!r}"
        )
    return number


def check_confidence(confidence: float) -> float:
    """A confidence level strictly between 0 and 1."""
    return check_share("confidence", confidence, ends=False)


def finite_array(name: str, values: ArrayLike, dimensions: int = 1) -> FloatArray:
    """Return ``values`` as a float array of the given number of dimensions, without NaN or
    infinity. Raises `StatisticsError`, which names it ``name``, for other values.
    """
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise StatisticsError(f"{name} must contain numbers only") from None
    if array.ndim != dimensions and array.size:
        raise StatisticsError(f"{name} must have {dimensions} dimension(s), not {array.ndim}")
    if array.ndim != dimensions:
        array = array.reshape((0,) * dimensions)
    if not bool(np.isfinite(array).all()):
        raise StatisticsError(f"{name} contains NaN or infinity; leave failures out and count them")
    return array


def are_whole(values: FloatArray) -> NDArray[np.bool_]:
    """Return which ``values`` are whole numbers apart from rounding: others are means of repeats
    that disagree.
    """
    return np.asarray(np.abs(values - np.rint(values)) < 1e-9)


def same_length(**named: int) -> int:
    """Return the common length of several inputs; raise an error that names them all if they
    differ.
    """
    if len(set(named.values())) != 1:
        sizes = ", ".join(f"{name} {size}" for name, size in named.items())
        raise StatisticsError(f"inputs must have the same length: {sizes}")
    return next(iter(named.values()))


def paired_arrays(x: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return two vectors of one length as float arrays.

    Raises `StatisticsError` for unequal lengths, for NaN and for infinities.
    """
    first, second = finite_array("x", x), finite_array("y", y)
    same_length(x=len(first), y=len(second))
    return first, second


def two_by_two(
    first: Sequence[bool | int | None], second: Sequence[bool | int | None], what: str
) -> tuple[dict[tuple[bool, bool], int], int]:
    """Return how often each combination of two aligned 0/1 vectors occurs, and the number of
    places that are left out because one of the two is None.

    Raises `StatisticsError`, which names a value ``what``, for other values than 0, 1 and None.
    """
    cells = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    left_out = 0
    for one, other in zip(first, second, strict=True):
        if one is None or other is None:
            left_out += 1
            continue
        if one not in (0, 1) or other not in (0, 1):
            raise StatisticsError(f"{what} is 0, 1 or None, not {one!r} and {other!r}")
        cells[bool(one), bool(other)] += 1
    return cells, left_out


def normal_quantile(confidence: float) -> float:
    """z with P(-z < Z < z) = confidence; ``NormalDist`` is exact to a float's last digits."""
    return NormalDist().inv_cdf(0.5 + check_confidence(confidence) / 2)


def chi_square_tail(statistic: float) -> float:
    """P(chi-square with one degree of freedom >= statistic) = erfc(sqrt(statistic / 2)), exact."""
    return math.erfc(math.sqrt(statistic / 2))


def student_quantile(confidence: float, freedom: float) -> float:
    """t with P(-t < T < t) = confidence, from ``scipy.special.stdtrit``."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.5 + check_confidence(confidence) / 2))


def cluster_table(
    sums: ArrayLike, counts: ArrayLike, *, fractional: bool = False
) -> tuple[FloatArray, FloatArray]:
    """Fresh checked copies of both as (papers, columns); ``fractional`` allows parts of a count.
    Raises `StatisticsError` as `check_cluster_counts`, and for other shapes.
    """
    totals = finite_array("sums", sums, 2).copy()
    raw = np.asarray(counts)
    numbers = finite_array("counts", raw, 1 if raw.ndim == 1 else 2)
    if numbers.ndim == 1:
        same_length(sums=len(totals), counts=len(numbers))
        numbers = np.repeat(numbers[:, None], totals.shape[1], axis=1)
    if numbers.shape != totals.shape:
        raise StatisticsError(f"counts {numbers.shape} must have the shape of sums {totals.shape}")
    check_cluster_counts(totals, numbers, fractional=fractional)
    return totals, numbers.copy()


def check_cluster_counts(sums: FloatArray, counts: FloatArray, *, fractional: bool = False) -> None:
    """Check that counts are whole and not negative, and that clusters without observations have sum
    0. Both have the same shape. Raises `StatisticsError` where they do not.
    """
    if bool((counts < 0).any()):
        raise StatisticsError("counts must not be negative")
    if not fractional and bool((counts != np.floor(counts)).any()):
        raise StatisticsError("counts must be whole numbers, not negative")
    if bool(((counts == 0) & (sums != 0)).any()):
        raise StatisticsError("a cluster without observations must have sum 0")


def no_observation(confidence: float, unit: str, method: str) -> Estimate:
    """Return neither value nor bounds, because there are no data."""
    return Estimate(
        None, 0, undefined_interval(confidence, method, unit, 0, "no observation"), "no observation"
    )


def too_few(confidence: float, unit: str, clusters: int, method: str) -> Interval:
    """Return no bounds, because one cluster shows no variation between clusters."""
    return undefined_interval(confidence, method, unit, clusters, f"fewer than two {unit}s")
