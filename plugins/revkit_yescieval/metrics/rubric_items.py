"""Every single score: the rows from which the other tables are computed, for inspection."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from revkit.contracts import Metric
from revkit.dataclass import dataclass
from revkit.figures import JUDGE, POINTS, RUBRIC
from revkit.model.records import Judgement, Records
from revkit.model.table import Cell, Column, Table
from revkit.options import option
from revkit_yescieval.metrics.columns import LEVEL, PERTURBED
from revkit_yescieval.metrics.scores import ORIGINAL, RunScores

COLUMNS = (
    Column("paper", "Paper", "", "The paper's id in its corpus."),
    JUDGE,
    RUBRIC,
    LEVEL,
    PERTURBED,
    Column(
        "perturbation",
        "Perturbation",
        "",
        "The perturbation as the experiment names it; empty: original.",
    ),
    Column("index", "Variant", "", "The number of the variant."),
    Column("repeat", "Repeat", "", "The number of the repeat, from 0."),
    Column("score", "Score", POINTS, "The score, if there is one."),
    Column("drop", "Drop", POINTS, "Score of the original in the same repeat - this score."),
    Column(
        "coincides",
        "Coincides",
        "",
        "Whether other tables leave it out, because both levels are the same text.",
    ),
    Column("failure", "Failure", "", "The kind of failure, if there is no score."),
)


@dataclass(frozen=True)
class RubricItems(Metric):
    """One row for each text, rubric and judge: score, drop or failure, without aggregated figures.

    By default originals and the texts under edits that target the rubric; with ``all`` every text
    on every rubric, which is the matrix item by item.
    """

    name: ClassVar[str] = "rubric-items"
    version: ClassVar[str] = "4"
    table_columns: ClassVar[tuple[Column, ...]] = COLUMNS
    all: bool = option(False, help="Also texts under edits that target another rubric.")

    def measure(self, records: Records) -> Table:
        run = RunScores(records)
        rows = [
            row
            for judge in records.judges
            for rubric in records.rubrics
            for row in self._rows(run, judge.name, rubric.name)
        ]
        places = {paper.id: number for number, paper in enumerate(records.papers)}
        rows.sort(key=lambda row: places[str(row["paper"])])
        notes = [
            "Single scores; they carry no interval. Variants that could not be made have no row."
        ]
        return Table.of(self.name, "Scores text by text", COLUMNS, rows, notes)

    def _rows(self, run: RunScores, judge: str, rubric: str) -> Iterator[dict[str, Cell]]:
        for each in run.originals(judge, rubric):
            yield {**_row(each), "level": ORIGINAL}
        for treatment in run.treatments:
            if not self.all and treatment.perturbed != rubric:
                continue
            for change in run.all_changes(judge, rubric, treatment):
                yield {
                    **_row(change.after),
                    "level": treatment.level,
                    "perturbed": treatment.perturbed,
                    "drop": change.drop,
                    "coincides": run.coincides(change.after),
                }


def _row(each: Judgement) -> dict[str, Cell]:
    return {
        "paper": each.paper,
        "judge": each.judge,
        "rubric": each.rubric,
        "perturbation": each.perturbation or None,
        "index": each.index,
        "repeat": each.repeat,
        "score": each.score,
        "failure": each.failure or None,
    }
