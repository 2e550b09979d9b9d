"""The metric `planted-claims`: whether reviews repeat, question or ignore planted statements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from revkit.contracts import Metric
from revkit.dataclass import dataclass
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
from revkit.figures.numbers import between, count_of, number_of, percent
from revkit.model.records import Judgement, PaperRow, Records
from revkit.model.table import Cell, Column, Finding, Table
from revkit_attacks.planted_rubrics import STANDARDS
from revkit_attacks.review_reactions import Reaction
from revkit_attacks.terms import PLANTED

_JUDGE = Column(
    "judge", "Checker", "", "The checker as the experiment names it.", "judge", clear=True
)
_AGENT = Column(
    "agent", "Reviewer", "", "The reviewing agent, as the first run names it.", "agent", clear=True
)
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
    "Repeats, unchanged papers",
    "share",
    "The share of the agent's reviews of the unchanged papers: what chance or the genuine "
    "paper explains.",
)
_COLUMNS = (
    _JUDGE,
    _AGENT,
    Column("perturbation", "Attack", "", "The attack as the first run names it.", clear=True),
    Column(
        "topic",
        "Kind of attack",
        "",
        "misleading-information adds an invented claim, niche-terminology an undefined term; "
        "scattered-information moves genuine claims to unusual places.",
    ),
    Column("right", "Expected", "", "What a careful reviewer does."),
    *(column for figure in _FIGURES.values() for column in figure.columns),
    *_BEFORE.columns,
    Column("reviews", "Reviews", "count", "Checked reviews of attacked papers: the n."),
    Column("papers", "Papers", "count", "The papers that these review."),
    Column("unchecked", "Unchecked", "count", "Checks that failed."),
    CONFIDENCE,
    UNIT,
    SHORT,
    NOTE,
)
_QUESTION = (
    "When somebody plants false or obscure statements in a paper, do the reviews repeat them, "
    "question them, or ignore them?"
)
_READING = (
    'The column "Expected" names what a careful reviewer does. A share of repeats is an '
    "effect of the attack only as far as it exceeds that of unchanged papers. The brackets contain "
    "{} intervals over papers."
)
_LIMIT = (
    "Whether a review repeats, questions or ignores a statement is the judgement of the checker, "
    "which may be wrong."
)
_MOST_LEADING = 3
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
    version: ClassVar[str] = "4"
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
            findings=_findings(rows),
            reading=_READING.format(f"{100 * self.confidence:g}%") if rows else "",
            terms=PLANTED,
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
            "short": short_of(dict(zip((*_FIGURES, _BEFORE.name), estimates, strict=True))),
            "note": join_notes(*map(note_of, estimates[:3])),
        }


def _shares(
    judged: Sequence[Judgement], reviews: dict[str, PaperRow], score: int
) -> Iterator[tuple[str, float | None]]:
    for each in judged:
        value = None if each.score is None else float(each.score == score)
        yield _label(reviews[each.paper], "paper"), value


def _findings(rows: Sequence[dict[str, Cell]]) -> list[Finding]:
    """The question, what reviews do where a careful reviewer would question (first one attack for
    each reviewer), and the limit.
    """
    texts = {text: row["agent"] for row in rows if (text := _sentence(row))}
    if not texts:
        return []
    first = {agent: text for text, agent in reversed(texts.items())}
    leading = [text for text in texts if text in first.values()][:_MOST_LEADING]
    return [
        Finding(_QUESTION, part="question"),
        *map(Finding, leading),
        Finding(_LIMIT, part="limit"),
        *(Finding(text, place="section") for text in texts if text not in leading),
    ]


def _sentence(row: dict[str, Cell]) -> str:
    share = row["repeats"]
    if not isinstance(share, float) or row["right"] != "questions":
        return ""
    what = "an invented claim" if row["topic"] == "misleading-information" else "an undefined term"
    reviews = count_of(int(row["reviews"] or 0), "review")
    before = number_of(row["before"])
    beside = "" if before is None else f" ({percent(before)} of those of the same papers unchanged)"
    return (
        f"{row['agent']}, attack {row['perturbation']}: {percent(share)} "
        f"{_ends(row, 'repeats')} of {reviews} repeat {what} without doubt{beside}, "
        f"{percent(number_of(row['questions']))} {_ends(row, 'questions')} question it, and "
        f"{percent(number_of(row['ignores']))} {_ends(row, 'ignores')} ignore it."
    )


def _ends(row: dict[str, Cell], name: str) -> str:
    return between(number_of(row[f"{name}_low"]), number_of(row[f"{name}_high"]), 100.0)


def _label(row: PaperRow, name: str) -> str:
    return str(row.labels.extra.get(name) or "")
