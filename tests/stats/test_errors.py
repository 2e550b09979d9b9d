"""Means of errors: the studentised interval against a plain loop, its coverage, and its notes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from revkit.errors import StatisticsError
from revkit.model.resampling import Resampling
from revkit.stats import mean_error
from revkit.stats.bootstrap import resample_weights

ONCE = Resampling(seed=3, resamples=400, confidence=0.9)


def test_bounds_are_those_of_a_plain_loop() -> None:
    sums, counts = np.array([4.0, 9.0, 1.0, 12.0, 0.5, 7.0]), np.array([2, 3, 1, 2, 1, 2])
    order = np.lexsort(np.column_stack([sums, counts]).T)
    s, n = sums[order], counts[order]

    def ratio_and_error(s: np.ndarray, n: np.ndarray) -> tuple[float, float]:
        ratio = s.sum() / n.sum()
        return ratio, np.sqrt(6 / 5 * ((s - n * ratio) ** 2).sum()) / n.sum()

    ratio, error = ratio_and_error(s, n)
    studentised = []
    for weights in np.concatenate(list(resample_weights(6, ONCE))).astype(int):
        again, its_error = ratio_and_error(np.repeat(s, weights), np.repeat(n, weights))
        studentised.append((again - ratio) / its_error if its_error > 1e-9 else -np.inf)
    studentised.sort()
    found = mean_error(sums, counts, power=2, resampling=ONCE)
    assert found.value == pytest.approx(33.5 / 11)
    assert found.interval.low == pytest.approx(max(0.0, ratio - studentised[380] * error))
    assert found.interval.high == pytest.approx(ratio - studentised[19] * error)
    assert found.n == 11


@pytest.mark.parametrize(("papers", "power"), [(20, 2), (40, 2), (120, 2), (20, 1), (60, 1)])
def test_coverage_with_normal_errors(papers: int, power: int) -> None:
    rng = np.random.default_rng(papers + power)
    truth = 1.0 if power == 2 else np.sqrt(2 / np.pi)
    hits, runs = 0, 700
    for _ in range(runs):
        errors = np.abs(rng.standard_normal(papers)) ** power
        bounds = mean_error(
            errors,
            np.ones(papers),
            power=power,  # type: ignore[arg-type]
            resampling=Resampling(seed=0, resamples=1000),
        ).interval
        assert bounds.low is not None
        assert bounds.high is not None
        hits += bounds.low <= truth <= bounds.high
    # 94 to 95 % expected; three standard errors are 2.5 points.
    assert hits / runs >= 0.925


@pytest.mark.parametrize("papers", [30, 150])
def test_gross_errors_are_always_noted_where_the_interval_is_short(papers: int) -> None:
    """One paper in 20 with errors four times as large: a mean square of 1.75."""
    rng = np.random.default_rng(papers)
    hits = noted = 0
    runs = 300
    for _ in range(runs):
        errors = rng.standard_normal(papers) * np.where(rng.random(papers) < 0.05, 4.0, 1.0)
        bounds = mean_error(
            errors**2, np.ones(papers), power=2, resampling=Resampling(seed=0, resamples=500)
        ).interval
        assert bounds.low is not None
        assert bounds.high is not None
        hits += bounds.low <= 1.75 <= bounds.high
        noted += "covers" in bounds.note
    # The note states 78 % at 30 papers and 90 % at 150.
    stated = {30: 0.78, 150: 0.90}[papers]
    assert hits / runs == pytest.approx(stated, abs=0.07)
    assert noted / runs >= {30: 1.0, 150: 0.6}[papers]


def test_the_note_states_what_is_covered() -> None:
    few = mean_error(np.arange(1.0, 41.0), np.ones(40), power=2, resampling=ONCE)
    assert few.interval.note == (
        "40 papers, 30 effective: a 95 % interval covers 78 % if one paper in 20 has errors four "
        "times as large"
    )
    many = mean_error(np.arange(1.0, 201.0), np.ones(200), power=2, resampling=ONCE)
    assert many.interval.note == ""
    one = mean_error([1.0] * 150 + [500.0], [1] * 151, power=2, resampling=ONCE)
    assert "2 effective" in one.interval.note
    assert "covers 90 %" in one.interval.note
    assert mean_error(np.arange(1.0, 41.0), np.ones(40), power=1, resampling=ONCE).note == ""
    # 2 of 40 papers with errors 8 times as large: (54)^2 / (38 + 2 * 64) = 17.6 effective.
    gross = mean_error([1.0] * 38 + [8.0] * 2, [1] * 40, power=1, resampling=ONCE)
    assert "40 papers, 18 effective: a 95 % interval covers 91 %" in gross.interval.note
    # 5 of 80 with errors 6 times as large: (105)^2 / (75 + 180) = 43.2, 54 % of 80.
    gross = mean_error([1.0] * 75 + [6.0] * 5, [1] * 80, power=1, resampling=ONCE)
    assert "80 papers, 43 effective" in gross.interval.note
    tiny = mean_error([1.0, 2.0, 3.0], [1, 1, 1], power=1, resampling=ONCE)
    assert "3 papers" in tiny.interval.note


def test_degenerate() -> None:
    assert mean_error([], [], power=2, resampling=ONCE).value is None
    assert mean_error([4.0], [2], power=2, resampling=ONCE).interval.note == "fewer than two papers"
    same = mean_error([2.0, 4.0], [1, 2], power=2, resampling=ONCE)
    assert (same.value, same.interval.low) == (2.0, None)
    assert same.interval.note == "no variation between papers"
    two = mean_error([0.0] * 11 + [9.0], [1] * 12, power=2, resampling=ONCE, most=81.0)
    assert two.interval.high == 81.0
    assert two.interval.low is not None
    assert two.interval.low >= 0.0
    without = mean_error([0.0] * 11 + [9.0], [1] * 12, power=2, resampling=ONCE)
    assert without.interval.high is None
    assert without.interval.note.endswith("; too few papers differ for an upper bound")
    with pytest.raises(StatisticsError, match="not be negative"):
        mean_error([-1.0, 2.0], [1, 1], power=2, resampling=ONCE)
    with pytest.raises(StatisticsError, match="larger than 4"):
        mean_error([1.0, 9.0], [1, 2], power=2, resampling=ONCE, most=4.0)


@given(
    st.lists(st.tuples(st.floats(0, 1e4), st.integers(1, 3)), min_size=2, max_size=12), st.randoms()
)
def test_the_order_of_papers_changes_nothing(rows: list[tuple[float, int]], random: object) -> None:
    mixed = list(rows)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    found = [
        mean_error(*zip(*each, strict=True), power=2, resampling=ONCE)  # type: ignore[misc]
        for each in (rows, mixed)
    ]
    assert found[0] == found[1]
    low, high = found[0].interval.low, found[0].interval.high
    assert low is None or high is None or 0 <= low <= high
