"""Means of score shifts over papers: of their size and of their signed value, on a bounded scale.

A scale has ends, so a shift is bounded, and the mean has an interval even where few papers move or
none does. Percentiles of resampled papers are too short there: with 2 of 150 papers moving they
cover 85 % for a nominal 95 %.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from revkit.errors import StatisticsError
from revkit.model.resampling import FEW_PAPERS, Resampling
from revkit.stats.bootstrap import (
    EXPECT_SHORT,
    FEW_INFORMATIVE,
    METHOD,
    percentile_interval,
    resampled_sums,
)
from revkit.stats.clustered import equal_papers_interval, with_pairs
from revkit.stats.combined import cluster_mean_rate, residuals
from revkit.stats.linearised import SKEWED, skewness_corrected
from revkit.stats.values import (
    Estimate,
    FloatArray,
    Interval,
    cluster_table,
    finite_array,
    name_conservative,
    no_observation,
    student_quantile,
    too_few,
)

STUDENT = "linearised ratio, t"
FEW_MOVED = 15  # papers that move: below, Hall's interval covers 98 % where flips cluster
MOST_MOVE, MOVE_BELOW = 0.5, 50  # share of papers, and papers


def cluster_mean_size(
    sums: ArrayLike, counts: ArrayLike, limit: float, *, resampling: Resampling
) -> Estimate:
    """The mean of values in [0, limit], the sizes of shifts, over papers.

    Arrays of shape (papers,), or (papers, agents) for the mean over agents with one weight each.
    With fewer than ten papers that move, the interval is that of a rate on the scale 0 to ``limit``
    (``cluster_mean_rate``: Korn and Graubard's at the effective size, Clopper and Pearson's where
    nothing moves): a conservative bound, because a paper not drawn may move by the whole scale;
    ``sharp`` is Hall's interval.
    Otherwise Hall's interval over papers, which takes the skewness of sizes into account
    (``skewness_corrected``), at least 0. With fewer than fifteen papers that move it covers 98 %
    and is named conservative, with Student's t as ``sharp``. It is ``short`` below 20 papers, and
    below 50 if more than half of them move (82-93 % where few papers move far and noise moves the
    others a little).
    """
    totals, numbers = _tables(sums, counts)
    if bool(((totals < 0) | (totals > numbers * limit * (1 + 1e-9))).any()):
        raise StatisticsError("a size must lie between 0 and the limit")
    moved = int(np.count_nonzero(totals.any(axis=1)))
    if moved >= FEW_INFORMATIVE:
        found = _mean(totals, numbers, (0.0, limit), resampling, skewed=True)
        found = _warned(found, float((totals > 0).sum() / (numbers > 0).sum()), resampling.unit)
        if moved >= FEW_MOVED or found.interval.short:
            return found
        plain = _mean(totals, numbers, (0.0, limit), resampling, skewed=False).interval
        return replace(found, interval=name_conservative(found.interval, plain.low, plain.high))
    scaled = np.minimum(totals / limit, numbers)
    rate = cluster_mean_rate(scaled, numbers, resampling=resampling)
    if rate.value is None:
        return rate
    bounds = rate.interval.map_ends(lambda x: x * limit)
    if bounds.low is not None:
        skewed = _mean(totals, numbers, (0.0, limit), resampling, skewed=True).interval
        if skewed.method == SKEWED:
            bounds = name_conservative(bounds, skewed.low, skewed.high)
        note = f"only {moved} {resampling.unit}(s) move: bound from the declared scale"
        bounds = replace(bounds, method=f"{bounds.method}, on the scale", note=note, short=False)
    return replace(rate, value=_clean(rate.value * limit, limit), interval=bounds)


def _warned(estimate: Estimate, moving: float, unit: str) -> Estimate:
    """``estimate``, ``short`` where it has few papers, or below 50 if most of them move a little:
    papers that move far may be absent then and leave no trace in the spread."""
    bounds = estimate.interval
    if bounds.low is None or bounds.note:
        return estimate
    if bounds.n >= MOVE_BELOW or (bounds.n >= FEW_PAPERS and moving <= MOST_MOVE):
        return estimate
    why = f"only {bounds.n} {unit}s" + (", of which most move" if moving > MOST_MOVE else "")
    return replace(estimate, interval=replace(bounds, note=f"{why}: {EXPECT_SHORT}", short=True))


def cluster_mean_shift(
    sums: ArrayLike, counts: ArrayLike, limit: float, *, resampling: Resampling
) -> Estimate:
    """The mean of values in [-limit, limit], signed shifts, over papers; arrays as above.

    Student's t over papers (``cluster_t_interval``; over several agents at the standard error of
    the mean of their means), cut at the ends. Where all papers agree t has no width, and the bound
    is that of the share of papers that would not agree: 0 of C (Clopper and Pearson), each moving
    by the whole scale. With fewer than ten papers that move it is conservative: shifts in both
    directions cancel, so that 0 is nearly always inside; ``sharp`` are the percentiles of resampled
    papers.
    """
    totals, numbers = _tables(sums, counts)
    if bool((np.abs(totals) > numbers * limit * (1 + 1e-9)).any()):
        raise StatisticsError("a shift must not exceed the limit")
    found = _mean(totals, numbers, (-limit, limit), resampling, skewed=False)
    if found.interval.method != STUDENT or np.count_nonzero(totals.any(axis=1)) >= FEW_INFORMATIVE:
        return found
    drawn = resampled_sums(np.hstack([totals, numbers]), resampling)
    # A resample may hold no observation of an agent: 0 / 0, undefined there.
    with np.errstate(invalid="ignore"):
        means = np.divide(*np.hsplit(drawn, 2)).mean(axis=1)
    middle = percentile_interval(
        means, resampling.confidence, unit=resampling.unit, clusters=len(totals)
    )
    if middle.low is None:
        return found
    return replace(found, interval=name_conservative(found.interval, middle.low, middle.high))


def _tables(sums: ArrayLike, counts: ArrayLike) -> tuple[FloatArray, FloatArray]:
    columns = []
    for name, values in (("sums", sums), ("counts", counts)):
        raw = np.asarray(values)
        array = finite_array(name, raw, 1 if raw.ndim == 1 else 2)
        columns.append(array[:, None] if array.ndim == 1 else array)
    totals, numbers = cluster_table(*columns)
    seen = numbers.any(axis=0)
    totals, numbers = totals[:, seen], numbers[:, seen]
    rows = numbers.any(axis=1)
    totals, numbers = totals[rows], numbers[rows]
    if totals.size:
        order = np.lexsort(np.hstack([totals, numbers]).T)
        totals, numbers = totals[order], numbers[order]
    return totals, numbers


def _mean(
    totals: FloatArray,
    numbers: FloatArray,
    ends: tuple[float, float],
    resampling: Resampling,
    *,
    skewed: bool,
) -> Estimate:
    """The mean over agents of their means over papers."""
    confidence, unit = resampling.confidence, resampling.unit
    agents, clusters = totals.shape[1] if totals.size else 0, len(totals)
    if not agents:
        return no_observation(confidence, unit, METHOD)
    n = int(numbers.sum())
    value = _clean(float((totals.sum(axis=0) / numbers.sum(axis=0)).mean()), ends[1])
    if clusters < 2:
        return Estimate(value, n, too_few(confidence, unit, clusters, METHOD))
    parts = [residuals(totals[:, j], numbers[:, j]) for j in range(agents)]
    part = np.mean(parts, axis=0)
    error = math.sqrt(clusters / (clusters - 1) * math.fsum(part**2))
    low, high = ends
    if error <= 1e-12 * max(abs(low), abs(high)):
        share = min(1.0, max(0.0, (value - low) / (high - low)))
        bounds = equal_papers_interval(share, clusters, confidence, unit)
        bounds = with_pairs(bounds, share, numbers).map_ends(lambda x: low + x * (high - low))
        method = f"{bounds.method}, on the scale"
        note = f"no {unit} moves unlike the rest: bound from the declared scale"
        return Estimate(value, n, replace(bounds, method=method, note=note))
    half = student_quantile(confidence, clusters - 1) * error
    below, above = value - half, value + half
    if skewed:
        below, above = skewness_corrected(value, part, confidence)
    method = SKEWED if skewed else STUDENT
    bounds = Interval(max(low, below), min(high, above), confidence, method, unit, clusters)
    return Estimate(value, n, bounds)


def _clean(value: float, limit: float) -> float:
    """``value`` without the rounding error of a sum that is 0."""
    return 0.0 if abs(value) < 1e-12 * limit else value
