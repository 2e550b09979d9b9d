"""Kappa against statsmodels; the noise floor against hand-worked papers and simulation."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa

from revkit.errors import StatisticsError
from revkit.figures import Resampling
from revkit.stats import cohen_kappa, noise_floor


def vectors(both: int, first: int, second: int, neither: int) -> tuple[list[bool], list[bool]]:
    pairs = (
        [(True, True)] * both
        + [(True, False)] * first
        + [(False, True)] * second
        + [(False, False)] * neither
    )
    return [a for a, _ in pairs], [b for _, b in pairs]


def test_kappa_by_hand() -> None:
    # 20, 5, 10, 15: po = 35/50 = .7, pe = .5 * .6 + .5 * .4 = .5, kappa = .4.
    result = cohen_kappa(*vectors(20, 5, 10, 15))
    assert result.observed.value == 0.7
    assert result.expected == pytest.approx(0.5)
    assert result.kappa.value == pytest.approx(0.4)


@settings(deadline=None, max_examples=80)
@given(*[st.integers(0, 25)] * 4)
def test_kappa_agrees_with_statsmodels(a: int, b: int, c: int, d: int) -> None:
    result = cohen_kappa(*vectors(a, b, c, d))
    value = result.kappa.value
    one_verdict_throughout = b == c == 0 and (a == 0 or d == 0)
    assert (value is None) == one_verdict_throughout
    if value is None:
        return
    with np.errstate(all="ignore"):  # they divide by 0 for a constant reviewer's test statistic
        theirs = cohens_kappa([[a, b], [c, d]])
    assert -1 <= value <= 1
    assert value == pytest.approx(theirs.kappa, abs=1e-12)
    assert cohen_kappa(*vectors(d, c, b, a)).kappa.value == pytest.approx(value, abs=1e-12)
    interval = result.kappa.interval
    if interval.low is None or interval.high is None:
        assert interval.note == "the standard error is 0"
        assert theirs.var_kappa == pytest.approx(0, abs=1e-12)
    else:
        assert interval.low == pytest.approx(max(-1, theirs.kappa_low), abs=1e-9)
        assert interval.high == pytest.approx(min(1, theirs.kappa_upp), abs=1e-9)


def test_kappa_of_constant_reviewers() -> None:
    both = cohen_kappa([True] * 8, [True] * 8)
    assert both.kappa.value is None
    assert both.kappa.note == "both give one and the same verdict throughout"
    assert (both.observed.value, both.expected) == (1, 1)
    one = cohen_kappa([True] * 8, [True] * 5 + [False] * 3)
    assert one.kappa.value == 0
    opposite = cohen_kappa([True] * 8, [False] * 8)
    assert (opposite.kappa.value, opposite.observed.value) == (0, 0)
    perfect = cohen_kappa([True, False], [True, False])
    assert (perfect.kappa.value, perfect.kappa.interval.low) == (1, None)


def test_kappa_of_nothing_and_of_failures() -> None:
    assert cohen_kappa([], []).kappa.note == "no paper"
    result = cohen_kappa([True, None, False], [True, True, None])
    assert result.left_out == 2
    with pytest.raises(StatisticsError):
        cohen_kappa([True], [True, False])


def test_noise_floor_by_hand() -> None:
    # T T F: 2 * 2 * 1 / (3 * 2) = 2/3.  T T: 0.  T F F F: 2 * 1 * 3 / 12 = 1/2.  Mean 7/18.
    result = noise_floor(
        [[True, True, False], [True, None, True], [True, False, False, False], [True, None], []],
        resampling=Resampling(1),
    )
    assert result.rate.value == pytest.approx(7 / 18)
    assert (result.papers, result.left_out, result.failed) == (3, 2, 2)
    assert result.rate.interval.unit == "paper"
    assert result.rate.interval.n == 3


def test_noise_floor_is_unbiased() -> None:
    # A repeat accepts with q = .3, so two disagree with 2 * .3 * .7 = .42.
    repeats = np.random.default_rng(1).random((4_000, 3)) < 0.3
    result = noise_floor(repeats.tolist(), resampling=Resampling(1, resamples=1_000))
    assert result.rate.value == pytest.approx(0.42, abs=0.02)
    assert result.rate.interval.low is not None
    assert result.rate.interval.high is not None
    assert result.rate.interval.low < 0.42 < result.rate.interval.high


def test_noise_floor_of_a_steady_agent_has_an_upper_bound() -> None:
    result = noise_floor([[True] * 5] * 30 + [[False] * 5] * 30, resampling=Resampling(1))
    assert result.rate.value == 0
    # 1 - .025^(1/60) = .0596
    assert result.rate.interval.high == pytest.approx(0.0596, abs=1e-4)


@pytest.mark.parametrize("verdicts", [[], [[True]], [[True], [False]], [[True, None]], [[]]])
def test_noise_floor_needs_two_repeats(verdicts: list[list[bool | None]]) -> None:
    result = noise_floor(verdicts, resampling=Resampling(1))
    assert (result.rate.value, result.papers) == (None, 0)
    assert result.rate.note == "no paper with two valid repeats"
    assert result.left_out == len(verdicts)


def test_noise_floor_refuses_what_is_no_verdict() -> None:
    with pytest.raises(StatisticsError):
        noise_floor([[True, float("nan")]], resampling=Resampling(1))  # type: ignore[list-item]
