"""Intervals that cover more than their confidence name a sharper one beside them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from revkit import stats
from revkit.figures import Resampling
from revkit.stats.linearised import mid_p_bounds
from revkit.stats.values import name_conservative

ONE = Resampling(1, 500)


def by_hand(k: int, n: int, p: float) -> tuple[float, float]:
    """The mid-P tails of ``k`` of ``n`` at the rate ``p``, from SciPy's binomial."""
    equal = scipy_stats.binom.pmf(k, n, p) / 2
    return scipy_stats.binom.sf(k, n, p) + equal, scipy_stats.binom.cdf(k - 1, n, p) + equal


@pytest.mark.parametrize(("k", "n"), [(1, 20), (3, 80), (10, 20), (19, 20), (60, 600)])
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
def test_mid_p_ends_leave_half_of_the_rest_in_each_tail(k: int, n: int, confidence: float) -> None:
    low, high = mid_p_bounds(k / n, n, confidence)
    tail = (1 - confidence) / 2
    assert by_hand(k, n, low)[0] == pytest.approx(tail, rel=1e-6)
    assert by_hand(k, n, high)[1] == pytest.approx(tail, rel=1e-6)
    exact = stats.clopper_pearson_interval(k, n, confidence)
    assert exact.low is not None
    assert exact.high is not None
    assert exact.low < low < k / n < high < exact.high


def test_mid_p_of_no_event_is_the_one_sided_bound_at_twice_the_tail() -> None:
    assert mid_p_bounds(0.0, 20, 0.95) == pytest.approx((0.0, 1 - 0.05 ** (1 / 20)))
    assert mid_p_bounds(1.0, 20, 0.95) == pytest.approx((0.05 ** (1 / 20), 1.0))


@given(st.integers(1, 19), st.floats(0.5, 0.99))
def test_mid_p_ends_are_mirrored(k: int, confidence: float) -> None:
    low, high = mid_p_bounds(k / 20, 20, confidence)
    assert mid_p_bounds((20 - k) / 20, 20, confidence) == pytest.approx((1 - high, 1 - low))


def rate(flips: list[float], pairs: float = 4.0) -> stats.Interval:
    column = np.array(flips)[:, None]
    counts = np.full((len(flips), 1), pairs)
    return stats.cluster_bootstrap_rates(column, counts, resampling=ONE)[0].interval


def test_a_rate_of_few_flips_is_conservative_and_one_of_many_is_not() -> None:
    for informative, named in ((3, True), (11, True), (12, False)):
        found = rate([1.0] * informative + [0.0] * (40 - informative))
        assert found.conservative is named
    few = rate([1.0] * 3 + [0.0] * 37)
    # Korn and Graubard's effective size: the variance of 3 flips on 3 of 40 papers, by hand.
    p, spread = 3 / 160, (40 / 39 * (3 * (1 - 3 / 40) ** 2 + 37 * (3 / 40) ** 2)) / 160**2
    quantile = scipy_stats.t(159).ppf(0.975) / scipy_stats.t(39).ppf(0.975)
    size = min(160, p * (1 - p) / spread * quantile**2)
    assert few.sharp == pytest.approx(mid_p_bounds(p, size, 0.95), rel=1e-9)


def test_no_flip_at_all_has_the_bound_over_pairs_beside_that_over_papers() -> None:
    found = rate([0.0] * 150)
    assert found.high == pytest.approx(1 - 0.025 ** (1 / 150))
    assert found.sharp == pytest.approx((0.0, 1 - 0.05 ** (1 / 600)))
    # All papers have half of their pairs flipped: both bounds are around one half.
    half = rate([2.0] * 30)
    assert half.sharp is not None
    low, high = half.sharp
    assert low is not None
    assert high is not None
    assert high - low == pytest.approx(1 - 0.05 ** (1 / 120))


def test_papers_of_a_noisy_agent_that_vary_too_little_are_named() -> None:
    # Every paper flips between 40 and 60 % of its pairs: far less variation than that of coins.
    found = rate([1.6, 2.0, 2.4] * 20)
    assert found.conservative
    assert found.sharp is not None
    assert found.low is not None
    assert found.sharp[0] is not None
    assert found.sharp[0] > found.low
    # Whole flips of a like mean that vary as coins do.
    assert not rate([0.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0, 4.0] * 5).conservative


