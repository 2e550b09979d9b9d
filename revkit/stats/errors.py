"""Means of squared and of absolute errors over papers, which are skewed and never negative.

Percentiles of such means are too short: the resampled means share the skewness, and their spread
grows with them. The bounds here are those of the studentised bootstrap (Efron and Tibshirani 1993,
An Introduction to the Bootstrap, section 12.5; Davison and Hinkley 1997, section 2.4).
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from revkit.errors import StatisticsError
from revkit.model.resampling import FEW_PAPERS, Resampling
from revkit.stats.bootstrap import resampled_sums
from revkit.stats.values import (
    Estimate,
    FloatArray,
    Interval,
    cluster_table,
    finite_array,
    no_observation,
    too_few,
    undefined_interval,
)

METHOD = "cluster bootstrap, studentised"
# Below these, gross errors on a few papers may be missing in the data, and the bounds then too
# short: papers, and effective papers (sum x)^2 / sum x^2 of their errors x, by the power.
PAPERS = {1: FEW_PAPERS, 2: 100}
EFFECTIVE = {1: 20.0, 2: 25.0}
# Absolute errors: also where fewer than 100 papers have an effective share below this. It is 64 %
# for normal errors, and 48 % if one paper in 20 has errors four times as large.
SHARE, SHARE_BELOW = 0.55, 100
# What 95 % intervals of a mean square cover if one paper in 20 has errors four times as large,
# for so many papers (6,000 simulations each); for a mean absolute error at least 91 %.
COVERED = {10: 83, 20: 79, 40: 78, 60: 80, 80: 81, 100: 84, 150: 90, 300: 93}
COVERED_ABSOLUTE = 91


def mean_error(
    sums: ArrayLike,
    counts: ArrayLike,
    *,
    power: Literal[1, 2],
    resampling: Resampling,
    most: float | None = None,
) -> Estimate:
    """The mean of ``|error|^power`` over all observations, with a studentised interval over papers.

    ``sums`` has the sum of ``|error|^power`` of each paper, ``counts`` the number of its errors;
    ``most`` is the largest possible value, (the range of the scale)^power. With r the ratio of both
    sums, se(r) = sqrt(K / (K - 1) sum (s - n r)^2) / sum n over K papers, and q the quantiles of
    (r* - r) / se(r*) over resamples, the interval is [r - q_high se, r - q_low se], kept in
    [0, ``most``].

    In simulations with normal errors and 20 to 300 papers it covers 93 to 96 % at the level 95 %.
    With gross errors it covers less, and they may be absent from a small sample, so a note states
    the coverage then: for squares below 100 papers or 25 effective ones; for absolute errors below
    20 of either, and below 100 papers of which fewer than 55 % are effective.

    Undefined: the value without observation; the interval below two papers and without variation.
    Raises `StatisticsError` for negative sums, or sums above ``most``.
    """
    confidence, unit = resampling.confidence, resampling.unit
    totals, numbers = cluster_table(
        finite_array("sums", sums).reshape(-1, 1), finite_array("counts", counts).reshape(-1, 1)
    )
    seen = numbers[:, 0] > 0
    table = np.column_stack([totals[seen, 0], numbers[seen, 0]])
    table = table[np.lexsort(table.T)]
    _check(table, most)
    papers, observed = len(table), int(table[:, 1].sum()) if len(table) else 0
    if papers == 0:
        return no_observation(confidence, unit, METHOD)
    value = float(table[:, 0].sum() / table[:, 1].sum())
    if papers < 2:
        return Estimate(value, observed, too_few(confidence, unit, papers, METHOD))
    moments = np.column_stack([table, table[:, 0] ** 2, table.prod(axis=1), table[:, 1] ** 2])
    error = float(_errors(moments.sum(axis=0, keepdims=True), np.array([value]), papers)[0])
    if error <= 1e-12 * value:
        bounds = undefined_interval(
            confidence, METHOD, unit, papers, f"no variation between {unit}s"
        )
        return Estimate(value, observed, bounds)
    low, high = _bounds(moments, value, error, resampling)
    low = max(low, 0.0)
    if most is not None:
        high = min(high, most)
    note = gross = _note(table, power, unit)
    if not np.isfinite(high):
        note = "; ".join(filter(None, [note, f"too few {unit}s differ for an upper bound"]))
    bounds = Interval(
        low,
        high if np.isfinite(high) else None,
        confidence,
        METHOD,
        unit,
        papers,
        note,
        bool(gross),
    )
    return Estimate(value, observed, bounds)


def _check(table: FloatArray, most: float | None) -> None:
    if bool((table[:, 0] < 0).any()):
        raise StatisticsError("sums of errors must not be negative")
    if most is not None and bool((table[:, 0] > table[:, 1] * most * (1 + 1e-9)).any()):
        raise StatisticsError(f"an error is larger than {most:g}, the largest possible one")


def _errors(sums: FloatArray, ratios: FloatArray, papers: int) -> FloatArray:
    """The standard errors of ``ratios``, from the sums of s, n, s^2, s n and n^2."""
    _, n, ss, sn, nn = sums.T
    square = np.maximum(ss - 2 * ratios * sn + ratios**2 * nn, 0.0)
    # What is left of a difference of equal numbers is rounding.
    square = np.where(square <= 1e-12 * ss, 0.0, square)
    return np.asarray(np.sqrt(papers / (papers - 1) * square) / n)


def _bounds(
    moments: FloatArray, value: float, error: float, resampling: Resampling
) -> tuple[float, float]:
    papers = len(moments)
    sums = resampled_sums(moments, resampling)
    ratios = sums[:, 0] / sums[:, 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        each = (ratios - value) / _errors(sums, ratios, papers)
    # The error within a resample of equal papers is 0: it is infinitely far on its side.
    values = np.sort(np.where(np.isnan(each), 0.0, each))
    tail = (1 - resampling.confidence) / 2
    # Order statistics: infinite values cannot be interpolated.
    lowest = values[int(np.floor(tail * (len(values) - 1)))]
    highest = values[int(np.ceil((1 - tail) * (len(values) - 1)))]
    return value - float(highest) * error, value - float(lowest) * error


def _near(listed: int, papers: int) -> bool:
    """Whether the listed number of papers is next to ``papers``, on either side."""
    below = [n for n in COVERED if n <= papers] or [min(COVERED)]
    above = [n for n in COVERED if n >= papers] or [max(COVERED)]
    return listed in (below[-1], above[0])


def _note(table: FloatArray, power: Literal[1, 2], unit: str) -> str:
    papers = len(table)
    means = table[:, 0] / table[:, 1]
    effective = float(means.sum() ** 2 / (means**2).sum())
    gross = power == 1 and papers < SHARE_BELOW and effective < SHARE * papers
    if papers >= PAPERS[power] and effective >= EFFECTIVE[power] and not gross:
        return ""
    covered = COVERED_ABSOLUTE
    if power == 2:
        covered = min(share for n, share in COVERED.items() if _near(n, papers))
    return (
        f"{papers} {unit}s, {effective:.0f} effective: a 95 % interval covers {covered} % if one "
        f"{unit} in 20 has errors four times as large"
    )
