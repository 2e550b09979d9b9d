"""Closed forms over papers: the linearised variance of a ratio of sums, and intervals from it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from revkit.errors import StatisticsError
from revkit.model.resampling import Resampling
from revkit.stats.bootstrap import EXPECT_SHORT, TOO_FEW_MOVING, differing_rows
from revkit.stats.values import (
    Estimate,
    FloatArray,
    Interval,
    check_confidence,
    cluster_table,
    finite_array,
    no_observation,
    student_quantile,
    too_few,
    undefined_interval,
)

ROUNDING = 1e-12
MID_P_STEPS = 40  # halvings; the ends are then exact to 1e-12
SKEWED = "linearised ratio, t without skewness"


def _observed(sums: ArrayLike, counts: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Sum and count of each cluster that has an observation, sorted: their order has no meaning."""
    totals, numbers = cluster_table(
        finite_array("sums", sums).reshape(-1, 1), finite_array("counts", counts).reshape(-1, 1)
    )
    order = np.lexsort((totals[:, 0], numbers[:, 0]))
    order = order[numbers[order, 0] > 0]
    return totals[order, 0], numbers[order, 0]


def linearised(sums: FloatArray, counts: FloatArray) -> tuple[float, float]:
    """Return sum / sum and its standard error over the two or more clusters that have a count;
    ``sums`` and ``counts`` have one entry for each cluster.
    """
    seen = counts > 0
    s, n = sums[seen], counts[seen]
    order = np.lexsort((s, n))
    return float(s.sum() / n.sum()), _standard_error(s[order], n[order])


def _standard_error(sums: FloatArray, counts: FloatArray) -> float:
    """sqrt(C / (C - 1) * sum (s_c - n_c r)^2) / sum n_c, for two clusters or more."""
    clusters, whole = len(sums), float(counts.sum())
    residual = sums - counts * (float(sums.sum()) / whole)
    return math.sqrt(clusters / (clusters - 1) * float((residual**2).sum())) / whole


def standard_error(residuals: FloatArray) -> float:
    """sqrt(C / (C - 1) * sum d^2) of a figure to which each of two or more papers adds d."""
    clusters = len(residuals)
    return math.sqrt(clusters / (clusters - 1) * math.fsum(residuals**2))


def cluster_t_interval(
    sums: ArrayLike, counts: ArrayLike, *, confidence: float = 0.95, unit: str = "paper"
) -> Estimate:
    """The closed form beside the bootstrap: linearised ratio, Student's t with C - 1 degrees.

    r = sum s_c / sum n_c, se = sqrt(C / (C - 1) * sum (s_c - n_c r)^2) / sum n_c (Cochran 1977,
    Sampling Techniques, chapter 6), C the papers with an observation. Symmetric, so for a rate near
    0 or 1 a bound may leave [0, 1]; the bootstrap is the default. Undefined as there. ``sums`` and
    ``counts`` have one entry for each cluster.
    """
    s, n = _observed(sums, counts)
    check_confidence(confidence)
    clusters, observed = len(s), int(n.sum())
    method = "linearised ratio, t"
    if clusters == 0:
        return no_observation(confidence, unit, method)
    ratio = float(s.sum() / n.sum())
    if clusters < 2:
        return Estimate(ratio, observed, too_few(confidence, unit, clusters, method))
    error = _standard_error(s, n)
    if error <= 1e-12 * abs(ratio):
        note = f"no variation between {unit}s"
        return Estimate(
            ratio, observed, undefined_interval(confidence, method, unit, clusters, note)
        )
    half = student_quantile(confidence, clusters - 1) * error
    return Estimate(
        ratio, observed, Interval(ratio - half, ratio + half, confidence, method, unit, clusters)
    )


