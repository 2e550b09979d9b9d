"""The effect of an agent's own noise on pairs: the excess of flips over noise, and net rates at
risk.

An agent accepts an unchanged paper with probability p and its variant with probability q. A review
of the one and one of the other disagree with probability p (1 - q) + q (1 - p). That is

    (p - q)^2 + (2 p (1 - p) + 2 q (1 - q)) / 2

so the noise of both sides, halved, is what two reviews of the same text disagree by, and the excess
over it is (p - q)^2: 0 if and only if the change of the paper has no effect on acceptance. The
noise of the unchanged papers alone is the wrong measure: a coin that a change turns into "always
accept" flips as often as a coin. Scores have the same identity with distances in place of
disagreements (the energy distance; Szekely and Rizzo 2013, Journal of Statistical Planning and
Inference 143, 1249-1272).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from revkit.dataclass import dataclass
from revkit.model.resampling import Resampling
from revkit.stats.agent_means import cluster_mean_rate
from revkit.stats.bootstrap import EXPECT_SHORT
from revkit.stats.cluster_intervals import FEW_EFFECTIVE
from revkit.stats.linearisation import (
    SKEWED,
    effective_papers,
    residuals,
    skewness_corrected,
    standard_error,
    student_of_difference,
)
from revkit.stats.squares import SQUARES, squares_added
from revkit.stats.values import (
    Estimate,
    FloatArray,
    Interval,
    finite_array,
    same_length,
    student_quantile,
    undefined_interval,
)

# With fewer effective papers, net rates at risk cover 91-95 % under no effect.
FEW_AT_RISK = 15


@dataclass(frozen=True)
class RepeatedDistance:
    """Distances between repeated reviews of a paper and of its variant.

    ``across`` is the mean distance of a review of the paper and one of the variant, ``noise`` the
    mean of the two distances within a side, ``excess`` the first minus the second, ``change`` the
    mean of the variant minus that of the paper. With verdicts as 0 and 1 the distances are chances
    to disagree. None where a side has too few values: one for ``across`` and ``change``, two for
    the others.
    """

    across: float | None
    noise: float | None
    excess: float | None
    change: float | None


def repeated_distance(before: Sequence[float], after: Sequence[float]) -> RepeatedDistance:
    """The distances of ``before``, the values of one paper, and ``after``, those of its variant.

    All comparisons count: k m across, k (k - 1) / 2 and m (m - 1) / 2 within. So ``excess`` is
    unbiased for (p - q)^2 (verdicts) or for half the squared energy distance (scores), and may be
    below 0 in a single pair. Assumes that repeats are independent.
    """
    x, y = np.sort(finite_array("before", before)), np.sort(finite_array("after", after))
    if not len(x) or not len(y):
        return RepeatedDistance(None, None, None, None)
    across = float(np.abs(x[:, None] - y[None, :]).mean())
    change = float(y.mean() - x.mean())
    one, other = distance_within(before), distance_within(after)
    if one is None or other is None:
        return RepeatedDistance(across, None, None, change)
    noise = (one + other) / 2
    return RepeatedDistance(across, noise, across - noise, change)


def distance_within(values: Sequence[float]) -> float | None:
    """The mean distance of two of ``values``; None below two of them. For verdicts as 0 and 1, of
    which a of k are 1, it is 2 a (k - a) / (k (k - 1)), unbiased for 2 p (1 - p)."""
    x = np.sort(finite_array("values", values))
    k = len(x)
    if k < 2:
        return None
    return float((x * (2 * np.arange(k) - k + 1)).sum()) * 2 / (k * (k - 1))


def cluster_excess(
    across: ArrayLike,
    noise: ArrayLike,
    counts: ArrayLike,
    *,
    resampling: Resampling,
    fractional: bool = False,
) -> Estimate:
    """The mean excess over noise, (p - q)^2 for verdicts, with its interval over papers.

    Arrays of shape (papers,), or (papers, agents) for the mean over agents with one weight each:
    the sums over each paper's pairs of ``RepeatedDistance.across`` and ``.noise``, both in [0, 1]
    (scores: divided by the range of the scale), and the number of these pairs. Hall's interval
    (``skewness_corrected``); ``short`` where the papers' deviations d from the mean excess leave
    fewer than six effective papers, (sum d^2)^2 / sum d^4: an effect on few papers that noise
    hides. If all papers agree (an agent that never flips, say), the bounds of the two means are
    added in squares as if they were independent, which is conservative. Assumes independent papers
    and repeats.

    The figure cannot be below 0, its unbiased estimate can. The interval begins at 0 or above, and
    where the estimate is below 0, its upper end is that of an estimate of 0 with the same error.
    """
    found = _excess(across, noise, counts, resampling, fractional)
    if found.value is None:
        return found
    rise, bounds = max(0.0, -found.value), found.interval
    low, high = bounds.low, bounds.high
    if low is None or high is None:
        return found
    sharp = None if bounds.sharp is None else _from_0(*bounds.sharp, rise)
    low, high = _from_0(low, high, rise)
    return replace(found, interval=replace(bounds, low=low, high=high, sharp=sharp))


def _from_0(low: float | None, high: float | None, rise: float) -> tuple[float, float]:
    return max(0.0, low or 0.0), min(1.0, 1.0 if high is None else high + rise)


def _excess(
    across: ArrayLike,
    noise: ArrayLike,
    counts: ArrayLike,
    resampling: Resampling,
    fractional: bool,
    signed: bool = False,
) -> Estimate:
    """The mean excess with bounds that are not limited to what it can be; ``signed``: of a rate at
    risk, which can be below 0.
    """
    f, w, n = (_columns(name, x) for name, x in zip(_NAMES, (across, noise, counts), strict=True))
    table = np.hstack([f, w, n])
    f, w, n = np.hsplit(table[np.lexsort(table.T)], 3) if table.size else (f, w, n)
    skewed = _without_skewness(f - w, n, resampling, signed)
    if skewed is not None:
        return skewed
    parts = [
        cluster_mean_rate(part, n, resampling=resampling, fractional=fractional) for part in (f, w)
    ]
    one, other = parts
    if one.value is None or other.value is None:
        return one
    clusters = int(n.any(axis=1).sum())
    bounds = squares_added([(1, one), (-1, other)], 0.0, unit=resampling.unit, clusters=clusters)
    return Estimate(one.value - other.value, math.ceil(float(n.sum())), bounds)


def _without_skewness(
    excess: FloatArray, counts: FloatArray, resampling: Resampling, signed: bool
) -> Estimate | None:
    """Hall's interval, because an effect on few papers makes the excess skewed; None where all
    papers agree. A rate at risk has the wider of its ends and those of Student's t."""
    seen, rows = np.flatnonzero(counts.any(axis=0)), counts.any(axis=1)
    papers = int(rows.sum())
    if not len(seen) or papers < 2:
        return None
    parts = np.mean([residuals(excess[rows, j], counts[rows, j]) for j in seen], axis=0)
    if not math.fsum(parts**2) > 1e-24:
        return None
    value = float((excess[:, seen].sum(axis=0) / counts[:, seen].sum(axis=0)).mean())
    low, high = skewness_corrected(value, parts, resampling.confidence)
    if signed:
        half = student_quantile(resampling.confidence, papers - 1) * standard_error(parts)
        low, high = min(low, value - half), max(high, value + half)
    ends = max(-1.0, low), min(1.0, high)
    bounds = Interval(*ends, resampling.confidence, SKEWED, resampling.unit, papers)
    effective = effective_papers(parts)
    if effective < (FEW_AT_RISK if signed else FEW_EFFECTIVE):
        note = f"as informative as {effective:.0f} equal {resampling.unit}s: {EXPECT_SHORT}"
        bounds = replace(bounds, note=note, short=True)
    return Estimate(value, math.ceil(float(counts.sum())), bounds)


