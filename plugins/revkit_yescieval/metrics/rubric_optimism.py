"""Optimism: how high a judge scores texts that were made obviously worse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from revkit.contracts import Metric
from revkit.dataclass import dataclass
from revkit.figures import (
    CONFIDENCE,
    JUDGE,
    NOTE,
    POINTS,
    RUBRIC,
    SHORT,
    UNIT,
    Figure,
    Resampled,
    Sums,
    join_notes,
    note_of,
    short_of,
)
from revkit.model.records import Judgement, Records
from revkit.model.table import Cell, Column, Measure, Table
from revkit.options import option
from revkit_yescieval.metrics.columns import (
    COINCIDE,
    FAMILY,
    FINE,
    LEVEL,
    interval_note,
    interval_notes,
)
from revkit_yescieval.metrics.rubric_detection import ALL_RUBRICS
from revkit_yescieval.metrics.scores import COINCIDE_NOTE, EXTREME, RunScores, sums_of_scores
from revkit_yescieval.terms import TERMS

if TYPE_CHECKING:
    from revkit.stats import Estimate

MEAN = Figure(
    "mean", "Mean", POINTS, "Mean score of texts that were made obviously worse; lower is better."
)
COLUMNS = (
    JUDGE,
    RUBRIC,
    FAMILY,
    LEVEL,
    COINCIDE,
    Column("failed", "Failed", "count", "Replies without a valid score."),
    Column("n", "n", "count", "Valid scores of texts under edits that target the rubric."),
    Column("papers", "Papers", "count", "Papers with a valid score."),
    *MEAN.columns,
    CONFIDENCE,
    UNIT,
    SHORT,
    NOTE,
)


@dataclass(frozen=True)
class _Part:
    """The scores of one row."""

    judge: str
    rubric: str
    family: str
    coincide: int
    scores: Sequence[Judgement]
    sums: Sums


@dataclass(frozen=True)
class RubricOptimism(Resampled, Metric):
    """Mean score on extreme texts, each on the targeted rubric (YESciEval's optimism).

    The row over all rubrics exists if they share one scale. A text whose subtle and extreme
    variants are the same text is left out and counted, as in `rubric-scores`.
    """

    name: ClassVar[str] = "rubric-optimism"
    version: ClassVar[str] = "6"
    table_columns: ClassVar[tuple[Column, ...]] = COLUMNS
    table_measures: ClassVar[tuple[Measure, ...]] = (Measure("judge", "mean"),)
    level: str = option(EXTREME, help="The level of the texts.")

    def measure(self, records: Records) -> Table:
        run = RunScores(records)
        parts = [part for judge in records.judges for part in self._parts(run, judge.name)]
        means = self.means(records, [part.sums for part in parts])
        rows = [
            {**_row(part, mean), "level": self.level, "confidence": self.confidence}
            for part, mean in zip(parts, means, strict=True)
        ]
        notes = [COINCIDE_NOTE, *interval_notes(self, records)]
        if len(_scales(records)) > 1:
            notes.append(f'No row "{ALL_RUBRICS}": the rubrics have different scales.')
        return Table.of(
            self.name,
            "Optimism",
            COLUMNS,
            rows,
            notes,
            fine=("family", "coincide", *FINE),
            measures=[Measure("judge", "mean", (("rubric", ALL_RUBRICS),), title="Optimism")],
            warnings=self.imprecise(
                max((part.sums.papers for part in parts), default=0),
                rows,
                lambda row: f"{row['judge']}, {row['rubric']}",
            ),
            method=[interval_note(self, records), COINCIDE_NOTE],
            reading="All texts were made obviously worse on their rubric: lower is better.",
            terms=TERMS,
        )

    def _parts(self, run: RunScores, judge: str) -> list[_Part]:
        records = run.records
        parts = []
        for rubric in records.rubrics:
            treatments = [t for t in run.targeting(rubric.name) if t.level == self.level]
            scores = [e for t in treatments for e in run.variants(judge, rubric.name, t)]
            if scores:
                coincide = sum(run.coincide(treatment) for treatment in treatments)
                sums = sums_of_scores(records, scores)
                parts.append(_Part(judge, rubric.name, rubric.family, coincide, scores, sums))
        if parts and len(_scales(records)) == 1:
            scores = [each for part in parts for each in part.scores]
            coincide = sum(part.coincide for part in parts)
            sums = sums_of_scores(records, scores)
            parts.append(_Part(judge, ALL_RUBRICS, "", coincide, scores, sums))
        return parts


def _scales(records: Records) -> set[tuple[float, ...]]:
    return {rubric.scale.values for rubric in records.rubrics}


def _row(part: _Part, mean: Estimate) -> dict[str, Cell]:
    return {
        "judge": part.judge,
        "rubric": part.rubric,
        "family": part.family or None,
        "coincide": part.coincide,
        "failed": sum(bool(each.failure) for each in part.scores),
        "n": part.sums.n,
        "papers": part.sums.papers,
        **MEAN.cells(mean),
        "unit": "paper",
        "short": short_of({"mean": mean}),
        "note": join_notes(note_of(mean)),
    }