def test_differences_and_means_of_few_flips_are_conservative() -> None:
    one = np.array([1.0] * 3 + [0.0] * 37)
    other = np.array([0.0] * 38 + [1.0] * 2)
    pairs = np.full(40, 4.0)
    gap = stats.cluster_rate_difference(one, pairs, other, pairs, resampling=ONE).interval
    parts = [
        stats.cluster_bootstrap_rates(x[:, None], pairs[:, None], resampling=ONE)[0]
        for x in (one, other)
    ]
    sharp = [part.interval.sharp for part in parts]
    assert sharp[0] is not None
    assert sharp[1] is not None
    values = [part.value or 0.0 for part in parts]
    ends = np.array(sharp, dtype=float)
    # Both lie nearly uncorrelated over papers: -sqrt(xy / ((1 - x)(1 - y))) for x = 3/40, y = 2/40.
    rho = -math.sqrt(3 * 2 / (37 * 38))
    down, up = values[0] - ends[0, 0], ends[1, 1] - values[1]
    low = values[0] - values[1] - math.sqrt(down**2 + up**2 - 2 * rho * down * up * -1 * -1)
    assert gap.sharp is not None
    assert gap.sharp[0] == pytest.approx(low)
    table = np.column_stack([one, other, one])
    counts = np.column_stack([pairs] * 3)
    assert stats.cluster_mean_rate(table, counts, resampling=ONE).interval.conservative
    assert stats.cluster_median_rate(table, counts, resampling=ONE).interval.conservative


def test_a_ratio_with_an_open_end_is_named_too() -> None:
    up = np.array([1.0] * 5 + [0.0] * 35)
    nothing = np.zeros(40)
    rejects, accepts = np.full(40, 2.0), np.full(40, 2.0)
    found = stats.cluster_direction(up, nothing, rejects, accepts, resampling=ONE)
    bounds = found.ratio.interval
    assert bounds.conservative
    assert bounds.sharp is not None
    assert bounds.high is None
    assert bounds.sharp[1] is None
    assert bounds.low is not None
    assert bounds.sharp[0] is not None
    assert bounds.sharp[0] > bounds.low


def test_failures_have_the_interval_of_the_valid_pairs_beside_their_bounds() -> None:
    flips = np.array([1.0] * 15 + [0.0] * 25)
    failed = np.array([0.0] * 20 + [1.0] * 20)
    pairs = np.full(40, 4.0)
    found = stats.cluster_missing_bounds(flips, failed, pairs, resampling=ONE).interval
    valid = stats.cluster_bootstrap_rates(
        flips[:, None], (pairs - failed)[:, None], resampling=ONE
    )[0].interval
    assert found.sharp == pytest.approx((valid.low, valid.high))
    without = stats.cluster_missing_bounds(flips, failed * 0, pairs, resampling=ONE).interval
    assert not without.conservative


def test_shifts_of_few_papers_are_named() -> None:
    moved = np.array([1.0] * 4 + [0.0] * 36)
    size = stats.cluster_mean_size(moved, np.ones(40), 9.0, resampling=ONE).interval
    student = stats.cluster_t_interval(moved, np.ones(40)).interval
    assert size.sharp is not None
    assert size.high is not None
    assert size.sharp[1] is not None
    assert student.high is not None
    assert student.high < size.sharp[1] < size.high  # Hall's is skewed to the right
    signed = moved * np.array([1.0, -1.0] * 20)
    assert stats.cluster_mean_shift(signed, np.ones(40), 9.0, resampling=ONE).interval.conservative
    many = np.array([1.0, -1.0] * 20)
    assert not stats.cluster_mean_shift(
        many, np.ones(40), 9.0, resampling=ONE
    ).interval.conservative


def test_a_longer_interval_is_no_sharper_one() -> None:
    plain = rate([1.0] * 20 + [0.0] * 20)
    assert not name_conservative(plain, 0.0, 1.0).conservative
    assert plain.low is not None
    assert plain.high is not None
    named = name_conservative(plain, plain.low + 0.01, plain.high - 0.01)
    turned = named.map_ends(lambda x: -2 * x)
    assert turned.sharp == pytest.approx((-2 * (plain.high - 0.01), -2 * (plain.low + 0.01)))
    assert (turned.low, turned.high) == pytest.approx((-2 * plain.high, -2 * plain.low))