def korn_graubard_interval(
    successes: ArrayLike, counts: ArrayLike, *, confidence: float = 0.95, unit: str = "paper"
) -> Estimate:
    """Clopper and Pearson's interval at the effective sample size: for rare events in clusters.

    With se of ``cluster_t_interval``, N pairs and C papers, the effective size is n* = min(N, p (1
    - p) / se^2 * (t(N - 1) / t(C - 1))^2), and low = Beta(a/2; x, n* - x + 1), high = Beta(1 - a/2;
    x + 1, n* - x) with x = p n*, a = 1 - confidence (Korn and Graubard 1998, Survey Methodology 24;
    the cap at N by Parker et al. 2017, Vital and Health Statistics 2-175). Undefined for fewer than
    two papers, and at p = 0 and p = 1, where the data hold no information on n*; also where all
    papers have one and the same rate, so that se = 0. ``successes`` and ``counts`` have one entry
    for each cluster. Raises `StatisticsError` where successes are not between 0 and counts.
    """
    k, n = _observed(successes, counts)
    method = "korn-graubard"
    check_confidence(confidence)
    clusters, total = len(k), float(n.sum())
    if clusters == 0:
        return no_observation(confidence, unit, method)
    if bool(((k < 0) | (k > n)).any()):
        raise StatisticsError("successes must lie between 0 and counts in every cluster")
    p = float(k.sum()) / total
    if clusters < 2:
        return Estimate(p, int(total), too_few(confidence, unit, clusters, method))
    error = _standard_error(k, n)
    if error <= 1e-12 * p or not 0 < p < 1:
        note = f"no variation between {unit}s"
        bounds = undefined_interval(confidence, method, unit, clusters, note)
        return Estimate(p, int(total), bounds)
    return Estimate(
        p, int(total), korn_graubard_bounds(p, error, int(total), clusters, confidence, unit)
    )


def korn_graubard_bounds(
    p: float, error: float, total: int, clusters: int, confidence: float, unit: str
) -> Interval:
    """``korn_graubard_interval`` of a share in (0, 1) whose standard error over papers is known."""
    size = min(float(total), effective_size(p, error, total, clusters, confidence))
    return Interval(*exact_bounds(p, size, confidence), confidence, "korn-graubard", unit, clusters)


def exact_bounds(p: float, size: float, confidence: float) -> tuple[float, float]:
    """Clopper and Pearson's interval of a share in (0, 1) of ``size`` trials, not always whole."""
    from scipy.special import betainccinv, betaincinv

    tail, x = (1 - confidence) / 2, p * size
    return float(betaincinv(x, size - x + 1, tail)), float(betainccinv(x + 1, size - x, tail))


def effective_size(p: float, error: float, total: int, clusters: int, confidence: float) -> float:
    """The number of independent pairs with the standard error ``error``, corrected for the degrees
    of freedom (``korn_graubard_interval``), without the cap.
    """
    freedom = student_quantile(confidence, total - 1) / student_quantile(confidence, clusters - 1)
    return p * (1 - p) / error**2 * freedom**2


def effective_papers(residuals: FloatArray) -> float:
    """(sum d^2)^2 / sum d^4 of what papers add to a figure: as many papers of equal weight would
    have the same concentration of variance. 0 if nothing varies. ``residuals`` has one entry for
    each paper.
    """
    squares = residuals**2
    fourth = math.fsum(squares**2)
    return math.fsum(squares) ** 2 / fourth if fourth > 0 else 0.0


def mid_p_bounds(p: float, size: float, confidence: float) -> tuple[float, float]:
    """The mid-P interval of a share ``p`` of ``size`` independent trials, which need not be whole.

    Clopper and Pearson's interval with half of the probability of the observed count in each tail
    (Lancaster 1961, JASA 56, 223-234; Agresti and Gottard 2007, Computational Statistics and Data
    Analysis 51, 6447-6458). It is shorter, and covers the confidence on average over rates, but
    not for each rate.
    """
    from scipy.special import betainc, betaincc, betainccinv, betaincinv

    tail, x = (1 - confidence) / 2, p * size
    edge = -math.expm1(math.log(2 * tail) / size)
    if p in (0.0, 1.0):
        return (0.0, edge) if p == 0.0 else (1 - edge, 1.0)

    def end(values: Callable[..., float], inverse: Callable[..., float], rising: bool) -> float:
        a, b = float(inverse(x, size - x + 1, tail)), float(inverse(x + 1, size - x, tail))
        for _ in range(MID_P_STEPS):
            middle = (a + b) / 2
            mass = values(x, size - x + 1, middle) + values(x + 1, size - x, middle)
            a, b = (middle, b) if bool(mass < 2 * tail) == rising else (a, middle)
        return (a + b) / 2

    return end(betainc, betaincinv, True), end(betaincc, betainccinv, False)


