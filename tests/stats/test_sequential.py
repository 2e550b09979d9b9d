"""Sequential tests and intervals: by hand, and in simulations with a look after every paper."""

from __future__ import annotations

import math

import numpy as np
import pytest

from revkit.errors import StatisticsError
from revkit.stats.sequential import log_capital, sequential_mean, sequential_sign_test


def test_e_value_by_hand() -> None:
    # 3 of 3 above 0: 8 x integral t^3 = 2; then one below: 16 x 3! 1! / 5! = 0.8.
    first, second = sequential_sign_test([1, 0, 2, 0.5, -1], looks=[4, 5])
    assert (first.informative, first.e_value, first.p_value) == pytest.approx((3, 2.0, 0.5))
    assert (second.informative, second.e_value, second.p_value) == pytest.approx((4, 0.8, 0.5))


def test_the_test_holds_its_level_at_all_looks_together() -> None:
    rng = np.random.default_rng(1)
    looks = list(range(1, 101))
    signs = rng.choice([-1.0, 1.0], (600, 100))
    ended = [sequential_sign_test(d, looks)[-1].p_value for d in signs]
    assert np.mean(np.array(ended) <= 0.05) <= 0.06


def test_a_direction_is_detected_early() -> None:
    found = sequential_sign_test([1.0] * 9 + [-1.0], looks=list(range(1, 11)))
    assert next(each.looked for each in found if each.p_value <= 0.05) == 8


@pytest.mark.parametrize("rate", [0.02, 0.1, 0.5])
def test_the_sequence_holds_the_mean_at_all_looks(rate: float) -> None:
    rng = np.random.default_rng(2)
    level, missed = math.log(20), 0
    for _ in range(500):
        values = rng.binomial(4, rng.beta(rate, 1 - rate, 100)) / 4
        missed += bool((log_capital(values, np.array([rate]), 0.95) >= level).any())
    assert missed / 500 <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 500)


@pytest.mark.parametrize("rate", [0.05, 0.3])
def test_the_weighted_sequence_holds_the_rate_of_pairs(rate: float) -> None:
    # A paper that flips often has fewer pairs, so the mean of the papers is another figure.
    rng = np.random.default_rng(5)
    level, missed, papers = math.log(20), 0, 100
    steady, flips = 4 * (1 - rate), rate  # four pairs that hold, or one that flips
    truth = flips / (steady + flips)
    for _ in range(500):
        often = rng.random(papers) < rate
        capital = log_capital(
            often.astype(np.float64), np.array([truth]), 0.95, np.where(often, 0.25, 1.0)
        )
        missed += bool((capital >= level).any())
    assert missed / 500 <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 500)
    often = rng.random(2000) < rate
    weights = np.where(often, 0.25, 1.0)
    (found,) = sequential_mean(often * 1.0, weights=weights)
    assert found.value == pytest.approx(float((weights * often).sum() / weights.sum()))
    assert found.low <= truth <= found.high < rate


def test_equal_weights_change_nothing() -> None:
    values = np.random.default_rng(6).random(50)
    assert sequential_mean(values, weights=np.ones(50)) == sequential_mean(values)


def test_bounds_shrink_and_hold_the_estimate() -> None:
    values = np.random.default_rng(3).binomial(4, 0.2, 200) / 4
    early, late = sequential_mean(values, looks=[50, 200])
    assert early.low <= late.low <= late.value <= late.high <= early.high
    assert late.high - late.low < 0.12


def test_a_paired_difference_mirrors() -> None:
    d = np.random.default_rng(4).choice([-0.5, 0.0, 0.5, 1.0], 60)
    (one,) = sequential_mean(d, low=-1)
    (other,) = sequential_mean(-d, low=-1)
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low))


def test_wrong_input_is_refused() -> None:
    with pytest.raises(StatisticsError, match="looks must be increasing"):
        sequential_sign_test([1, 1], looks=[2, 1])
    with pytest.raises(StatisticsError, match=r"within \[0, 1\]"):
        sequential_mean([1.5])
    with pytest.raises(StatisticsError, match="low must be below high"):
        sequential_mean([0.5], low=1, high=0)
    for wrong in ([0.5, 0.5], [1.5], [-0.1]):
        with pytest.raises(StatisticsError, match="one for each value"):
            sequential_mean([0.5], weights=wrong)
    assert sequential_mean([]) == () == sequential_sign_test([])
