"""Bounds for failures and means of bounded shifts: by hand, against SciPy, and in simulations."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest
from scipy import stats as scipy_stats
from scipy.optimize import brentq

from revkit.errors import StatisticsError
from revkit.figures import Resampling
from revkit.stats import (
    cluster_bootstrap_rates,
    cluster_mean_rate,
    cluster_mean_shift,
    cluster_mean_size,
    cluster_missing_bounds,
    cluster_rate_difference,
    imbens_manski_quantile,
)

QUICK = Resampling(3, resamples=300)


@pytest.mark.parametrize("ratio", [0.1, 0.5, 1.0, 3.0])
@pytest.mark.parametrize("confidence", [0.9, 0.95])
def test_the_quantile_solves_its_equation(ratio: float, confidence: float) -> None:
    phi = scipy_stats.norm.cdf
    expected = brentq(lambda c: phi(c + ratio) - phi(-c) - confidence, 0.5, 4)
    assert imbens_manski_quantile(ratio, 1.0, confidence) == pytest.approx(expected)


def test_the_quantile_goes_from_two_sided_to_one_sided() -> None:
    assert imbens_manski_quantile(0.0, 1.0) == pytest.approx(1.959964)
    assert imbens_manski_quantile(1.0, 1e-6) == pytest.approx(1.644854)
    assert imbens_manski_quantile(1.0, 0.0) == pytest.approx(1.644854)


def test_bounds_by_hand() -> None:
    # 2 flips and 3 failures among 12 pairs of 3 papers.
    found = cluster_missing_bounds([1, 0, 1], [0, 2, 1], [4, 4, 4], resampling=QUICK)
    assert (found.best, found.worst) == (pytest.approx(2 / 12), pytest.approx(5 / 12))
    assert found.interval.low is not None
    assert found.interval.high is not None
    assert found.interval.low < 2 / 12 < 5 / 12 < found.interval.high


def test_over_agents_bounds_are_means_and_medians() -> None:
    flips = np.zeros((30, 3))
    flips[:6, 0], flips[:3, 1] = 1, 1
    lost = np.zeros((30, 3))
    lost[20:, 2] = 1
    pairs = np.ones((30, 3))
    mean = cluster_missing_bounds(flips, lost, pairs, resampling=QUICK)
    assert (mean.best, mean.worst) == (pytest.approx(0.1), pytest.approx(19 / 90))
    middle = cluster_missing_bounds(flips, lost, pairs, resampling=QUICK, over="median")
    assert (middle.best, middle.worst) == (pytest.approx(0.1), pytest.approx(0.2))
    assert mean.interval.low is not None
    assert mean.interval.high is not None
    assert mean.interval.low < 0.1
    assert mean.interval.high > 19 / 90


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("over", ["mean", "median"])
def test_an_agent_without_a_pair_is_left_out(over: Literal["mean", "median"]) -> None:
    flips, lost, pairs = (np.zeros((20, 5)) for _ in range(3))
    flips[:4, 0], flips[:2, 1], flips[:9, 3] = 1, 1, 1
    lost[15:, 3], lost[:, 2] = 1, 1  # the third agent has failures only, the fifth no pair
    pairs[:, :4] = 1
    found = cluster_missing_bounds(flips, lost, pairs, resampling=QUICK, over=over)
    others = [part[:, :4] for part in (flips, lost, pairs)]
    assert found == cluster_missing_bounds(*others, resampling=QUICK, over=over)


def test_nothing_lost_gives_one_bound_and_no_pair_none() -> None:
    found = cluster_missing_bounds([1, 0], [0, 0], [2, 2], resampling=QUICK)
    assert found.best == found.worst == 0.25
    assert cluster_missing_bounds([0], [0], [0], resampling=QUICK).best is None
    with pytest.raises(StatisticsError):
        cluster_missing_bounds([3], [0], [2], resampling=QUICK)


@pytest.mark.parametrize("papers", [150, 20])
def test_bounds_cover_a_rate_whose_flips_fail(papers: int) -> None:
    # 87 % of the flips fail: the rate of valid pairs covers it in none of the runs.
    rng = np.random.default_rng(5)
    covered, runs = 0, 150
    for seed in range(runs):
        z = np.sqrt(0.3) * rng.normal(size=(papers, 1)) + np.sqrt(0.7) * rng.normal(
            size=(papers, 4)
        )
        flip = z < scipy_stats.norm.ppf(0.1)
        lost = flip & (rng.random(z.shape) < 0.87)
        found = cluster_missing_bounds(
            (flip & ~lost).sum(axis=1),
            lost.sum(axis=1),
            np.full(papers, 4),
            resampling=Resampling(seed, resamples=100),
        ).interval
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= 0.1 <= found.high
    assert covered / runs >= 0.90


def test_papers_with_one_rate_have_a_bound() -> None:
    # 30 papers with 2 of 4: at most a share h of papers has another rate, h of 0 of 30.
    h = scipy_stats.beta.ppf(0.975, 1, 30)
    [found] = cluster_bootstrap_rates(np.full((30, 1), 2), np.full(30, 4), resampling=QUICK)
    assert found.value == 0.5
    ends = (found.interval.low, found.interval.high)
    assert ends == pytest.approx((0.5 * (1 - h), 0.5 * (1 - h) + h))
    assert "any dependence" in found.interval.note
    mean = cluster_mean_rate(np.full((30, 2), 2), np.full((30, 2), 4), resampling=QUICK)
    assert (mean.interval.low, mean.interval.high) == pytest.approx(ends)
    gap = cluster_rate_difference([2] * 30, [4] * 30, [2] * 30, [4] * 30, resampling=QUICK)
    assert gap.interval.low is not None
    assert gap.interval.high is not None
    assert gap.interval.low < 0 < gap.interval.high


def test_no_papers_that_move_have_a_bound_from_the_scale() -> None:
    h = scipy_stats.beta.ppf(0.975, 1, 150)
    size = cluster_mean_size([0.0] * 150, [4] * 150, 9.0, resampling=QUICK)
    assert (size.value, size.interval.low) == (0.0, 0.0)
    assert size.interval.high == pytest.approx(9 * h)
    shift = cluster_mean_shift([0.0] * 150, [4] * 150, 9.0, resampling=QUICK)
    assert (shift.interval.low, shift.interval.high) == pytest.approx((-9 * h, 9 * h))
    assert "declared scale" in shift.interval.note


def test_signed_shifts_have_students_interval() -> None:
    shifts = np.array([-2.0, -1.0, 0.0, 1.0, 2.0, 3.0])  # without skewness
    found = cluster_mean_shift(shifts, np.ones(6), 9.0, resampling=QUICK).interval
    expected = scipy_stats.t.interval(0.95, 5, shifts.mean(), scipy_stats.sem(shifts))
    assert (found.low, found.high) == pytest.approx(expected)


def test_a_shift_beyond_the_scale_is_refused() -> None:
    with pytest.raises(StatisticsError, match="limit"):
        cluster_mean_shift([12.0, 0.0], [1, 1], 9.0, resampling=QUICK)
    with pytest.raises(StatisticsError, match="limit"):
        cluster_mean_size([-1.0, 0.0], [1, 1], 9.0, resampling=QUICK)


@pytest.mark.parametrize("papers", [150, 20])
@pytest.mark.parametrize("share", [0.01, 0.1])
def test_few_movers_are_covered(papers: int, share: float) -> None:
    # Percentiles cover 79 to 93 % here.
    rng = np.random.default_rng(6)
    signed = sized = 0
    runs = 150
    for seed in range(runs):
        moved = (rng.random((papers, 4)) < share) * rng.choice([-1, 1], (papers, 4)) / 3
        level = Resampling(seed, resamples=200)
        counts = np.full(papers, 4)
        shift = cluster_mean_shift(moved.sum(axis=1), counts, 9.0, resampling=level).interval
        size = cluster_mean_size(np.abs(moved).sum(axis=1), counts, 9.0, resampling=level).interval
        signed += (shift.low or 0.0) <= 0 <= (shift.high or 0.0)
        sized += (size.low or 0.0) <= share / 3 <= (size.high or 0.0)
    assert signed / runs >= 0.92
    assert sized / runs >= 0.92
