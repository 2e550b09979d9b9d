"""Disagreement, slope, spread, the expected disagreement and the best increasing map."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from revkit.errors import StatisticsError
from revkit.figures import Resampling
from revkit.stats.disagreement import (
    best_increasing,
    disagreement,
    expected_disagreement,
    item_disagreement,
    pair_disagreement,
    standard_deviation,
)

VALUES = st.integers(0, 100).map(float)


def test_disagreement_by_hand() -> None:
    """Item 1: |0-10|, |0-40|, |10-40| = 80 / 3. Item 2: 5, 5, 0 = 10 / 3."""
    scores = [[0.0, 10.0, 40.0], [5.0, 0.0, 0.0]]
    assert item_disagreement(scores) == pytest.approx([80 / 3, 10 / 3])
    assert pair_disagreement(scores) == pytest.approx((7.5, 22.5, 15.0))
    found = disagreement(scores, resampling=Resampling(1, resamples=100))
    assert found.mean.value == pytest.approx(15.0)
    assert found.mean.n == 2
    assert found.sd_over_pairs == pytest.approx(7.5)


def test_disagreement_of_one_rater_or_no_item() -> None:
    with pytest.raises(StatisticsError, match="two raters"):
        item_disagreement([[1.0], [2.0]])
    with pytest.raises(StatisticsError, match="NaN"):
        item_disagreement([[1.0, math.nan]])
    empty = disagreement(np.empty((0, 3)), resampling=Resampling(1))
    assert (empty.mean.value, empty.pairs, empty.sd_over_pairs) == (None, (), None)


@given(st.lists(st.lists(VALUES, min_size=4, max_size=4), min_size=1, max_size=6))
def test_disagreement_is_the_mean_over_pairs(rows: list[list[float]]) -> None:
    each = [sum(abs(a - b) for a, b in itertools.combinations(row, 2)) / 6 for row in rows]
    assert item_disagreement(rows) == pytest.approx(each)
    assert sum(pair_disagreement(rows)) / 6 == pytest.approx(sum(each) / len(each))
    shifted = [[x + 3.0 for x in row[::-1]] for row in rows]
    assert item_disagreement(shifted) == pytest.approx(each)


def test_one_value_has_no_standard_deviation() -> None:
    assert standard_deviation([2.0]) is None


def test_expected_disagreement_of_six() -> None:
    """0.798 r sigma sqrt(2.4 (1 - r^2 / r_m^2)) with r 0.747, r_m 0.788, sigma 25.8."""
    r, panel, sigma = 0.747, 0.788, 25.8
    by_hand = 0.7978846 * r * sigma * math.sqrt(2.4 * (1 - (r / panel) ** 2))
    assert expected_disagreement(r, panel, sigma, 6) == pytest.approx(by_hand, rel=1e-6)
    assert expected_disagreement(0.8, 0.7, sigma, 6) is None
    assert expected_disagreement(-0.1, 0.7, sigma, 6) is None
    with pytest.raises(StatisticsError):
        expected_disagreement(0.5, 0.6, sigma, 1)


def test_expected_disagreement_meets_a_normal_world() -> None:
    """Scores that are regressions of a normal target on noisy views of it, 200,000 items."""
    rng = np.random.default_rng(0)
    target = rng.normal(0, 20, 200_000)
    views = target[:, None] + rng.normal(0, 15, (len(target), 4))
    share = 400 / (400 + 225)
    scores = share * views
    r = float(np.corrcoef(scores[:, 0], target)[0, 1])
    panel = float(np.corrcoef(scores.mean(axis=1), target)[0, 1])
    expected = expected_disagreement(r, panel, float(target.std()), 4)
    assert expected == pytest.approx(float(item_disagreement(scores).mean()), rel=0.02)


def test_best_increasing_by_hand() -> None:
    """Raw 1 has targets 4 and 6 (mean 5), raw 2 has 2: pooled (4 + 6 + 2) / 3; raw 3 has 9."""
    assert best_increasing([2.0, 1.0, 3.0, 1.0], [2.0, 4.0, 9.0, 6.0]) == pytest.approx(
        [4.0, 4.0, 9.0, 4.0]
    )
    assert len(best_increasing([], [])) == 0


@given(st.lists(st.tuples(st.integers(0, 8), VALUES), min_size=1, max_size=25))
def test_no_increasing_map_is_nearer(pairs: list[tuple[int, float]]) -> None:
    raw, target = np.array([p[0] for p in pairs], float), np.array([p[1] for p in pairs])
    fitted = best_increasing(raw, target)
    least = float(((fitted - target) ** 2).sum())
    order = np.argsort(raw, kind="stable")
    assert np.all(np.diff(fitted[order]) >= -1e-9)
    for other in (raw, 10 * raw, np.sqrt(raw) * 30, np.full(len(raw), target.mean()), fitted + 1):
        assert least <= float(((other - target) ** 2).sum()) + 1e-6
    # A projection on the cone: residuals are orthogonal to what was fitted.
    assert float((target - fitted) @ fitted) == pytest.approx(0.0, abs=1e-5)
