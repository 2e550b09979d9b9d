"""The outcome of every planned review."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, get_args

from revkit.contracts import Metric
from revkit.dataclass import dataclass
from revkit.figures import AGENT, NOTE, join_notes
from revkit.model.card import CardLine
from revkit.model.records import AgentRow, Records, Verdict
from revkit.model.review import FailureKind
from revkit.model.table import Cell, Column, Table

UNCHANGED = "unchanged papers"
ALL = "all"
KINDS: tuple[str, ...] = get_args(FailureKind)
COLUMNS = (
    AGENT,
    Column("of", "Reviews of", "", "The unchanged papers, one family's variants, or all."),
    Column("planned", "Planned", "count", "Papers and accepted variants times repeats."),
    Column("missing", "Missing", "count", "Planned reviews of which the run holds no outcome."),
    Column("reviews", "Reviews", "count", "Outcomes that are a review."),
    Column("failed", "Failed", "count", "Outcomes that are a failure."),
    *(
        Column(f"failed_{kind}", f"Failed: {kind}", "count", f'Failures of kind "{kind}".')
        for kind in KINDS
    ),
    Column("without_verdict", "No verdict", "count", "Reviews without accept or reject."),
    Column("without_score", "No score", "count", "Reviews without a score."),
    Column(
        "against_scale",
        "Against scale",
        "count",
        "Reviews whose verdict contradicts the accept rule of the scale at their own score.",
    ),
    Column(
        "remarked",
        "Remarked",
        "count",
        "Reviews of which their agent says that a part of it did not work.",
    ),
    NOTE,
)


@dataclass(frozen=True)
class Outcomes(Metric):
    """Counts reviews and failures of each agent. These are complete counts of the run, without
    intervals.
    """

    name: ClassVar[str] = "outcomes"
    version: ClassVar[str] = "4"
    table_columns: ClassVar[tuple[Column, ...]] = COLUMNS

    def measure(self, records: Records) -> Table:
        by_agent: dict[str, list[Verdict]] = {agent.name: [] for agent in records.agents}
        for verdict in records.verdicts:
            by_agent[verdict.agent].append(verdict)
        rows = [
            _row(agent, of, count, [v for v in by_agent[agent.name] if of in (ALL, _of(v))])
            for agent in records.agents
            for of, count in _planned(records, agent).items()
        ]
        notes = ["The unit is the review; these are counts of the whole run and carry no interval."]
        return Table.of(self.name, "Outcomes of all planned reviews", COLUMNS, rows, notes)

    def card_lines(self, table: Table) -> Sequence[CardLine]:
        lines = (
            CardLine("failures", "failed", "Failed reviews", n="planned", weak="above"),
            CardLine("failures", "missing", "Missing reviews", n="planned", weak="above"),
            CardLine("failures", "against_scale", "Verdicts against the score", n="reviews"),
        )
        where = (("of", ALL),)
        return [replace(each, where=where, brief=each is lines[0]) for each in lines]


def _planned(records: Records, agent: AgentRow) -> dict[str, int]:
    made = Counter(row.perturbation for row in records.variants if not row.rejected)
    planned = {UNCHANGED: len(records.papers) * records.repeats}
    for row in records.perturbations:
        planned[row.name] = 0 if agent.originals_only else made[row.name] * records.repeats
    return {**planned, ALL: sum(planned.values())}


def _of(verdict: Verdict) -> str:
    return verdict.perturbation or UNCHANGED


def _row(agent: AgentRow, of: str, planned: int, verdicts: list[Verdict]) -> dict[str, Cell]:
    kinds = Counter(verdict.failure for verdict in verdicts if verdict.failure)
    reviews = [verdict for verdict in verdicts if not verdict.failure]
    missing = planned - len(verdicts)
    against = sum(agent.against_scale(verdict) for verdict in reviews)
    return {
        "agent": agent.name,
        "of": of,
        "planned": planned,
        "missing": missing,
        "reviews": len(reviews),
        "failed": sum(kinds.values()),
        **{f"failed_{kind}": kinds[kind] for kind in KINDS},
        "without_verdict": sum(verdict.accept is None for verdict in reviews),
        "without_score": sum(verdict.score is None for verdict in reviews),
        "against_scale": against,
        "remarked": sum(bool(verdict.warnings) for verdict in reviews),
        "note": join_notes(
            "reviews unchanged papers only" if agent.originals_only else "",
            "the run holds no outcome for some planned reviews" if missing else "",
            "some verdicts contradict the scale's accept rule; verdicts are taken as given"
            if against
            else "",
        ),
    }
