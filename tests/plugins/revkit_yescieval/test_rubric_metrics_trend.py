"""Page's test against SciPy, and against all orders counted one by one where scores tie."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from revkit_yescieval.metrics.trend import page_test


def untied(blocks: int, width: int, seed: int) -> list[list[float]]:
    rng = random.Random(seed)
    return [[rng.random() + 0.2 * j for j in range(width)] for _ in range(blocks)]


@pytest.mark.parametrize(("blocks", "width"), [(2, 3), (5, 3), (12, 3), (4, 4)])
def test_without_ties_it_is_scipy_s_exact_test(blocks: int, width: int) -> None:
    from scipy.stats import page_trend_test

    data = untied(blocks, width, blocks)
    expected = page_trend_test(data, method="exact")
    found = page_test(data)
    assert found.statistic == expected.statistic
    assert found.p_value == pytest.approx(expected.pvalue, abs=1e-12)
    assert (found.n, found.informative, found.method) == (blocks, blocks, "page, exact")


def test_many_blocks_are_scipy_s_asymptotic_test() -> None:
    from scipy.stats import page_trend_test

    rng = random.Random(7)
    data = [[rng.random() + 0.02 * j for j in range(3)] for _ in range(501)]
    expected = page_trend_test(data, method="asymptotic")
    found = page_test(data)
    assert found.method == "page, normal"
    assert found.statistic == expected.statistic
    assert found.p_value == pytest.approx(expected.pvalue, rel=1e-9)


def test_a_published_example() -> None:
    """SciPy's documentation: ten students rate three forms of teaching, L = 133.5."""
    rated = [
        (3, 4, 3), (2, 2, 4), (3, 3, 5), (1, 3, 2), (2, 3, 2),
        (2, 4, 5), (1, 2, 4), (3, 4, 4), (2, 4, 5), (1, 3, 4),
    ]  # fmt: skip
    assert page_test(rated).statistic == 133.5


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(*[st.integers(1, 3)] * 3),
        min_size=1,
        max_size=4,
    )
)
def test_with_ties_all_orders_of_each_block_are_counted(blocks: list[tuple[int, ...]]) -> None:
    from scipy.stats import rankdata

    ranks = [list(rankdata(block)) for block in blocks]

    def statistic(rows: object) -> float:
        return sum(j * rank for row in rows for j, rank in enumerate(row, 1))  # type: ignore[attr-defined]

    reached = statistic(ranks)
    orders = list(itertools.product(*(itertools.permutations(row) for row in ranks)))
    as_high = sum(statistic(order) >= reached - 1e-9 for order in orders)
    found = page_test(blocks)
    assert found.statistic == pytest.approx(reached)
    assert found.p_value == pytest.approx(as_high / len(orders))


def test_nothing_to_test() -> None:
    empty = page_test([])
    assert (empty.statistic, empty.p_value, empty.n) == (None, None, 0)
    assert empty.note == "no paper with a score at every level"
    flat = page_test([(4, 4, 4), (5, 5, 5)])
    assert (flat.p_value, flat.n, flat.informative) == (1.0, 2, 0)
    assert flat.note == "no paper whose score differs between levels"
