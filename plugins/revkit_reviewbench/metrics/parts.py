"""Sums of the complete reviews of one source by paper, and their means with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from revkit.dataclass import dataclass
from revkit.figures import POINTS, Figure, Sums, count_kinds, sums
from revkit.model.records import Records
from revkit.model.table import Cell, Chart, Column
from revkit_reviewbench.dimensions import BY_NAME, DIMENSIONS
from revkit_reviewbench.metrics.base import ReviewMetric
from revkit_reviewbench.metrics.review_scores import ReviewScores, Total, column_of

if TYPE_CHECKING:
    from revkit.stats import Estimate

OVERALL = "overall"
FIGURES: Mapping[str, Figure] = {
    **{
        d.name: Figure(column_of(d.name), d.short, POINTS, f"Mean score on {d.title}.")
        for d in DIMENSIONS
    },
    OVERALL: Figure(OVERALL, "Overall", POINTS, "Sum of the eight means; higher is better."),
}
UNCHANGED = "unchanged"
TEXT = Column(
    "perturbation", "Papers", "", "The perturbation of the reviewed papers; unchanged: none."
)
COUNTS = (
    Column("n", "n", "count", "Reviews with a score on all eight dimensions."),
    Column("papers", "Papers reviewed", "count", "Reviewed papers with at least one such review."),
    Column(
        "incomplete",
        "Incomplete",
        "count",
        "Reviews without a score on at least one dimension, which are left out.",
    ),
    Column("lost", "Lost", "", "Why dimensions lack a score, with the number of each kind."),
)
ALL_COMPLETE = (
    "All means of a row are over the reviews with a score on all eight dimensions; overall is "
    "their sum."
)
READING = (
    "Each row is one reviewer, scored by one evaluator; higher is better. Contradiction is from -2 "
    "to 0, the other dimensions from 0 to 2, and overall, their sum, from -2 to 14."
)


@dataclass(frozen=True)
class Part:
    """The scores of one evaluator for the reviews of one source: sums by paper of each dimension
    and of ``OVERALL``, over the reviews with a score on every dimension.
    """

    judge: str
    agent: str
    perturbation: str
    totals: Sequence[Total]
    sums: dict[str, Sums]

    @classmethod
    def of(
        cls,
        judge: str,
        source: tuple[str, str],
        totals: Iterable[Total],
        papers: Sequence[str],
    ) -> Part:
        """Sum the complete reviews among ``totals`` by paper, in the order of ``papers``."""
        every = list(totals)
        complete = [total for total in every if not total.missing]
        by_name = {
            name: sums(papers, ((total.review.paper, total.scores[name]) for total in complete))
            for name in BY_NAME
        }
        overall = sums(papers, ((total.review.paper, total.overall or 0.0) for total in complete))
        return cls(judge, *source, every, {**by_name, OVERALL: overall})

    def mean(self, name: str) -> float:
        """Return the mean of a dimension, or overall; there must be a complete review."""
        return sum(self.sums[name].totals) / self.sums[name].n

    def counts(self) -> dict[str, Cell]:
        """Return the cells of ``COUNTS``."""
        return {
            "n": self.sums[OVERALL].n,
            "papers": self.sums[OVERALL].papers,
            "incomplete": sum(bool(total.missing) for total in self.totals),
            "lost": count_kinds(kind for total in self.totals for kind in total.missing.values()),
        }


def means(
    metric: ReviewMetric, records: Records, parts: Sequence[Part]
) -> list[dict[str, Estimate]]:
    """Return the mean of every dimension and overall, for each part, from the same resampled
    papers.
    """
    names = [*BY_NAME, OVERALL]
    estimates = metric.means(records, [part.sums[name] for part in parts for name in names])
    size = len(names)
    return [
        dict(zip(names, estimates[i * size : (i + 1) * size], strict=True))
        for i in range(len(parts))
    ]


def score_cells(estimates: dict[str, Estimate]) -> dict[str, Cell]:
    """Return the cells of ``score_columns``; overall is the sum of the means in the row, so that
    both agree after rounding.
    """
    values = {name: FIGURES[name].cells(estimate) for name, estimate in estimates.items()}
    if estimates[OVERALL].value is not None:
        values[OVERALL][OVERALL] = sum(estimates[name].value or 0.0 for name in BY_NAME)
    return {key: cell for cells in values.values() for key, cell in cells.items()}


def bars(scored: ReviewScores, title: str, figure: str) -> list[Chart]:
    """Return bars of ``figure`` by agent for each evaluator, by perturbation if there are
    several.
    """
    return [
        Chart(
            "bars",
            f"{title}, judged by {judge}",
            "agent",
            figure,
            group="perturbation" if len(scored.perturbations) > 1 else "",
            low=f"{figure}_low",
            high=f"{figure}_high",
            where=(("judge", judge),),
        )
        for judge in scored.judges
    ]


def score_columns() -> tuple[Column, ...]:
    """Return the columns of the eight dimensions and overall, each with its interval."""
    return tuple(column for figure in FIGURES.values() for column in figure.columns)
