"""The direction of flips, with papers as the unit.

The original verdict of a paper decides which way it can flip, so the flips of one paper, and those
of agents that agree about it, go one way together. Every figure here therefore takes, for each
paper, the flips towards acceptance (``up``), those towards rejection (``down``), and the pairs
whose original was rejected or accepted (``rejects``, ``accepts``: what was at risk). All four may
be fractional: with repeats a pair counts as the mean over its repeats.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from revkit.dataclass import dataclass
from revkit.errors import StatisticsError
from revkit.model.resampling import Resampling
from revkit.stats.agent_means import UNSURE, cluster_mean_rate
from revkit.stats.bootstrap import EXPECT_SHORT, FEW_INFORMATIVE, METHOD
from revkit.stats.cluster_intervals import cluster_bootstrap_rates, informative_clusters
from revkit.stats.differences import cluster_mean_difference, cluster_rate_difference
from revkit.stats.linearisation import effective_papers
from revkit.stats.values import (
    Estimate,
    FloatArray,
    Interval,
    are_whole,
    chi_square_tail,
    cluster_table,
    finite_array,
    no_observation,
    student_quantile,
    undefined_interval,
)

# Five papers that all differ one way have the two-sided chance 2 / 2^5 = 6 %: no p-value from fewer
# than six can be below 5 %.
MIN_INFORMATIVE = 6
EXACT_UP_TO = 16  # papers of which all sign patterns are listed
HALF = 0.5
# Below this many papers with a flip the share of one direction covers 98-100 %.
FEW_FLIPPING = 7
# Papers that flip in the rarer direction, mean over agents: below, t of log ratios covers 85-91 %.
FEW_ONE_WAY = 2.5
# Effective papers of fractional flips, of one agent and of several: below, 88-93 % are covered.
FEW_EFFECTIVE, FEW_EFFECTIVE_OF_AGENTS = 5, 6.5


@dataclass(frozen=True)
class ClusterTest:
    """A test with papers as the unit; ``informative`` counts the papers that are not 0.

    ``p_value`` is None where fewer than ``MIN_INFORMATIVE`` papers are informative.
    """

    p_value: float | None
    clusters: int
    informative: int
    method: str
    note: str = ""


def cluster_sign_test(differences: ArrayLike) -> ClusterTest:
    """Test whether the differences of papers, d_k, are equally likely above and below 0.

    Up to 16 papers that are not 0: the exact share of all sign patterns with ``|sum +-d_k|`` at
    least ``|sum d_k|`` (Fisher 1935, The Design of Experiments, section 21). More: Obuchowski's
    (K - 1) / K * (sum d_k)^2 / sum d_k^2 as chi-square with one degree of freedom, of which the
    former is the exact form. Give one entry for each of the K papers. Assumes independent papers,
    each with d_k distributed symmetrically about 0 under the null hypothesis; nothing about
    dependence within a paper. Fewer than six papers that are not 0: no p-value.
    """
    d = finite_array("differences", differences)
    moved = np.sort(np.abs(d[d != 0]))
    informative = len(moved)
    if informative < MIN_INFORMATIVE:
        note = f"too few papers for a p-value ({informative} with a difference)"
        return ClusterTest(None, len(d), informative, "none", note)
    total = abs(math.fsum(d))
    if informative > EXACT_UP_TO:
        statistic = (len(d) - 1) / len(d) * total**2 / math.fsum(d**2)
        return ClusterTest(chi_square_tail(statistic), len(d), informative, "obuchowski")
    sums = np.zeros(1)
    for size in moved:
        sums = np.concatenate([sums + size, sums - size])
    reached = np.abs(sums) >= total * (1 - 1e-12)
    return ClusterTest(float(reached.mean()), len(d), informative, "signs of papers, exact")


@dataclass(frozen=True)
class ClusterDirection:
    """The direction of one agent's flips; every interval is over papers.

    ``ratio`` is up / down, ``share`` up / (up + down); ``reject_rate`` and ``accept_rate`` are the
    shares of the pairs at risk that flipped, ``difference`` the first minus the second; ``change``
    is (up - down) / pairs, the change of the share of accepted texts.
    """

    up: float
    down: float
    ratio: Estimate
    share: Estimate
    test: ClusterTest
    reject_rate: Estimate
    accept_rate: Estimate
    difference: Estimate
    change: Estimate


def cluster_direction(
    up: ArrayLike,
    down: ArrayLike,
    rejects: ArrayLike,
    accepts: ArrayLike,
    *,
    resampling: Resampling,
) -> ClusterDirection:
    """The direction of one agent's flips from four counts of each paper.

    - share up / (up + down): ``cluster_bootstrap_rates`` over the papers with a flip; ``short``
      with fewer than seven of them (98-100 %), or with fewer than five effective papers if repeats
      disagree (88 %);
    - ratio up / down: the bounds of the share s as s / (1 - s); no upper bound where nothing flips
      down, and undefined there;
    - test: ``cluster_sign_test`` of up - down;
    - rates at risk up / rejects and down / accepts: ``cluster_bootstrap_rates``; their difference
      from the same resamples of papers, and the change of acceptance (up - down) / pairs:
      ``cluster_rate_difference``.

    Arrays with one entry for each paper, 0 <= up <= rejects and 0 <= down <= accepts.
    """
    columns = [
        finite_array(name, values)
        for name, values in zip(
            ("up", "down", "rejects", "accepts"), (up, down, rejects, accepts), strict=True
        )
    ]
    tables = _tables(*(column[:, None] for column in columns))
    u, d, r, a = (table[:, 0] for table in tables)

    share, reject_rate, accept_rate = cluster_bootstrap_rates(
        np.column_stack([u, u, d]),
        np.column_stack([u + d, r, a]),
        resampling=resampling,
        fractional=True,
    )
    share = _noted(share, u, u + d)
    return ClusterDirection(
        math.fsum(u),
        math.fsum(d),
        _ratio(share, math.fsum(u), math.fsum(d)),
        share,
        cluster_sign_test(u - d),
        reject_rate,
        accept_rate,
        cluster_rate_difference(u, r, d, a, resampling=resampling, fractional=True),
        cluster_rate_difference(u, r + a, d, r + a, resampling=resampling, fractional=True),
    )


def _tables(
    up: ArrayLike, down: ArrayLike, rejects: ArrayLike, accepts: ArrayLike
) -> tuple[FloatArray, ...]:
    u, r = cluster_table(up, rejects, fractional=True)
    d, a = cluster_table(down, accepts, fractional=True)
    if u.shape != d.shape:
        raise StatisticsError("up and down must have the same papers and agents")
    # A difference of sums may leave an error of rounding where there is nothing. The order of the
    # papers has no meaning, nor any effect.
    table = np.hstack([u, d, r, a])
    table = np.where(table < 1e-12, 0.0, table)[np.lexsort(table.T)]
    return tuple(np.hsplit(table, 4))


def _noted(share: Estimate, up: FloatArray, flips: FloatArray) -> Estimate:
    """``share`` of the flips with a note where few papers flip."""
    bounds = share.interval
    papers = int(np.count_nonzero(flips))
    if bounds.low is None:
        return share
    note, short = bounds.note, False
    if papers < FEW_FLIPPING:
        note, short = f"only {papers} {bounds.unit}(s) flip: {UNSURE}", True
    elif not are_whole(up).all():
        effective = effective_papers((up - flips * (up.sum() / flips.sum()))[flips > 0])
        if 0 < effective < FEW_EFFECTIVE:
            note, short = (
                f"as informative as {effective:.1f} equal {bounds.unit}s: {EXPECT_SHORT}",
                True,
            )
    elif short is not bounds.short:
        note = f"only {informative_clusters(up, flips)} {bounds.unit}(s) flip in one direction"
    return replace(share, interval=replace(bounds, note=note, short=short))


def _ratio(share: Estimate, up: float, down: float) -> Estimate:
    """up / down with the bounds of the share, mapped by s / (1 - s)."""
    low, high = share.interval.low, share.interval.high
    note = share.interval.note
    if share.value is None:
        note = "no flip"
    elif not down:
        note = "no flip from accept to reject: the ratio has no upper bound"

    def turned(low: float | None, high: float | None) -> tuple[float | None, float | None]:
        return (
            None if low is None or low == 1 else low / (1 - low),
            None if high is None or not down or high == 1 else high / (1 - high),
        )

    ends, sharp = turned(low, high), share.interval.sharp
    bounds = replace(
        share.interval,
        low=ends[0],
        high=ends[1],
        method=f"{share.interval.method}, mapped from the share",
        note=note,
        sharp=None if sharp is None or ends == (None, None) else turned(*sharp),
    )
    return Estimate(up / down if down else None, share.n, bounds, "" if down else note)


@dataclass(frozen=True)
class AgentsDirection:
    """The direction of several agents' flips over the same papers, each agent weighted equally.

    ``ratio`` is the exponential of the mean log ratio of the ``flipping`` agents that have a flip;
    the others are means of the agents' figures of the same names (`ClusterDirection`).
    """

    flipping: int
    ratio: Estimate
    reject_rate: Estimate
    accept_rate: Estimate
    difference: Estimate
    change: Estimate


def mean_direction(
    up: ArrayLike,
    down: ArrayLike,
    rejects: ArrayLike,
    accepts: ArrayLike,
    *,
    resampling: Resampling,
) -> AgentsDirection:
    """As ``cluster_direction`` for the mean over agents; arrays have the shape (papers, agents).

    Flips of different agents are never added up, so that one agent that flips one way does not
    decide the figure alone. The log ratio of an agent is log((up + 1/2) / (down + 1/2)) (Haldane
    1956, Annals of Human Genetics 20; Anscombe 1956, Biometrika 43); of one agent it is that
    agent's up / down. Bounds are Student's t of the mean log ratio over the papers that flip for
    any agent, with the variance of k papers that flip one way multiplied by k / (k - 1). They are
    ``short`` if the papers that flip one way, the fewer of both directions, are fewer than 2.5 in
    the mean over agents, or if repeats disagree and fewer than 6.5 effective papers remain. If an
    agent flips one way only, its ratio has no limit: then each agent's own bounds are added in
    squares on the log scale, with the correlations of the agents over papers (Zou and Donner 2008),
    that end is open, and the interval is ``short``. The agents are taken as they are, not as a
    sample of agents.
    """
    u, d, r, a = _tables(up, down, rejects, accepts)
    n = r + a
    flipping = (u + d).any(axis=0)
    return AgentsDirection(
        int(flipping.sum()),
        _mean_ratio(u[:, flipping], d[:, flipping], resampling),
        cluster_mean_rate(u, r, resampling=resampling, fractional=True),
        cluster_mean_rate(d, a, resampling=resampling, fractional=True),
        cluster_mean_difference(u, r, d, a, resampling=resampling, fractional=True),
        cluster_mean_difference(u, n, d, n, resampling=resampling, fractional=True),
    )


def _mean_ratio(up: FloatArray, down: FloatArray, resampling: Resampling) -> Estimate:
    agents = up.shape[1]
    confidence, unit = resampling.confidence, resampling.unit
    if agents == 0:
        return replace(no_observation(confidence, unit, METHOD), note="no flip")
    shares = [
        _noted(share, up[:, j], (up + down)[:, j])
        for j, share in enumerate(
            cluster_bootstrap_rates(up, up + down, resampling=resampling, fractional=True)
        )
    ]
    total = math.ceil(up.sum() + down.sum())
    if agents == 1:
        return _ratio(shares[0], math.fsum(up[:, 0]), math.fsum(down[:, 0]))
    logs = np.log((up.sum(axis=0) + HALF) / (down.sum(axis=0) + HALF))
    value, clusters = math.exp(float(logs.mean())), int(np.count_nonzero((up + down).any(axis=1)))
    fewer = np.minimum(np.count_nonzero(up, axis=0), np.count_nonzero(down, axis=0))
    if fewer.all():
        student = _student_of_logs(value, up, down, fewer, resampling)
        if student is not None:
            return Estimate(value, total, student)
    residual = up / (up.sum(axis=0) + HALF) - down / (down.sum(axis=0) + HALF)
    one_way = not fewer.all()
    note = f"an agent flips in one direction only: {UNSURE}" if one_way else ""

    ends = [_log_ends(share.interval.low, share.interval.high) for share in shares]
    low = _added([x - low for x, (low, _) in zip(logs, ends, strict=True)], residual)
    high = _added([high - x for x, (_, high) in zip(logs, ends, strict=True)], residual)
    bounds = Interval(
        None if math.isinf(low) else value * math.exp(-low),
        None if math.isinf(high) else value * math.exp(high),
        confidence,
        "square-and-add of the log ratios",
        unit,
        clusters,
        note,
        one_way,
    )
    if bounds.low is None and bounds.high is None:
        bounds = undefined_interval(confidence, bounds.method, unit, clusters, note)
    return Estimate(value, total, bounds)


def _student_of_logs(
    value: float, up: FloatArray, down: FloatArray, fewer: FloatArray, resampling: Resampling
) -> Interval | None:
    """Student's t of the mean log ratio, as a ratio; None where nothing varies."""
    flipping = (up + down).any(axis=1)
    up, down, papers = up[flipping], down[flipping], int(np.count_nonzero(flipping))

    def parts(flips: FloatArray) -> FloatArray:
        k = np.count_nonzero(flips, axis=0)
        larger = np.sqrt(np.where(k > 1, k / np.maximum(k - 1, 1), 1.0))
        return np.asarray(flips * (larger / (flips.sum(axis=0) + HALF)))

    part = (parts(up) - parts(down)).mean(axis=1)
    part = part - part.mean()
    spread = math.sqrt(math.fsum(part**2))
    if papers < 2 or spread <= 1e-12:
        return None
    half = student_quantile(resampling.confidence, papers - 1) * spread
    whole = bool(are_whole(np.hstack([up, down])).all())
    mean, effective, unit = float(fewer.mean()), effective_papers(part), resampling.unit
    few = f"only {mean:.1f} {unit}(s) flip one way, in the mean over agents"
    note, short = few if mean < FEW_INFORMATIVE else "", mean < FEW_ONE_WAY
    if short:
        note = f"{few}: {UNSURE}"
    elif not whole and effective < FEW_EFFECTIVE_OF_AGENTS:
        note, short = f"as informative as {effective:.1f} equal {unit}s: {EXPECT_SHORT}", True
    return Interval(
        value * math.exp(-half),
        value * math.exp(half),
        resampling.confidence,
        "mean of log ratios, t",
        unit,
        papers,
        note,
        short,
    )


def _log_ends(low: float | None, high: float | None) -> tuple[float, float]:
    """The bounds of a share on the scale of log ratios; infinite where they are open."""
    return (
        -math.inf if not low else math.inf if low == 1 else math.log(low / (1 - low)),
        math.inf if high is None or high == 1 else -math.inf if not high else _logit(high),
    )


def _logit(share: float) -> float:
    return math.log(share / (1 - share))


def _added(distances: list[float], residual: FloatArray) -> float:
    """The distances of a mean's bound from those of its parts, added in squares."""
    parts = np.array([max(0.0, distance) for distance in distances])
    if bool(np.isinf(parts).any()):
        return math.inf
    centred = residual - residual.mean(axis=0)
    sizes = np.sqrt((centred**2).sum(axis=0))
    sizes[sizes == 0] = 1.0
    correlation = np.clip((centred / sizes).T @ (centred / sizes), 0.0, 1.0)
    np.fill_diagonal(correlation, 1.0)
    return math.sqrt(float(parts @ correlation @ parts)) / len(parts)
