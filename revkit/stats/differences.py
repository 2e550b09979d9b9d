"""Differences of rates over the same papers, of one pair of rates and of the means over agents.

With 500 papers and ten informative ones in both parts, the bounds are percentiles of resampled
papers. Otherwise they are Student's t of the linearised difference. If all papers agree, the bounds
of the two parts are added in squares.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from revkit.model.resampling import Resampling
from revkit.stats.agent_means import (
    UNSURE,
    cluster_mean_rate,
    fewest_papers,
    undefined_of_one_paper,
    with_fewest,
)
from revkit.stats.bootstrap import (
    ENOUGH_PAPERS,
    FEW_INFORMATIVE,
    METHOD,
    TOO_FEW_DIFFERENT,
    cluster_bootstrap_statistic,
)
from revkit.stats.cluster_intervals import (
    check_shares,
    cluster_bootstrap_rates,
    informative_clusters,
    ratio_difference,
)
from revkit.stats.linearisation import (
    ROUNDING,
    residuals,
    student_of_difference,
)
from revkit.stats.squares import squares_added
from revkit.stats.values import (
    Estimate,
    FloatArray,
    Interval,
    cluster_table,
    finite_array,
    no_observation,
    same_length,
    undefined_interval,
)


def cluster_rate_difference(
    first_successes: ArrayLike,
    first_counts: ArrayLike,
    second_successes: ArrayLike,
    second_counts: ArrayLike,
    *,
    resampling: Resampling,
    fractional: bool = False,
) -> Estimate:
    """First rate - second rate, both over the same papers; i-th entries: same paper.

    Student's t of the linearised difference (``widened_student``), by Welch's method where no paper
    is in both rates (Welch 1947, Biometrika 34, 28-35); from 500 papers on, if each rate has ten
    informative papers or more, percentiles of both over the same resampled papers. With one to
    four papers that differ between the rates it is ``short``. If all papers agree, the bounds of
    the two rates (``cluster_bootstrap_rates``) are added in squares, which is conservative. Each
    needs two papers. Undefined where either rate is. ``fractional`` as in
    ``cluster_bootstrap_rates``.
    """
    confidence, unit = resampling.confidence, resampling.unit
    names = ("first_successes", "first_counts", "second_successes", "second_counts")
    given = (first_successes, first_counts, second_successes, second_counts)
    columns = [finite_array(name, values) for name, values in zip(names, given, strict=True)]
    same_length(**{name: len(column) for name, column in zip(names, columns, strict=True)})
    table = np.column_stack(columns)
    table = table[np.lexsort(table.T)]
    sums, counts = cluster_table(table[:, 0::2], table[:, 1::2], fractional=fractional)
    check_shares(sums, counts)
    observations = math.ceil(counts.sum())
    clusters = int(np.count_nonzero(counts.any(axis=1)))
    if not bool(counts.any(axis=0).all()):
        reason = "one of the two has no observation"
        bounds = undefined_interval(confidence, METHOD, unit, clusters, reason)
        return Estimate(None, observations, bounds, reason)
    informative = min(informative_clusters(sums[:, j], counts[:, j]) for j in (0, 1))
    parts = [residuals(sums[:, j], counts[:, j]) for j in (0, 1)]
    if informative >= FEW_INFORMATIVE and clusters >= ENOUGH_PAPERS:
        found = cluster_bootstrap_statistic(
            table, ratio_difference, observations=observations, resampling=resampling
        )
        if found.interval.low is not None:
            return replace(found, value=_difference(sums, counts))
    value = _difference(sums, counts)
    student = _student_of_two(value, parts, counts, resampling)
    if student is not None:
        differing = _differing(sums[:, :1], counts[:, :1], sums[:, 1:], counts[:, 1:])
        return Estimate(value, observations, _noted(student, differing))
    one, other = cluster_bootstrap_rates(sums, counts, resampling=resampling, fractional=fractional)
    bounds = squares_added([(1, one), (-1, other)], 0.0, unit=unit, clusters=clusters)
    return Estimate(value, observations, bounds)


def cluster_mean_difference(
    first_successes: ArrayLike,
    first_counts: ArrayLike,
    second_successes: ArrayLike,
    second_counts: ArrayLike,
    *,
    resampling: Resampling,
    fractional: bool = False,
) -> Estimate:
    """The mean over agents of first rate - second rate, each agent weighted equally.

    Arrays of shape (papers, agents), the same papers and agents in all four; an agent without an
    observation in one of its rates is left out. One agent: ``cluster_rate_difference``. Several:
    Student's t over papers; percentiles over the same resampled papers from 500 papers on, if both
    means of rates have ten informative papers or more. With one to four papers that differ, or few
    papers of a rate (``with_fewest``), it is ``short``; if a rate has a single paper, there is no
    interval. If all papers agree, the bounds of the two means (``cluster_mean_rate``) are added in
    squares, which is conservative. The agents are taken as they are, not as a sample.
    """
    confidence, unit = resampling.confidence, resampling.unit
    one, n1 = cluster_table(first_successes, first_counts, fractional=fractional)
    two, n2 = cluster_table(second_successes, second_counts, fractional=fractional)
    same_length(first=len(one), second=len(two))
    check_shares(one, n1)
    check_shares(two, n2)
    both = n1.any(axis=0) & n2.any(axis=0)
    one, n1, two, n2 = (array[:, both] for array in (one, n1, two, n2))
    total, agents = math.ceil(n1.sum() + n2.sum()), one.shape[1]
    if agents == 0:
        return no_observation(confidence, unit, METHOD)
    if agents == 1:
        return cluster_rate_difference(
            one[:, 0], n1[:, 0], two[:, 0], n2[:, 0], resampling=resampling, fractional=fractional
        )
    seen = n1.any(axis=1) | n2.any(axis=1)
    table = np.hstack([one, n1, two, n2])[seen]
    table = table[np.lexsort(table.T)]
    one, n1, two, n2 = np.hsplit(table, 4)
    value = float((one.sum(axis=0) / n1.sum(axis=0) - two.sum(axis=0) / n2.sum(axis=0)).mean())
    fewest = min(fewest_papers(n1), fewest_papers(n2))
    if fewest < 2 <= len(one):
        return Estimate(value, total, undefined_of_one_paper(resampling, len(one)))
    informative = min(
        informative_clusters(s.sum(axis=1), n.sum(axis=1)) for s, n in ((one, n1), (two, n2))
    )
    means = [
        np.mean([_of_few(s[:, j], n[:, j]) for j in range(agents)], axis=0)
        for s, n in ((one, n1), (two, n2))
    ]
    if informative >= FEW_INFORMATIVE and len(one) >= ENOUGH_PAPERS:

        def difference(t: FloatArray) -> FloatArray:
            a, m, b, n = (t[:, i * agents : (i + 1) * agents] for i in range(4))
            with np.errstate(invalid="ignore", divide="ignore"):
                return np.asarray((a / m - b / n).mean(axis=1))

        found = cluster_bootstrap_statistic(
            table, difference, observations=total, resampling=resampling
        )
        if found.interval.low is not None:
            return replace(found, value=value, interval=with_fewest(found.interval, fewest))
    bounds = student_of_difference(value, means[0] - means[1], resampling)
    if bounds is not None:
        bounds = _noted(bounds, _differing(one, n1, two, n2))
        return Estimate(value, total, with_fewest(bounds, fewest))
    parts = [
        cluster_mean_rate(s, n, resampling=resampling, fractional=fractional)
        for s, n in ((one, n1), (two, n2))
    ]
    bounds = squares_added([(1, parts[0]), (-1, parts[1])], 0.0, unit=unit, clusters=len(one))
    return Estimate(value, total, bounds)


def _differing(one: FloatArray, n1: FloatArray, two: FloatArray, n2: FloatArray) -> int:
    """Return the papers whose two rates differ for any agent, by successes or by failures,
    whichever are fewer; a paper without a pair has the rate 0 here.
    """

    def rate(part: FloatArray, whole: FloatArray) -> FloatArray:
        return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)

    gaps = (rate(one, n1) - rate(two, n2), rate(n1 - one, n1) - rate(n2 - two, n2))
    return min(int(np.count_nonzero((np.abs(gap) > ROUNDING).any(axis=1))) for gap in gaps)


def _noted(interval: Interval, differing: int) -> Interval:
    """``interval`` with a note where few papers differ, ``short`` below five."""
    if differing >= FEW_INFORMATIVE:
        return interval
    note = f"only {differing} {interval.unit}(s) differ"
    short = differing < TOO_FEW_DIFFERENT
    return replace(interval, note=f"{note}: {UNSURE}" if short else note, short=short)


def _student_of_two(
    value: float, parts: Sequence[FloatArray], counts: FloatArray, resampling: Resampling
) -> Interval | None:
    """Student's t of a difference of two rates; Welch's if they share no paper."""
    both = (counts > 0).all(axis=1)
    papers = np.count_nonzero(counts, axis=0)
    if both.any() or (papers < 2).any():
        return student_of_difference(value, (parts[0] - parts[1])[counts.any(axis=1)], resampling)
    larger = [d * math.sqrt(k / (k - 1)) for k, d in zip(papers, parts, strict=True)]
    variances = [math.fsum(d**2) for d in larger]
    whole = math.fsum(variances)
    if math.sqrt(whole) <= ROUNDING:
        return None
    freedom = whole**2 / sum(v**2 / (k - 1) for v, k in zip(variances, papers, strict=True))
    seen = counts.any(axis=1)
    scaled = (larger[0] - larger[1])[seen] * math.sqrt((seen.sum() - 1) / seen.sum())
    return student_of_difference(value, scaled, resampling, freedom)


def _difference(sums: FloatArray, counts: FloatArray) -> float:
    (a, b), (m, n) = sums.sum(axis=0), counts.sum(axis=0)
    return float((a - b) / m) if m == n else float(a / m - b / n)


def _of_few(sums: FloatArray, counts: FloatArray) -> FloatArray:
    """The residuals of a rate that only C of the K papers have, enlarged by the root of
    C / (C - 1) * (K - 1) / K: the standard error of the whole counts K papers.
    """
    papers, whole = int(np.count_nonzero(counts)), len(counts)
    larger = papers / (papers - 1) * (whole - 1) / whole if papers > 1 else 1.0
    return residuals(sums, counts) * math.sqrt(larger)
