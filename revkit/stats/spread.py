"""A paired test whether the absolute errors of the same items have become larger."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from revkit.dataclass import dataclass
from revkit.errors import StatisticsError
from revkit.stats.values import check_confidence, finite_array, same_length

LEAST = 4


@dataclass(frozen=True)
class PairedErrors:
    """The mean absolute error of the second occasion over that of the first, on ``n`` items.

    ``ratio`` is None where the first errors are all 0, ``error`` the standard error of its
    logarithm, ``p`` the one-sided p-value that it is above 1, None with the reason in ``note``
    where all errors are 0.
    """

    ratio: float | None
    error: float | None
    p: float | None
    n: int
    note: str = ""


def paired_errors(first: ArrayLike, second: ArrayLike) -> PairedErrors:
    """Test whether absolute errors are larger in ``second`` than in ``first``, item by item.

    ``log(mean |second| / mean |first|)`` over its standard error by the delta method, the root of
    sum u^2 / (n (n - 1)) with
    ``u = |second| / mean |second| - |first| / mean |first|`` (Cochran 1977,
    Sampling Techniques, section 6.4), against Student's t with n - 1 degrees of freedom. The
    logarithm makes the ratio of two skewed means nearly symmetric. Raises `StatisticsError` for
    unequal lengths, NaN, or fewer than four items.
    """
    a = np.abs(finite_array("first", first))
    b = np.abs(finite_array("second", second))
    n = same_length(first=len(a), second=len(b))
    if n < LEAST:
        raise StatisticsError(f"a test of paired errors needs {LEAST} items or more, not {n}")
    before, after = float(a.mean()), float(b.mean())
    if before == 0.0 or after == 0.0:
        if before == after:
            return PairedErrors(None, None, None, n, "all errors are 0")
        return PairedErrors(None if before == 0.0 else 0.0, None, float(after == 0.0), n)
    parts = b / after - a / before
    error = math.sqrt(float((parts**2).sum()) / (n * (n - 1)))
    ratio = after / before
    if error <= 1e-12:
        return PairedErrors(ratio, 0.0, 0.0 if ratio > 1.0 + 1e-12 else 1.0, n)
    from scipy.special import stdtr

    return PairedErrors(ratio, error, float(stdtr(n - 1, -math.log(ratio) / error)), n)


def detectable_ratio(error: float, n: int, level: float, power: float = 0.8) -> float:
    """The ratio that `paired_errors` finds with probability ``power`` at ``level``, if the
    standard error of its logarithm is ``error``: exp((t(1 - level) + t(power)) error)."""
    check_confidence(1 - level)
    from scipy.special import stdtrit

    return math.exp(float(stdtrit(n - 1, 1 - level) + stdtrit(n - 1, power)) * error)
