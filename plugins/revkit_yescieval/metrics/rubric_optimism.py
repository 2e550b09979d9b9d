"""How kind a judge is to texts that were spoilt in plain sight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from revkit.contracts import Metric
from revkit.figures import (
    CONFIDENCE,
    JUDGE,
    NOTE,
    POINTS,
    RUBRIC,
    UNIT,
    Resampled,
    Sums,
    join_notes,
    note_of,
)
from revkit.model.records import Judgement, Records
from revkit.model.table import Cell, Column, Table
from revkit.options import option
from revkit_yescieval.metrics.intervals import (
    FAMILY,
    FINE,
    LEVEL,
    bounds,
    estimate_cells,
    interval_note,
)
from revkit_yescieval.metrics.rubric_detection import ALL_RUBRICS
from revkit_yescieval.metrics.scored import EXTREME, Scored, sums

if TYPE_CHECKING:
    from revkit.stats import Estimate

COLUMNS = (
    JUDGE,
    RUBRIC,
    FAMILY,
    LEVEL,
    Column("failed", "Failed", "count", "Replies that gave no valid score."),
    Column("n", "n", "count", "Valid scores of texts under edits that aim at the rubric."),
    Column("papers", "Papers", "count", "Papers with a valid score."),
    Column("mean", "Mean", POINTS, "Their mean; the higher, the more optimistic."),
    *bounds("mean", "Mean", POINTS),
    CONFIDENCE,
    UNIT,
    NOTE,
)


@dataclass(frozen=True)
class _Part:
    judge: str
    rubric: str
    family: str
    scores: Sequence[Judgement]
    given: Sums


@dataclass(frozen=True)
class RubricOptimism(Resampled, Metric):
    """Mean score on extreme texts, each on the rubric that was spoilt (YESciEval's optimism).

    The row over all rubrics is there where they share one scale.
    """

    name: ClassVar[str] = "rubric-optimism"
    version: ClassVar[str] = "2"
    level: str = option(EXTREME, help="The level of the texts.")

    def measure(self, records: Records) -> Table:
        scored = Scored(records)
        parts = [part for judge in records.judges for part in self._parts(scored, judge.name)]
        rows = [
            {**_row(part, mean), "level": self.level, "confidence": self.confidence}
            for part, mean in zip(
                parts, self.means(records, [part.given for part in parts]), strict=True
            )
        ]
        notes = list(interval_note(self, records))
        if len(_scales(records)) > 1:
            notes.append(f'No row "{ALL_RUBRICS}": the rubrics have different scales.')
        return Table.of(self.name, "Optimism", COLUMNS, rows, notes, fine=("family", *FINE))

    def _parts(self, scored: Scored, judge: str) -> list[_Part]:
        records = scored.records
        parts = []
        for rubric in records.rubrics:
            scores = [
                each
                for treatment in scored.aimed_at(rubric.name)
                if treatment.level == self.level
                for each in scored.variants(judge, rubric.name, treatment)
            ]
            if scores:
                given = _given(records, scores)
                parts.append(_Part(judge, rubric.name, rubric.family, scores, given))
        if parts and len(_scales(records)) == 1:
            everything = [each for part in parts for each in part.scores]
            parts.append(_Part(judge, ALL_RUBRICS, "", everything, _given(records, everything)))
        return parts


def _given(records: Records, scores: Sequence[Judgement]) -> Sums:
    return sums(records, ((each.paper, each.score) for each in scores))


def _scales(records: Records) -> set[tuple[float, ...]]:
    return {rubric.scale.values for rubric in records.rubrics}


def _row(part: _Part, mean: Estimate) -> dict[str, Cell]:
    return {
        "judge": part.judge,
        "rubric": part.rubric,
        "family": part.family or None,
        "failed": sum(bool(each.failure) for each in part.scores),
        "n": part.given.n,
        "papers": part.given.papers,
        **estimate_cells("mean", mean),
        "unit": "paper",
        "note": join_notes(note_of(mean)),
    }
