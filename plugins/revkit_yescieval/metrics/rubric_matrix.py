"""The change of every rubric's score under every rubric's edits, and the share on the diagonal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from revkit.contracts import Metric
from revkit.dataclass import dataclass
from revkit.figures import (
    CONFIDENCE,
    JUDGE,
    NOTE,
    POINTS,
    SHORT,
    UNIT,
    Figure,
    Resampled,
    Sums,
    interval_text,
    join_notes,
    note_of,
    short_of,
)
from revkit.figures.numbers import EMPTY, MOST_LISTED, count_of, number_at, to_fixed
from revkit.model.records import Records
from revkit.model.table import Cell, Chart, Column, Finding, Measure, Table
from revkit.options import option
from revkit_yescieval.metrics.columns import (
    COINCIDE,
    FINE,
    LEVEL,
    PERTURBED,
    interval_note,
    interval_notes,
)
from revkit_yescieval.metrics.scores import (
    COINCIDE_NOTE,
    EXTREME,
    SHARED_NOTE,
    SUBTLE,
    Change,
    RunScores,
    Treatment,
    drops,
    levels,
)
from revkit_yescieval.terms import TERMS

if TYPE_CHECKING:
    from revkit.stats import Estimate

DROP = Figure("drop", "Drop", POINTS, "Mean score before the edits minus mean score after.")
OWN = Figure("own", "Drop of target", POINTS, "Mean drop of the targeted rubric; more is better.")
OTHER = Figure("other", "Drop of others", POINTS, "Mean drop of unrelated rubrics; 0 is right.")
DOMINANCE = Figure(
    "dominance",
    "Difference",
    POINTS,
    "Drop of target minus drop of others; above 0: the judge separates the rubrics.",
)
COLUMNS = (
    JUDGE,
    LEVEL,
    PERTURBED,
    Column("judged", "Judged", "", "The rubric whose score is shown."),
    Column("relation", "Relation", "", '"own" is the diagonal; "shared" the same heuristic.'),
    COINCIDE,
    Column("pairs", "Pairs", "count", "Texts put to the judge before and after."),
    Column("failed", "Failed", "count", "Pairs with a failure on either side."),
    Column("n", "n", "count", "Pairs with two valid scores."),
    Column("papers", "Papers", "count", "Papers with such a pair."),
    *DROP.columns,
    CONFIDENCE,
    UNIT,
    SHORT,
    NOTE,
)
DIAGONAL_COLUMNS = (
    JUDGE,
    LEVEL,
    COINCIDE,
    Column("own_n", "Target, n", "count", "Pairs with two valid scores on the targeted rubric."),
    *OWN.columns,
    Column("other_n", "Others, n", "count", "Pairs with two valid scores on unrelated rubrics."),
    *OTHER.columns,
    *DOMINANCE.columns,
    Column("papers", "Papers", "count", "Papers with a pair on the targeted rubric.", clear=True),
    Column(
        "first",
        "Rubrics separated",
        "count",
        "Targeted rubrics that fall more under their edits than any unrelated rubric.",
    ),
    Column("of", "Rubrics targeted", "count", "Rubrics that edits of this level target."),
    CONFIDENCE,
    UNIT,
    SHORT,
    NOTE,
)


_QUESTION = (
    "If a text is made worse on one rubric, does the judge lower the score of this rubric, and of "
    "no other?"
)
_LIMIT = (
    "A judge that does not react cannot see these faults; a judge that does may still miss faults "
    "of other kinds."
)


@dataclass(frozen=True)
class _Square:
    """One cell of the matrix."""

    judge: str
    treatment: Treatment
    rubric: str
    changes: Sequence[Change]
    drops: Sums
    coincide: int

    @property
    def relation(self) -> str:
        return self.treatment.relation(self.rubric)


def _squares(records: Records) -> list[_Square]:
    run = RunScores(records)
    order = levels(records)
    names = [rubric.name for rubric in records.rubrics]

    def place(treatment: Treatment) -> tuple[int, int]:
        row = names.index(treatment.perturbed) if treatment.perturbed in names else len(names)
        return order.index(treatment.level), row

    squares = []
    for judge in records.judges:
        for treatment in sorted(run.treatments, key=place):
            for rubric in names:
                changes = run.changes(judge.name, rubric, treatment)
                fell, coincide = drops(records, changes), run.coincide(treatment)
                squares.append(_Square(judge.name, treatment, rubric, changes, fell, coincide))
    return squares


@dataclass(frozen=True)
class RubricMatrix(Resampled, Metric):
    """Mean drop of every rubric's score under every rubric's edits, at each level.

    Rows are the rubrics that edits target, columns the rubrics judged. The matrix of a good judge
    is diagonal: it lowers the score that was made worse and no other. Off the diagonal, squares of
    a heuristic that the seed uses for both rubrics are marked "shared". Perturbations without a
    target have separate rows, where no score should fall. A text whose subtle and extreme variants
    are the same text is left out and counted.
    """

    name: ClassVar[str] = "rubric-matrix"
    version: ClassVar[str] = "6"
    table_columns: ClassVar[tuple[Column, ...]] = COLUMNS
    levels: tuple[str, ...] = option(
        (EXTREME, SUBTLE), help="The levels to draw, in this order; the table holds all."
    )

    def measure(self, records: Records) -> Table:
        squares = _squares(records)
        estimates = self.means(records, [square.drops for square in squares])
        rows = [
            {**_row(square, drop), "confidence": self.confidence}
            for square, drop in zip(squares, estimates, strict=True)
        ]
        notes = [SHARED_NOTE, COINCIDE_NOTE, *interval_notes(self, records)]
        return Table.of(
            self.name,
            "Which score falls under which edits",
            COLUMNS,
            rows,
            notes,
            fine=("coincide", "pairs", "failed", *FINE),
            charts=self._charts(records),
            warnings=self.imprecise(
                max((each.drops.papers for each in squares), default=0),
                rows,
                lambda row: f"{row['judge']}, {row['perturbed']} on {row['judged']}",
            ),
            method=[SHARED_NOTE, COINCIDE_NOTE, interval_note(self, records)],
            reading="Rows are the targets of the edits, columns the rubrics that were judged. A "
            "good judge has high drops where both are the same, and 0 elsewhere.",
            terms=TERMS,
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
        "coincide": square.coincide,
        "pairs": len(square.changes),
        "failed": len(square.changes) - square.drops.n,
        "n": square.drops.n,
        "papers": square.drops.papers,
        **DROP.cells(drop),
        "unit": "paper",
        "short": short_of({"drop": drop}),
        "note": join_notes(note_of(drop)),
    }


@dataclass(frozen=True)
class RubricDiagonal(Resampled, Metric):
    """How well each judge separates the rubrics, in one row per level.

    ``dominance`` is the mean drop of the targeted rubrics minus that of the unrelated ones, both
    over the same resampled papers; ``first`` counts the rubrics under whose edits no unrelated
    rubric falls as far as they do. Squares of a shared heuristic count on neither side.
    """

    name: ClassVar[str] = "rubric-diagonal"
    version: ClassVar[str] = "7"
    table_columns: ClassVar[tuple[Column, ...]] = DIAGONAL_COLUMNS
    table_measures: ClassVar[tuple[Measure, ...]] = (
        Measure("judge", "own"),
        Measure("judge", "other"),
    )

    def measure(self, records: Records) -> Table:
        squares = _squares(records)
        rows = [
            self._row(records, judge.name, level, [s for s in squares if s.judge == judge.name])
            for judge in records.judges
            for level in levels(records)
        ]
        rows = [row for row in rows if row["of"]]
        notes = [SHARED_NOTE, COINCIDE_NOTE, *interval_notes(self, records)]
        papers = [int(str(row["papers"])) for row in rows]
        return Table.of(
            self.name,
            "How well each judge separates the rubrics",
            DIAGONAL_COLUMNS,
            rows,
            notes,
            headline=True,
            fine=("coincide", *FINE),
            findings=_findings(rows),
            reading="A good judge lowers the targeted rubric a lot and unrelated rubrics not at "
            "all.",
            terms=TERMS,
            measures=_measures([level for level in levels(records) if level]),
            warnings=self.imprecise(max(papers, default=0), rows, lambda row: str(row["judge"])),
            method=[SHARED_NOTE, COINCIDE_NOTE, interval_note(self, records)],
        )

    def _row(
        self, records: Records, judge: str, level: str, squares: Sequence[_Square]
    ) -> dict[str, Cell]:
        here = [square for square in squares if square.treatment.level == level]
        own = _pooled([square.drops for square in here if square.relation == "own"], records)
        other = _pooled([square.drops for square in here if square.relation == "other"], records)
        difference = self._difference(records, own, other)
        first, of = _first(here)
        own_mean, other_mean = self.means(records, [own, other])
        return {
            "judge": judge,
            "level": level,
            "coincide": sum(square.coincide for square in here if square.relation == "own"),
            "own_n": own.n,
            **OWN.cells(own_mean),
            "other_n": other.n,
            **OTHER.cells(other_mean),
            **DOMINANCE.cells(difference),
            "papers": own.papers,
            "first": first,
            "of": of,
            "confidence": self.confidence,
            "unit": "paper",
            "short": short_of(
                {"drop of target": own_mean, "drop of others": other_mean, "difference": difference}
            ),
            "note": join_notes(note_of(difference)),
        }

    def _difference(self, records: Records, own: Sums, other: Sums) -> Estimate:
        from revkit import stats

        return stats.cluster_bootstrap_difference(
            own.totals,
            own.counts,
            other.totals,
            other.counts,
            resampling=self.resampling(records),
        )


def _measures(present: Sequence[str]) -> list[Measure]:
    return [
        Measure("judge", name, (("level", level),), title=f"{title}, {level}")
        for name, title in (("own", OWN.title), ("other", OTHER.title))
        for level in present
    ]


def _findings(rows: Sequence[Mapping[str, Cell]]) -> list[Finding]:
    """Return the question, how far the scores of targeted and of unrelated rubrics fell, by level,
    and the limit; empty with many judges.
    """
    fell: dict[str, list[Mapping[str, Cell]]] = {}
    for row in rows:
        if isinstance(row["own"], float):
            fell.setdefault(str(row["level"]), []).append(row)
    texts = [_sentence(level, found) for level, found in fell.items() if len(found) <= MOST_LISTED]
    if not texts:
        return []
    return [
        Finding(_QUESTION, part="question"),
        *map(Finding, texts),
        Finding(_LIMIT, part="limit"),
    ]


def _sentence(level: str, rows: Sequence[Mapping[str, Cell]]) -> str:
    parts = []
    for row in rows:
        own, other = number_at(row, "own"), number_at(row, "other")
        ends = interval_text(row, "own", places=2)
        text = f"{row['judge']} {to_fixed(own, 2)}{'' if ends == EMPTY else f' {ends}'}"
        parts.append(text + ("" if other is None else f" (unrelated rubrics {to_fixed(other, 2)})"))
    counts = sorted({int(str(row["own_n"])) for row in rows})
    pairs = count_of(counts[-1], "pair")
    if len(counts) > 1:
        pairs = f"{counts[0]:,} to {pairs}"
    return (
        f"Under {level + ' ' if level else ''}edits, the score of the targeted rubric falls by "
        f"this many points on average (below 0: it rises), by judge, over {pairs}: "
        f"{', '.join(parts)}."
    )


def _pooled(parts: Sequence[Sums], records: Records) -> Sums:
    papers = range(len(records.papers))
    return Sums(
        tuple(sum(part.totals[i] for part in parts) for i in papers),
        tuple(sum(part.counts[i] for part in parts) for i in papers),
    )


def _first(squares: Sequence[_Square]) -> tuple[int, int]:
    """Return how many rubrics fall furthest under their own edits, and how many rubrics the edits
    target.
    """
    first = of = 0
    by_treatment: dict[str, list[_Square]] = {}
    for square in squares:
        by_treatment.setdefault(square.treatment.perturbed, []).append(square)
    for row in by_treatment.values():
        own = [_mean(square.drops) for square in row if square.relation == "own"]
        others = [_mean(square.drops) for square in row if square.relation == "other"]
        if own and own[0] is not None:
            of += 1
            first += own[0] > max([0.0, *(mean for mean in others if mean is not None)])
    return first, of


def _mean(part: Sums) -> float | None:
    return sum(part.totals) / part.n if part.n else None
