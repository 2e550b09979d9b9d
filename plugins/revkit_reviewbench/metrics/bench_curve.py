"""The metric `bench-curve`: scores over a number, such as that of related works."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from revkit.dataclass import dataclass
from revkit.figures import CONFIDENCE, NOTE, SHORT, UNIT, join_notes, note_of, short_of
from revkit.model.records import Records
from revkit.model.table import Cell, Chart, Column, Table
from revkit.options import option
from revkit_reviewbench.metrics.base import AGENT, JUDGE, ReviewMetric
from revkit_reviewbench.metrics.parts import (
    ALL_COMPLETE,
    COUNTS,
    OVERALL,
    TEXT,
    UNCHANGED,
    means,
    score_cells,
    score_columns,
)
from revkit_reviewbench.metrics.reference import all_parts
from revkit_reviewbench.metrics.review_scores import NO_REVIEWS, ReviewScores
from revkit_reviewbench.terms import TERMS

_NUMBER = Column("x", "N", "count", "The number of this agent, from the option points.")
_COLUMNS = (
    JUDGE, _NUMBER, AGENT, TEXT, *score_columns(), *COUNTS, CONFIDENCE, UNIT, SHORT, NOTE,
)  # fmt: skip
_WHY = "the unit is the reviewed paper, because its reviews are not independent"


@dataclass(frozen=True, kw_only=True)
class BenchCurve(ReviewMetric):
    """Scores over a number, as in Figure 3a of ReviewGrounder's paper (number of related works).

    ``points`` gives the number of each agent. The table has one row for each evaluator and agent,
    in increasing order of the number, with the eight dimensions and their sum as in `bench-scores`.
    Reports draw the overall score with its interval as a line over the number.
    """

    name: ClassVar[str] = "bench-curve"
    version: ClassVar[str] = "3"
    table_columns: ClassVar[tuple[Column, ...]] = _COLUMNS

    points: Mapping[str, float] = option(
        help="The number of each agent of the curve, by the agent's name."
    )

    def measure(self, records: Records) -> Table:
        """Return the table. Raises `OptionError` if ``points`` names no agent of the run."""
        scored = ReviewScores(records)
        self.check_agents("points", self.points, scored.agents)
        rows = [row for judge in scored.judges for row in self._rows(records, scored, judge)]
        return Table.of(
            self.name,
            "ReviewBench: scores over N",
            _COLUMNS,
            rows,
            [*([] if rows else [NO_REVIEWS]), ALL_COMPLETE, self.interval_note(records, _WHY)],
            charts=[
                Chart(
                    "lines",
                    "Overall score over N",
                    "x",
                    OVERALL,
                    group="judge",
                    low=f"{OVERALL}_low",
                    high=f"{OVERALL}_high",
                    where=(("perturbation", UNCHANGED),),
                )
            ]
            if rows
            else (),
            warnings=self.imprecise(
                len(scored.papers),
                rows,
                lambda row: f"{row['agent']} by {row['judge']}",
                "reviewed paper",
            ),
            method=[ALL_COMPLETE, self.interval_note(records, _WHY)],
            reading="Each row is one reviewer with its number N, in increasing order. A higher "
            "overall score is better.",
            terms=TERMS,
        )

    def _rows(
        self, records: Records, scored: ReviewScores, judge: str
    ) -> Iterator[dict[str, Cell]]:
        """Return the rows of one evaluator, sorted by number."""
        parts = [part for part in all_parts(scored, judge) if part.agent in self.points]
        parts.sort(key=lambda part: (self.points[part.agent], part.agent, part.perturbation))
        for part, estimates in zip(parts, means(self, records, parts), strict=True):
            yield {
                "judge": judge,
                "x": self.points[part.agent],
                "agent": part.agent,
                "perturbation": part.perturbation or UNCHANGED,
                **score_cells(estimates),
                **part.counts(),
                "confidence": self.confidence,
                "unit": "paper",
                "short": short_of({**estimates}),
                "note": join_notes(note_of(estimates[OVERALL])),
            }
