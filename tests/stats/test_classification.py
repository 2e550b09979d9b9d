"""Accuracy and F1: hand-worked counts, bounds that hold for all counts, undefined classes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from revkit.errors import StatisticsError
from revkit.stats import Confusion, accuracy, classification, confusion, f1, macro_f1

cell = st.integers(0, 30)


def test_by_hand() -> None:
    # TP 3, FP 1, FN 2, TN 4: accuracy 7/10; accept F1 6/(6+3) = 2/3; reject F1 8/(8+3) = 8/11.
    actual = [True] * 5 + [False] * 5
    predicted = [True, True, True, False, False, True, False, False, False, False]
    counts = confusion(actual, predicted)
    assert counts == Confusion(3, 1, 2, 4)
    assert accuracy(counts).value == 0.7
    assert f1(counts).value == pytest.approx(2 / 3)
    assert f1(counts, positive=False).value == pytest.approx(8 / 11)
    assert macro_f1(counts).value == pytest.approx((2 / 3 + 8 / 11) / 2)


def test_failures_are_left_out_and_counted() -> None:
    counts = confusion([True, None, False, True], [True, True, None, False])
    assert counts == Confusion(1, 0, 1, 0, left_out=2)
    assert counts.total == 2


def test_class_that_never_occurs_has_no_f1() -> None:
    rejecting = Confusion(0, 0, 0, 9)
    assert f1(rejecting).value is None
    assert f1(rejecting).note == "the class neither occurs nor is predicted"
    assert f1(rejecting, positive=False).value == 1
    assert macro_f1(rejecting).value is None
    # Predicted but never right is a defined 0.
    assert f1(Confusion(0, 3, 0, 6)).value == 0
    assert f1(Confusion(0, 0, 3, 6)).value == 0


def test_nothing_to_classify() -> None:
    counts = confusion([], [])
    assert (accuracy(counts).value, f1(counts).value, macro_f1(counts).value) == (None,) * 3
    result = classification([None], [True], seed=1)
    assert result.accuracy.value is None
    assert result.counts.left_out == 1


@pytest.mark.parametrize(
    ("actual", "predicted"),
    [([True], []), ([2], [True]), ([float("nan")], [True]), (["x"], [True])],
)
def test_refused(actual, predicted) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(StatisticsError):
        confusion(actual, predicted)


def test_negative_counts_refused() -> None:
    with pytest.raises(StatisticsError):
        Confusion(1, -1, 0, 0)


@settings(deadline=None)
@given(cell, cell, cell, cell)
def test_bounds_between_the_figures(tp: int, fp: int, fn: int, tn: int) -> None:
    counts = Confusion(tp, fp, fn, tn)
    share, binary, macro = accuracy(counts).value, f1(counts).value, macro_f1(counts).value
    if share is not None and binary is not None:
        assert 0 <= binary <= 2 * share / (1 + share) + 1e-12
    if share is not None and macro is not None:
        assert 0 <= macro <= share + 1e-12
    # Swapping the labels swaps the two F1; swapping truth and verdict changes neither.
    swapped = Confusion(tn, fn, fp, tp)
    assert f1(swapped, positive=False).value == binary
    assert accuracy(swapped).value == share
    assert f1(Confusion(tp, fn, fp, tn)).value == binary


def test_intervals_over_papers() -> None:
    random = np.random.default_rng(3)
    actual = random.random(150) < 0.4
    predicted = actual ^ (random.random(150) < 0.14)
    result = classification(actual.tolist(), predicted.tolist(), seed=1)
    # One verdict a paper: the bootstrap is close to Wilson's interval of the same counts.
    wilson = accuracy(result.counts)
    assert result.accuracy.value == wilson.value
    assert result.accuracy.interval.low == pytest.approx(wilson.interval.low, abs=0.02)
    assert result.accuracy.interval.high == pytest.approx(wilson.interval.high, abs=0.02)
    for estimate, value in (
        (result.accept_f1, f1(result.counts).value),
        (result.reject_f1, f1(result.counts, positive=False).value),
        (result.macro_f1, macro_f1(result.counts).value),
    ):
        assert value is not None
        assert estimate.value == pytest.approx(value)
        assert estimate.interval.low is not None
        assert estimate.interval.high is not None
        assert estimate.interval.low < value < estimate.interval.high

    # Four copies of each verdict on the same paper tell no more than one.
    copies = classification(
        np.repeat(actual, 4).tolist(),
        np.repeat(predicted, 4).tolist(),
        np.repeat(np.arange(150), 4).tolist(),
        seed=1,
    )
    assert copies.accuracy.interval.low == result.accuracy.interval.low
    assert copies.accuracy.interval.n == 150
    assert copies.accuracy.n == 600
