"""Correlations of two sets of scores: Pearson, Spearman, Kendall, with intervals.

A constant input has no correlation. That is undefined with a note, never 0 and never NaN.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from revkit.errors import StatisticsError
from revkit.model.resampling import Resampling
from revkit.stats.bootstrap import (
    BLOCK_ELEMENTS,
    METHOD,
    cluster_bootstrap_statistic,
    percentile_interval,
    resample_weights,
)
from revkit.stats.values import (
    Estimate,
    FloatArray,
    Interval,
    check_confidence,
    finite_array,
    normal_quantile,
    paired_arrays,
    same_length,
    too_few,
    undefined_interval,
)


def _sorted(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return both inputs in a fixed order, so that sums do not depend on the order of the input."""
    order = np.lexsort((y, x))
    return x[order], y[order]


def _why_undefined(x: FloatArray, y: FloatArray) -> str:
    """Return why x and y have no correlation; empty if they have one."""
    if len(x) < 2:
        return "fewer than two items"
    for name, values in (("first", x), ("second", y)):
        if values.min() == values.max():
            return f"the {name} input is constant"
        if float(np.ptp(values)) <= 1e-13 * float(np.abs(values).max()):
            return f"the {name} input varies by rounding only"
    return ""


def _product_moment(x: FloatArray, y: FloatArray) -> float:
    a, b = x - x.mean(), y - y.mean()
    # Scaling first keeps the squares from overflowing or vanishing.
    a, b = a / np.abs(a).max(), b / np.abs(b).max()
    r = float(a @ b) / math.sqrt(float(a @ a) * float(b @ b))
    return min(1.0, max(-1.0, r))


def average_ranks(values: ArrayLike) -> FloatArray:
    """Return ranks from 1; tied values share the mean of their ranks (Kendall 1945)."""
    array = finite_array("values", values)
    _, place, size = np.unique(array, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(size) - (size - 1) / 2)[place], dtype=np.float64)


def _fisher(
    r: float, n: int, confidence: float, method: str, variance: Callable[[float], float], unit: str
) -> Interval:
    """tanh(atanh r +- z sqrt(variance(r) / (n - 3)))."""
    z = normal_quantile(confidence)
    if n <= 3:
        return undefined_interval(confidence, method, unit, n, f"needs more than three {unit}s")
    if abs(r) >= 1:
        return undefined_interval(
            confidence, method, unit, n, "not defined at a correlation of 1 or -1"
        )
    half = z * math.sqrt(variance(r) / (n - 3))
    centre = math.atanh(r)
    return Interval(math.tanh(centre - half), math.tanh(centre + half), confidence, method, unit, n)


def _undefined(n: int, confidence: float, method: str, unit: str, reason: str) -> Estimate:
    return Estimate(None, n, undefined_interval(confidence, method, unit, n, reason), reason)


def pearson(
    x: ArrayLike, y: ArrayLike, confidence: float = 0.95, *, unit: str = "paper"
) -> Estimate:
    """Pearson's r = cov(x, y) / (sd x sd y), in [-1, 1], with Fisher's z interval.

    tanh(atanh r +- z / sqrt(n - 3)) (Fisher 1921, Metron 1), which supposes independent items and
    near-normal scores; for several items a paper use ``cluster_bootstrap_correlation``. Undefined
    for fewer than two items or a constant input; no interval for n <= 3 or ``|r| = 1``.
    """
    first, second = _sorted(*paired_arrays(x, y))
    n, method = len(first), "fisher z"
    if reason := _why_undefined(first, second):
        return _undefined(n, check_confidence(confidence), method, unit, reason)
    r = _product_moment(first, second)
    return Estimate(r, n, _fisher(r, n, confidence, method, lambda _: 1.0, unit))


def spearman(
    x: ArrayLike, y: ArrayLike, confidence: float = 0.95, *, unit: str = "paper"
) -> Estimate:
    """Return Pearson's r of the average ranks (Spearman 1904), which is also correct with ties.

    The interval is Fisher's with variance (1 + r^2 / 2) / (n - 3) (Bonett and Wright 2000,
    Psychometrika 65). Undefined as in ``pearson``. ``x`` and ``y`` have one length. Raises
    `StatisticsError` where they do not, and for NaN.
    """
    first, second = _sorted(*paired_arrays(x, y))
    n, method = len(first), "fisher z, bonett-wright"
    if reason := _why_undefined(first, second):
        return _undefined(n, check_confidence(confidence), method, unit, reason)
    r = _product_moment(average_ranks(first), average_ranks(second))
    return Estimate(r, n, _fisher(r, n, confidence, method, lambda r: 1 + r * r / 2, unit))


