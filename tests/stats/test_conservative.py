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
from revkit.stats.linearisation import mid_p_bounds
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


def test_a_rate_with_a_flip_is_no_bound_for_any_dependence() -> None:
    assert rate([0.0] * 40).conservative
    for informative in (1, 3, 11, 12):
        assert not rate([1.0] * informative + [0.0] * (40 - informative)).conservative


def test_few_papers_without_clustering_have_the_mid_p_interval() -> None:
    # 7 flips on 7 of 19 papers: the papers vary less than independent pairs.
    few = rate([1.0] * 7 + [0.0] * 12)
    # Korn and Graubard's effective size, by hand.
    p = 7 / 76
    spread = (19 / 18 * (7 * (1 - 7 / 19) ** 2 + 12 * (7 / 19) ** 2)) / 76**2
    quantile = scipy_stats.t(75).ppf(0.975) / scipy_stats.t(18).ppf(0.975)
    size = min(76, p * (1 - p) / spread * quantile**2)
    assert (few.low, few.high) == pytest.approx(mid_p_bounds(p, size, 0.95), rel=1e-9)
    # Clustered flips, or one paper more: halfway from Korn and Graubard's to the mid-P interval.
    for flips in ([4.0] * 2 + [0.0] * 17, [1.0] * 7 + [0.0] * 13):
        found, plain = rate(flips), korn_graubard(flips)
        papers, p = len(flips), sum(flips) / (4 * len(flips))
        spread = papers / (papers - 1) * sum((k - 4 * p) ** 2 for k in flips) / (4 * papers) ** 2
        quantile = scipy_stats.t(4 * papers - 1).ppf(0.975) / scipy_stats.t(papers - 1).ppf(0.975)
        sharp = mid_p_bounds(p, min(4 * papers, p * (1 - p) / spread * quantile**2), 0.95)
        ends = (plain[0] + sharp[0]) / 2, (plain[1] + sharp[1]) / 2
        assert (found.low, found.high) == pytest.approx(ends, rel=1e-9)
    # From 30 papers on, Korn and Graubard's itself.
    flips = [1.0] * 7 + [0.0] * 23
    found = rate(flips)
    assert (found.low, found.high) == pytest.approx(korn_graubard(flips), rel=1e-9)


def korn_graubard(flips: list[float]) -> tuple[float, float]:
    bounds = stats.korn_graubard_interval(flips, np.full(len(flips), 4.0)).interval
    assert bounds.low is not None
    assert bounds.high is not None
    return bounds.low, bounds.high


def test_few_informative_papers_are_short_unless_they_are_many_of_few() -> None:
    assert rate([1.0] * 4 + [0.0] * 14).short
    assert not rate([1.0] * 5 + [0.0] * 13).short
    assert not rate([1.0] * 4 + [0.0] * 13).short
    assert rate([1.0] * 3 + [0.0] * 14).short
    assert not rate([0.0] * 40).short


def test_a_noisy_rate_of_few_effective_papers_is_short() -> None:
    # By hand: 19 papers of 2 flips and one of 3.6 deviate by -0.08 and 1.52.
    d = np.array([-0.08] * 19 + [1.52])
    assert (d**2).sum() ** 2 / (d**4).sum() == pytest.approx(1.1, abs=0.05)
    few = rate([2.0] * 19 + [3.6])
    assert few.short
    assert few.note.startswith("as informative as 1.1 equal papers")
    assert not rate([1.6, 2.0, 2.4] * 7).short


def test_a_ratio_over_agents_of_which_one_flips_one_way_is_short() -> None:
    down = np.zeros((60, 2))
    up = down.copy()
    up[:12, 0], up[:6, 1], down[6:12, 1] = 1, 1, 1
    found = stats.mean_direction(
        up, down, np.full((60, 2), 2.0), np.full((60, 2), 2.0), resampling=ONE
    ).ratio.interval
    assert found.short
    assert not found.conservative
    assert found.high is None
    down[12:18, 0] = 1
    both = stats.mean_direction(
        up, down, np.full((60, 2), 2.0), np.full((60, 2), 2.0), resampling=ONE
    ).ratio.interval
    assert not both.short
    assert both.high is not None


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


