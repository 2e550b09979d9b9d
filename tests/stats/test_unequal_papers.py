"""The bound where no paper differs from the rest, with unequal numbers of pairs a paper."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.coverage import missed_without_flip
from revkit.model.resampling import Resampling
from revkit.stats import (
    clopper_pearson_interval,
    cluster_bootstrap_rates,
    cluster_mean_rate,
    cluster_mean_shift,
    cluster_mean_size,
    cluster_missing_bounds,
)
from revkit.stats.cluster_intervals import weighted_papers

RESAMPLING = Resampling(0, 100)
# 10 papers with 1 pair and 10 with 4: 50^2 / (10 * 1 + 10 * 16) = 14.7 effective papers.
PAIRS = np.array([1.0] * 10 + [4.0] * 10)
NONE = np.zeros(20)


def test_all_figures_use_the_effective_number_of_papers() -> None:
    high = clopper_pearson_interval(0, 14).high
    rate = cluster_bootstrap_rates(NONE[:, None], PAIRS[:, None], resampling=RESAMPLING)[0]
    assert (rate.interval.low, rate.interval.high) == (0.0, pytest.approx(high))
    assert rate.interval.n == 20
    both = np.column_stack([PAIRS, PAIRS])
    mean = cluster_mean_rate(np.zeros((20, 2)), both, resampling=RESAMPLING)
    size = cluster_mean_size(NONE, PAIRS, 1.0, resampling=RESAMPLING)
    shift = cluster_mean_shift(NONE, PAIRS, 0.5, resampling=RESAMPLING)
    missing = cluster_missing_bounds(NONE, NONE, PAIRS, resampling=RESAMPLING)
    for interval in (mean.interval, size.interval, missing.interval):
        assert interval.high == pytest.approx(high)
    assert shift.interval.high == pytest.approx(0.5 * (high or 0))
    whole = cluster_bootstrap_rates(PAIRS[:, None], PAIRS[:, None], resampling=RESAMPLING)[0]
    assert whole.interval.low == pytest.approx(1 - (high or 0))


def test_equal_papers_count_fully() -> None:
    pairs = np.full((150, 1), 4.0)
    rate = cluster_bootstrap_rates(np.zeros((150, 1)), pairs, resampling=RESAMPLING)[0]
    assert rate.interval.high == clopper_pearson_interval(0, 150).high


@pytest.mark.parametrize("sizes", [(2, 3, 4, 4), (1, 4), (1, 1, 1, 1, 10)])
@pytest.mark.parametrize("papers", [20, 150])
def test_the_bound_holds_where_large_papers_flip_more_often(
    sizes: tuple[int, ...], papers: int
) -> None:
    pairs = np.resize(np.array(sizes, dtype=float), papers)
    rate = cluster_bootstrap_rates(np.zeros((papers, 1)), pairs[:, None], resampling=RESAMPLING)[0]
    plain = clopper_pearson_interval(0, papers).high or 0.0
    assert missed_without_flip(pairs, pairs, rate.interval.high or 0.0) <= 0.0255
    assert missed_without_flip(pairs, pairs, plain) > 0.03


def test_a_rate_without_a_pair_has_no_weight() -> None:
    # The second agent has no pair at all, so the papers weigh as in the first rate alone.
    counts = np.array([[2.0, 0.0]] * 19 + [[4.0, 0.0]])
    assert weighted_papers(counts) == weighted_papers(counts[:, 0]) == int(42**2 / (19 * 4 + 16))
