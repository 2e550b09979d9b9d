"""The metric `bench-vector`: one row for each dimension of each agent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from revkit.dataclass import dataclass
from revkit.figures import (
    CONFIDENCE,
    NOTE,
    POINTS,
    SHORT,
    UNIT,
    Figure,
    Sums,
    count_kinds,
    join_notes,
    note_of,
    short_of,
    sums,
)
from revkit.model.records import Judgement, Records
from revkit.model.table import Cell, Chart, Column, Table
from revkit_reviewbench.dimensions import BY_NAME
from revkit_reviewbench.metrics.base import AGENT, JUDGE, ReviewMetric
from revkit_reviewbench.metrics.parts import TEXT, UNCHANGED
from revkit_reviewbench.metrics.review_scores import NO_REVIEWS, ReviewScores, Source
from revkit_reviewbench.terms import TERMS

if TYPE_CHECKING:
    from revkit.stats import Estimate

MEAN = Figure("mean", "Mean", POINTS, "Mean score.")
_LEVELS = ("lowest", "middle", "highest")
_COLUMNS = (
    JUDGE,
    AGENT,
    TEXT,
    Column("dimension", "Dimension", "", "The dimension of ReviewBench."),
    Column("n", "n", "count", "Scores of the agent's reviews on this dimension."),
    Column("papers", "Papers", "count", "Reviewed papers with a score."),
    Column("failed", "Failed", "count", "Judgements that failed; they are not scores."),
    Column("lost", "Lost", "", "Kinds of failed judgements, with the number of each."),
    *MEAN.columns,
    Column("lowest", "Lowest", "count", "Scores of 0 (pitfall: -2)."),
    Column("middle", "Middle", "count", "Scores of 1 (pitfall: -1)."),
    Column("highest", "Highest", "count", "Scores of 2 (pitfall: 0)."),
    CONFIDENCE,
    UNIT,
    SHORT,
    NOTE,
)


@dataclass(frozen=True)
class BenchVector(ReviewMetric):
    """ReviewBench's score vector (Li et al., section 3.2.3) in long form, for diagnosis.

    One row for each evaluator, reviewing agent, perturbation and dimension, over all scores of the
    dimension, including those of incomplete reviews; so the means may differ from those of
    `bench-scores`, and their sum is not an overall score.
    """

    name: ClassVar[str] = "bench-vector"
    version: ClassVar[str] = "7"
    table_columns: ClassVar[tuple[Column, ...]] = _COLUMNS

    def measure(self, records: Records) -> Table:
        """Return the table; without reviews it is empty, with a note."""
        scored = ReviewScores(records)
        places = [
            (judge, source, dimension)
            for judge in scored.judges
            for source in scored.sources
            for dimension in scored.dimensions
        ]
        judged = [scored.judgements(*place) for place in places]
        columns = [
            sums(scored.papers, ((paper, e.score) for paper, e in found if e.score is not None))
            for found in judged
        ]
        estimates = self.means(records, columns)
        rows = [
            self._row(*place, [each for _, each in found], values, estimate)
            for place, found, values, estimate in zip(
                places, judged, columns, estimates, strict=True
            )
        ]
        notes = [] if scored.reviews else [NO_REVIEWS]
        why = "the unit is the reviewed paper, because its reviews are not independent"
        return Table.of(
            self.name,
            "ReviewBench: each dimension on all its scores",
            _COLUMNS,
            rows,
            [*notes, self.interval_note(records, why)],
            charts=_charts(scored) if rows else (),
            warnings=self.imprecise(
                len(scored.papers),
                rows,
                lambda row: f"{row['agent']}, {row['dimension']}, judged by {row['judge']}",
                "reviewed paper",
            ),
            method=[self.interval_note(records, why)],
            reading="Each row is one dimension of one reviewer, over all its scores. Higher is "
            "better.",
            terms=TERMS,
        )

    def _row(
        self,
        judge: str,
        source: Source,
        dimension: str,
        found: Sequence[Judgement],
        values: Sums,
        estimate: Estimate,
    ) -> dict[str, Cell]:
        return {
            "judge": judge,
            "agent": source[0],
            "perturbation": source[1] or UNCHANGED,
            "dimension": dimension,
            "n": values.n,
            "papers": values.papers,
            "failed": sum(bool(each.failure) for each in found),
            "lost": count_kinds(each.failure for each in found if each.failure),
            **MEAN.cells(estimate),
            **_levels(dimension, found),
            "confidence": self.confidence,
            "unit": "paper",
            "short": short_of({"mean": estimate}),
            "note": join_notes(note_of(estimate)),
        }


def _levels(dimension: str, found: Sequence[Judgement]) -> dict[str, Cell]:
    """Return how often each of the three levels was given."""
    counts = Counter(each.score for each in found)
    levels = [float(score) for score, _ in BY_NAME[dimension].levels]
    return {name: counts[level] for name, level in zip(_LEVELS, levels, strict=True)}


def _charts(scored: ReviewScores) -> list[Chart]:
    several = len(scored.perturbations) > 1
    return [
        Chart(
            "heat-map",
            f"Mean score by reviewer and dimension, judged by {judge}"
            + (f" ({kind or UNCHANGED})" if several else ""),
            "dimension",
            "agent",
            value="mean",
            where=(("judge", judge), ("perturbation", kind or UNCHANGED)),
        )
        for judge in scored.judges
        for kind in scored.perturbations
    ]
