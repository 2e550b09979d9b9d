"""The metric `bench-vector`: every dimension of every agent, one row each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from revkit.model.records import Judgement, Records
from revkit.model.table import Cell, Chart, Column, Table
from revkit_reviewbench.dimensions import BY_NAME
from revkit_reviewbench.metrics.intervals import (
    AGENT,
    CONFIDENCE,
    JUDGE,
    NOTE,
    POINTS,
    UNIT,
    Resampled,
    cells,
    joined,
    note_of,
    with_bounds,
)
from revkit_reviewbench.metrics.scored import NO_REVIEWS, Scored, counted, sums

_LEVELS = ("lowest", "middle", "highest")
_COLUMNS = (
    JUDGE,
    AGENT,
    Column("dimension", "Dimension", "", "The dimension of ReviewBench."),
    Column("n", "n", "count", "Scores of the agent's reviews on this dimension."),
    Column("papers", "Papers", "count", "Reviewed papers with a score."),
    Column("failed", "Failed", "count", "Judgements that failed; they are no scores."),
    Column("lost", "Lost", "", "Kinds of these failures, with the number of each."),
    *with_bounds("mean", "Mean", POINTS, "Mean score."),
    Column("lowest", "Lowest", "count", "Scores of 0 (pitfall: -2)."),
    Column("middle", "Middle", "count", "Scores of 1 (pitfall: -1)."),
    Column("highest", "Highest", "count", "Scores of 2 (pitfall: 0)."),
    CONFIDENCE,
    UNIT,
    NOTE,
)


@dataclass(frozen=True)
class BenchVector(Resampled):
    """ReviewBench's score vector (Li et al., section 3.2.3) in long form, for diagnosis.

    One row for each evaluator, reviewing agent and dimension, over all scores that the dimension
    has, complete reviews or not; so the means may differ from those of `bench-scores`, and their
    sum is no overall score.
    """

    name: ClassVar[str] = "bench-vector"

    def measure(self, records: Records) -> Table:
        """Return the table; without reviews an empty one that says so."""
        scored = Scored(records)
        rows = [
            self._row(records, scored, judge, agent, dimension)
            for judge in scored.judges
            for agent in scored.agents
            for dimension in scored.dimensions
        ]
        notes = [] if scored.reviews else [NO_REVIEWS]
        why = "the unit is the reviewed paper, since its reviews hang together"
        return Table.of(
            self.name,
            "ReviewBench: each dimension on all its scores",
            _COLUMNS,
            rows,
            [*notes, self.interval_note(records, why)],
            charts=[
                Chart(
                    "heat-map",
                    f"Mean score by reviewer and dimension, judged by {judge}",
                    "dimension",
                    "agent",
                    value="mean",
                    where=(("judge", judge),),
                )
                for judge in (scored.judges if rows else ())
            ],
        )

    def _row(
        self, records: Records, scored: Scored, judge: str, agent: str, dimension: str
    ) -> dict[str, Cell]:
        from revkit import stats

        judged = scored.judgements(judge, agent, dimension)
        found = [each for _, each in judged]
        values = sums(
            scored.papers, ((paper, each.score) for paper, each in judged if each.score is not None)
        )
        estimate = stats.cluster_bootstrap_mean(
            values.totals,
            values.counts,
            seed=records.seed,
            resamples=self.resamples,
            level=self.confidence,
        )
        return {
            "judge": judge,
            "agent": agent,
            "dimension": dimension,
            "n": values.n,
            "papers": values.papers,
            "failed": sum(bool(each.failure) for each in found),
            "lost": counted(each.failure for each in found if each.failure),
            **cells("mean", estimate),
            **_levels(dimension, found),
            "confidence": self.confidence,
            "unit": "paper",
            "note": joined(note_of(estimate)),
        }


def _levels(dimension: str, found: Sequence[Judgement]) -> dict[str, Cell]:
    """How often each of the three levels was given."""
    counts = Counter(each.score for each in found)
    levels = [float(score) for score, _ in BY_NAME[dimension].levels]
    return {name: counts[level] for name, level in zip(_LEVELS, levels, strict=True)}