def kendall_tau_b(
    x: ArrayLike, y: ArrayLike, confidence: float = 0.95, *, unit: str = "paper"
) -> Estimate:
    """(C - D) / sqrt((P - Tx)(P - Ty)): concordant, discordant, all, and tied pairs of items.

    (Kendall 1945, Biometrika 33.) In [-1, 1]; no interval is given. Time grows with n squared
    (5 ms at 600 items), memory with n. Undefined as in ``pearson``.
    """
    first, second = paired_arrays(x, y)
    n, method = len(first), "none"
    if reason := _why_undefined(first, second):
        return _undefined(n, check_confidence(confidence), method, unit, reason)
    balance = 0.0
    for i in range(n - 1):
        balance += float(np.sign(first[i + 1 :] - first[i]) @ np.sign(second[i + 1 :] - second[i]))
    pairs = n * (n - 1) / 2
    untied = [
        pairs - sum(int(t) * (int(t) - 1) / 2 for t in np.unique(v, return_counts=True)[1])
        for v in (first, second)
    ]
    tau = min(1.0, max(-1.0, balance / math.sqrt(untied[0] * untied[1])))
    bounds = undefined_interval(
        check_confidence(confidence), method, unit, n, "no interval is computed"
    )
    return Estimate(tau, n, bounds)


def _correlation_of_sums(t: FloatArray) -> FloatArray:
    """r from sums of 1, x, y, xx, yy, xy a row; NaN where a variance is 0 up to rounding."""
    n, x, y, xx, yy, xy = t.T
    with np.errstate(invalid="ignore", divide="ignore"):
        spread_x, spread_y = xx - x * x / n, yy - y * y / n
        r = (xy - x * y / n) / np.sqrt(spread_x * spread_y)
    flat = ~((spread_x > 1e-12 * xx) & (spread_y > 1e-12 * yy))
    return np.asarray(np.where(flat, np.nan, np.clip(r, -1.0, 1.0)))


def cluster_bootstrap_correlation(
    x: ArrayLike,
    y: ArrayLike,
    papers: Sequence[Hashable] | None = None,
    *,
    kind: Literal["pearson", "spearman"] = "pearson",
    resampling: Resampling,
) -> Estimate:
    """Pearson's or Spearman's correlation with a percentile interval from resampling papers.

    ``papers`` names the paper of each item; without it every item is its own. Pearson's r is a
    function of six sums. For Spearman the ranks are formed anew in every resample: with weights w,
    a value's average rank is (weight below it) + (weight at it + 1) / 2. That takes arrays of
    resamples x items, in blocks of half a million elements. Undefined as in ``pearson``. ``x``,
    ``y`` and ``papers`` have one length. Raises `StatisticsError` for another kind, for unequal
    lengths and for NaN.
    """
    confidence, unit = resampling.confidence, resampling.unit
    first, second = paired_arrays(x, y)
    n = len(first)
    if kind not in ("pearson", "spearman"):
        raise StatisticsError(f"kind must be 'pearson' or 'spearman', not {kind!r}")
    names = list(range(n) if papers is None else papers)
    same_length(x=n, papers=len(names))
    index = {name: i for i, name in enumerate(dict.fromkeys(names))}
    paper = np.array([index[name] for name in names], dtype=np.intp)
    if reason := _why_undefined(first, second):
        return Estimate(
            None, n, undefined_interval(confidence, METHOD, unit, len(index), reason), reason
        )
    if kind == "pearson":
        a, b = ((v - v.mean()) / np.abs(v - v.mean()).max() for v in (first, second))
        items = np.column_stack([np.ones(n), a, b, a * a, b * b, a * b])
        table = np.zeros((len(index), 6))
        np.add.at(table, paper, items)
        return cluster_bootstrap_statistic(
            table,
            _correlation_of_sums,
            observations=n,
            resampling=resampling,
        )
    value = _product_moment(average_ranks(first), average_ranks(second))
    if len(index) < 2:
        return Estimate(value, n, too_few(confidence, unit, len(index), METHOD))
    # Number the papers by what is on them, so that their order in the input does not matter.
    content: list[list[tuple[float, float]]] = [[] for _ in index]
    for i, one, other in zip(paper.tolist(), first.tolist(), second.tolist(), strict=True):
        content[i].append((one, other))
    ranking = sorted(range(len(index)), key=lambda i: sorted(content[i]))
    paper = np.argsort(ranking)[paper]
    rows = max(1, BLOCK_ELEMENTS // n)
    parts = []
    for clusters in resample_weights(len(index), resampling):
        for start in range(0, len(clusters), rows):
            weights = clusters[start : start + rows][:, paper]
            a, b = _weighted_ranks(first, weights), _weighted_ranks(second, weights)
            total = weights.sum(axis=1)
            # Mean rank is (total + 1) / 2 whatever the ties; centring keeps the sums small.
            a -= (total[:, None] + 1) / 2
            b -= (total[:, None] + 1) / 2
            wa = weights * a
            sums = [
                total,
                wa.sum(axis=1),
                (weights * b).sum(axis=1),
                (wa * a).sum(axis=1),
                (weights * b * b).sum(axis=1),
                (wa * b).sum(axis=1),
            ]
            parts.append(_correlation_of_sums(np.column_stack(sums)))
    bounds = percentile_interval(np.concatenate(parts), confidence, unit=unit, clusters=len(index))
    return Estimate(value, n, bounds)


def _weighted_ranks(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the average rank of each value if item j occurs weights[row, j] times."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    at = np.add.reduceat(weights[:, order], starts, axis=1)
    rank = np.cumsum(at, axis=1) - at + (at + 1) / 2
    place = np.empty(len(values), dtype=np.intp)
    place[order] = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(values))))
    return np.asarray(rank[:, place])
