"""CUSUM charts by hand, and against the theory of their run lengths."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from revkit.errors import StatisticsError
from revkit.stats.cusum import cusum, cusum_step


def test_chart_by_hand() -> None:
    """Allowance 1/2, threshold 3. Up: 1.5, 3, 4 > 3: alarm; then from 0 again."""
    chart = cusum([2.0, 2.0, 1.5, 0.5, -3.0, -2.0], 3.0)
    assert chart.upper == pytest.approx((1.5, 3.0, 4.0, 0.0, 0.0, 0.0))
    assert chart.lower == pytest.approx((0.0, 0.0, 0.0, 0.0, 2.5, 4.0))
    assert chart.alarms == (2, 5)


def test_a_shift_down_is_found_as_fast_as_one_up() -> None:
    up, down = cusum([2.0] * 20, 8.0), cusum([-2.0] * 20, 8.0)
    # 1.5 a value: above 8 at the sixth, and again six later.
    assert up.alarms == down.alarms == (5, 11, 17)


def test_bad_input() -> None:
    for threshold, allowance in ((0.0, 0.5), (-1.0, 0.5), (float("nan"), 0.5), (5.0, -0.1)):
        with pytest.raises(StatisticsError):
            cusum([1.0], threshold, allowance=allowance)
    with pytest.raises(StatisticsError, match="NaN"):
        cusum([float("nan")], 5.0)
    assert cusum([], 5.0).alarms == ()


@given(st.lists(st.floats(-4, 4), max_size=40), st.floats(1, 9))
def test_mirrored_values_give_the_mirrored_chart(values: list[float], threshold: float) -> None:
    chart, mirrored = cusum(values, threshold), cusum([-v for v in values], threshold)
    assert (chart.upper, chart.lower) == (mirrored.lower, mirrored.upper)
    assert chart.alarms == mirrored.alarms
    assert min((*chart.upper, *chart.lower), default=0.0) >= 0.0


def test_run_length_is_met_by_many_charts() -> None:
    """2,000 charts of standard normal values: the chance of an alarm within 100 values.

    A one-sided chart with allowance 1/2 and threshold 4 runs for 336 values on average (Montgomery,
    Introduction to Statistical Quality Control, table of the tabular CUSUM); two sides for half.
    """
    rng = np.random.default_rng(1)
    upper, lower = np.zeros(2000), np.zeros(2000)
    alarmed = np.zeros(2000, dtype=bool)
    for _ in range(100):
        upper, lower = cusum_step(upper, lower, rng.standard_normal(2000))
        alarmed |= np.maximum(upper, lower) > 4.0
    expected = 1 - np.exp(-100 / (336 / 2))
    assert alarmed.mean() == pytest.approx(expected, abs=0.06)
