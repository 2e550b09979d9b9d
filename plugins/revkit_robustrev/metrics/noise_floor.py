"""How often two reviews of the very same paper disagree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from revkit.figures import AGENT, CONFIDENCE, METHOD, NOTE, POINTS, UNIT, Figure, join_notes
from revkit.model.records import AgentRow, Records
from revkit.model.table import Cell, Column, Table
from revkit_robustrev.metrics.base import OverPapers
from revkit_robustrev.metrics.repeats import floor_of, repeats_of, score_difference

RATE = Figure(
    "rate",
    "Noise floor",
    "share",
    "The chance that two reviews of one unchanged paper give different verdicts.",
    "over papers.",
)
SCORE = Figure(
    "score",
    "Score noise",
    POINTS,
    "Mean |difference| between the scores of two reviews of one unchanged paper, own scale.",
)
COLUMNS = (
    AGENT,
    Column("repeats", "Repeats", "count", "How often each paper was reviewed."),
    Column("papers", "Papers", "count", "Papers with two or more verdicts."),
    Column("left_out", "Left out", "count", "Papers with fewer than two verdicts."),
    Column("missing", "Without verdict", "count", "Repeats that failed or gave no verdict."),
    *RATE.columns,
    METHOD,
    Column("score_papers", "Papers with scores", "count", "Papers with two or more scores."),
    *SCORE.columns,
    CONFIDENCE,
    UNIT,
    NOTE,
)


@dataclass(frozen=True)
class NoiseFloor(OverPapers):
    """Disagreement of each agent with itself on unchanged papers, from the repeats of a run.

    For a paper with k verdicts of which a accept it is 2 a (k - a) / (k (k - 1)), averaged over
    papers; a flip rate at or below it shows no effect of a perturbation. With one repeat nothing
    is measured and the cells are empty, also for an agent that declares itself deterministic.
    """

    name: ClassVar[str] = "noise-floor"
    version: ClassVar[str] = "2"

    def measure(self, records: Records) -> Table:
        notes = [*self.interval_notes(records)]
        if records.repeats < 2:
            notes.append("repeats: 1, so no noise floor was measured.")
        rows = [self._row(records, agent) for agent in records.agents]
        return Table.of(self.name, "Noise floor on unchanged papers", COLUMNS, rows, notes)

    def _row(self, records: Records, agent: AgentRow) -> dict[str, Cell]:
        from revkit import stats

        floor = floor_of(records, agent, self.resampling(records))
        gaps = [score_difference(repeats) for repeats in repeats_of(records, agent)]
        score = stats.cluster_bootstrap_mean(
            [gap or 0.0 for gap in gaps],
            [gap is not None for gap in gaps],
            resampling=self.resampling(records),
        )
        declared = "declared deterministic" if agent.deterministic else ""
        return {
            "agent": agent.name,
            "repeats": records.repeats,
            "papers": floor.papers,
            "left_out": floor.left_out,
            "missing": floor.failed,
            **RATE.cells(floor.rate),
            "method": floor.rate.interval.method,
            "score_papers": score.n,
            **SCORE.cells(score),
            "confidence": self.confidence,
            "unit": "paper",
            "note": join_notes(
                f"repeats: {records.repeats}" if records.repeats < 2 else "",
                floor.rate.note,
                floor.rate.interval.note,
                f"score: {score.interval.note}" if score.value is not None else "",
                declared,
            ),
        }
