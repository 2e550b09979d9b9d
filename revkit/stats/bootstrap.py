"""Intervals from resampling papers, because observations on one paper are dependent.

One resample draws as many papers as there are, with replacement (Davison and Hinkley 1997,
Bootstrap Methods, section 3.8, case resampling of whole groups). It is a row of weights: how often
each paper was drawn. Any statistic that is a function of sums over papers then needs one matrix
product for all resamples and no loop. Bounds are percentiles (Efron and Tibshirani 1993, chapter
13). They are too short where few papers differ from the rest, whatever is done to the percentiles
(BCa needs the same papers to estimate its corrections). For rates, and what is made of rates, a
closed form then takes their place (``cluster_bootstrap_rates``, ``combined``, ``differences``); any
other statistic keeps its percentiles, and its note states that they are too short.

Value and bounds depend on the papers' values, the seed and the number of resamples, but not on the
order of the papers (they are sorted first) nor on which other columns are computed at the same
time: exactly so for whole-number sums, to the last digits of a float for others. A percentile
interval need not contain the estimate.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from revkit.model.resampling import FEW_PAPERS, Resampling
from revkit.stats.values import (
    Estimate,
    FloatArray,
    Interval,
    finite_array,
    no_observation,
    too_few,
    undefined_interval,
)

METHOD = "cluster bootstrap, percentile"
EXPECT_SHORT = "expect the interval to be too short"
# Below this many papers that differ from the rest percentiles cover too rarely: for rates with 4
# of 150, 90 % for a nominal 95 %.
FEW_INFORMATIVE = 10
# Below this many, Korn and Graubard's bounds cover 84-89 % of a nominal 95 % where flips cluster
# strongly (a correlation of 0.7 within papers), and 99 % where they do not.
TOO_FEW_INFORMATIVE = 5
# Below this many papers that differ between two rates, Student's t covers 98 % and more if flips
# cluster, because 0 is then nearly always inside.
TOO_FEW_DIFFERENT = 5
# The same for means of sizes, which cover less there.
TOO_FEW_MOVING = 4
# Below this many papers rates have closed forms in place of percentiles, which have the standard
# error of a large sample and miss skewness: for noisy agents with ten repeats they cover 89-92 % of
# a nominal 95 % with 50 to 80 papers and 91-93 % with 150.
ENOUGH_PAPERS = 500
# Weights of one block take 8 bytes x this; the result does not depend on it.
BLOCK_ELEMENTS = 500_000
# Weights of up to this many elements are kept between calls (1 or 2 bytes each, four sets at most).
KEPT_ELEMENTS = 8_000_000
# Products of up to this many multiplications run on one thread in every BLAS. Larger ones of these
# thin tables would occupy all cores for several times the CPU time without being faster.
PRODUCT_ELEMENTS = 262_144

Statistic = Callable[[FloatArray], FloatArray]


def resample_weights(clusters: int, resampling: Resampling) -> Iterator[FloatArray]:
    """Blocks of rows of weights, one row for each resample: how often each cluster is drawn.

    Each row is multinomial(clusters, 1 / clusters), made by counting uniform draws, which is ten
    times faster than NumPy's multinomial here.
    """
    for block in _blocks(clusters, resampling):
        yield block.astype(np.float64)


def resampled_sums(table: FloatArray, resampling: Resampling) -> FloatArray:
    """The sums over papers of each column of ``table``, of shape (papers, columns), in each
    resample: an array of shape (resamples, columns), the product of ``resample_weights`` with it.
    """
    clusters, columns = table.shape
    rows = max(1, PRODUCT_ELEMENTS // max(1, clusters * columns))
    found = np.empty((resampling.resamples, columns))
    start = 0
    for block in _blocks(clusters, resampling):
        for first in range(0, len(block), rows):
            weights = block[first : first + rows].astype(np.float64)
            found[start : start + len(weights)] = weights @ table
            start += len(weights)
    return found


def _blocks(clusters: int, resampling: Resampling) -> Iterable[NDArray[np.unsignedinteger[Any]]]:
    resamples, seed = resampling.resamples, resampling.seed
    if clusters * resamples <= KEPT_ELEMENTS:
        return _shared_weights(clusters, resamples, seed)
    return _drawn(clusters, resamples, seed)


def _drawn(clusters: int, resamples: int, seed: int) -> Iterator[NDArray[np.unsignedinteger[Any]]]:
    random = np.random.default_rng(seed)
    block = max(1, BLOCK_ELEMENTS // clusters)
    smallest = np.min_scalar_type(clusters)  # the least that holds a paper drawn every time
    for start in range(0, resamples, block):
        rows = min(block, resamples - start)
        drawn = random.integers(0, clusters, size=(rows, clusters))
        drawn += (np.arange(rows) * clusters)[:, None]
        counted = np.bincount(drawn.ravel(), minlength=rows * clusters)
        yield counted.reshape(rows, clusters).astype(smallest)


@lru_cache(maxsize=4)
def _shared_weights(
    clusters: int, resamples: int, seed: int
) -> tuple[NDArray[np.unsignedinteger[Any]], ...]:
    """Return the weights that all figures of one run share: drawing them takes half the time of a
    figure.
    """
    return tuple(_drawn(clusters, resamples, seed))


def percentile_interval(
    values: FloatArray,
    confidence: float,
    *,
    unit: str,
    clusters: int,
    differing: int | None = None,
    method: str = METHOD,
) -> Interval:
    """The (1 - c) / 2 and (1 + c) / 2 quantiles of resampled values, c being ``confidence``.

    A NaN is a resample in which the value is undefined. These are dropped and counted in the note;
    if they are more than 1 - c of all, they could fill both tails and the interval is undefined. If
    every resample gives the same value the data show no variation to measure, and a width of zero
    would claim certainty, so that is undefined too. ``differing`` is the number of clusters that
    differ from the most frequent one: below ``FEW_INFORMATIVE`` the note says that the interval is
    too short.
    """
    defined = values[~np.isnan(values)]
    missing = len(values) - len(defined)
    note = f"undefined in {missing} of {len(values)} resamples" if missing else ""
    if missing > (1 - confidence) * len(values):
        return undefined_interval(confidence, method, unit, clusters, note)
    tail = (1 - confidence) / 2
    ends = np.quantile(defined, [tail, 1 - tail])
    low, high = float(ends[0]), float(ends[1])
    scale = max(abs(low), abs(high))
    if float(np.ptp(defined)) <= 1e-12 * scale:
        return undefined_interval(
            confidence, method, unit, clusters, f"no variation between {unit}s"
        )
    alike = differing is not None and differing < FEW_INFORMATIVE
    short = clusters < FEW_PAPERS or alike
    if not note and clusters < FEW_PAPERS:
        note = f"only {clusters} {unit}s: {EXPECT_SHORT}"
    elif not note and alike:
        note = f"only {differing} {unit}(s) differ from the rest: {EXPECT_SHORT}"
    return Interval(low, high, confidence, method, unit, clusters, note, short)


def differing_rows(table: FloatArray) -> int:
    """Return how many rows (or numbers) differ from the most frequent one."""
    # Along an axis NumPy sorts rows as records, which takes thirty times as long.
    axis = 0 if table.ndim > 1 else None
    _, times = np.unique(table, axis=axis, return_counts=True)
    return len(table) - int(times.max())


def cluster_bootstrap_statistic(
    totals: ArrayLike,
    statistic: Statistic,
    *,
    observations: int,
    resampling: Resampling,
    reason: str = "undefined on these data",
) -> Estimate:
    """Any statistic that is a function of sums over papers, without a loop over resamples.

    ``totals`` has a row for each paper and a column for each sum (correct verdicts and verdicts for
    accuracy, the four confusion counts for F1, six moments for Pearson's r). ``statistic`` maps an
    array of shape (resamples, columns) to one value a row, NaN where it is undefined; that NaN
    stays inside. Fewer than two papers: there is a value but no interval. Undefined on all papers:
    both None, with ``reason``. Where fewer than ten papers differ from the most frequent row of
    ``table`` the note says that the interval is too short.
    """
    confidence, unit = resampling.confidence, resampling.unit
    table = finite_array("totals", totals, 2)
    clusters = len(table)
    if clusters == 0:
        return no_observation(confidence, unit, METHOD)
    table = table[np.lexsort(table.T)]
    value = float(statistic(table.sum(axis=0, keepdims=True))[0])
    if math.isnan(value):
        return Estimate(
            None,
            observations,
            undefined_interval(confidence, METHOD, unit, clusters, reason),
            reason,
        )
    if clusters < 2:
        return Estimate(value, observations, too_few(confidence, unit, clusters, METHOD))
    values = statistic(resampled_sums(table, resampling))
    bounds = percentile_interval(
        values, confidence, unit=unit, clusters=clusters, differing=differing_rows(table)
    )
    return Estimate(value, observations, bounds)
