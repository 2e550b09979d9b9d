"""Several figures of the same papers from the same resamples.

``cluster_bootstrap_statistic`` draws its weights for one figure. A table of figures that are all
functions of sums over papers (a mean, a correlation, a slope, a ratio of two means) needs one draw
and one matrix product for all of them, and its figures then hang together as they should.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from revkit.errors import StatisticsError
from revkit.model.resampling import Resampling
from revkit.stats.bootstrap import (
    METHOD,
    differing_rows,
    percentile_interval,
    resample_weights,
)
from revkit.stats.values import (
    Estimate,
    FloatArray,
    finite_array,
    no_observation,
    same_length,
    too_few,
    undefined_interval,
)

Statistics = Callable[[FloatArray], FloatArray]
BLOCK_ROWS = 1_000


def cluster_bootstrap_statistics(
    totals: ArrayLike,
    statistics: Statistics,
    *,
    observations: Sequence[int],
    reasons: Sequence[str],
    resampling: Resampling,
) -> tuple[Estimate, ...]:
    """Figures that are functions of sums over papers, each with its percentile interval.

    ``totals`` has a row for each paper and a column for each sum. ``statistics`` maps an array of
    shape (k, columns) to one of shape (k, figures), NaN or infinite where a figure is undefined;
    that stays inside. ``observations`` and ``reasons`` have one entry a figure: its n, and what its
    note says where it is undefined on all papers. The order of papers has no meaning: rows are
    sorted first. Fewer than two papers: there are values but no intervals.

    Raises `StatisticsError` for NaN in ``totals`` and for entries that do not fit the figures.
    """
    confidence, unit = resampling.confidence, resampling.unit
    table = finite_array("totals", totals, 2)
    figures = same_length(observations=len(observations), reasons=len(reasons))
    clusters = len(table)
    if clusters == 0:
        return tuple(no_observation(confidence, unit, METHOD) for _ in range(figures))
    table = table[np.lexsort(table.T)] if table.shape[1] else table
    values = _finite(statistics(table.sum(axis=0, keepdims=True)))[0]
    if len(values) != figures:
        raise StatisticsError(f"{len(values)} figures were computed, {figures} announced")
    resampled = _resampled(table, statistics, resampling) if clusters > 1 else None
    differing = differing_rows(table)
    estimates = []
    for j, n in enumerate(observations):
        if np.isnan(values[j]):
            bounds = undefined_interval(confidence, METHOD, unit, clusters, reasons[j])
            estimates.append(Estimate(None, n, bounds, reasons[j]))
            continue
        bounds = (
            too_few(confidence, unit, clusters, METHOD)
            if resampled is None
            else percentile_interval(
                resampled[:, j], confidence, unit=unit, clusters=clusters, differing=differing
            )
        )
        estimates.append(Estimate(float(values[j]), n, bounds))
    return tuple(estimates)


def _resampled(table: FloatArray, statistics: Statistics, resampling: Resampling) -> FloatArray:
    """The figures of each resample; blocks of rows bound the memory, not the result."""
    return np.concatenate(
        [
            _finite(statistics(weights[start : start + BLOCK_ROWS] @ table))
            for weights in resample_weights(len(table), resampling)
            for start in range(0, len(weights), BLOCK_ROWS)
        ]
    )


def _finite(figures: FloatArray) -> FloatArray:
    return np.asarray(np.where(np.isfinite(figures), figures, np.nan))
