"""Rates, flip rates and directions against statsmodels, SciPy and published tables."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as reference
from statsmodels.stats.proportion import proportion_confint

from revkit.errors import StatisticsError
from revkit.stats import (
    Interval,
    agresti_coull_interval,
    clopper_pearson_interval,
    direction,
    flip_rate,
    rate,
    share_interval,
    sign_test,
    wald_interval,
    wilson_interval,
)
from tests.cpu_time import cpu_seconds

INTERVALS = {
    "normal": wald_interval,
    "wilson": wilson_interval,
    "beta": clopper_pearson_interval,
}
counts = st.integers(0, 2_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def bounds(interval: Interval) -> tuple[float, float]:
    assert interval.low is not None
    assert interval.high is not None
    return interval.low, interval.high


def test_wald_interval_of_the_seed() -> None:
    # ROBUST-REV section 6: f = .187 and n = 600 give SE .016 and [.156, .218]. It rounded f before
    # the interval: the count behind it, 112 of 600, is .18667 and gives [.15549, .21784].
    low, high = bounds(wald_interval(112, 600))
    assert (low, high) == pytest.approx((0.15549, 0.21784), abs=5e-6)
    assert (low, high) == pytest.approx((0.156, 0.218), abs=6e-4)
    assert round((high - low) / 2 / 1.959964, 3) == 0.016


@pytest.mark.parametrize(
    ("k", "n", "wald", "wilson", "exact"),
    [
        # Newcombe 1998, Statistics in Medicine 17, table I, methods 1, 3 and 5.
        (81, 263, (0.2522, 0.3638), (0.2553, 0.3662), (0.2527, 0.3676)),
        (15, 148, (0.0527, 0.1500), (0.0624, 0.1605), (0.0578, 0.1617)),
        (0, 20, (0.0, 0.0), (0.0, 0.1611), (0.0, 0.1684)),
    ],
)
def test_published_intervals(
    k: int,
    n: int,
    wald: tuple[float, float],
    wilson: tuple[float, float],
    exact: tuple[float, float],
) -> None:
    assert bounds(wald_interval(k, n)) == pytest.approx(wald, abs=6e-5)
    assert bounds(wilson_interval(k, n)) == pytest.approx(wilson, abs=6e-5)
    assert bounds(clopper_pearson_interval(k, n)) == pytest.approx(exact, abs=6e-5)


@pytest.mark.parametrize("method", INTERVALS)
@pytest.mark.parametrize(
    ("k", "n"), [(0, 1), (1, 1), (0, 600), (600, 600), (1, 600), (112, 600), (300, 600), (3, 7)]
)
@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_intervals_agree_with_statsmodels(method: str, k: int, n: int, level: float) -> None:
    expected = proportion_confint(k, n, alpha=1 - level, method=method)
    assert bounds(INTERVALS[method](k, n, level)) == pytest.approx(expected, abs=1e-10)


def test_exact_bound_at_zero_events_and_a_high_level() -> None:
    # 1 - (alpha / 2)^(1 / n) with alpha = 1e-9 and n = 1000: -ln(5e-10) / 1000 = .02142 less
    # half its square, .02119.
    _, high = bounds(clopper_pearson_interval(0, 1000, 1 - 1e-9))
    assert high == pytest.approx(0.021189, abs=2e-6)


@settings(deadline=None, max_examples=150)
@given(counts=counts, level=st.floats(0.01, 0.999))
def test_intervals_hold_the_rate_and_stay_in_range(counts: tuple[int, int], level: float) -> None:
    k, n = counts
    for method in INTERVALS.values():
        interval = method(k, n, level)
        if n == 0:
            assert interval.low is None
            assert interval.high is None
            assert interval.note
        else:
            low, high = bounds(interval)
            assert 0 <= low <= k / n <= high <= 1
            mirrored = bounds(method(n - k, n, level))
            assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-9)


@pytest.mark.parametrize("method", INTERVALS.values())
@pytest.mark.parametrize(
    ("k", "n", "level"),
    [
        (2, 1, 0.95),
        (-1, 1, 0.95),
        (1, -1, 0.95),
        (0.5, 1, 0.95),
        (float("nan"), 1, 0.95),
        (True, 1, 0.95),
        (1, 2, 0.0),
        (1, 2, 1.0),
        (1, 2, float("nan")),
        (1, 2, 95),
    ],
)
def test_impossible_input_is_an_error(method, k, n, level) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(StatisticsError):
        method(k, n, level)


def test_rate_without_trials_is_undefined() -> None:
    estimate = rate(0, 0)
    assert (estimate.value, estimate.n, estimate.note) == (None, 0, "no pair")


def test_failures_widen_the_flip_rate_to_both_sides() -> None:
    # 10 flips of 80 valid, 20 failed: 10/80, at best 10/100, at worst 30/100.
    result = flip_rate(10, 80, 20)
    assert result.rate.value == 0.125
    assert (result.best_case, result.worst_case) == (0.10, 0.30)
    assert result.rate.interval.method == "wilson"


def test_flip_rate_takes_an_interval_over_papers() -> None:
    clustered = Interval(0.1, 0.2, 0.95, "cluster bootstrap, percentile", "paper", 150)
    assert flip_rate(90, 600, interval=clustered).rate.interval == clustered


def test_flip_rate_of_nothing() -> None:
    # The seed's flip_rate divides by zero here.
    empty = flip_rate(0, 0, 0)
    assert (empty.rate.value, empty.best_case, empty.worst_case) == (None, None, None)
    assert empty.rate.note == "no pair"
    lost = flip_rate(0, 0, 7)
    assert (lost.rate.value, lost.best_case, lost.worst_case) == (None, 0.0, 1.0)
    assert lost.rate.note == "no valid pair"


@settings(deadline=None)
@given(flips=st.integers(0, 50), steady=st.integers(0, 50), failed=st.integers(0, 50))
def test_case_bounds_enclose_the_rate(flips: int, steady: int, failed: int) -> None:
    result = flip_rate(flips, flips + steady, failed)
    if result.rate.value is not None:
        assert result.best_case is not None
        assert result.worst_case is not None
        assert 0 <= result.best_case <= result.rate.value <= result.worst_case <= 1
        if failed == 0:
            assert result.best_case == result.worst_case == result.rate.value


@pytest.mark.parametrize("arguments", [(3, 2, 0), (-1, 2, 0), (1, 2, -1), (1.5, 2, 0)])
def test_flip_rate_refuses(arguments) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(StatisticsError):
        flip_rate(*arguments)


@settings(deadline=None)
@given(first=st.integers(0, 300), second=st.integers(0, 300))
def test_sign_test_agrees_with_scipy(first: int, second: int) -> None:
    p = sign_test(first, second)
    assert 0 <= p <= 1
    assert p == sign_test(second, first)
    if first + second:
        expected = reference.binomtest(first, first + second, 0.5).pvalue
        assert p == pytest.approx(expected, rel=1e-9)
    else:
        assert p == 1


def test_sign_test_of_many_events_stays_quick_and_defined() -> None:
    assert 0 < sign_test(9_000, 11_000) < 1e-40
    assert sign_test(0, 20_000) == 0.0  # 2^-19999 lies below the smallest float
    assert cpu_seconds(lambda: sign_test(9_000, 11_000), 1) < 1


def test_direction_of_a_ratio_like_the_seeds() -> None:
    # 3.1 : 1 needs for instance 440 : 142. Clopper-Pearson for 440 of 582 by statsmodels.
    result = direction(440, 142)
    assert result.ratio.value == pytest.approx(440 / 142)
    low, high = proportion_confint(440, 582, method="beta")
    assert bounds(result.ratio.interval) == pytest.approx((low / (1 - low), high / (1 - high)))
    # A little wider than Wilson's [2.57, 3.74] for the same counts.
    assert 2.5 < bounds(result.ratio.interval)[0] < 2.57
    assert 3.74 < bounds(result.ratio.interval)[1] < 3.8
    assert result.p_value == pytest.approx(reference.binomtest(440, 582).pvalue, rel=1e-9)


def test_direction_without_a_flip_back() -> None:
    result = direction(6, 0)
    assert result.ratio.value is None
    assert "no upper bound" in result.ratio.note
    # P(share below low) = 2.5 %: low = .025^(1/6) = .5407, so the ratio exceeds 1.177.
    assert result.ratio.interval.low == pytest.approx(1.177, abs=1e-3)
    assert result.ratio.interval.high is None
    assert result.p_value == 2 / 64
    mirrored = direction(0, 6)
    assert mirrored.ratio.value == 0
    assert mirrored.ratio.interval.low == 0
    assert mirrored.ratio.interval.high == pytest.approx(1 / 1.177, abs=1e-3)


def test_direction_without_flips() -> None:
    result = direction(0, 0)
    assert result.ratio.value is None
    assert result.share.value is None
    assert (result.ratio.interval.low, result.ratio.interval.high) == (None, None)
    assert (result.p_value, result.note) == (1.0, "no flip")


def test_direction_with_the_originals_at_risk() -> None:
    result = direction(30, 10, rejects_at_risk=450, accepts_at_risk=150)
    assert result.reject_to_accept_rate is not None
    assert result.accept_to_reject_rate is not None
    # 3 : 1 in counts, one and the same rate: the whole asymmetry is who could flip.
    assert math.isclose(result.reject_to_accept_rate.value or 0, 1 / 15)
    assert math.isclose(result.accept_to_reject_rate.value or 0, 1 / 15)
    with pytest.raises(StatisticsError):
        direction(30, 10, rejects_at_risk=29)


@settings(deadline=None)
@given(up=st.integers(0, 80), down=st.integers(0, 80))
def test_direction_mirrors(up: int, down: int) -> None:
    result, mirrored = direction(up, down), direction(down, up)
    assert result.p_value == mirrored.p_value
    if result.ratio.value and mirrored.ratio.value:
        assert result.ratio.value == pytest.approx(1 / mirrored.ratio.value)
        low, high = bounds(result.ratio.interval)
        assert low <= result.ratio.value <= high
        assert bounds(mirrored.ratio.interval) == pytest.approx((1 / high, 1 / low), rel=1e-6)


@pytest.mark.parametrize("n", [20, 21, 33, 60, 150, 600])
def test_the_interval_of_a_share_covers_rare_events(n: int) -> None:
    """The exact coverage over a fine grid of rates; Wilson's falls to 84 %."""
    counts = np.arange(n + 1)
    low, high = np.array([bounds(share_interval(int(k), n)) for k in counts]).T
    rates = np.concatenate([np.linspace(0.02, 2, 100) / n, np.linspace(2 / n, 0.5, 400)])
    chances = reference.binom.pmf(counts, n, rates[:, None])
    covered = (low <= rates[:, None]) & (rates[:, None] <= high)
    assert (chances * covered).sum(axis=1).min() > 0.927


def test_the_interval_of_a_share_of_few_is_conservative() -> None:
    assert share_interval(2, 19) == clopper_pearson_interval(2, 19)
    assert share_interval(2, 20) == agresti_coull_interval(2, 20)
    assert share_interval(0, 0).low is None
