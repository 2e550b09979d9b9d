"""Correlations against SciPy, with ties, constants, and resampled papers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as reference

from revkit.errors import StatisticsError
from revkit.figures import Resampling
from revkit.stats import (
    average_ranks,
    cluster_bootstrap_correlation,
    kendall_tau_b,
    pearson,
    spearman,
)

FUNCTIONS = {"pearson": pearson, "spearman": spearman, "kendall": kendall_tau_b}
SCIPY = {
    "pearson": reference.pearsonr,
    "spearman": reference.spearmanr,
    "kendall": reference.kendalltau,
}
scores = st.lists(st.tuples(st.integers(1, 10), st.integers(-3, 3)), min_size=2, max_size=40)


@settings(deadline=None, max_examples=60)
@given(scores)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_agrees_with_scipy(name: str, pairs: list[tuple[int, int]]) -> None:
    x, y = ([float(v) for v in column] for column in zip(*pairs, strict=True))
    result = FUNCTIONS[name](x, y)
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert result.value is None
        assert "constant" in result.note
        return
    assert result.value is not None
    assert -1 <= result.value <= 1
    assert result.value == pytest.approx(float(SCIPY[name](x, y).statistic), abs=1e-12)
    assert FUNCTIONS[name](y, x).value == pytest.approx(result.value, abs=1e-12)
    assert FUNCTIONS[name](x, [-v for v in y]).value == pytest.approx(-result.value, abs=1e-12)
    assert FUNCTIONS[name](x[::-1], y[::-1]).value == pytest.approx(result.value, abs=1e-12)


def test_fisher_interval_agrees_with_scipy() -> None:
    random = np.random.default_rng(1)
    x = random.normal(size=40)
    y = x + random.normal(size=40)
    expected = reference.pearsonr(x, y).confidence_interval(0.9)
    interval = pearson(x, y, 0.9).interval
    assert (interval.low, interval.high) == pytest.approx((expected.low, expected.high))


def test_spearman_interval_by_hand() -> None:
    # Swapping neighbours 1,2 and 3,4 in 1..7: sum d^2 = 4, r = 1 - 24 / 336 = 13/14.
    result = spearman([1, 2, 3, 4, 5, 6, 7], [2, 1, 4, 3, 5, 6, 7])
    assert result.value == pytest.approx(13 / 14)
    half = 1.959964 * np.sqrt((1 + (13 / 14) ** 2 / 2) / 4)
    centre = np.arctanh(13 / 14)
    assert result.interval.low == pytest.approx(np.tanh(centre - half), abs=1e-6)
    assert result.interval.high == pytest.approx(np.tanh(centre + half), abs=1e-6)


def test_average_ranks() -> None:
    assert average_ranks([30, 10, 30, 20]).tolist() == [3.5, 1, 3.5, 2]
    assert average_ranks([]).tolist() == []


@pytest.mark.parametrize("function", FUNCTIONS.values())
def test_undefined(function) -> None:  # type: ignore[no-untyped-def]
    for x, y, reason in (
        ([], [], "fewer than two items"),
        ([1], [2], "fewer than two items"),
        ([5, 5, 5], [1, 2, 3], "the first input is constant"),
        ([1, 2, 3], [0.1, 0.1, 0.1], "the second input is constant"),
        ([0.1 + 0.2, 0.3, 0.3], [1, 2, 3], "the first input varies by rounding only"),
    ):
        result = function(x, y)
        assert (result.value, result.note) == (None, reason)
        assert (result.interval.low, result.interval.high) == (None, None)


def test_no_interval_at_the_ends_or_for_few() -> None:
    perfect = pearson([1, 2, 3, 4, 5], [2, 4, 6, 8, 10])
    assert perfect.value == pytest.approx(1)
    assert pearson([1, 2, 4], [2, 1, 5]).interval.note == "needs more than three papers"
    assert spearman([1, 2, 3, 4, 5], [1, 4, 9, 16, 25]).interval.low is None


def test_extreme_sizes_do_not_overflow() -> None:
    assert pearson([1e200, 2e200, 4e200], [1e-200, 2e-200, 4e-200]).value == pytest.approx(1)


@pytest.mark.parametrize("function", FUNCTIONS.values())
@pytest.mark.parametrize(("x", "y"), [([1, 2], [1]), ([1, np.nan], [1, 2]), ([[1, 2]], [[1, 2]])])
def test_refused(function, x, y) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(StatisticsError):
        function(x, y)


def clustered_scores() -> tuple[list[float], list[float], list[int]]:
    random = np.random.default_rng(2)
    paper = np.repeat(np.arange(40), 4)
    quality = random.normal(size=40)[paper]
    x = np.round(5 + 2 * quality + random.normal(size=160))
    y = np.round(5 + quality + random.normal(size=160))
    return x.tolist(), y.tolist(), paper.tolist()


@pytest.mark.parametrize("kind", ["pearson", "spearman"])
def test_resampled_papers_agree_with_a_plain_loop(kind) -> None:  # type: ignore[no-untyped-def]
    x, y, papers = clustered_scores()
    result = cluster_bootstrap_correlation(
        x, y, papers, kind=kind, resampling=Resampling(1, resamples=4_000)
    )
    assert result.value == pytest.approx(SCIPY[kind](x, y).statistic)
    random = np.random.default_rng(9)
    columns = np.array([x, y]).reshape(2, 40, 4)
    loop = []
    for _ in range(1_500):
        a, b = columns[:, random.integers(0, 40, 40)].reshape(2, -1)
        if kind == "spearman":
            a, b = reference.rankdata(a), reference.rankdata(b)
        loop.append(np.corrcoef(a, b)[0, 1])
    low, high = np.quantile(loop, [0.025, 0.975])
    assert result.interval.low == pytest.approx(low, abs=0.1 * (high - low))
    assert result.interval.high == pytest.approx(high, abs=0.1 * (high - low))
    # Sixteen observations on four times fewer papers say less than the naive interval claims.
    naive = FUNCTIONS[kind](x, y).interval
    assert naive.low is not None
    assert result.interval.low is not None
    assert result.interval.low < naive.low


@pytest.mark.parametrize("kind", ["pearson", "spearman"])
def test_order_of_items_does_not_matter(kind) -> None:  # type: ignore[no-untyped-def]
    x, y, papers = clustered_scores()
    order = np.random.default_rng(3).permutation(len(x))
    one = cluster_bootstrap_correlation(
        x, y, papers, kind=kind, resampling=Resampling(1, resamples=500)
    )
    other = cluster_bootstrap_correlation(
        [x[i] for i in order],
        [y[i] for i in order],
        [str(papers[i]) for i in order],
        kind=kind,
        resampling=Resampling(1, resamples=500),
    )
    assert one.interval.low == pytest.approx(other.interval.low, abs=1e-9)
    assert one.interval.high == pytest.approx(other.interval.high, abs=1e-9)


@pytest.mark.parametrize("kind", ["pearson", "spearman"])
def test_resampled_degenerate(kind) -> None:  # type: ignore[no-untyped-def]
    constant = cluster_bootstrap_correlation(
        [5, 5, 5], [1, 2, 3], kind=kind, resampling=Resampling(1)
    )
    assert (constant.value, constant.note) == (None, "the first input is constant")
    one_paper = cluster_bootstrap_correlation(
        [1, 2, 3], [1, 3, 2], ["p"] * 3, kind=kind, resampling=Resampling(1)
    )
    assert one_paper.value == pytest.approx(0.5)
    assert one_paper.interval.note == "fewer than two papers"
    # Most resamples of a nearly constant score are constant: no interval, and why.
    rare = cluster_bootstrap_correlation(
        [1] * 19 + [2], range(20), kind=kind, resampling=Resampling(1)
    )
    assert rare.value is not None
    assert rare.interval.low is None
    assert "undefined in" in rare.interval.note


def test_unknown_kind_refused() -> None:
    with pytest.raises(StatisticsError):
        cluster_bootstrap_correlation([1, 2], [1, 2], kind="tau", resampling=Resampling(1))  # type: ignore[arg-type]
