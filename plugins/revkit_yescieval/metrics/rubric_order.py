"""Whether scores fall from original over subtle to extreme, text by text and over all papers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from revkit.contracts import Metric
from revkit.figures import CONFIDENCE, JUDGE, NOTE, RUBRIC, UNIT, Resampled, join_notes, note_of
from revkit.model.criterion import Criterion
from revkit.model.records import Records
from revkit.model.table import Cell, Column, Table
from revkit_yescieval.metrics.intervals import FAMILY, FINE, bounds, estimate_cells, interval_note
from revkit_yescieval.metrics.scored import EXTREME, SUBTLE, Scored, sums
from revkit_yescieval.metrics.trend import PageTest, page_test

if TYPE_CHECKING:
    from revkit.stats import Estimate

COLUMNS = (
    JUDGE,
    RUBRIC,
    FAMILY,
    Column("items", "Texts", "count", "Different texts of both levels, made and scored."),
    Column(
        "coincide",
        "Coincide",
        "count",
        "Texts left out, since their subtle and extreme variants are the same text.",
    ),
    Column("incomplete", "Incomplete", "count", "Those of them where a score is a failure."),
    Column("n", "n", "count", "Texts with all three scores."),
    Column("papers", "Papers", "count", "Papers with such a text."),
    Column("strict", "Strict", "count", "Texts with original > subtle > extreme."),
    Column("strict_rate", "Strict, rate", "share", "Strict over n."),
    *bounds("strict_rate", "Strict, rate", "share"),
    Column("weak", "Weak", "count", "Texts with original >= subtle >= extreme."),
    Column("weak_rate", "Weak, rate", "share", "Weak over n."),
    *bounds("weak_rate", "Weak, rate", "share"),
    Column("tied", "Tied", "count", "Texts with two equal neighbours in the order."),
    Column("flat", "Flat", "count", "Texts with all three scores equal; weak holds for them."),
    Column("page_l", "Page's L", "", "Page's statistic over the papers' mean scores."),
    Column("p", "p", "p", "Page's test, one-sided: no trend against a fall over the levels."),
    Column("p_holm", "p, Holm", "p", "The same, corrected by Holm over the rows of this table."),
    Column("test", "Test", "", "The test and how its p was computed."),
    CONFIDENCE,
    UNIT,
    NOTE,
)


@dataclass(frozen=True)
class _Item:
    """The scores of one text, extreme first: the order in which they should rise."""

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


@dataclass(frozen=True)
class _Group:
    judge: str
    rubric: Criterion
    asked: int
    coincide: int
    items: Sequence[_Item]
    test: PageTest


@dataclass(frozen=True)
class RubricOrder(Resampled, Metric):
    """How often original > subtle > extreme, and whether there is such a trend over papers.

    This is the order that YESciEval expects of a judge. A text counts where all three of its
    scores are there. Where its subtle and extreme variants are the same text ("levels coincide"),
    no judge could order them: it is left out and counted. The trend is Page's test, with one block
    of mean scores a paper: the levels are three states of one text, which Jonckheere's test would
    take for three samples. A judge that never moves keeps the weak order, so ``weak`` is to be read
    beside ``flat``.
    """

    name: ClassVar[str] = "rubric-order"
    version: ClassVar[str] = "3"

    def measure(self, records: Records) -> Table:
        from revkit import stats

        scored = Scored(records)
        groups = [
            _group(scored, judge.name, rubric)
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
            *interval_note(self, records),
            'A judge that never moves keeps the weak order on every text: see "flat".',
            "Page's test is over papers, exact for the ranks at hand, ties included.",
        ]
        return Table.of(
            self.name, "Order of the levels", COLUMNS, rows, notes, fine=("family", *FINE)
        )


def _group(scored: Scored, judge: str, rubric: Criterion) -> _Group:
    by_level: dict[str, dict[tuple[str, int, int], tuple[float | None, float | None]]] = {}
    for treatment in scored.aimed_at(rubric.name):
        found = by_level.setdefault(treatment.level, {})
        for change in scored.changes(judge, rubric.name, treatment):
            after = change.after
            key = (after.paper, after.index, after.repeat)
            found.setdefault(key, (change.before.score, after.score))
    subtle, extreme = by_level.get(SUBTLE, {}), by_level.get(EXTREME, {})
    both = [key for key in subtle if key in extreme]
    same = scored.coinciding(rubric.name)
    keys = [key for key in both if key[:2] not in same]
    items = [
        _Item(key[0], low, middle, high)
        for key in keys
        for high, middle in (subtle[key],)
        for _, low in (extreme[key],)
        if high is not None and middle is not None and low is not None
    ]
    coincide = len(both) - len(keys)
    return _Group(judge, rubric, len(keys), coincide, items, page_test(_blocks(items)))


def _blocks(items: Sequence[_Item]) -> list[tuple[float, float, float]]:
    """The mean scores of each paper's texts, extreme first."""
    by_paper: dict[str, list[_Item]] = {}
    for item in items:
        by_paper.setdefault(item.paper, []).append(item)
    return [
        (
            math.fsum(item.extreme for item in found) / len(found),
            math.fsum(item.subtle for item in found) / len(found),
            math.fsum(item.original for item in found) / len(found),
        )
        for found in by_paper.values()
    ]


def _row(group: _Group, strict: Estimate, weak: Estimate) -> dict[str, Cell]:
    items = group.items
    return {
        "judge": group.judge,
        "rubric": group.rubric.name,
        "family": group.rubric.family or None,
        "items": group.asked,
        "coincide": group.coincide,
        "incomplete": group.asked - len(items),
        "n": len(items),
        "papers": len({item.paper for item in items}),
        "strict": sum(item.strict for item in items),
        **estimate_cells("strict_rate", strict),
        "weak": sum(item.weak for item in items),
        **estimate_cells("weak_rate", weak),
        "tied": sum(item.tied for item in items),
        "flat": sum(item.flat for item in items),
        "page_l": group.test.statistic,
        "p": group.test.p_value,
        "test": group.test.method,
        "unit": "paper",
        "note": join_notes(
            f"strict: {note_of(strict)}" if note_of(strict) else "",
            f"weak: {note_of(weak)}" if note_of(weak) else "",
            group.test.note,
        ),
    }
