"""The metric `planted-claims`: whether reviews repeat, question or ignore planted statements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from revkit.contracts import Metric
from revkit.figures import (
    CONFIDENCE,
    NOTE,
    SHORT,
    UNIT,
    Figure,
    Resampled,
    join_notes,
    note_of,
    short_of,
    sums,
)
from revkit.figures.numbers import percent
from revkit.model.records import Judgement, PaperRow, Records
from revkit.model.table import Cell, Column, Finding, Table
from revkit_attacks.planted_rubrics import STANDARDS
from revkit_attacks.review_reactions import Reaction

_JUDGE = Column("judge", "Checker", "", "The checker as the experiment names it.", "judge")
_AGENT = Column("agent", "Reviewer", "", "The reviewing agent, as the first run names it.", "agent")
_REACTIONS: tuple[Reaction, ...] = ("repeats", "questions", "ignores")
_FIGURES = {
    "repeats": Figure(
        "repeats", "Repeats", "share", "Share of reviews that repeat a statement without doubt."
    ),
    "questions": Figure(
        "questions",
        "Questions",
        "share",
        "Share of reviews that question a statement and repeat none without doubt.",
    ),
    "ignores": Figure(
        "ignores", "Ignores", "share", "Share of reviews that mention none of the statements."
    ),
}
_BEFORE = Figure(
    "before",
    "Repeats before",
    "share",
    "Share of the same agent's reviews of the unchanged papers that mention a statement without "
    "doubt.",
)
_COLUMNS = (
    _JUDGE,
    _AGENT,
    Column("perturbation", "Attack", "", "The perturbation as the first run names it."),
    Column("topic", "Kind", "", "The kind of attack, which is the rubric."),
    Column("right", "Right", "", "The reaction of a careful reviewer."),
    *(column for figure in _FIGURES.values() for column in figure.columns),
    *_BEFORE.columns,
    Column("reviews", "Reviews", "count", "Checked reviews of attacked papers."),
    Column("papers", "Papers", "count", "The papers that these review."),
    Column("unchecked", "Unchecked", "count", "Checks that failed."),
    CONFIDENCE,
    UNIT,
    SHORT,
    NOTE,
)
_NONE = (
    "No review was checked for planted statements: run the planted-checker on the corpus "
    "reviews-of-run with perturbation: all, for a run with such an attack."
)
_Key = tuple[str, str, str, str]  # judge, agent, perturbation, topic


@dataclass(frozen=True)
class PlantedClaims(Resampled, Metric):
    """The share of reviews that repeat, question or ignore what an attack planted in the paper.

    ReviewGrounder's Table 6 reports how the scores of reviews change under three attacks; this
    table states what the reviews say about the planted statements themselves. It reads the
    judgements of `planted-checker`. ``before`` is the share of reviews of unchanged papers that
    mention a statement, which is chance for invented statements, and the usual rate for genuine
    claims that were moved. The three shares of a row add up to 1. Intervals resample papers.
    """

    name: ClassVar[str] = "planted-claims"
    version: ClassVar[str] = "3"
    table_columns: ClassVar[tuple[Column, ...]] = _COLUMNS

    def measure(self, records: Records) -> Table:
        """Return a row for each checker, reviewing agent and attack."""
        reviews = {row.id: row for row in records.papers if row.labels.extra.get("agent")}
        checked: dict[_Key, list[Judgement]] = {}
        for each in records.judgements:
            row = reviews.get(each.paper)
            if row is None or each.rubric not in STANDARDS or each.perturbation:
                continue
            key = (each.judge, _label(row, "agent"), _label(row, "perturbation"), each.rubric)
            checked.setdefault(key, []).append(each)
        rows = [
            self._row(records, reviews, key, found, checked.get((*key[:2], "", key[3]), []))
            for key, found in checked.items()
            if key[2]
        ]
        most = max((int(str(row["papers"])) for row in rows), default=0)
        return Table.of(
            self.name,
            "Reviews that repeat, question or ignore what was planted",
            _COLUMNS,
            rows,
            () if rows else (_NONE,),
            headline=True,
            fine=("papers", "unchecked", "confidence", "unit", "short", "note"),
            findings=[finding for row in rows if (finding := _finding(row))],
            warnings=self.imprecise(
                most,
                rows,
                lambda row: f"{row['agent']} under {row['perturbation']}",
                "reviewed paper",
            ),
        )

    def _row(
        self,
        records: Records,
        reviews: dict[str, PaperRow],
        key: _Key,
        found: Sequence[Judgement],
        before: Sequence[Judgement],
    ) -> dict[str, Cell]:
        judge, agent, perturbation, topic = key
        standard = STANDARDS[topic]
        papers = list(dict.fromkeys(_label(reviews[each.paper], "paper") for each in found))
        parts = [
            sums(papers, _shares(found, reviews, standard.scores[reaction]))
            for reaction in _REACTIONS
        ]
        earlier = [each for each in before if _label(reviews[each.paper], "paper") in papers]
        parts.append(sums(papers, _shares(earlier, reviews, standard.scores["repeats"])))
        estimates = self.rates(records, parts)
        cells: dict[str, Cell] = {}
        for figure, estimate in zip((*_FIGURES.values(), _BEFORE), estimates, strict=True):
            cells |= figure.cells(estimate)
        return {
            "judge": judge,
            "agent": agent,
            "perturbation": perturbation,
            "topic": topic,
            "right": standard.right,
            **cells,
            "reviews": sum(each.score is not None for each in found),
            "papers": len(papers),
            "unchecked": sum(each.score is None for each in found),
            "confidence": self.confidence,
            "unit": "paper",
            "short": short_of(dict(zip((*_FIGURES, "repeats before"), estimates, strict=True))),
            "note": join_notes(*map(note_of, estimates[:3])),
        }


def _shares(
    judged: Sequence[Judgement], reviews: dict[str, PaperRow], score: int
) -> Iterator[tuple[str, float | None]]:
    for each in judged:
        value = None if each.score is None else float(each.score == score)
        yield _label(reviews[each.paper], "paper"), value


def _finding(row: dict[str, Cell]) -> Finding | None:
    """A sentence on what reviews do where a careful reviewer would question."""
    share = row["repeats"]
    if not isinstance(share, float) or row["right"] != "questions":
        return None
    what = "an invented claim" if row["topic"] == "misleading-information" else "an undefined term"
    return Finding(
        f"{row['agent']}: {percent(share)} of the reviews under {row['perturbation']} repeat "
        f"{what} without doubt."
    )


def _label(row: PaperRow, name: str) -> str:
    return str(row.labels.extra.get(name) or "")
