"""The disagreement of raters on the same items, and the relation of their scores to a target.

What a calibration of several raters is judged by. Disagreement alone can be gamed (raters that all
give one constant have none), so it belongs beside the mean absolute error, the correlation, the
spread and the slope that are here too.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from revkit.dataclass import dataclass
from revkit.errors import StatisticsError
from revkit.model.resampling import Resampling
from revkit.stats.cluster_intervals import cluster_bootstrap_mean
from revkit.stats.values import Estimate, FloatArray, finite_array, paired_arrays

# E|Z| of a standard normal is sqrt(2 / pi) = 0.798.
MEAN_ABSOLUTE_NORMAL = math.sqrt(2 / math.pi)


@dataclass(frozen=True)
class Disagreement:
    """Mean distance over pairs of raters and items; ``pairs`` holds each pair's own mean, in
    the order (1, 2), (1, 3), ..., (2, 3), ..., and ``sd_over_pairs`` their standard deviation
    (n - 1; None below two pairs)."""

    mean: Estimate
    pairs: tuple[float, ...]
    sd_over_pairs: float | None


def item_disagreement(scores: ArrayLike) -> FloatArray:
    """For each item (row) the mean of ``|x_i - x_j|`` over the pairs of raters (columns).

    The sum over pairs is sum_k (2 k - G - 1) x_(k) of the sorted scores, k = 1 .. G. Raises
    `StatisticsError` for NaN or fewer than two raters.
    """
    table = finite_array("scores", scores, 2)
    raters = table.shape[1]
    if raters < 2:
        raise StatisticsError("disagreement needs two raters or more")
    weights = 2.0 * np.arange(1, raters + 1) - raters - 1
    return np.asarray(np.sort(table, axis=1) @ weights / (raters * (raters - 1) / 2))


def disagreement(
    scores: ArrayLike,
    *,
    resampling: Resampling,
) -> Disagreement:
    """The mean disagreement of raters: ``2 / (G (G - 1)) sum_{i<j} mean_m |x_mi - x_mj|``.

    ``scores`` has a row for each item and a column for each rater. The interval resamples items.
    The result is in the units of the scores. Raises `StatisticsError` for NaN and for infinities.
    """
    table = finite_array("scores", scores, 2)
    each = item_disagreement(table)
    mean = cluster_bootstrap_mean(each, np.ones(len(each)), resampling=resampling)
    pairs = pair_disagreement(table)
    return Disagreement(mean, pairs, standard_deviation(pairs))


def pair_disagreement(scores: ArrayLike) -> tuple[float, ...]:
    """The mean ``|x_i - x_j|`` of each pair of raters (columns); empty without items."""
    table = finite_array("scores", scores, 2)
    if not len(table):
        return ()
    raters = table.shape[1]
    return tuple(
        float(np.abs(table[:, i] - table[:, j]).mean())
        for i in range(raters)
        for j in range(i + 1, raters)
    )


def standard_deviation(values: ArrayLike) -> float | None:
    """sqrt(sum (x - mean)^2 / (n - 1)); None below two values."""
    array = finite_array("values", values)
    return float(array.std(ddof=1)) if len(array) > 1 else None


def expected_disagreement(r: float, panel_r: float, sigma: float, raters: int) -> float | None:
    """The disagreement of raters that are each right on average, from their correlations alone.

    Let each score be the regression of a target with standard deviation ``sigma`` on what the rater
    saw, with correlation ``r``: its variance is (r sigma)^2, and so is its covariance with the
    target. If the mean of G such scores has the correlation ``panel_r``, two of them correlate at
    rho with 1 - rho = G / (G - 1) (1 - r^2 / panel_r^2), and for normal scores
    E|x_i - x_j| = sqrt(2 / pi) r sigma sqrt(2 (1 - rho)); with six raters
    0.798 r sigma sqrt(2.4 (1 - r^2 / panel_r^2)).

    None where the mean correlates no better than one rater (``panel_r`` < ``r``), at which no such
    raters exist, and for correlations that are not positive. Raises `StatisticsError` for fewer
    than two raters.
    """
    if raters < 2:
        raise StatisticsError("disagreement needs two raters or more")
    if not (0.0 < r <= 1.0 and r <= panel_r <= 1.0 and sigma >= 0.0):
        return None
    apart = raters / (raters - 1) * (1.0 - (r / panel_r) ** 2)
    return MEAN_ABSOLUTE_NORMAL * r * sigma * math.sqrt(2.0 * apart)


def best_increasing(raw: ArrayLike, target: ArrayLike) -> FloatArray:
    """The values of the increasing map of ``raw`` that is nearest to ``target`` in mean square.

    Isotonic regression on the distinct raw scores, each with the mean of its targets (scipy's
    pool-adjacent-violators). No increasing map has a smaller mean squared error on these same
    items, since it was chosen on them: a floor, not an estimate. One value for each item.
    """
    first, second = paired_arrays(raw, target)
    if not len(first):
        return first
    from scipy.optimize import isotonic_regression

    levels, place, count = np.unique(first, return_inverse=True, return_counts=True)
    means = np.bincount(place, weights=second, minlength=len(levels)) / count
    fitted = isotonic_regression(means, weights=count.astype(np.float64)).x
    return np.asarray(fitted[place], dtype=np.float64)


def _constant(values: FloatArray) -> bool:
    return float(np.ptp(values)) <= 1e-13 * float(np.abs(values).max())
