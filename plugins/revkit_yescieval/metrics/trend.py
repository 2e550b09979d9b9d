"""Page's test: whether scores increase over ordered levels within papers."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from revkit.dataclass import dataclass

_MOST_EXACT = 500


@dataclass(frozen=True)
class PageTest:
    """``statistic`` is Page's L, ``p_value`` the probability of an L as high or higher without a
    trend.

    ``n`` counts the blocks (papers), ``informative`` those whose scores are not all equal. Both
    values are None if there is no block.
    """

    statistic: float | None
    p_value: float | None
    n: int
    informative: int
    method: str
    note: str = ""


def page_test(blocks: Sequence[Sequence[float]]) -> PageTest:
    """Test whether scores increase from the first to the last column, by ranks within each block.

    L = sum over columns j of j times the sum of ranks in column j (Page 1963, Journal of the
    American Statistical Association 58, 216-230). Scores on five levels are often tied, so equal
    scores share their mean rank, and the null distribution permutes the ranks of each block
    independently: exactly up to 500 blocks, and beyond by a normal distribution with the variance
    of these permutations. Without ties this is Page's exact distribution. Each block has one score
    for each column. Raises `ValueError` for blocks of unequal lengths.
    """
    widths = {len(block) for block in blocks}
    if not blocks or widths == {0}:
        return PageTest(None, None, 0, 0, "page, exact", "no paper with a score at every level")
    if len(widths) > 1:
        raise ValueError("all blocks must have one score for each level")
    ranks = [_double_ranks(block) for block in blocks]
    statistic = sum(j * rank for row in ranks for j, rank in enumerate(row, 1))
    informative = [row for row in ranks if len(set(row)) > 1]
    if not informative:
        note = "no paper whose score differs between levels"
        return PageTest(statistic / 2, 1.0, len(blocks), 0, "page, exact", note)
    fixed = statistic - sum(j * rank for row in informative for j, rank in enumerate(row, 1))
    exact = len(informative) <= _MOST_EXACT
    tail = _exact_tail if exact else _normal_tail
    p_value = tail(informative, statistic - fixed)
    method = "page, exact" if exact else "page, normal"
    return PageTest(statistic / 2, p_value, len(blocks), len(informative), method)


def _double_ranks(block: Sequence[float]) -> tuple[int, ...]:
    """Return twice the mean rank of each score, a whole number."""
    return tuple(
        sum(other < score for other in block) + sum(other <= score for other in block) + 1
        for score in block
    )


def _exact_tail(rows: Sequence[tuple[int, ...]], reached: int) -> float:
    """Return P(sum over rows >= ``reached``) if all orders of each row's ranks are equally
    likely.
    """
    import numpy as np

    total = np.ones(1)
    lowest = 0
    for row in rows:
        low, chances = _orders(tuple(sorted(row)))
        total = np.convolve(total, chances)
        lowest += low
    return float(min(1.0, math.fsum(total[max(0, reached - lowest) :])))


def _orders(row: tuple[int, ...]) -> tuple[int, list[float]]:
    """Return the lowest sum of j * rank over all orders of ``row``, and the probability of each
    value from there on.
    """
    values = [
        sum(j * rank for j, rank in enumerate(order, 1)) for order in itertools.permutations(row)
    ]
    low = min(values)
    chances = [0.0] * (max(values) - low + 1)
    for value in values:
        chances[value - low] += 1 / len(values)
    return low, chances


def _normal_tail(rows: Sequence[tuple[int, ...]], reached: int) -> float:
    width = len(rows[0])
    spread = width * (width * width - 1) / 12
    mean = sum((width + 1) / 2 * sum(row) for row in rows)
    variance = math.fsum(
        spread * math.fsum((rank - sum(row) / width) ** 2 for rank in row) / (width - 1)
        for row in rows
    )
    return 0.5 * math.erfc((reached - mean) / math.sqrt(2 * variance))
