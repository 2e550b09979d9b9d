"""Means and rates over papers with several observations each, with intervals over papers.

``sums`` and ``counts`` have one row for each paper: the sum of what was observed on it and the
number of observations. The estimate is sum / sum, the mean over all observations; its interval
takes papers, not observations, as independent.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from revkit.errors import StatisticsError
from revkit.model.resampling import Resampling
from revkit.stats.bootstrap import (
    ENOUGH_PAPERS,
    EXPECT_SHORT,
    FEW_INFORMATIVE,
    METHOD,
    TOO_FEW_INFORMATIVE,
    cluster_bootstrap_statistic,
    differing_rows,
    percentile_interval,
    resampled_sums,
)
from revkit.stats.linearisation import (
    effective_papers,
    effective_size,
    exact_bounds,
    korn_graubard_bounds,
    linearised,
    mid_p_bounds,
    standard_error,
)
from revkit.stats.proportions import FlipRate, clopper_pearson_interval, flip_rate
from revkit.stats.values import (
    Estimate,
    FloatArray,
    Interval,
    are_whole,
    check_cluster_counts,
    cluster_table,
    finite_array,
    name_conservative,
    no_observation,
    same_length,
    too_few,
    undefined_interval,
)

# Below this many papers Student's quantile makes Korn and Graubard's interval cover 98-99 % where
# pairs do not cluster; the mid-P interval covers 96-98 % there.
FEW_AT_RISK = 20
# Below this many papers it covers up to 98.5 %, and one halfway to the mid-P interval 97-98 %.
FEW_CLUSTERS = 30
# Effective papers from which the variation of fractional rates is known well enough to find papers
# more alike than independent pairs. With fewer, an interval made from it covers 88-92 % if flips
# cluster, and one halfway to the mid-P interval for all pairs 92-98 %: it is short.
ENOUGH_EFFECTIVE = 5
# With fewer effective papers, net rates and medians of noisy agents cover 90-93 %.
FEW_EFFECTIVE = 6
# Of fewer papers than this, four informative ones are no longer rare: 96-97 % are covered.
FEW_IN_ALL = 18
WITHOUT_LIMIT = "korn-graubard without limit"
MID_P = "mid-p at the effective size"
MOST_PAIRS = 1e9  # effective pairs; more make the interval no shorter than its rounding


def cluster_bootstrap_mean(
    sums: ArrayLike,
    counts: ArrayLike,
    *,
    resampling: Resampling,
) -> Estimate:
    """The mean over all observations, sum of ``sums`` over sum of ``counts``, papers resampled.

    ``sums`` and ``counts`` have one entry for each paper. See ``cluster_bootstrap_means``.
    """
    column = finite_array("sums", sums).reshape(-1, 1)
    number = finite_array("counts", counts).reshape(-1, 1)
    return cluster_bootstrap_means(column, number, resampling=resampling)[0]


def cluster_bootstrap_means(
    sums: ArrayLike,
    counts: ArrayLike,
    *,
    resampling: Resampling,
    fractional: bool = False,
) -> tuple[Estimate, ...]:
    """Many means at once, one for each column of ``sums``, from the same resamples.

    ``sums`` has shape (papers, columns); ``counts`` the same, or (papers,) where all columns share
    it. A paper with count 0 in a column has no observation there and must have sum 0. The papers
    are sorted in each column by itself, so columns share the weights for speed but not the papers
    they fall on: for a difference between two columns use ``cluster_bootstrap_difference``.

    Undefined: the value where a column has no observation; the interval also where fewer than two
    papers have one, or where all papers agree exactly. Where fewer than ten papers differ from the
    rest the interval is too short, and its note says so: an unbounded mean has no closed form that
    would hold there. For shares use ``cluster_bootstrap_rates``.
    """
    confidence, unit = resampling.confidence, resampling.unit
    totals, numbers = cluster_table(sums, counts, fractional=fractional)
    if totals.shape[0] == 0:
        return tuple(no_observation(confidence, unit, METHOD) for _ in range(totals.shape[1]))
    papers = np.count_nonzero(numbers, axis=0)
    for j in range(totals.shape[1]):
        order = np.lexsort((totals[:, j], numbers[:, j]))
        totals[:, j], numbers[:, j] = totals[order, j], numbers[order, j]
    observed, whole = numbers.sum(axis=0), totals.sum(axis=0)
    resampled = np.empty((totals.shape[1], resampling.resamples))
    if bool((papers >= 2).any()):
        drawn = resampled_sums(np.hstack([totals, numbers]), resampling)
        # A resample may hold no observation of a column: 0 / 0, undefined there.
        with np.errstate(invalid="ignore"):
            resampled = np.divide(*np.hsplit(drawn, 2)).T
    estimates = []
    for j in range(totals.shape[1]):
        n, clusters = math.ceil(observed[j]), int(papers[j])
        if n == 0:
            estimates.append(no_observation(confidence, unit, METHOD))
            continue
        value = float(whole[j]) / float(observed[j])
        if clusters < 2:
            bounds = too_few(confidence, unit, clusters, METHOD)
            estimates.append(Estimate(value, n, bounds))
        else:
            seen = numbers[:, j] > 0
            differing = differing_rows(totals[seen, j] / numbers[seen, j])
            bounds = percentile_interval(
                resampled[j], confidence, unit=unit, clusters=clusters, differing=differing
            )
            estimates.append(Estimate(value, n, bounds))
    return tuple(estimates)


def cluster_bootstrap_rates(
    successes: ArrayLike,
    counts: ArrayLike,
    *,
    resampling: Resampling,
    fractional: bool = False,
) -> tuple[Estimate, ...]:
    """As ``cluster_bootstrap_means`` for shares in [0, 1], and right for rare events as well.

    Percentiles cover too rarely where few papers flip, so with fewer than ten papers that have a
    flip (or fewer than ten that have a pair without one), or fewer than 500 papers in all, the
    interval is ``korn_graubard_interval``. A reviewer that never flips gives nothing to estimate
    from, yet its rate is not known to be 0: there the interval is Clopper and Pearson's for "a
    paper has a flip", 0 of C effective papers (``equal_papers_interval``). It is valid however
    strongly the variants of a paper depend on one another, because with papers of equal size the
    rate over pairs is at most the chance that a paper has a flip; it can therefore be wider than
    that of a reviewer that flipped once. It is conservative, and ``sharp`` is the same bound over
    pairs. Each needs two or more papers. With one to four informative papers (one to three of fewer
    than 18 papers) the interval is ``short``: it covers 84-89 % if flips cluster strongly.
    ``successes`` may be fractional (a share for each paper, with count 1); with ``fractional`` so
    may ``counts`` (the share of the repeats that rejected a paper, say). ``rate_bounds`` describes
    where papers vary no more than independent pairs would.
    """
    confidence, unit = resampling.confidence, resampling.unit
    totals, numbers = cluster_table(successes, counts, fractional=fractional)
    check_shares(totals, numbers)
    few = [_is_rare(totals[:, j], numbers[:, j]) for j in range(totals.shape[1])]
    # Columns with a closed form need no resamples.
    many = [j for j, rare in enumerate(few) if not rare]
    drawn = dict(
        zip(
            many,
            cluster_bootstrap_means(
                totals[:, many], numbers[:, many], resampling=resampling, fractional=fractional
            ),
            strict=True,
        )
    )
    estimates = [
        drawn[j] if j in drawn else _plain(totals[:, j], numbers[:, j], confidence, unit)
        for j in range(totals.shape[1])
    ]
    return tuple(
        _rare(estimate, totals[:, j], numbers[:, j], confidence, unit)
        for j, estimate in enumerate(estimates)
    )


def _is_rare(successes: FloatArray, counts: FloatArray) -> bool:
    """Return whether percentile intervals would be too short for this rate."""
    few = int(np.count_nonzero(counts)) < ENOUGH_PAPERS
    return few or informative_clusters(successes, counts) < FEW_INFORMATIVE


def _plain(successes: FloatArray, counts: FloatArray, confidence: float, unit: str) -> Estimate:
    """A rate without bounds."""
    order = np.lexsort((successes, counts))
    observed, clusters = float(counts[order].sum()), int(np.count_nonzero(counts))
    n = math.ceil(observed)
    if n == 0:
        return no_observation(confidence, unit, METHOD)
    value = float(successes[order].sum()) / observed
    if clusters < 2:
        return Estimate(value, n, too_few(confidence, unit, clusters, METHOD))
    return Estimate(value, n, undefined_interval(confidence, METHOD, unit, clusters, ""))


def check_shares(successes: FloatArray, counts: FloatArray) -> None:
    """Raise `StatisticsError` where successes are negative or exceed counts, of the same shape, by
    more than the rounding of a sum.
    """
    if bool(((successes < 0) | (successes > counts * (1 + 1e-12))).any()):
        raise StatisticsError("successes must lie between 0 and counts in every cluster")


def informative_clusters(successes: FloatArray, counts: FloatArray) -> int:
    """Return the papers that differ from "no success", or those that differ from "all", whichever
    are fewer. Both have one entry for each paper.
    """
    return int(min(np.count_nonzero(successes), np.count_nonzero(counts - successes)))


def _rare(
    estimate: Estimate, successes: FloatArray, counts: FloatArray, confidence: float, unit: str
) -> Estimate:
    """Return ``estimate`` with an interval that is suitable for its number of informative
    papers.
    """
    clusters = estimate.interval.n
    if clusters < 2:
        return estimate
    informative = informative_clusters(successes, counts)
    if informative == 0:
        bounds = equal_papers_interval(estimate.value or 0.0, counts, confidence, unit)
        return replace(estimate, interval=bounds)
    if _is_rare(successes, counts) and estimate.value is not None:
        found, error = linearised(successes, counts)
        if error > 1e-12 * found:
            seen = counts > 0
            parts = (successes - counts * found)[seen] / counts[seen].sum()
            whole = bool(are_whole(successes).all())
            bounds = rate_bounds(
                estimate.value, parts, float(counts.sum()), whole, informative, confidence, unit
            )
            return replace(estimate, interval=bounds)
    if estimate.interval.low is None and estimate.value is not None:
        bounds = equal_papers_interval(estimate.value, counts, confidence, unit)
        return replace(estimate, interval=bounds)
    return estimate


def rate_bounds(
    value: float,
    residuals: FloatArray,
    pairs: float,
    whole: bool,
    informative: int,
    confidence: float,
    unit: str,
) -> Interval:
    """Korn and Graubard's interval of a rate, or of the mean of several, over papers.

    ``residuals`` are what each paper adds to the rate beyond its share (``standard_error``),
    ``pairs`` is the number of pairs, and ``whole`` states that no paper has a fraction of a flip.
    Where papers vary no more than independent pairs would, two cases have another interval:

    - fractions, because repeats disagree: noise is alike on all papers, and the interval for
      independent pairs covers 99 %. The effective size then has no limit; with fewer than five
      effective papers the ends lie halfway to those of the mid-P interval for all pairs;
    - fewer than 20 papers: the mid-P interval.

    With fewer than 30 papers and no fractions, the ends otherwise lie halfway to those of the mid-P
    interval. With fractions and fewer than five effective papers, the interval is ``short``.
    """
    clusters = len(residuals)
    error, total = standard_error(residuals), max(2, math.ceil(pairs))
    size = effective_size(value, error, total, clusters, confidence)
    independent = value * (1 - value) / error**2 * clusters / (clusters - 1)
    bounds = korn_graubard_bounds(value, error, total, clusters, confidence, unit)
    alike, effective = independent >= total * (1 - 1e-9), effective_papers(residuals)
    if whole and clusters < FEW_CLUSTERS:
        ends, method = mid_p_bounds(value, min(size, total), confidence), MID_P
        if not alike or clusters >= FEW_AT_RISK:
            ends, method = _halfway(ends, bounds), f"halfway between {bounds.method} and {MID_P}"
        bounds = replace(bounds, low=ends[0], high=ends[1], method=method)
    elif not whole and alike:
        ends = exact_bounds(value, min(size, MOST_PAIRS), confidence)
        bounds = replace(bounds, low=ends[0], high=ends[1], method=WITHOUT_LIMIT)
        if effective < ENOUGH_EFFECTIVE:
            low, high = _halfway(mid_p_bounds(value, min(size, total), confidence), bounds)
            bounds = replace(bounds, low=low, high=high)
    if not whole and effective < ENOUGH_EFFECTIVE:
        return replace(
            bounds,
            note=f"as informative as {effective:.1f} equal {unit}s: {EXPECT_SHORT}",
            short=True,
        )
    return with_informative(bounds, informative)


def mid_p_of_rate(
    value: float,
    residuals: FloatArray,
    pairs: float,
    informative: int,
    confidence: float,
    unit: str,
) -> Interval:
    """The mid-P interval at the effective size of a rate; arguments as in ``rate_bounds``."""
    clusters, total = len(residuals), max(2, math.ceil(pairs))
    size = effective_size(value, standard_error(residuals), total, clusters, confidence)
    low, high = mid_p_bounds(value, min(size, total), confidence)
    bounds = Interval(low, high, confidence, MID_P, unit, clusters)
    return with_informative(bounds, informative)


def _halfway(ends: tuple[float, float], bounds: Interval) -> tuple[float, float]:
    """The ends halfway between ``ends`` and those of ``bounds``."""
    assert bounds.low is not None
    assert bounds.high is not None
    return (ends[0] + bounds.low) / 2, (ends[1] + bounds.high) / 2


def contributing(informative: int, unit: str = "paper") -> str:
    """Return how few papers make a rate differ from 0 or from 1, whichever is nearer."""
    differ = f"{unit} differs" if informative == 1 else f"{unit}s differ"
    return f"only {informative} {differ} from the rest"


def with_informative(interval: Interval, informative: int) -> Interval:
    """``interval`` with a note where few papers are informative, and ``short`` below five, or
    below four of fewer than 18 papers.
    """
    if informative >= FEW_INFORMATIVE or interval.low is None:
        return interval
    note = contributing(informative, interval.unit)
    short = 0 < informative < TOO_FEW_INFORMATIVE - (interval.n < FEW_IN_ALL)
    if short:
        note += ": too short if flips cluster in papers, too long if not"
    return replace(interval, note=note, short=short)


def weighted_papers(counts: FloatArray) -> int:
    """Kish's effective number of papers in a rate, or in the mean of several rates over them, with
    these ``counts`` of shape (papers,) or (papers, rates): 1 / sum w^2 for weights w (1965, Survey
    Sampling, section 11.7). Without a difference in the counts it is the number of papers.
    """
    columns = counts.reshape(len(counts), -1)
    columns = columns[:, columns.any(axis=0)]  # a rate without a pair has no weight
    weights = (columns / columns.sum(axis=0)).mean(axis=1)
    effective = float(1 / math.fsum(weights**2))
    return max(1, math.floor(effective * (1 + 1e-12)))


def equal_papers_interval(
    value: float, counts: FloatArray, confidence: float, unit: str
) -> Interval:
    """Return bounds if every paper has the same rate: the rate of papers with another rate is at
    most Clopper and Pearson's bound h for 0 of C, so the mean lies within [v (1 - h), v (1 - h) +
    h].

    C is the effective number of papers (``weighted_papers``; ``counts`` as there). Papers as they
    are would miss the rate too often where large papers flip more often than small ones: with one
    or four pairs a paper in up to 11 % of the samples for a nominal 2.5 %, and with one or ten in
    up to 29 %; the effective number in at most 5 %. The interval is named conservative; the sharper
    one is the same bound with pairs in place of papers, by the mid-P method.
    """
    other = clopper_pearson_interval(0, weighted_papers(counts), confidence, unit=unit).high
    assert other is not None
    low, papers = value * (1 - other), int(np.count_nonzero(counts.reshape(len(counts), -1).any(1)))
    note = (
        f"the rate of every {unit} is {100 * value:.3g} %, so the interval is a bound, for any "
        f"dependence within a {unit}"
    )
    method = f"clopper-pearson over {unit}s"
    bounds = Interval(low, low + other, confidence, method, unit, papers, note)
    share = mid_p_bounds(0.0, max(1.0, float(counts.sum())), confidence)[1]
    return name_conservative(bounds, value * (1 - share), value * (1 - share) + share)


def flip_rates(
    flips: ArrayLike,
    valid: ArrayLike,
    failed: ArrayLike,
    *,
    resampling: Resampling,
) -> tuple[FlipRate, ...]:
    """Flip rates of many columns (agents, families), with intervals from resampling papers.

    Each array has shape (papers, columns) and counts, for each paper, the pairs that flipped, the
    valid pairs, and the failed ones. See ``flip_rate`` for the case bounds and
    ``cluster_bootstrap_rates`` for the interval. Raises `StatisticsError` for unequal shapes, and
    for counts that are not whole or negative.
    """
    confidence = resampling.confidence
    flipped, answered = cluster_table(flips, valid)
    lost = finite_array("failed", failed, 2)
    if lost.shape != flipped.shape:
        raise StatisticsError("failed must have the shape of flips")
    for array in (flipped, answered, lost):
        if bool((array != np.floor(array)).any()):
            raise StatisticsError("flips, valid and failed must be whole numbers")
    if bool((lost < 0).any()):
        raise StatisticsError("failed must not be negative")
    estimates = cluster_bootstrap_rates(flipped, answered, resampling=resampling)
    return tuple(
        flip_rate(int(k), int(n), int(f), confidence=confidence, interval=estimate.interval)
        for k, n, f, estimate in zip(
            flipped.sum(axis=0), answered.sum(axis=0), lost.sum(axis=0), estimates, strict=True
        )
    )


def ratio_difference(t: FloatArray) -> FloatArray:
    """Return the first mean minus the second for each row of four sums over papers: sum and count
    of the first, sum and count of the second. NaN where a count is 0.
    """
    with np.errstate(invalid="ignore"):
        return np.asarray(t[:, 0] / t[:, 1] - t[:, 2] / t[:, 3])


def cluster_bootstrap_difference(
    first_sums: ArrayLike,
    first_counts: ArrayLike,
    second_sums: ArrayLike,
    second_counts: ArrayLike,
    *,
    resampling: Resampling,
) -> Estimate:
    """first mean - second mean, both over the same resampled papers; i-th entries: same paper.

    For means of any size, score shifts say; for flip rates and other shares use
    ``cluster_rate_difference``, which holds with rare flips as well. The counts may differ (a pair
    that failed for one agent only). Undefined where either mean is.
    """
    columns = [
        finite_array(name, values)
        for name, values in (
            ("first_sums", first_sums),
            ("first_counts", first_counts),
            ("second_sums", second_sums),
            ("second_counts", second_counts),
        )
    ]
    same_length(**{f"column {i}": len(column) for i, column in enumerate(columns)})
    check_cluster_counts(columns[0], columns[1])
    check_cluster_counts(columns[2], columns[3])

    return cluster_bootstrap_statistic(
        np.column_stack(columns),
        ratio_difference,
        observations=int(columns[1].sum() + columns[3].sum()),
        resampling=resampling,
        reason="one of the two has no observation",
    )
