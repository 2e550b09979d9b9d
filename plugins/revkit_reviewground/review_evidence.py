"""The metric `review-evidence`: how often each agent's reviews contradict their paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from revkit.contracts import Metric
from revkit.dataclass import dataclass
from revkit.figures import (
    CONFIDENCE,
    NOTE,
    UNIT,
    Figure,
    Resampled,
    interval_text,
    join_notes,
    note_of,
    sums,
)
from revkit.figures.numbers import MOST_LISTED, count_of, list_names, number_at, percent
from revkit.model.card import CardLine
from revkit.model.judged_reviews import records_of_reviews
from revkit.model.records import Judgement, PaperRow, Records
from revkit.model.table import Cell, Column, Finding, Measure, Table
from revkit_reviewground.evidence_marks import MARKS, RULES, EvidenceMark
from revkit_reviewground.terms import TERMS

_JUDGE = Column(
    "judge", "Checker", "", "The checker as the experiment names it.", "judge", clear=True
)
_AGENT = Column(
    "agent", "Reviewer", "", "The reviewing agent, as the first run names it.", "agent", clear=True
)
# An anchor is something else in reports: a paper of a calibration.
_TITLES = {"no-false-anchors": "False places"}
_MOST_LEADING = 3
_QUESTION = "How often do the reviews state something that their paper contradicts?"
_READING = (
    "Each figure is the share of reviews with at least one such fault; lower is better. 0% with a "
    "wide interval means that too few reviews were checked to exclude the fault."
)
_FIGURES: dict[str, Figure] = {
    mark.rubric: Figure(
        mark.rubric.removeprefix("no-").replace("-", "_"),
        _TITLES.get(mark.rubric, mark.title),
        "share",
        f"Share of reviews with {mark.description}.",
    )
    for mark in MARKS
}
_NO_REVIEWS = (
    "No text of this run is a review with an agent and a paper in its labels: run the "
    "evidence-checker on the corpus reviews-of-run."
)


@dataclass(frozen=True)
class ReviewEvidence(Resampled, Metric):
    """The share of each agent's reviews with a false quotation, a place that does not exist, a
    reviewer who does not exist, or a false claim that something is missing (ReviewGrounder,
    appendix F, as figures).

    It reads the judgements of `evidence-checker`. Reviews of one paper hang together, so intervals
    resample papers. A review that was not judged by a rubric is left out of its column and counted
    in ``unjudged``. An agent for which no mark was found has a rate of 0 with an upper bound.
    """

    name: ClassVar[str] = "review-evidence"
    version: ClassVar[str] = "4"
    data: ClassVar[tuple[str, ...]] = RULES

    def measure(self, records: Records) -> Table:
        """Return a row for each checker and reviewing agent."""
        records = records_of_reviews(records)
        reviews = {row.id: row for row in records.papers if _agent(row) and _reviewed(row)}
        asked = [mark for mark in MARKS if mark.rubric in {each.name for each in records.rubrics}]
        agents = dict.fromkeys(_agent(row) for row in reviews.values())
        used = {each.judge for each in records.judgements if each.rubric in _FIGURES}
        checkers = [row for row in records.judges if not used or row.name in used]
        rows = [
            self._row(records, reviews, judge.name, agent, asked)
            for judge in checkers
            for agent in agents
        ]
        papers = {_reviewed(row) for row in reviews.values()}
        shown = [
            Measure(
                "agent",
                _FIGURES[mark.rubric].name,
                title=_FIGURES[mark.rubric].title,
                better="lower",
            )
            for mark in asked[:1]
        ]
        return Table.of(
            self.name,
            "Reviews with statements that their paper contradicts",
            (_JUDGE, _AGENT, *(c for mark in asked for c in _FIGURES[mark.rubric].columns),
             Column("reviews", "Reviews", "count", "Reviews of unchanged papers: the n."),
             Column("papers", "Papers", "count", "The papers that these review.", clear=True),
             Column("unjudged", "Unjudged", "count", "Judgements that failed."),
             CONFIDENCE, UNIT, NOTE),
            rows,
            () if reviews else (_NO_REVIEWS,),
            headline=True,
            fine=("unjudged", "confidence", "unit", "note"),
            measures=shown if len(checkers) == 1 else (),
            findings=_findings(rows, asked),
            reading=_READING if rows else "",
            terms=TERMS,
            warnings=self.few_papers(len(papers), "reviewed paper") if reviews else (),
        )  # fmt: skip

    def card_lines(self, table: Table) -> Sequence[CardLine]:
        names = {column.name for column in table.columns}
        return [
            CardLine("evidence", figure.name, n="reviews", weak="above", brief=False)
            for figure in _FIGURES.values()
            if figure.name in names
        ]

    def _row(
        self,
        records: Records,
        reviews: dict[str, PaperRow],
        judge: str,
        agent: str,
        asked: Sequence[EvidenceMark],
    ) -> dict[str, Cell]:
        mine = {id_: row for id_, row in reviews.items() if _agent(row) == agent}
        papers = list(dict.fromkeys(_reviewed(row) for row in mine.values()))
        judged = [each for each in records.judgements if each.judge == judge and each.paper in mine]
        parts = [sums(papers, _marked(judged, mine, mark)) for mark in asked]
        estimates = self.rates(records, parts)
        cells: dict[str, Cell] = {}
        for mark, estimate in zip(asked, estimates, strict=True):
            cells |= _FIGURES[mark.rubric].cells(estimate)
        names = {mark.rubric for mark in asked}
        return {
            "judge": judge,
            "agent": agent,
            **cells,
            "reviews": len(mine),
            "papers": len(papers),
            "unjudged": sum(each.score is None for each in judged if each.rubric in names),
            "confidence": self.confidence,
            "unit": "paper",
            "note": join_notes(*map(note_of, estimates)),
        }


def _findings(rows: Sequence[dict[str, Cell]], asked: Sequence[EvidenceMark]) -> list[Finding]:
    """Return the question, and for each checker and reviewer the faults, most frequent first."""
    judges = list(dict.fromkeys(str(row["judge"]) for row in rows))
    texts = [
        f"{judge}: {text}" if len(judges) > 1 else text
        for judge in judges
        for text in _by_checker([row for row in rows if row["judge"] == judge], asked)
    ]
    if not texts:
        return []
    return [
        Finding(_QUESTION, part="question"),
        *map(Finding, texts[:_MOST_LEADING]),
        *(Finding(text, place="section") for text in texts[_MOST_LEADING:]),
    ]


def _by_checker(rows: Sequence[dict[str, Cell]], asked: Sequence[EvidenceMark]) -> list[str]:
    texts: list[str] = []
    clean: list[dict[str, Cell]] = []
    for row in rows:
        reviews = count_of(int(str(row["reviews"])), "review")
        if all(number_at(row, _FIGURES[mark.rubric].name) is None for mark in asked):
            continue  # nothing was measured
        shares = [
            (number_at(row, figure.name) or 0.0, figure)
            for figure in (_FIGURES[mark.rubric] for mark in asked)
            if number_at(row, figure.name)
        ]
        if not shares and row["unjudged"]:
            failed = count_of(int(str(row["unjudged"])), "check")
            texts.append(f"{row['agent']} ({reviews}): no fault was found, but {failed} failed.")
            continue
        if not shares:
            clean.append(row)
            continue
        parts = [
            f"{figure.title.lower()} in {percent(share)} {interval_text(row, figure.name, 100.0)}"
            for share, figure in sorted(shares, key=lambda each: -each[0])
        ]
        texts.append(f"{row['agent']} ({reviews}): {', '.join(parts)}.")
    if clean:
        reviews = count_of(sum(int(str(row["reviews"])) for row in clean), "review")
        names = list_names([str(row["agent"]) for row in clean[:MOST_LISTED]])
        more = f" and {len(clean) - MOST_LISTED} more" if len(clean) > MOST_LISTED else ""
        texts.append(f"In {reviews} by {names}{more}, no fault was found.")
    return texts


def _marked(
    judged: Sequence[Judgement], reviews: dict[str, PaperRow], mark: EvidenceMark
) -> Iterator[tuple[str, float | None]]:
    """Return the reviewed paper of each judgement by ``mark``, and 1 with a mark, 0 without."""
    for each in judged:
        if each.rubric == mark.rubric and not each.perturbation:
            yield (
                _reviewed(reviews[each.paper]),
                None if each.score is None else float(each.score == 0),
            )


def _agent(row: PaperRow) -> str:
    return "" if row.labels.extra.get("perturbation") else str(row.labels.extra.get("agent") or "")


def _reviewed(row: PaperRow) -> str:
    return str(row.labels.extra.get("paper") or "")
