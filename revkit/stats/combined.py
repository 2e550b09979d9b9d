"""Differences, means and medians of rates over the same papers, with intervals over papers.

Percentiles of resampled papers cover too rarely where few papers flip (see
``cluster_bootstrap_rates``), and that holds for every figure made of such rates. Each figure here
has one rule. With 500 papers and enough informative ones (50 for a mean, ten in all parts of the
others) its bounds are percentiles. Otherwise a difference has Student's t, and a mean or a median
of rates has Korn and Graubard's bounds at its own standard error. So a mean over one agent has the
bounds of that agent's rate. If all papers agree, bounds for any dependence take their place.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from revkit.model.resampling import Resampling
from revkit.stats.bootstrap import (
    ENOUGH_PAPERS,
    FEW_INFORMATIVE,
    METHOD,
    TOO_FEW_DIFFERENT,
    cluster_bootstrap_statistic,
    resampled_sums,
)
from revkit.stats.clustered import (
    FEW_CLUSTERS,
    FEW_EFFECTIVE,
    check_shares,
    cluster_bootstrap_rates,
    equal_papers_interval,
    informative_clusters,
    mid_p_of_rate,
    rate_bounds,
    ratio_difference,
    with_pairs,
)
from revkit.stats.linearised import (
    SKEWED,
    effective_papers,
    skewness_corrected,
    standard_error,
    widened_student,
)
from revkit.stats.proportions import clopper_pearson_interval
from revkit.stats.values import (
    Estimate,
    FloatArray,
    Interval,
    are_whole,
    cluster_table,
    finite_array,
    name_conservative,
    no_observation,
    same_length,
    student_quantile,
    too_few,
    undefined_interval,
)

SQUARES = "square-and-add"
ROUNDING = 1e-12
FEW_IN_THE_MIDDLE = 4  # informative papers of a rate in the middle; with fewer, 82-99 % are covered
UNSURE = "the interval may cover 90 to 100 %"
# Fewer papers than this with a success in any rate: no percentiles of the mean.
ENOUGH_INFORMATIVE = 50
# If more than this share of the papers has fractions of a flip, the mean over agents has Hall's
# interval: flips that noise adds to every paper hide how skewed the rest is, and Korn and
# Graubard's covers 91-93 % if a twentieth of the papers flips, Hall's 94 %.
NOISY_SHARE = 0.25


def residuals(sums: FloatArray, counts: FloatArray) -> FloatArray:
    """Return the contribution of each paper to sum / sum beyond its share: the linearised ratio,
    summing to 0.
    """
    whole = float(counts.sum())
    return np.asarray((sums - counts * (float(sums.sum()) / whole)) / whole)


def correlation_of(first: FloatArray, second: FloatArray) -> float | None:
    """Return the correlation of two estimates from their residuals; None if one does not vary."""
    size = math.sqrt(math.fsum(first**2) * math.fsum(second**2))
    if size == 0:
        return None
    return max(-1.0, min(1.0, math.fsum(first * second) / size))


def squares_added(
    parts: Sequence[tuple[float, Estimate]], correlation: float, *, unit: str, clusters: int
) -> Interval:
    """Bounds of w1 r1 + w2 r2 from the bounds of the two rates and the correlation of the rates.

    With a_i the distance from w_i r_i to its lower bound, and s the sign of w1 w2, the lower bound
    is the value - sqrt(a_1^2 + 2 s rho a_1 a_2 + a_2^2); the upper one likewise (Newcombe 1998,
    Statistics in Medicine 17, 873-890 and 2635-2650, for a difference; Zou and Donner 2008,
    Statistics in Medicine 27, 1693-1702, in general). Undefined where either has no bounds. If the
    bounds of a rate are ``short`` or conservative, so is the result; ``sharp`` then is made from
    the sharper bounds.
    """
    confidence = parts[0][1].interval.confidence
    value, downs, ups = 0.0, [], []
    for weight, part in parts:
        low, high = part.interval.low, part.interval.high
        if part.value is None or low is None or high is None:
            note = part.interval.note or part.note
            return undefined_interval(confidence, SQUARES, unit, clusters, note)
        value += weight * part.value
        below, above = weight * (part.value - low), weight * (high - part.value)
        downs.append(below if weight > 0 else -above)
        ups.append(above if weight > 0 else -below)
    cross = 2 * correlation * (1 if parts[0][0] * parts[1][0] > 0 else -1)

    def length(a: float, b: float) -> float:
        return math.sqrt(max(0.0, a * a + cross * a * b + b * b))

    most = sum(max(0.0, weight) for weight, _ in parts)
    least = sum(min(0.0, weight) for weight, _ in parts)
    methods = " and ".join(dict.fromkeys(part.interval.method for _, part in parts))
    short = next((part.interval for _, part in parts if part.interval.short), None)
    bounds = Interval(
        max(least, value - length(*downs)),
        min(most, value + length(*ups)),
        confidence,
        f"{SQUARES}: {methods}",
        unit,
        clusters,
        "" if short is None else short.note,
        short is not None,
    )
    if not any(part.interval.conservative for _, part in parts):
        return bounds
    sharper = [(weight, _sharper(part)) for weight, part in parts]
    other = squares_added(sharper, correlation, unit=unit, clusters=clusters)
    return name_conservative(bounds, other.low, other.high)


def _sharper(estimate: Estimate) -> Estimate:
    """``estimate`` with its sharper interval in place of a conservative one."""
    bounds = estimate.interval
    if bounds.sharp is None:
        return estimate
    low, high = bounds.sharp
    return replace(estimate, interval=replace(bounds, low=low, high=high, sharp=None))


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
    have fractions of a success, because repeats disagree; Clopper and Pearson's over papers where
    no paper has a success. With one to four informative papers it is ``short`` (84 % with 20
    papers, strong clustering and agents that agree fully).
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
    if informative >= ENOUGH_INFORMATIVE and clusters >= ENOUGH_PAPERS:
        found = _resampled(sums, numbers, "mean", resampling)
        return found if found.interval.low is not None else _equal(found, numbers, resampling)
    if informative == 0:
        exact = clopper_pearson_interval(clusters if value else 0, clusters, confidence, unit=unit)
        note = f"no {unit} departs from {value:.0f}: bound for any dependence within one"
        exact = replace(exact, method=f"clopper-pearson over {unit}s", note=note)
        return Estimate(value, total, with_pairs(exact, value, numbers))
    part = np.mean([residuals(sums[:, j], numbers[:, j]) for j in range(sums.shape[1])], axis=0)
    if standard_error(part) <= ROUNDING * value:
        few = undefined_interval(confidence, METHOD, unit, clusters, "")
        return _equal(Estimate(value, total, few), numbers, resampling)
    if informative >= FEW_INFORMATIVE and _are_noisy(sums):
        low, high = skewness_corrected(value, part, confidence)
        low, high = max(0.0, low), min(1.0, high)
        return Estimate(value, total, Interval(low, high, confidence, SKEWED, unit, clusters))
    whole = bool(are_whole(sums).all())
    pairs = float(numbers.sum())
    bounds = rate_bounds(value, part, pairs, whole, informative, confidence, unit)
    return Estimate(value, total, bounds)


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
    bounds = equal_papers_interval(
        estimate.value, estimate.interval.n, resampling.confidence, resampling.unit
    )
    return replace(estimate, interval=with_pairs(bounds, estimate.value, counts))


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
        note = f"{effective:.1f} effective {unit}s: {UNSURE}"
        bounds = replace(bounds, note=note, short=True)
    elif fewest < FEW_IN_THE_MIDDLE:
        note = f"only {fewest} informative {unit}(s) in the middle: {UNSURE}"
        bounds = replace(bounds, note=note, short=True)
    return Estimate(value, math.ceil(pairs), bounds)


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
    means of rates have ten informative papers or more. With one to four papers that differ it is
    ``short``. If all papers agree, the bounds of the two means (``cluster_mean_rate``) are added in
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
            return replace(found, value=value)
    bounds = student_of_difference(value, means[0] - means[1], resampling)
    if bounds is not None:
        return Estimate(value, total, _noted(bounds, _differing(one, n1, two, n2)))
    parts = [
        cluster_mean_rate(s, n, resampling=resampling, fractional=fractional)
        for s, n in ((one, n1), (two, n2))
    ]
    bounds = squares_added([(1, parts[0]), (-1, parts[1])], 0.0, unit=unit, clusters=len(one))
    return Estimate(value, total, bounds)


def _of_few(sums: FloatArray, counts: FloatArray) -> FloatArray:
    """The residuals of a rate that only C of the K papers have, enlarged by the root of
    C / (C - 1) * (K - 1) / K: the standard error of the whole counts K papers.
    """
    papers, whole = int(np.count_nonzero(counts)), len(counts)
    larger = papers / (papers - 1) * (whole - 1) / whole if papers > 1 else 1.0
    return residuals(sums, counts) * math.sqrt(larger)


def student_of_difference(
    value: float, parts: FloatArray, resampling: Resampling, freedom: float | None = None
) -> Interval | None:
    """``widened_student`` of a difference of means, from what papers add to it, cut at -1 and 1.

    None where all papers agree. ``freedom`` is given for Welch's method.
    """
    papers = len(parts)
    if papers < 2 or standard_error(parts) <= ROUNDING:
        return None
    low, high = widened_student(value, parts, resampling.confidence, freedom)
    method = "linearised ratio, t" if freedom is None else "linearised ratios, Welch"
    return Interval(
        max(-1.0, low), min(1.0, high), resampling.confidence, method, resampling.unit, papers
    )


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