def test_papers_of_a_noisy_agent_that_vary_too_little_have_their_own_error() -> None:
    # Every paper flips between 40 and 60 % of its pairs: far less variation than that of coins.
    flips = [1.6, 2.0, 2.4] * 20
    found = rate(flips)
    assert found.low is not None
    assert found.high is not None
    spread = scipy_stats.t(59).ppf(0.975) * float(np.std(np.array(flips) / 4, ddof=1)) / 60**0.5
    assert (found.high - found.low) / 2 == pytest.approx(spread, rel=0.02)
    # With a single paper apart from the rest, the variation is hardly known: halfway to the mid-P
    # interval of independent pairs.
    alone = rate([2.0] * 59 + [2.4])
    share = np.array([2.0] * 59 + [2.4]) / 4
    own = scipy_stats.t(59).ppf(0.975) * float(np.std(share, ddof=1)) / 60**0.5
    pairs = mid_p_bounds(120.4 / 240, 240, 0.95)
    assert alone.low is not None
    assert alone.high is not None
    assert alone.high - alone.low == pytest.approx((2 * own + pairs[1] - pairs[0]) / 2, rel=0.02)


def test_differences_and_means_without_a_flip_are_conservative() -> None:
    none, pairs = np.zeros(40), np.full(40, 4.0)
    gap = stats.cluster_rate_difference(none, pairs, none, pairs, resampling=ONE).interval
    edge = 1 - 0.025 ** (1 / 40)
    # Both bounds, as independent, added in squares.
    assert (gap.low, gap.high) == pytest.approx((-edge, edge))
    assert gap.sharp == pytest.approx((-(1 - 0.05 ** (1 / 160)), 1 - 0.05 ** (1 / 160)))
    table, counts = np.zeros((40, 3)), np.full((40, 3), 4.0)
    assert stats.cluster_mean_rate(table, counts, resampling=ONE).interval.conservative
    assert stats.cluster_median_rate(table, counts, resampling=ONE).interval.conservative
    table[:3, 0] = 1
    assert not stats.cluster_mean_rate(table, counts, resampling=ONE).interval.conservative


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


def test_sizes_lie_halfway_between_t_and_the_interval_without_skewness() -> None:
    moved = np.array([1.0] * 4 + [0.0] * 36)
    size = stats.cluster_mean_size(moved, np.ones(40), 9.0, resampling=ONE).interval
    student = stats.cluster_t_interval(moved, np.ones(40)).interval
    spread = float(moved.std())
    g = float(((moved - 0.1) ** 3).mean()) / spread**3
    for end, plain, sign in ((size.low, student.low, 1), (size.high, student.high, -1)):
        assert end is not None
        assert plain is not None
        w = (0.1 - (2 * end - plain)) / spread
        t = sign * scipy_stats.t(39).ppf(0.975) / math.sqrt(39)
        assert w + g * w**2 / 3 + g**2 * w**3 / 27 + g / (6 * 40) == pytest.approx(t)
    assert not size.conservative
    still = stats.cluster_mean_size(moved * 0, np.ones(40), 9.0, resampling=ONE).interval
    assert still.conservative
    assert still.high == pytest.approx(9 * (1 - 0.025 ** (1 / 40)))


@pytest.mark.parametrize("moving", [0, 1, 3, 4, 5])
def test_shifts_of_few_papers_are_warned(moving: int) -> None:
    moved = np.array([1.0] * moving + [0.0] * (60 - moving))
    size = stats.cluster_mean_size(moved, np.ones(60), 9.0, resampling=ONE).interval
    assert size.short is (0 < moving < 4)
    signed = stats.cluster_mean_shift(-moved, np.ones(60), 9.0, resampling=ONE).interval
    assert signed.short is (0 < moving < 5)


def test_a_plain_mean_of_which_few_values_differ_is_short() -> None:
    few = stats.mean_interval([50.0] * 27 + [3.0, 8.0, 9.0]).interval
    assert few.short
    assert few.note.startswith("only 3 pair(s) differ from the rest")
    assert not stats.mean_interval([50.0] * 26 + [3.0, 8.0, 9.0, 4.0]).interval.short
    # Three values that all differ are few, but none of them is apart.
    assert not stats.mean_interval([1.0, 2.0, 4.0]).interval.short


def test_a_longer_interval_is_no_sharper_one() -> None:
    plain = rate([1.0] * 20 + [0.0] * 20)
    assert not name_conservative(plain, 0.0, 1.0).conservative
    assert plain.low is not None
    assert plain.high is not None
    named = name_conservative(plain, plain.low + 0.01, plain.high - 0.01)
    turned = named.map_ends(lambda x: -2 * x)
    assert turned.sharp == pytest.approx((-2 * (plain.high - 0.01), -2 * (plain.low + 0.01)))
    assert (turned.low, turned.high) == pytest.approx((-2 * plain.high, -2 * plain.low))
