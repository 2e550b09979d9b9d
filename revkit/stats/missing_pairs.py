"""Flip rates with failed pairs: bounds for the failures, with sampling error."""

from __future__ import annotations

import math
from dataclasses import replace
from statistics import NormalDist
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from revkit.dataclass import dataclass
from revkit.errors import StatisticsError
from revkit.model.resampling import Resampling
from revkit.stats.cluster_intervals import equal_papers_interval
from revkit.stats.linearisation import korn_graubard_bounds, residuals
from revkit.stats.values import (
    FloatArray,
    Interval,
    finite_array,
    name_conservative,
    normal_quantile,
    too_few,
    undefined_interval,
)

Over = Literal["mean", "median"]


@dataclass(frozen=True)
class MissingBounds:
    """The bounds of a rate over all pairs, for any outcome of the failed pairs.

    ``best`` counts every failed pair as steady, ``worst`` as flipped. ``interval`` covers the rate
    itself, with the sampling error of papers at both ends.
    """

    best: float | None
    worst: float | None
    interval: Interval


def imbens_manski_quantile(width: float, error: float, confidence: float = 0.95) -> float:
    """c with Phi(c + width / error) - Phi(-c) = confidence, by bisection.

    The bounds best - c se and worst + c se then cover the rate with that confidence: c is the usual
    1.96 where nothing failed and falls to 1.645 where the bounds are far apart, since the rate
    cannot be near both (Imbens and Manski 2004, Econometrica 72, 1845-1857, equation 7).
    ``error`` is the larger of the standard errors of the two bounds.
    """
    two_sided = normal_quantile(confidence)
    one_sided = NormalDist().inv_cdf(confidence)
    if width <= 0:
        return two_sided
    if error <= 0:
        return one_sided
    phi, low, high = NormalDist().cdf, one_sided, two_sided
    for _ in range(60):
        middle = (low + high) / 2
        if phi(middle + width / error) - phi(-middle) < confidence:
            low = middle
        else:
            high = middle
    return high


def cluster_missing_bounds(
    flips: ArrayLike,
    failed: ArrayLike,
    pairs: ArrayLike,
    *,
    resampling: Resampling,
    over: Over = "mean",
) -> MissingBounds:
    """Manski's bounds of a rate, with Imbens and Manski's interval over papers.

    Arrays of shape (papers, agents), or (papers,) for one agent: what flipped, what has no verdict,
    and all pairs; the first two may be fractional and add up to at most ``pairs``. The bounds are
    flips / pairs and (flips + failed) / pairs (Manski 1989, Journal of Human Resources 24), over
    several agents the mean or the median of each, each agent weighted equally. The ends of the
    interval are the lower bound of the one and the upper bound of the other, by Korn and Graubard's
    method (Clopper and Pearson's over papers where nothing flips) at the confidence that belongs to
    ``imbens_manski_quantile``: percentiles would miss the upper end too often, which alone counts
    where the failures hide all flips. The median has the medians of its agents' bounds. Assumes
    independent papers and nothing about the failures, so where pairs failed it is conservative;
    ``sharp`` is the interval over the valid pairs, which assumes that failures are independent of
    flips. No pair: all undefined. Raises `StatisticsError` for unequal shapes and for counts above
    ``pairs``.
    """
    k, lost, n = (
        _columns(name, values)
        for name, values in (("flips", flips), ("failed", failed), ("pairs", pairs))
    )
    if not k.shape == lost.shape == n.shape:
        raise StatisticsError("flips, failed and pairs must have the same shape")
    table = np.hstack([k, lost, n])
    k, lost, n = np.hsplit(table[np.lexsort(table.T)] if table.size else table, 3)
    most = np.minimum(k + lost, n)
    if bool((k < 0).any() or (lost < 0).any() or (k + lost > n + 1e-9).any()):
        raise StatisticsError("flips and failed must lie between 0 and pairs in every cluster")
    confidence, unit = resampling.confidence, resampling.unit
    if not n.any():
        bounds = undefined_interval(confidence, "imbens-manski", unit, 0, "no pair")
        return MissingBounds(None, None, bounds)
    best, worst = (_value(part, n, over) for part in (k, most))
    error = max(_error(part, n) for part in (k, most))
    c = imbens_manski_quantile(worst - best, error, confidence)
    level = replace(resampling, confidence=2 * NormalDist().cdf(c) - 1)
    low, high = (_interval(part, n, over, level) for part in (k, most))
    bounds = Interval(
        low.low,
        high.high,
        confidence,
        f"imbens-manski ({low.method}; {high.method})"
        if low.method != high.method
        else f"imbens-manski ({low.method})",
        unit,
        low.n,
        low.note or high.note,
    )
    valid = np.maximum(n - lost, k)
    seen = valid.any(axis=0)
    if worst > best and seen.any():
        known = _interval(k[:, seen], valid[:, seen], over, resampling)
        bounds = name_conservative(bounds, known.low, known.high)
    return MissingBounds(best, worst, bounds)


def _columns(name: str, values: ArrayLike) -> FloatArray:
    raw = np.asarray(values)
    array = finite_array(name, raw, raw.ndim if raw.ndim in (1, 2) else 2)
    return array[:, None] if array.ndim == 1 else array


def _interval(part: FloatArray, n: FloatArray, over: Over, level: Resampling) -> Interval:
    """Closed-form bounds over papers of the mean or the median of the agents' rates."""
    seen = n.any(axis=0)
    part, n = part[:, seen], n[:, seen]  # an agent without a pair has no rate
    if over == "median" and part.shape[1] > 2:
        single = [_interval(part[:, [j]], n[:, [j]], "mean", level) for j in range(part.shape[1])]
        known = [each for each in single if each.low is not None and each.high is not None]
        if not known:
            return single[0]
        return replace(
            known[0],
            low=float(np.median([each.low for each in known if each.low is not None])),
            high=float(np.median([each.high for each in known if each.high is not None])),
            method=f"medians of {known[0].method}",
            n=int(n.any(axis=1).sum()),
        )
    confidence, unit = level.confidence, level.unit
    papers, value = int(n.any(axis=1).sum()), _value(part, n, "mean")
    if papers < 2:
        return too_few(confidence, unit, papers, "korn-graubard")
    error = _error(part, n)
    if error <= 1e-12 * value or not 0 < value < 1:
        return equal_papers_interval(value, n, confidence, unit)
    return korn_graubard_bounds(value, error, max(2, int(n.sum())), papers, confidence, unit)


def _rates(part: FloatArray, n: FloatArray) -> FloatArray:
    seen = n.any(axis=0)
    return np.asarray(part[:, seen].sum(axis=0) / n[:, seen].sum(axis=0))


def _value(part: FloatArray, n: FloatArray, over: Over) -> float:
    rates = _rates(part, n)
    return float(rates.mean() if over == "mean" else np.median(rates))


def _error(part: FloatArray, n: FloatArray) -> float:
    """The linearised standard error of the mean of rates over papers."""
    seen = n.any(axis=0)
    parts = [residuals(part[:, j], n[:, j]) for j in np.flatnonzero(seen)]
    papers = int(n.any(axis=1).sum())
    if papers < 2:
        return 0.0
    spread = math.fsum(np.mean(parts, axis=0) ** 2)
    return math.sqrt(papers / (papers - 1) * spread)
