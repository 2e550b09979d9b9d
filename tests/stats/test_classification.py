"""Accuracy and F1: hand-worked counts, bounds that hold for all counts, undefined classes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from revkit.errors import StatisticsError
from revkit.figures import Resampling
from revkit.stats import (
    Confusion,
    accuracy,
    agresti_coull_interval,
    classification,
    confusion,
    f1,
    macro_f1,
    wilson_interval,
)

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
    result = classification([None], [True], resampling=Resampling(1))
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
    result = classification(actual.tolist(), predicted.tolist(), resampling=Resampling(1))
    # One verdict a paper: the same figure has the same interval everywhere.
    assert result.accuracy == accuracy(result.counts)
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

    # Four copies of each verdict on the same paper say no more than one: same figures.
    copies = classification(
        np.repeat(actual, 4).tolist(),
        np.repeat(predicted, 4).tolist(),
        np.repeat(np.arange(150), 4).tolist(),
        resampling=Resampling(1),
    )
    for one, other in ((copies.accuracy, result.accuracy), (copies.macro_f1, result.macro_f1)):
        assert (one.value, one.n) == (pytest.approx(other.value), other.n)
        assert one.interval.low == pytest.approx(other.interval.low)
        assert one.interval.high == pytest.approx(other.interval.high)
    assert copies.counts.total == 600
    assert sum(copies.per_paper) == pytest.approx(150)


def test_intervals_by_hand() -> None:
    # TP 8, FP 2, FN 1, TN 9, one verdict a paper; shares from statsmodels.
    actual = [True] * 9 + [False] * 11
    predicted = [True] * 8 + [False] * 10 + [True] * 2
    result = classification(actual, predicted, resampling=Resampling(1))
    assert result.counts == Confusion(8, 2, 1, 9)
    # F1 = 2 J / (1 + J) with J = 8 / 11.
    low, high = proportion_confint(8, 11, method="agresti_coull")
    assert result.accept_f1.interval.low == pytest.approx(2 * low / (1 + low))
    assert result.accept_f1.interval.high == pytest.approx(2 * high / (1 + high))
    # Balanced: accuracies 8/9 and 9/11 on different papers, distances added in squares.
    parts = [(8 / 9, *proportion_confint(8, 9, method="agresti_coull"))]
    parts.append((9 / 11, *proportion_confint(9, 11, method="agresti_coull")))
    value = sum(p for p, *_ in parts) / 2
    down = sum((p - low) ** 2 for p, low, _ in parts) ** 0.5 / 2
    up = sum((high - p) ** 2 for p, _, high in parts) ** 0.5 / 2
    assert result.balanced.value == pytest.approx(value)
    assert result.balanced.interval.low == pytest.approx(value - down)
    assert result.balanced.interval.high == pytest.approx(value + up)
    assert result.balanced.interval.method == "square-and-add: agresti-coull"


@pytest.mark.parametrize(("k", "n"), [(0, 5), (1, 6), (5, 6), (7, 7), (30, 61)])
def test_agresti_coull_is_that_of_statsmodels_and_contains_wilson(k: int, n: int) -> None:
    found, inner = agresti_coull_interval(k, n), wilson_interval(k, n)
    assert (found.low, found.high) == pytest.approx(
        proportion_confint(k, n, method="agresti_coull"), abs=1e-12
    )
    assert found.low is not None
    assert found.high is not None
    assert inner.low is not None
    assert inner.high is not None
    assert found.low <= inner.low + 1e-12
    assert inner.high <= found.high + 1e-12


def test_balanced_accuracy_covers_with_few_papers_of_one_class() -> None:
    """20 papers, 30 % accepted, judged rightly at 90 and 95 %: Wilson's bounds cover 91.5 %."""
    random = np.random.default_rng(2)
    hits, runs = 0, 600
    for _ in range(runs):
        actual = random.random(20) < 0.3
        right = random.random(20) < np.where(actual, 0.9, 0.95)
        bounds = classification(
            actual.tolist(), (actual == right).tolist(), resampling=Resampling(1)
        ).balanced.interval
        hits += bounds.low is not None and bounds.low <= 0.925 <= (bounds.high or 0.0)
    assert hits / runs >= 0.925  # 94 % expected


def test_no_error_is_no_certainty() -> None:
    truth = [True, False] * 20
    result = classification(truth, truth, resampling=Resampling(1))
    for estimate in (result.balanced, result.accept_f1, result.macro_f1):
        assert (estimate.value, estimate.interval.high) == (1.0, pytest.approx(1.0))
        assert estimate.interval.low is not None
        assert 0.8 < estimate.interval.low < 0.97
    one_class = classification([True] * 5, [True] * 4 + [False], resampling=Resampling(1))
    assert one_class.balanced.note == "the papers have one decision only"


def test_coverage_with_few_errors() -> None:
    # 40 papers, 95 % of the accepted and 90 % of the rejected judged rightly: some four errors.
    random = np.random.default_rng(11)
    tp, fn, fp, tn = 0.4 * 0.95, 0.4 * 0.05, 0.6 * 0.1, 0.6 * 0.9
    accept, reject = 2 * tp / (2 * tp + fp + fn), 2 * tn / (2 * tn + fp + fn)
    truths = {"balanced": 0.925, "accept_f1": accept, "macro_f1": (accept + reject) / 2}
    covered = dict.fromkeys(truths, 0)
    for _ in range(1_000):
        actual = random.random(40) < 0.4
        right = random.random(40) < np.where(actual, 0.95, 0.9)
        result = classification(
            actual.tolist(), (actual == right).tolist(), resampling=Resampling(1)
        )
        for name, truth in truths.items():
            interval = getattr(result, name).interval
            covered[name] += interval.low <= truth <= interval.high
    assert all(0.92 <= times / 1_000 <= 0.99 for times in covered.values())
