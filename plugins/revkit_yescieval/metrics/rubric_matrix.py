"""Which rubric's score moves under which rubric's edits, and how diagonal that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from revkit.contracts import Metric
from revkit.figures import (
    CONFIDENCE,
    JUDGE,
    NOTE,
    POINTS,
    UNIT,
    Resampled,
    Resampling,
    Sums,
    join_notes,
    note_of,
)
from revkit.figures.numbers import MOST_LISTED, list_names, to_fixed
from revkit.model.records import Records
from revkit.model.table import Cell, Chart, Column, Finding, Table
from revkit.options import option
from revkit_yescieval.metrics.intervals import (
    FINE,
    LEVEL,
    PERTURBED,
    bounds,
    estimate_cells,
    interval_note,
)
from revkit_yescieval.metrics.scored import (
    EXTREME,
    SHARED_NOTE,
    SUBTLE,
    Change,
    Scored,
    Treatment,
    drops,
    levels,
)

if TYPE_CHECKING:
    from revkit.stats import Estimate

COLUMNS = (
    JUDGE,
    LEVEL,
    PERTURBED,
    Column("judged", "Judged", "", "The rubric whose score is looked at."),
    Column("relation", "Relation", "", '"own" is the diagonal; "shared" the same heuristic.'),
    Column("pairs", "Pairs", "count", "Texts put to the judge before and after."),
    Column("failed", "Failed", "count", "Pairs with a failure on either side."),
    Column("n", "n", "count", "Pairs with two valid scores."),
    Column("papers", "Papers", "count", "Papers with such a pair."),
    Column("drop", "Drop", POINTS, "Mean of score before - score after."),
    *bounds("drop", "Drop", POINTS),
    CONFIDENCE,
    UNIT,
    NOTE,
)
DIAGONAL_COLUMNS = (
    JUDGE,
    LEVEL,
    Column("own_n", "Own, n", "count", "Pairs with two valid scores on the rubric aimed at."),
    Column("own", "Own drop", POINTS, "Mean drop of the rubric aimed at."),
    *bounds("own", "Own drop", POINTS),
    Column("other_n", "Others, n", "count", "The same, on unrelated rubrics."),
    Column("other", "Others' drop", POINTS, "Mean drop of unrelated rubrics."),
    *bounds("other", "Others' drop", POINTS),
    Column("dominance", "Dominance", POINTS, "Own drop - others' drop; above 0 is diagonal."),
    *bounds("dominance", "Dominance", POINTS),
    Column("papers", "Papers", "count", "Papers with a pair on the rubric aimed at."),
    Column(
        "first", "First", "count", "Rubrics whose edits lower no unrelated rubric as much as them."
    ),
    Column("of", "Of", "count", "Rubrics at which edits of this level aim."),
    CONFIDENCE,
    UNIT,
    NOTE,
)


@dataclass(frozen=True)
class _Square:
    """One cell of the matrix."""

    judge: str
    treatment: Treatment
    rubric: str
    changes: Sequence[Change]
    fell: Sums

    @property
    def relation(self) -> str:
        return self.treatment.relation(self.rubric)


def _squares(records: Records) -> list[_Square]:
    scored = Scored(records)
    order = levels(records)
    names = [rubric.name for rubric in records.rubrics]

    def place(treatment: Treatment) -> tuple[int, int]:
        known = treatment.perturbed in names
        return order.index(treatment.level), names.index(treatment.perturbed) if known else len(
            names
        )

    squares = []
    for judge in records.judges:
        for treatment in sorted(scored.seen, key=place):
            for rubric in names:
                changes = scored.changes(judge.name, rubric, treatment)
                fell = drops(records, changes)
                squares.append(_Square(judge.name, treatment, rubric, changes, fell))
    return squares


@dataclass(frozen=True)
class RubricMatrix(Resampled, Metric):
    """Mean drop of every rubric's score under every rubric's edits, at each level.

    Rows are the rubrics at which edits aim, columns the rubrics judged. A good judge is diagonal:
    it lowers what was made worse and leaves alone what was not. Off the diagonal the seed's shared
    heuristics have to be kept in mind; such squares are marked "shared". Perturbations that aim at
    no rubric stand as rows of their own, where nothing should move.
    """

    name: ClassVar[str] = "rubric-matrix"
    version: ClassVar[str] = "2"
    levels: tuple[str, ...] = option(
        (EXTREME, SUBTLE), help="The levels to draw, in this order; the table holds all."
    )

    def measure(self, records: Records) -> Table:
        squares = _squares(records)
        estimates = self.means(records, [square.fell for square in squares])
        rows = [
            {**_row(square, drop), "confidence": self.confidence}
            for square, drop in zip(squares, estimates, strict=True)
        ]
        notes = [
            "Rows are what the edits aim at, columns what was judged; positive is a fall.",
            SHARED_NOTE,
            *interval_note(self, records),
        ]
        return Table.of(
            self.name,
            "Which score falls under which edits",
            COLUMNS,
            rows,
            notes,
            fine=("pairs", "failed", *FINE),
            charts=self._charts(records),
        )

    def _charts(self, records: Records) -> list[Chart]:
        present = [level for level in self.levels if level in levels(records)]
        return [
            Chart(
                "heat-map",
                f"Mean drop under {level} edits: {judge.name}",
                "judged",
                "perturbed",
                "drop",
                where=(("judge", judge.name), ("level", level)),
            )
            for judge in records.judges
            for level in present
        ]


def _row(square: _Square, drop: Estimate) -> dict[str, Cell]:
    return {
        "judge": square.judge,
        "level": square.treatment.level,
        "perturbed": square.treatment.perturbed,
        "judged": square.rubric,
        "relation": square.relation,
        "pairs": len(square.changes),
        "failed": len(square.changes) - square.fell.n,
        "n": square.fell.n,
        "papers": square.fell.papers,
        **estimate_cells("drop", drop),
        "unit": "paper",
        "note": join_notes(note_of(drop)),
    }


@dataclass(frozen=True)
class RubricDiagonal(Resampled, Metric):
    """How well each judge separates the rubrics, in one line a level.

    ``dominance`` is the mean drop of the rubrics aimed at less that of the unrelated ones, both
    over the same resampled papers; ``first`` counts the rubrics under whose edits no unrelated
    rubric falls as far as they do. Squares of a shared heuristic count on neither side.
    """

    name: ClassVar[str] = "rubric-diagonal"
    version: ClassVar[str] = "2"

    def measure(self, records: Records) -> Table:
        squares = _squares(records)
        rows = [
            self._row(records, judge.name, level, [s for s in squares if s.judge == judge.name])
            for judge in records.judges
            for level in levels(records)
        ]
        rows = [row for row in rows if row["of"]]
        notes = [SHARED_NOTE, *interval_note(self, records)]
        return Table.of(
            self.name,
            "How well each judge separates the rubrics",
            DIAGONAL_COLUMNS,
            rows,
            notes,
            headline=True,
            fine=FINE,
            findings=_findings(rows),
        )

    def _row(
        self, records: Records, judge: str, level: str, squares: Sequence[_Square]
    ) -> dict[str, Cell]:
        here = [square for square in squares if square.treatment.level == level]
        own = _pooled([square.fell for square in here if square.relation == "own"], records)
        other = _pooled([square.fell for square in here if square.relation == "other"], records)
        difference = self._difference(records, own, other)
        first, of = _first(here)
        own_mean, other_mean = self.means(records, [own, other])
        return {
            "judge": judge,
            "level": level,
            "own_n": own.n,
            **estimate_cells("own", own_mean),
            "other_n": other.n,
            **estimate_cells("other", other_mean),
            **estimate_cells("dominance", difference),
            "papers": own.papers,
            "first": first,
            "of": of,
            "confidence": self.confidence,
            "unit": "paper",
            "note": join_notes(note_of(difference)),
        }

    def _difference(self, records: Records, own: Sums, other: Sums) -> Estimate:
        from revkit import stats

        return stats.cluster_bootstrap_difference(
            own.totals,
            own.counts,
            other.totals,
            other.counts,
            resampling=Resampling(records.seed, self.resamples, self.confidence),
        )


def _findings(rows: Sequence[Mapping[str, Cell]]) -> list[Finding]:
    """How far the score of the rubric aimed at fell, by level; none where judges are many."""
    fell: dict[str, list[str]] = {}
    for row in rows:
        if isinstance(drop := row["own"], float):
            fell.setdefault(str(row["level"]), []).append(f"{to_fixed(drop, 2)} ({row['judge']})")
    return [
        Finding(
            f"Under {level} edits the score of the rubric aimed at fell by {list_names(drops)} "
            "points on average."
        )
        for level, drops in fell.items()
        if len(drops) <= MOST_LISTED
    ]


def _pooled(parts: Sequence[Sums], records: Records) -> Sums:
    papers = range(len(records.papers))
    return Sums(
        tuple(sum(part.totals[i] for part in parts) for i in papers),
        tuple(sum(part.counts[i] for part in parts) for i in papers),
    )


def _first(squares: Sequence[_Square]) -> tuple[int, int]:
    """How many rubrics fall furthest under their own edits, of how many that edits aim at."""
    first = of = 0
    by_treatment: dict[str, list[_Square]] = {}
    for square in squares:
        by_treatment.setdefault(square.treatment.perturbed, []).append(square)
    for row in by_treatment.values():
        own = [_mean(square.fell) for square in row if square.relation == "own"]
        others = [_mean(square.fell) for square in row if square.relation == "other"]
        if own and own[0] is not None:
            of += 1
            first += own[0] > max([0.0, *(mean for mean in others if mean is not None)])
    return first, of


def _mean(part: Sums) -> float | None:
    return sum(part.totals) / part.n if part.n else None
