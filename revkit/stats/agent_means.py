"""Means and medians over agents of rates over the same papers, with intervals over papers.

Percentiles of resampled papers cover too rarely where few papers flip (see
``cluster_bootstrap_rates``), and that holds for every figure made of such rates. Each figure here
has one rule. With 500 papers and enough informative ones (50 for a mean, ten in all parts of a
median) its bounds are percentiles. Otherwise it has Korn and Graubard's bounds at its own standard
error. So a mean over one agent has the bounds of that agent's rate. If all papers agree, bounds for
any dependence take their place.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from revkit.model.resampling import Resampling
from revkit.stats.bootstrap import (
    ENOUGH_PAPERS,
    FEW_INFORMATIVE,
    METHOD,
    cluster_bootstrap_statistic,
    resampled_sums,
)
from revkit.stats.cluster_intervals import (
    FEW_CLUSTERS,
    FEW_EFFECTIVE,
    check_shares,
    cluster_bootstrap_rates,
    equal_papers_interval,
    informative_clusters,
    mid_p_of_rate,
    rate_bounds,
)
from revkit.stats.linearisation import (
    ROUNDING,
    SKEWED,
    effective_papers,
    residuals,
    skewness_corrected,
    standard_error,
)
from revkit.stats.values import (
    Estimate,
    FloatArray,
    Interval,
    are_whole,
    cluster_table,
    name_conservative,
    no_observation,
    student_quantile,
    too_few,
    undefined_interval,
)

FEW_IN_THE_MIDDLE = 4  # informative papers of a rate in the middle; with fewer, 82-99 % are covered
UNSURE = "the interval may cover 90 to 100 %"
# Fewer papers than this with a success in any rate: no percentiles of the mean.
ENOUGH_INFORMATIVE = 50
# If more than this share of the papers has fractions of a flip, the mean over agents has Hall's
# interval: flips that noise adds to every paper hide how skewed the rest is, and Korn and
# Graubard's covers 91-93 % if a twentieth of the papers flips, Hall's 94 %.
NOISY_SHARE = 0.25
# If one of several rates has fewer papers than this, and others have more, 95 % intervals of their
# mean cover 66 to 92 % (two to six papers of 30 in one of two rates, a fifth of the pairs flips).
FEW_PAPERS_OF_A_RATE = 10


def cluster_mean_rate(
    successes: ArrayLike,
    counts: ArrayLike,
    *,
    resampling: Resampling,
    fractional: bool = False,
) -> Estimate:
    """The plain mean of several rates over the same papers, each rate weighted equally.

    Both arrays have shape (papers, rates), one rate an agent, say; a rate without an observation is
    left out. One rate: the estimate of ``cluster_bootstrap_rates``. Several: Korn and Graubard's
    interval at the standard error of the mean, which is that of the pooled rate where all rates
    have the same counts (percentiles with 500 papers of which 50 or more have a success in any
    rate, and 50 a failure); Hall's (``skewness_corrected``) where more than a quarter of the papers
    have fractions of a success, because repeats disagree; ``equal_papers_interval`` where no paper
    has a success. With one to four informative papers it is
    ``short`` (84 % with 20 papers, strong clustering and agents that agree fully), and also if a
    rate has fewer than ten papers and fewer than others. If a rate has a single paper, nothing
    shows how it varies: no interval.
    """
    confidence, unit = resampling.confidence, resampling.unit
    sums, numbers = _observed_rates(successes, counts, fractional)
    if sums.shape[1] == 0:
        return no_observation(confidence, unit, METHOD)
    if sums.shape[1] == 1:
        return cluster_bootstrap_rates(sums, numbers, resampling=resampling, fractional=fractional)[
            0
        ]
    seen = numbers.any(axis=1)
    sums, numbers = sums[seen], numbers[seen]
    clusters, total = len(sums), math.ceil(numbers.sum())
    value = float((sums.sum(axis=0) / numbers.sum(axis=0)).mean())
    informative = informative_clusters(sums.sum(axis=1), numbers.sum(axis=1))
    if clusters < 2:
        return Estimate(value, total, too_few(confidence, unit, clusters, METHOD))
    fewest = fewest_papers(numbers)
    if fewest < 2:
        return Estimate(value, total, undefined_of_one_paper(resampling, clusters))
    if informative >= ENOUGH_INFORMATIVE and clusters >= ENOUGH_PAPERS:
        found = _resampled(sums, numbers, "mean", resampling)
        if found.interval.low is None:
            return _equal(found, numbers, resampling)
        return replace(found, interval=with_fewest(found.interval, fewest))
    if informative == 0:
        return Estimate(value, total, equal_papers_interval(value, numbers, confidence, unit))
    part = np.mean([residuals(sums[:, j], numbers[:, j]) for j in range(sums.shape[1])], axis=0)
    if standard_error(part) <= ROUNDING * value:
        few = undefined_interval(confidence, METHOD, unit, clusters, "")
        return _equal(Estimate(value, total, few), numbers, resampling)
    if informative >= FEW_INFORMATIVE and _are_noisy(sums):
        low, high = skewness_corrected(value, part, confidence)
        low, high = max(0.0, low), min(1.0, high)
        bounds = Interval(low, high, confidence, SKEWED, unit, clusters)
        return Estimate(value, total, with_fewest(bounds, fewest))
    whole = bool(are_whole(sums).all())
    pairs = float(numbers.sum())
    bounds = rate_bounds(value, part, pairs, whole, informative, confidence, unit)
    return Estimate(value, total, with_fewest(bounds, fewest))


def fewest_papers(counts: FloatArray) -> int:
    """The papers with an observation of the rate (a column of ``counts``) that has the fewest."""
    return int(np.count_nonzero(counts, axis=0).min())


def undefined_of_one_paper(resampling: Resampling, clusters: int) -> Interval:
    """No bounds, because one of the rates has observations of a single paper."""
    unit = resampling.unit
    note = f"a rate has observations of one {unit} only"
    return undefined_interval(resampling.confidence, METHOD, unit, clusters, note)


def with_fewest(interval: Interval, fewest: int) -> Interval:
    """``interval`` of a mean of rates, ``short`` if one rate has few of its papers."""
    if fewest >= min(FEW_PAPERS_OF_A_RATE, interval.n) or interval.low is None:
        return interval
    own = f"a rate has observations of only {fewest} {interval.unit}s"
    note = f"{interval.note}; {own}" if interval.note else own
    return replace(interval, note=note, short=True)


def _are_noisy(sums: FloatArray) -> bool:
    """Whether many papers have fractions of a flip, so that repeats disagree."""
    parts = ~are_whole(sums).all(axis=1)
    return int(np.count_nonzero(parts)) > NOISY_SHARE * len(sums)


def sampled_mean_rate(
    successes: ArrayLike,
    counts: ArrayLike,
    *,
    resampling: Resampling,
) -> Estimate:
    """Return the mean of several rates if the agents are a sample of agents, as the papers are a
    sample of papers.

    Arrays as in ``cluster_mean_rate``. Student's t with A - 1 degrees of freedom for A agents, at
    the standard error sqrt(s^2 / A + e^2): s is the standard deviation of the agents' rates, e the
    standard error of their mean over papers. What papers and agents add together is in both terms,
    so it errs on the long side (Owen 2007, Annals of Applied Statistics 1, 386-411, section 3);
    ``sharp`` is the interval without e. Cut at 0 and 1. Assumes that the agents were drawn
    independently from those that are meant, which no table can show. Fewer than two agents or
    papers: no interval.
    """
    confidence, unit = resampling.confidence, resampling.unit
    sums, numbers = _observed_rates(successes, counts)
    agents, method = sums.shape[1] if sums.size else 0, "agents and papers as samples, t"
    if agents == 0:
        return no_observation(confidence, unit, method)
    seen = numbers.any(axis=1)
    sums, numbers = sums[seen], numbers[seen]
    rates = np.sort(sums.sum(axis=0) / numbers.sum(axis=0))
    value, total, clusters = float(rates.mean()), int(numbers.sum()), len(sums)
    if agents < 2 or clusters < 2:
        note = "fewer than two agents" if agents < 2 else f"fewer than two {unit}s"
        bounds = undefined_interval(confidence, method, unit, clusters, note)
        return Estimate(value, total, bounds)
    parts = [residuals(sums[:, j], numbers[:, j]) for j in range(agents)]
    over_papers = clusters / (clusters - 1) * math.fsum(np.mean(parts, axis=0) ** 2)
    error = math.sqrt(float(rates.var(ddof=1)) / agents + over_papers)
    quantile = student_quantile(confidence, agents - 1)
    note = f"{agents} agents as a sample of agents"

    def ends(half: float) -> tuple[float, float]:
        return max(0.0, value - half), min(1.0, value + half)

    bounds = Interval(*ends(quantile * error), confidence, method, unit, clusters, note)
    alone = quantile * math.sqrt(float(rates.var(ddof=1)) / agents)
    return Estimate(value, total, name_conservative(bounds, *ends(alone)))


def _equal(estimate: Estimate, counts: FloatArray, resampling: Resampling) -> Estimate:
    """``estimate`` of papers that all give the same value, with its bound over papers."""
    if estimate.value is None:
        return estimate
    bounds = equal_papers_interval(estimate.value, counts, resampling.confidence, resampling.unit)
    return replace(estimate, interval=bounds)


def cluster_median_rate(
    successes: ArrayLike,
    counts: ArrayLike,
    *,
    resampling: Resampling,
) -> Estimate:
    """The median of several rates over the same papers; arrays as in ``cluster_mean_rate``.

    Up to two rates: their mean. More: the interval of the mean (``rate_bounds``; mid-P with fewer
    than 30 papers if repeats agree) at the standard error of the median, moved to the median. The
    standard error comes from resampled papers. Rates of a sample lie further apart than the true
    rates, and a median of rates that lie far apart varies more or less than one of rates close
    together. Before papers are resampled, the rates are therefore moved towards their mean, until
    they vary as much as the observed variance minus the part that papers explain (Morris 1983, JASA
    78, 47-55). With fewer than four informative papers of a rate in the middle, or fewer than six
    effective papers if repeats disagree, the interval is ``short``. If a rate in the middle does
    not vary, it is made of the medians of the rates' own lower and upper bounds.
    """
    confidence, unit = resampling.confidence, resampling.unit
    sums, numbers = _observed_rates(successes, counts)
    if sums.shape[1] <= 2:
        return cluster_mean_rate(sums, numbers, resampling=resampling)
    seen = numbers.any(axis=1)
    sums, numbers = sums[seen], numbers[seen]
    rates = sums.sum(axis=0) / numbers.sum(axis=0)
    value, ordered = float(np.median(rates)), np.sort(rates)
    clusters, pairs = len(sums), float(numbers.sum())
    if clusters < 2:
        return Estimate(value, math.ceil(pairs), too_few(confidence, unit, clusters, METHOD))
    papers = fewest_papers(numbers)
    if papers < 2:
        return Estimate(value, math.ceil(pairs), undefined_of_one_paper(resampling, clusters))
    middle = np.isin(rates, (ordered[(len(rates) - 1) // 2], ordered[len(rates) // 2]))
    parts = np.column_stack([residuals(sums[:, j], numbers[:, j]) for j in range(len(rates))])
    part, error = parts.mean(axis=1), _error_of_median(rates, parts, resampling)
    steady = bool((np.abs(parts[:, middle]).max(axis=0) <= ROUNDING).any())
    fewest = min(informative_clusters(sums[:, j], numbers[:, j]) for j in np.flatnonzero(middle))
    if steady or standard_error(part) <= ROUNDING or error <= ROUNDING:
        return _medians_of_bounds(value, sums, numbers, resampling)
    whole = bool(are_whole(sums).all())
    mean = float(rates.mean())
    informative = informative_clusters(sums.sum(axis=1), numbers.sum(axis=1))
    scaled = part * (error / standard_error(part))
    bounds = rate_bounds(mean, scaled, pairs, whole, informative, confidence, unit)
    if whole and clusters < FEW_CLUSTERS:
        bounds = mid_p_of_rate(mean, scaled, pairs, informative, confidence, unit)
    low, high = bounds.low, bounds.high
    assert low is not None
    assert high is not None
    bounds = replace(
        bounds,
        low=max(0.0, low + value - mean),
        high=min(1.0, high + value - mean),
        method=f"{bounds.method}, at the error of the median",
    )
    effective = effective_papers(part)
    if not whole and effective < FEW_EFFECTIVE:
        note = f"as informative as {effective:.1f} equal {unit}s: {UNSURE}"
        bounds = replace(bounds, note=note, short=True)
    elif fewest < FEW_IN_THE_MIDDLE:
        note = f"only {fewest} informative {unit}(s) in the middle: {UNSURE}"
        bounds = replace(bounds, note=note, short=True)
    return Estimate(value, math.ceil(pairs), with_fewest(bounds, papers))


def _error_of_median(rates: FloatArray, parts: FloatArray, resampling: Resampling) -> float:
    """The standard error of the median of ``rates``, to which papers add ``parts``."""
    agents, papers = len(rates), len(parts)
    scaled = parts * math.sqrt(papers / (papers - 1))
    shared = scaled.T @ scaled
    own = float(np.trace(shared)) / agents
    common = (float(shared.sum()) - float(np.trace(shared))) / (agents * (agents - 1))
    seen = float(rates.var(ddof=1))
    kept = math.sqrt(max(0.0, seen - (own - common)) / seen) if seen > 0 else 0.0
    centre = rates.mean() + kept * (rates - rates.mean())
    drawn = np.median(centre + resampled_sums(scaled, resampling), axis=1)
    return math.sqrt(float(((drawn - np.median(centre)) ** 2).mean()))


def _medians_of_bounds(
    value: float, sums: FloatArray, numbers: FloatArray, resampling: Resampling
) -> Estimate:
    confidence, unit, clusters = resampling.confidence, resampling.unit, len(sums)
    total = math.ceil(float(numbers.sum()))
    single = [
        part.interval for part in cluster_bootstrap_rates(sums, numbers, resampling=resampling)
    ]
    lows = [part.low for part in single if part.low is not None]
    highs = [part.high for part in single if part.high is not None]
    if len(lows) < len(single) or len(highs) < len(single):
        why = next(part.note for part in single if part.low is None or part.high is None)
        return Estimate(value, total, undefined_interval(confidence, METHOD, unit, clusters, why))
    low, high, method = float(np.median(lows)), float(np.median(highs)), "medians of the bounds"
    bounds = Interval(low, high, confidence, method, unit, clusters)
    steady = [each for each in single if each.conservative]
    if len(steady) == len(single):
        ends = [each.sharp for each in steady if each.sharp is not None]
        sharp = [float(np.median([end[i] or 0.0 for end in ends])) for i in (0, 1)]
        return Estimate(value, total, name_conservative(bounds, *sharp))
    note = f"an agent in the middle does not vary: {UNSURE}"
    return Estimate(value, total, replace(bounds, note=note, short=True))


def _observed_rates(
    successes: ArrayLike, counts: ArrayLike, fractional: bool = False
) -> tuple[FloatArray, FloatArray]:
    """The columns with an observation, rows and columns in a fixed order."""
    sums, numbers = cluster_table(successes, counts, fractional=fractional)
    check_shares(sums, numbers)
    kept = numbers.any(axis=0)
    sums, numbers = sums[:, kept], numbers[:, kept]
    if sums.size:
        order = np.lexsort(np.hstack([sums, numbers]).T)
        sums, numbers = sums[order], numbers[order]
    return sums, numbers


def _resampled(
    sums: FloatArray,
    numbers: FloatArray,
    which: str,
    resampling: Resampling,
) -> Estimate:
    """Percentiles of the mean or median of the rates."""
    rates = sums.shape[1]

    def statistic(t: FloatArray) -> FloatArray:
        with np.errstate(invalid="ignore"):
            found = t[:, :rates] / t[:, rates:]
        return np.asarray(found.mean(axis=1) if which == "mean" else np.median(found, axis=1))

    return cluster_bootstrap_statistic(
        np.hstack([sums, numbers]),
        statistic,
        observations=math.ceil(numbers.sum()),
        resampling=resampling,
    )
