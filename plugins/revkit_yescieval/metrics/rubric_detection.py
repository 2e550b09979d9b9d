"""How often a judge notices: drops of a stated size, on the rubric aimed at and on the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from revkit.contracts import Metric
from revkit.figures import (
    CONFIDENCE,
    JUDGE,
    METHOD,
    NOTE,
    RUBRIC,
    UNIT,
    Resampled,
    Sums,
    join_notes,
    note_of,
)
from revkit.model.records import Records
from revkit.model.table import Cell, Chart, Column, Table
from revkit.options import option
from revkit_yescieval.metrics.intervals import FINE, LEVEL, bounds, estimate_cells, interval_note
from revkit_yescieval.metrics.scored import (
    RELATIONS,
    SHARED_NOTE,
    Change,
    Relation,
    Scored,
    levels,
    sums,
)

if TYPE_CHECKING:
    from revkit.stats import Estimate

ALL_RUBRICS = "all rubrics"
COLUMNS = (
    JUDGE,
    RUBRIC,
    Column(
        "edits",
        "Edits",
        "",
        '"own": edits that aim at the rubric, where a drop is a detection; "other": edits that do '
        'not, where it is a false alarm; "shared": edits of the heuristic that it shares.',
    ),
    LEVEL,
    Column("pairs", "Pairs", "count", "Texts put to the judge before and after."),
    Column("failed", "Failed", "count", "Pairs with a failure on either side."),
    Column("n", "n", "count", "Pairs with two valid scores."),
    Column("papers", "Papers", "count", "Papers with such a pair."),
    Column("moved", "Moved", "count", "Pairs whose score fell by the stated drop or more."),
    Column("rate", "Rate", "share", "Moved over n: sensitivity (own), false alarms (other)."),
    *bounds("rate", "Rate", "share"),
    CONFIDENCE,
    UNIT,
    METHOD,
    NOTE,
)


@dataclass(frozen=True)
class _Cell:
    judge: str
    rubric: str
    relation: Relation
    level: str
    changes: Sequence[Change]


@dataclass(frozen=True)
class RubricDetection(Resampled, Metric):
    """Sensitivity and false alarms of each judge at a drop of ``drop`` points or more.

    A score that falls under edits that aim at its rubric is a detection; one that falls under
    edits that aim at another rubric is a false alarm, unless both rubrics are lowered by the same
    heuristic of the seed: those pairs stand apart, as "shared". Specificity is 1 - the rate of
    "other".
    """

    name: ClassVar[str] = "rubric-detection"
    version: ClassVar[str] = "2"
    drop: float = option(
        1.0, help="The fall of a score, in points, that counts as noticed.", minimum=1e-9
    )

    def measure(self, records: Records) -> Table:
        cells = _cells(Scored(records))
        parts = [self._moved(records, cell) for cell in cells]
        rows = [
            {**_row(cell, part, rate), "confidence": self.confidence}
            for cell, part, rate in zip(cells, parts, self.rates(records, parts), strict=True)
        ]
        notes = [
            f"A pair counts as moved where the score fell by {self.drop:g} point(s) or more.",
            SHARED_NOTE,
            *interval_note(self, records),
        ]
        charts = [
            Chart(
                "bars",
                f"Detections: {judge.name}",
                "rubric",
                "rate",
                group="level",
                low="rate_low",
                high="rate_high",
                where=(("judge", judge.name), ("edits", "own")),
            )
            for judge in records.judges
        ]
        return Table.of(
            self.name, "Detections and false alarms", COLUMNS, rows, notes, fine=FINE, charts=charts
        )

    def _moved(self, records: Records, cell: _Cell) -> Sums:
        return sums(
            records,
            (
                (change.after.paper, None if change.drop is None else float(self._notices(change)))
                for change in cell.changes
            ),
        )

    def _notices(self, change: Change) -> bool:
        # The margin keeps 4.1 - 3.1 from missing a drop of 1 by its last binary digit.
        return change.drop is not None and change.drop >= self.drop - 1e-9


def _cells(scored: Scored) -> list[_Cell]:
    records = scored.records
    single = [
        _Cell(
            judge.name,
            rubric.name,
            relation,
            level,
            _changes(scored, judge.name, rubric.name, relation, level),
        )
        for judge in records.judges
        for rubric in records.rubrics
        for relation in RELATIONS
        for level in levels(records)
    ]
    pooled = [
        _Cell(
            judge.name,
            ALL_RUBRICS,
            relation,
            level,
            [
                change
                for cell in single
                if (cell.judge, cell.relation, cell.level) == (judge.name, relation, level)
                for change in cell.changes
            ],
        )
        for judge in records.judges
        for relation in RELATIONS
        for level in levels(records)
    ]
    return [cell for cell in (*single, *pooled) if cell.changes]


def _changes(
    scored: Scored, judge: str, rubric: str, relation: Relation, level: str
) -> list[Change]:
    return [
        change
        for treatment in scored.seen
        if treatment.level == level and treatment.relation(rubric) == relation
        for change in scored.changes(judge, rubric, treatment)
    ]


def _row(cell: _Cell, part: Sums, rate: Estimate) -> dict[str, Cell]:
    return {
        "judge": cell.judge,
        "rubric": cell.rubric,
        "edits": cell.relation,
        "level": cell.level,
        "pairs": len(cell.changes),
        "failed": len(cell.changes) - part.n,
        "n": part.n,
        "papers": part.papers,
        "moved": int(sum(part.totals)),
        **estimate_cells("rate", rate),
        "unit": "paper",
        "method": rate.interval.method,
        "note": join_notes(note_of(rate)),
    }