_NAMES = ("across", "noise", "counts")


def _columns(name: str, values: ArrayLike) -> FloatArray:
    raw = np.asarray(values)
    array = finite_array(name, raw, 1 if raw.ndim == 1 else 2)
    return array[:, None] if array.ndim == 1 else array


@dataclass(frozen=True)
class NetRisk:
    """The shares of pairs at risk that flipped, minus the shares that noise alone gives."""

    reject_rate: Estimate
    accept_rate: Estimate
    difference: Estimate


def cluster_net_risk(
    up: ArrayLike,
    down: ArrayLike,
    noise: ArrayLike,
    rejects: ArrayLike,
    accepts: ArrayLike,
    *,
    resampling: Resampling,
) -> NetRisk:
    """Rates at risk net of regression to the mean, from the sums of each paper.

    A noisy agent that rejects a paper once accepts it the next time without any change, so that
    p (1 - p) of its reviews flip each way. Over pairs with two verdicts or more on the unchanged
    paper, ``noise`` sums a (k - a) / (k (k - 1)) (half of ``distance_within``), ``up`` and ``down``
    sum the flips, ``rejects`` and ``accepts`` the shares (k - a) / k and a / k. The net rates are
    (up - noise) / rejects, for (1 - p)(q - p) over 1 - p, and (down - noise) / accepts: 0 if the
    change has no effect, below 0 where it makes the opposite flip more likely. Intervals: the wider
    of Hall's and Student's t at either end, ``short`` below 15 effective papers (as in
    ``cluster_excess``); their difference has Student's t.
    """
    names = ("up", "down", "noise", "rejects", "accepts")
    columns = [
        finite_array(name, values)
        for name, values in zip(names, (up, down, noise, rejects, accepts), strict=True)
    ]
    same_length(**{name: len(column) for name, column in zip(names, columns, strict=True)})
    u, d, h, r, a = columns

    def net(flips: FloatArray, whole: FloatArray) -> Estimate:
        # Noise is at most what is at risk, but for the rounding of its sum.
        return _excess(flips, np.minimum(h, whole), whole, resampling, True, signed=True)

    rejected, accepted = net(u, r), net(d, a)
    return NetRisk(rejected, accepted, _difference((u, d, h, r, a), rejected, accepted, resampling))


def _difference(
    columns: tuple[FloatArray, ...], rejected: Estimate, accepted: Estimate, resampling: Resampling
) -> Estimate:
    u, d, h, r, a = columns
    confidence, unit = resampling.confidence, resampling.unit
    clusters, total = int(((r > 0) | (a > 0)).sum()), math.ceil(math.fsum(r) + math.fsum(a))
    if rejected.value is None or accepted.value is None:
        reason = "no original was rejected, or none was accepted"
        bounds = undefined_interval(confidence, SQUARES, unit, clusters, reason)
        return Estimate(None, total, bounds, reason)
    value, seen = rejected.value - accepted.value, (r > 0) | (a > 0)
    student = student_of_difference(
        value, (residuals(u - h, r) - residuals(d - h, a))[seen], resampling
    )
    if student is not None:
        bounds = student
    else:
        bounds = squares_added([(1, rejected), (-1, accepted)], 0.0, unit=unit, clusters=clusters)
    short = rejected.interval if rejected.interval.short else accepted.interval
    if short.short:
        bounds = replace(bounds, note=short.note, short=True)
    return Estimate(value, total, bounds)
