"""Sums over papers, the input of every estimate with papers as the unit."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from revkit.dataclass import dataclass

if TYPE_CHECKING:
    from revkit.stats.values import FloatArray


@dataclass(frozen=True)
class Sums:
    """The sum of a value and the number of its values, for each paper in a fixed order."""

    totals: tuple[float, ...]
    counts: tuple[int, ...]

    @property
    def total(self) -> float:
        """The sum over all papers, rounded once."""
        return math.fsum(self.totals)

    @property
    def n(self) -> int:
        """The number of values."""
        return sum(self.counts)

    @property
    def papers(self) -> int:
        """The number of papers with at least one value."""
        return sum(1 for count in self.counts if count)

    def __add__(self, other: Sums) -> Sums:
        return Sums(
            tuple(a + b for a, b in zip(self.totals, other.totals, strict=True)),
            tuple(a + b for a, b in zip(self.counts, other.counts, strict=True)),
        )

    def shared(self, other: Sums) -> tuple[Sums, Sums]:
        """Return both sums, restricted to the papers on which both have a value."""
        return self.on(other.counts), other.on(self.counts)

    def on(self, counts: Sequence[int]) -> Sums:
        """Return the sums restricted to the papers on which ``counts`` is above 0; the others have
        no value.
        """
        return Sums(
            tuple(total if n else 0.0 for total, n in zip(self.totals, counts, strict=True)),
            tuple(count if n else 0 for count, n in zip(self.counts, counts, strict=True)),
        )


def sums(papers: Iterable[str], values: Iterable[tuple[str, float | None]]) -> Sums:
    """Add ``values``, pairs of a paper's id and a number, over each of ``papers``, in their order.

    A value of None is left out. The order of the values has no influence: each sum is rounded once.
    Raises `KeyError` for a paper that is not among ``papers``.
    """
    by_paper: dict[str, list[float]] = {paper: [] for paper in papers}
    for paper, value in values:
        if value is not None:
            by_paper[paper].append(value)
    return Sums(
        tuple(math.fsum(found) for found in by_paper.values()),
        tuple(len(found) for found in by_paper.values()),
    )


def arrays(parts: Sequence[Sums], papers: int) -> tuple[FloatArray, FloatArray]:
    """Return totals and counts as arrays of shape (``papers``, parts), the input of
    `revkit.stats`.
    """
    import numpy as np

    shape = (len(parts), papers)
    return (
        np.array([part.totals for part in parts], dtype=np.float64).reshape(shape).T,
        np.array([part.counts for part in parts], dtype=np.float64).reshape(shape).T,
    )
