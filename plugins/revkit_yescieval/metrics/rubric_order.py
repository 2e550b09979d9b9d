"""Test whether scores fall from original to subtle to extreme, for each text and over all
papers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from revkit.contracts import Metric
from revkit.dataclass import dataclass
from revkit.figures import (
    CONFIDENCE,
    JUDGE,
    NOTE,
    RUBRIC,
    SHORT,
    UNIT,
    Figure,
    Resampled,
    join_notes,
    note_of,
    short_of,
)
from revkit.model.criterion import Criterion
from revkit.model.records import Records
from revkit.model.table import Cell, Column, Table
from revkit_yescieval.metrics.columns import COINCIDE, FAMILY, FINE, interval_note, interval_notes
from revkit_yescieval.metrics.scores import COINCIDE_NOTE, LevelPair, RunScores, sums
from revkit_yescieval.metrics.trend import PageTest, page_test
from revkit_yescieval.terms import TERMS

if TYPE_CHECKING:
    from revkit.stats import Estimate

STRICT = Figure("strict_rate", "Strict, rate", "share", "Strict over n.")
WEAK = Figure("weak_rate", "Weak, rate", "share", "Weak over n.")
COLUMNS = (
    JUDGE,
    RUBRIC,
    FAMILY,
    Column("items", "Texts", "count", "Different texts of both levels, made and scored."),
    COINCIDE,
    Column("incomplete", "Incomplete", "count", "Texts with a failure among their scores."),
    Column("n", "n", "count", "Texts with all three scores."),
    Column("papers", "Papers", "count", "Papers with such a text."),
    Column("strict", "Strict", "count", "Texts with original > subtle > extreme."),
    *STRICT.columns,
    Column("weak", "Weak", "count", "Texts with original >= subtle >= extreme."),
    *WEAK.columns,
    Column("tied", "Tied", "count", "Texts with two equal neighbours in the order."),
    Column("flat", "Flat", "count", "Texts with three equal scores; they count as weak."),
    Column("page_l", "Page's L", "", "Page's statistic over the papers' mean scores."),
    Column("p", "p", "p", "Page's test, one-sided: no trend against a fall over the levels."),
    Column("p_holm", "p, Holm", "p", "Page's p, corrected by Holm over the rows of this table."),
    Column("test", "Test", "", "The test and how its p was computed."),
    CONFIDENCE,
    UNIT,
    SHORT,
    NOTE,
)


@dataclass(frozen=True)
class _Item:
    """The scores of one text, extreme first, so that they should increase."""

    paper: str
    extreme: float
    subtle: float
    original: float

    @property
    def strict(self) -> bool:
        return self.original > self.subtle > self.extreme

    @property
    def weak(self) -> bool:
        return self.original >= self.subtle >= self.extreme

    @property
    def tied(self) -> bool:
        return self.original == self.subtle or self.subtle == self.extreme

    @property
    def flat(self) -> bool:
        return self.original == self.subtle == self.extreme


_Scores = tuple[float | None, float | None, float | None]  # extreme, subtle, original


@dataclass(frozen=True)
class _Group:
    judge: str
    rubric: Criterion
    judged: int
    coincide: int
    items: Sequence[_Item]
    test: PageTest


@dataclass(frozen=True)
class RubricOrder(Resampled, Metric):
    """How often original > subtle > extreme holds, and whether there is such a trend over papers.

    This is the order that YESciEval expects of a judge. A text counts if it has all three scores.
    If its subtle and extreme variants are the same text, no judge can order them: it is left out
    and counted ("coincide"). The trend is Page's test, with one block of mean scores per paper:
    the levels are three states of one text, which Jonckheere's test would treat as three samples.
    A judge whose scores never change satisfies the weak order, so read ``weak`` with ``flat``.

    Several perturbations may target a rubric at one level. Those of one component whose options
    differ only in the level form a pair, and each pair of a text is an item.
    """

    name: ClassVar[str] = "rubric-order"
    version: ClassVar[str] = "9"
    table_columns: ClassVar[tuple[Column, ...]] = COLUMNS

    def measure(self, records: Records) -> Table:
        from revkit import stats

        run = RunScores(records)
        groups = [
            _group(run, judge.name, rubric)
            for judge in records.judges
            for rubric in records.rubrics
        ]
        strict = self.rates(
            records,
            [sums(records, ((i.paper, float(i.strict)) for i in group.items)) for group in groups],
        )
        weak = self.rates(
            records,
            [sums(records, ((i.paper, float(i.weak)) for i in group.items)) for group in groups],
        )
        corrected = stats.holm([group.test.p_value for group in groups])
        rows = [
            {**_row(group, *rates), "p_holm": p, "confidence": self.confidence}
            for group, *rates, p in zip(groups, strict, weak, corrected, strict=True)
        ]
        notes = [
            *interval_notes(self, records),
            COINCIDE_NOTE,
            'A judge whose scores never change satisfies the weak order on every text: see "flat".',
            "Page's test is over papers, exact for the observed ranks, ties included.",
        ]
        papers = [len({item.paper for item in group.items}) for group in groups]
        return Table.of(
            self.name,
            "Order of the levels",
            COLUMNS,
            rows,
            notes,
            fine=("family", *FINE),
            warnings=self.imprecise(
                max(papers, default=0), rows, lambda row: f"{row['judge']}, {row['rubric']}"
            ),
            method=[interval_note(self, records), COINCIDE_NOTE, notes[-1]],
            reading="A good judge gives the original the highest score, the subtle variant a lower "
            "one and the extreme variant the lowest (strict).",
            terms=TERMS,
        )


def _group(run: RunScores, judge: str, rubric: Criterion) -> _Group:
    pairs = run.level_pairs(rubric.name)
    scores = [each for pair in pairs for each in _scores(run, judge, rubric.name, pair)]
    items = [
        _Item(paper, extreme, subtle, original)
        for paper, (extreme, subtle, original) in scores
        if extreme is not None and subtle is not None and original is not None
    ]
    coincide = sum(len(run.coinciding_texts(pair)) for pair in pairs)
    return _Group(judge, rubric, len(scores), coincide, items, page_test(_blocks(items)))


def _scores(run: RunScores, judge: str, rubric: str, pair: LevelPair) -> list[tuple[str, _Scores]]:
    """Return the scores of each text of a pair of levels, with its paper."""
    subtle, extreme = (
        {
            (change.after.paper, change.after.index, change.after.repeat): change
            for treatment in run.targeting(rubric)
            for change in run.all_changes(judge, rubric, treatment)
            if change.after.perturbation == row.name
        }
        for row in pair
    )
    same = run.coinciding_texts(pair)
    return [
        (key[0], (extreme[key].after.score, low.after.score, low.before.score))
        for key, low in subtle.items()
        if key in extreme and key[:2] not in same
    ]


def _blocks(items: Sequence[_Item]) -> list[tuple[float, float, float]]:
    """Return the mean scores of each paper's texts, extreme first."""
    by_paper: dict[str, list[_Item]] = {}
    for item in items:
        by_paper.setdefault(item.paper, []).append(item)
    return [
        (
            math.fsum(item.extreme for item in texts) / len(texts),
            math.fsum(item.subtle for item in texts) / len(texts),
            math.fsum(item.original for item in texts) / len(texts),
        )
        for texts in by_paper.values()
    ]


def _row(group: _Group, strict: Estimate, weak: Estimate) -> dict[str, Cell]:
    items = group.items
    return {
        "judge": group.judge,
        "rubric": group.rubric.name,
        "family": group.rubric.family or None,
        "items": group.judged,
        "coincide": group.coincide,
        "incomplete": group.judged - len(items),
        "n": len(items),
        "papers": len({item.paper for item in items}),
        "strict": sum(item.strict for item in items),
        **STRICT.cells(strict),
        "weak": sum(item.weak for item in items),
        **WEAK.cells(weak),
        "tied": sum(item.tied for item in items),
        "flat": sum(item.flat for item in items),
        "page_l": group.test.statistic,
        "p": group.test.p_value,
        "test": group.test.method,
        "unit": "paper",
        "short": short_of({"strict rate": strict, "weak rate": weak}),
        "note": join_notes(
            f"strict: {note_of(strict)}" if note_of(strict) else "",
            f"weak: {note_of(weak)}" if note_of(weak) else "",
            group.test.note,
        ),
    }
