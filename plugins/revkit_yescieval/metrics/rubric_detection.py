"""How often a judge detects edits: drops of a stated size, on the targeted rubric and on others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from revkit.contracts import Metric
from revkit.dataclass import dataclass
from revkit.figures import (
    CONFIDENCE,
    JUDGE,
    METHOD,
    NOTE,
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
from revkit.model.records import Records
from revkit.model.table import Cell, Chart, Column, Measure, Table
from revkit.options import option
from revkit_yescieval.metrics.columns import COINCIDE, FINE, LEVEL, interval_note, interval_notes
from revkit_yescieval.metrics.scores import (
    COINCIDE_NOTE,
    RELATIONS,
    SHARED_NOTE,
    Change,
    Relation,
    RunScores,
    levels,
    sums,
)
from revkit_yescieval.terms import TERMS

if TYPE_CHECKING:
    from revkit.stats import Estimate

ALL_RUBRICS = "all rubrics"
RATE = Figure(
    "rate",
    "Rate",
    "share",
    "Share of pairs whose score fell: under edits of the rubric itself a detection, under other "
    "edits a false alarm.",
)
COLUMNS = (
    JUDGE,
    RUBRIC,
    Column(
        "edits",
        "Edits",
        "",
        '"own": edits that target the rubric, where a drop is a detection; "other": edits that do '
        'not, where it is a false alarm; "shared": edits of the heuristic that it shares.',
    ),
    LEVEL,
    COINCIDE,
    Column("pairs", "Pairs", "count", "Texts put to the judge before and after."),
    Column("failed", "Failed", "count", "Pairs with a failure on either side."),
    Column("n", "n", "count", "Pairs with two valid scores."),
    Column("papers", "Papers", "count", "Papers with such a pair."),
    Column("moved", "Moved", "count", "Pairs whose score fell by the stated drop or more."),
    *RATE.columns,
    CONFIDENCE,
    UNIT,
    METHOD,
    SHORT,
    NOTE,
)


@dataclass(frozen=True)
class _Cell:
    """The pairs of one row."""

    judge: str
    rubric: str
    relation: Relation
    level: str
    changes: Sequence[Change]
    coincide: int


@dataclass(frozen=True)
class RubricDetection(Resampled, Metric):
    """Sensitivity and false alarms of each judge at a drop of ``drop`` points or more.

    A score that falls under edits that target its rubric is a detection; one that falls under
    edits that target another rubric is a false alarm, unless both rubrics are lowered by the same
    heuristic of the seed: those pairs have separate rows, as "shared". Specificity is 1 - the rate
    of "other". A text whose subtle and extreme variants are the same text is left out and counted.
    """

    name: ClassVar[str] = "rubric-detection"
    version: ClassVar[str] = "7"
    table_columns: ClassVar[tuple[Column, ...]] = COLUMNS
    table_measures: ClassVar[tuple[Measure, ...]] = (Measure("judge", "rate"),)
    drop: float = option(
        1.0, help="The fall of a score, in points, that counts as detected.", minimum=1e-9
    )

    def measure(self, records: Records) -> Table:
        cells = _cells(RunScores(records))
        parts = [self._moved(records, cell) for cell in cells]
        rows = [
            {**_row(cell, part, rate), "confidence": self.confidence}
            for cell, part, rate in zip(cells, parts, self.rates(records, parts), strict=True)
        ]
        notes = [
            f"A pair counts as moved if the score fell by {self.drop:g} point(s) or more.",
            SHARED_NOTE,
            COINCIDE_NOTE,
            *interval_notes(self, records),
        ]
        return Table.of(
            self.name,
            "Detections and false alarms",
            COLUMNS,
            rows,
            notes,
            fine=("coincide", *FINE),
            charts=[_chart(judge.name) for judge in records.judges],
            measures=_measures(levels(records)),
            warnings=self.imprecise(
                max((part.papers for part in parts), default=0),
                rows,
                lambda row: f"{row['judge']}, {row['rubric']}",
            ),
            method=[notes[0], SHARED_NOTE, COINCIDE_NOTE, interval_note(self, records)],
            reading="A good judge has a high rate in rows of own edits and a low one in rows of "
            "other edits.",
            terms=TERMS,
        )

    def _moved(self, records: Records, cell: _Cell) -> Sums:
        return sums(
            records,
            (
                (change.after.paper, None if change.drop is None else float(self._detects(change)))
                for change in cell.changes
            ),
        )

    def _detects(self, change: Change) -> bool:
        # The margin keeps 4.1 - 3.1 from missing a drop of 1 by its last binary digit.
        return change.drop is not None and change.drop >= self.drop - 1e-9


def _chart(judge: str) -> Chart:
    return Chart(
        "bars",
        f"Detections: {judge}",
        "rubric",
        "rate",
        group="level",
        low="rate_low",
        high="rate_high",
        where=(("judge", judge), ("edits", "own")),
    )


def _measures(present: Sequence[str]) -> list[Measure]:
    titles = {"own": "Detected", "other": "False alarms"}
    return [
        Measure(
            "judge",
            "rate",
            (("rubric", ALL_RUBRICS), ("edits", edits), ("level", level)),
            title=f"{title}, {level}",
        )
        for edits, title in titles.items()
        for level in present
        if level
    ]


def _cells(run: RunScores) -> list[_Cell]:
    records = run.records
    single = [
        _cell(run, judge.name, rubric.name, relation, level)
        for judge in records.judges
        for rubric in records.rubrics
        for relation in RELATIONS
        for level in levels(records)
    ]
    pooled = [
        _pooled(judge.name, relation, level, single)
        for judge in records.judges
        for relation in RELATIONS
        for level in levels(records)
    ]
    return [cell for cell in (*single, *pooled) if cell.changes]


def _cell(run: RunScores, judge: str, rubric: str, relation: Relation, level: str) -> _Cell:
    treatments = [
        treatment
        for treatment in run.treatments
        if treatment.level == level and treatment.relation(rubric) == relation
    ]
    changes = [each for one in treatments for each in run.changes(judge, rubric, one)]
    coincide = sum(run.coincide(treatment) for treatment in treatments)
    return _Cell(judge, rubric, relation, level, changes, coincide)


def _pooled(judge: str, relation: Relation, level: str, single: Sequence[_Cell]) -> _Cell:
    """Return the pairs of all rubrics."""
    cells = [
        cell
        for cell in single
        if (cell.judge, cell.relation, cell.level) == (judge, relation, level)
    ]
    changes = [change for cell in cells for change in cell.changes]
    return _Cell(judge, ALL_RUBRICS, relation, level, changes, sum(cell.coincide for cell in cells))


def _row(cell: _Cell, part: Sums, rate: Estimate) -> dict[str, Cell]:
    return {
        "judge": cell.judge,
        "rubric": cell.rubric,
        "edits": cell.relation,
        "level": cell.level,
        "coincide": cell.coincide,
        "pairs": len(cell.changes),
        "failed": len(cell.changes) - part.n,
        "n": part.n,
        "papers": part.papers,
        "moved": int(sum(part.totals)),
        **RATE.cells(rate),
        "unit": "paper",
        "method": rate.interval.method,
        "short": short_of({"rate": rate}),
        "note": join_notes(note_of(rate)),
    }
