"""Means of score shifts over papers: of their size and of their signed value, on a bounded scale.

A scale has ends, so a shift is bounded, and the mean has an interval even where few papers move or
none does. Percentiles of resampled papers are too short there: with 2 of 150 papers moving they
cover 85 % for a nominal 95 %.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from revkit.errors import StatisticsError
from revkit.model.resampling import Resampling
from revkit.stats.agent_means import (
    UNSURE,
    fewest_papers,
    undefined_of_one_paper,
    with_fewest,
)
from revkit.stats.bootstrap import (
    EXPECT_SHORT,
    FEW_INFORMATIVE,
    METHOD,
    TOO_FEW_DIFFERENT,
    TOO_FEW_MOVING,
)
from revkit.stats.cluster_intervals import equal_papers_interval
from revkit.stats.linearisation import (
    residuals,
    skewness_corrected,
    standard_error,
    widened_student,
)
from revkit.stats.values import (
    Estimate,
    FloatArray,
    Interval,
    cluster_table,
    finite_array,
    no_observation,
    student_quantile,
    too_few,
)

STUDENT = "linearised ratio, t"
HALFWAY = "linearised ratio, halfway between t and t without skewness"
MOST_MOVE, MOVE_BELOW = 0.8, 50  # share of papers, and papers


def cluster_mean_size(
    sums: ArrayLike, counts: ArrayLike, limit: float, *, resampling: Resampling
) -> Estimate:
    """The mean of values in [0, limit], the sizes of shifts, over papers.

    Arrays of shape (papers,), or (papers, agents) for the mean over agents with one weight each.
    The ends lie halfway between those of Hall's interval (``skewness_corrected``), which covers up
    to 98.5 % where 4 to 15 papers move, and those of Student's t, which covers 90-94 % there; with
    many papers all three are the same. The interval is ``short`` with one to three papers that
    move, and below 50 papers if more than four fifths of them move (82-93 % where few papers move
    far and noise moves the others a little). If no paper moves, or all move alike, it is the bound
    from the scale, 0 to ``limit``, that holds for any dependence. Raises `StatisticsError` for a
    size outside [0, limit].
    """
    totals, numbers = _tables(sums, counts)
    if bool(((totals < 0) | (totals > numbers * limit * (1 + 1e-9))).any()):
        raise StatisticsError("a size must lie between 0 and the limit")
    moved = int(np.count_nonzero(totals.any(axis=1)))
    found = _mean(totals, numbers, (0.0, limit), resampling, skewed=True)
    most = moved > 0 and float((totals > 0).sum() / (numbers > 0).sum()) > MOST_MOVE
    if found.interval.low is not None and most and found.interval.n < MOVE_BELOW:
        why = f"only {found.interval.n} {resampling.unit}s, of which most move: {EXPECT_SHORT}"
        return replace(found, interval=replace(found.interval, note=why, short=True))
    return _noted(found, moved, TOO_FEW_MOVING)


def _noted(estimate: Estimate, moved: int, enough: int) -> Estimate:
    """``estimate`` with a note where few papers move, ``short`` below ``enough``."""
    bounds = estimate.interval
    if bounds.low is None or bounds.note or moved >= FEW_INFORMATIVE:
        return estimate
    note, short = f"only {moved} {bounds.unit}(s) move", moved < enough
    if short:
        note += f": {UNSURE}"
    return replace(estimate, interval=replace(bounds, note=note, short=short))


def cluster_mean_shift(
    sums: ArrayLike, counts: ArrayLike, limit: float, *, resampling: Resampling
) -> Estimate:
    """The mean of values in [-limit, limit], signed shifts, over papers; arrays as above.

    Student's t over papers (``widened_student``; over several agents at the standard error of the
    mean of their means), cut at the ends. Where all papers agree t has no width, and the bound
    is that of the share of papers that would not agree: 0 of C (Clopper and Pearson), each moving
    by the whole scale. With one to four papers that move it is ``short``.
    """
    totals, numbers = _tables(sums, counts)
    if bool((np.abs(totals) > numbers * limit * (1 + 1e-9)).any()):
        raise StatisticsError("a shift must not exceed the limit")
    found = _mean(totals, numbers, (-limit, limit), resampling, skewed=False)
    return _noted(found, int(np.count_nonzero(totals.any(axis=1))), TOO_FEW_DIFFERENT)


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
    """The mean over agents of their means over papers; few papers of an agent as in
    ``cluster_mean_rate``."""
    confidence, unit = resampling.confidence, resampling.unit
    agents, clusters = totals.shape[1] if totals.size else 0, len(totals)
    if not agents:
        return no_observation(confidence, unit, METHOD)
    n = int(numbers.sum())
    value = _clean(float((totals.sum(axis=0) / numbers.sum(axis=0)).mean()), ends[1])
    if clusters < 2:
        return Estimate(value, n, too_few(confidence, unit, clusters, METHOD))
    fewest = fewest_papers(numbers)
    if fewest < 2:
        return Estimate(value, n, undefined_of_one_paper(resampling, clusters))
    parts = [residuals(totals[:, j], numbers[:, j]) for j in range(agents)]
    part = np.mean(parts, axis=0)
    error = standard_error(part)
    low, high = ends
    if error <= 1e-12 * max(abs(low), abs(high)):
        share = min(1.0, max(0.0, (value - low) / (high - low)))
        bounds = equal_papers_interval(share, numbers, confidence, unit)
        bounds = bounds.map_ends(lambda x: low + x * (high - low))
        method = f"{bounds.method}, on the scale"
        note = f"no {unit} moves unlike the rest: bound from the declared scale"
        return Estimate(value, n, replace(bounds, method=method, note=note))
    if skewed:
        half = student_quantile(confidence, clusters - 1) * error
        skew = skewness_corrected(value, part, confidence)
        below, above = (value - half + skew[0]) / 2, (value + half + skew[1]) / 2
    else:
        below, above = widened_student(value, part, confidence)
    method = HALFWAY if skewed else STUDENT
    bounds = Interval(max(low, below), min(high, above), confidence, method, unit, clusters)
    return Estimate(value, n, with_fewest(bounds, fewest))


def _clean(value: float, limit: float) -> float:
    """``value`` without the rounding error of a sum that is 0."""
    return 0.0 if abs(value) < 1e-12 * limit else value