def widened_student(
    value: float, residuals: FloatArray, confidence: float, freedom: float | None = None
) -> tuple[float, float]:
    """Student's t of a figure that may be skewed either way, such as a difference of rates.

    Where Hall's interval (``skewness_corrected``) reaches further than Student's t, the end lies
    halfway between them. Student's t alone covers 84-91 % of a difference if nearly all flips go
    one way; Hall's alone covers 84-92 % if they go both ways and cluster, because the skewness of
    few papers is mostly chance. ``freedom`` is the number of papers minus one unless given.
    """
    quantile = student_quantile(confidence, len(residuals) - 1 if freedom is None else freedom)
    half = quantile * standard_error(residuals)
    low, high = skewness_corrected(value, residuals, confidence, quantile)
    return value - half + min(0.0, low - value + half) / 2, value + half + max(
        0.0, high - value - half
    ) / 2


def skewness_corrected(
    value: float, residuals: FloatArray, confidence: float, student: float | None = None
) -> tuple[float, float]:
    """The two ends of Hall's interval of ``value``, a mean or a function of means over papers.

    ``residuals`` are what each paper adds to the value beyond its share (their sum is 0 and the
    standard error sqrt(K / (K - 1) * sum residuals^2)). With g their skewness, s the root of K
    times the sum of their squares and q = t(K - 1) / sqrt(K - 1), the ends are value - s W(q) and
    value - s W(-q), where W(x) = 3 / g * ((1 + g (x - g / (6 K)))^(1/3) - 1) takes the skewness out
    of the studentised mean (Hall 1992, Journal of the Royal Statistical Society B 54, 221-228;
    Zhou and Gao 2000, The American Statistician 54, 100-104). Without skewness it is Student's t.
    ``student`` replaces the quantile t(K - 1).
    """
    papers = len(residuals)
    variance = papers * math.fsum(residuals**2)
    spread = math.sqrt(variance)
    skew = papers**2 * math.fsum(residuals**3) / spread**3
    student = student_quantile(confidence, papers - 1) if student is None else student
    quantile = student / math.sqrt(papers - 1)

    def turned(x: float) -> float:
        if abs(skew) < 1e-6:
            return x
        return 3 / skew * (float(np.cbrt(1 + skew * (x - skew / (6 * papers)))) - 1)

    return value - spread * turned(quantile), value - spread * turned(-quantile)


def mean_interval(values: ArrayLike, *, confidence: float = 0.95, unit: str = "pair") -> Estimate:
    """The mean of independent values with Student's t interval: m +- t(n - 1) s / sqrt(n).

    (Student 1908, Biometrika 6.) For score shifts over papers with several variants use
    ``cluster_bootstrap_mean`` or ``cluster_t_interval``; this one takes every value as independent
    and equals the latter with one value a paper. Fewer than two values, or all equal: no interval.
    If one to three values differ from the others, which are equal, the interval is ``short``.
    """
    array = finite_array("values", values)
    result = cluster_t_interval(array, np.ones(len(array)), confidence=confidence, unit=unit)
    bounds = replace(result.interval, method="t")
    apart = differing_rows(array) if len(array) else 0
    if bounds.low is not None and apart < min(TOO_FEW_MOVING, len(array) - 1):
        why = f"only {apart} {unit}(s) differ from the rest: {EXPECT_SHORT}"
        bounds = replace(bounds, note=why, short=True)
    return replace(result, interval=bounds)


def residuals(sums: FloatArray, counts: FloatArray) -> FloatArray:
    """Return the contribution of each paper to sum / sum beyond its share: the linearised ratio,
    summing to 0.
    """
    whole = float(counts.sum())
    return np.asarray((sums - counts * (float(sums.sum()) / whole)) / whole)


def student_of_difference(
    value: float, parts: FloatArray, resampling: Resampling, freedom: float | None = None
) -> Interval | None:
    """``widened_student`` of a difference of means, from what papers add to it, cut at -1 and 1.

    None where all papers agree. ``freedom`` is given for Welch's method. ``parts`` has one entry
    for each paper.
    """
    papers = len(parts)
    if papers < 2 or standard_error(parts) <= ROUNDING:
        return None
    low, high = widened_student(value, parts, resampling.confidence, freedom)
    method = "linearised ratio, t" if freedom is None else "linearised ratios, Welch"
    return Interval(
        max(-1.0, low), min(1.0, high), resampling.confidence, method, resampling.unit, papers
    )
