"""How often an agent scores a variant worse than its paper: whether edits are noticed."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import TYPE_CHECKING, ClassVar

from revkit.dataclass import dataclass
from revkit.figures import (
    AGENT,
    CONFIDENCE,
    FAMILY,
    METHOD,
    NOTE,
    SHORT,
    UNIT,
    Figure,
    note_of,
    short_of,
    short_warnings,
)
from revkit.figures.columns import name_pairs
from revkit.figures.numbers import list_names
from revkit.model.records import Records
from revkit.model.table import Cell, Column, Finding, Table
from revkit.options import option
from revkit_robustrev.metrics.base import OverPapers
from revkit_robustrev.metrics.pairs import (
    ALL_FAMILIES,
    Group,
    RepeatedPair,
    Value,
    direction_groups,
    groups,
    sums_over_papers,
)

if TYPE_CHECKING:
    from revkit import stats

SHARE = Figure(
    "share",
    "Noticed",
    "share",
    "Pairs whose variant has the worse score over pairs with both scores.",
    "over papers.",
)
SHIFT = Figure(
    "shift",
    "Mean shift",
    "score points",
    "By how many score points variants are better than their papers, mean; below 0 is worse.",
)
HARMLESS, NOTICED, OPEN = "harmless", "noticed", "open"
COLUMNS = (
    AGENT,
    FAMILY,
    Column("direction", "Direction", "", "Which way the edits go; empty for all of the family."),
    Column("expect", "Expected", "", "What a fair score does under the edits of the family."),
    Column("pairs", "Pairs", "count", "Pairs with a score on both sides."),
    Column("papers", "Papers", "count", "Papers with such a pair."),
    Column("worse", "Worse", "count", "Pairs whose variant has the worse score."),
    Column("better", "Better", "count", "Pairs whose variant has the better score."),
    *SHARE.columns,
    METHOD,
    *SHIFT.columns,
    Column(
        "answer",
        "Answer",
        "",
        "noticed: the interval is above the limit; harmless: below it; open: it holds the limit.",
    ),
    CONFIDENCE,
    UNIT,
    SHORT,
    NOTE,
)

FINE = ("expect", "better", "papers", "method", "confidence", "unit", "short", "note")


@dataclass(frozen=True)
class Noticed(OverPapers):
    """The share of variants that an agent scores worse than their papers, by family and direction.

    It is for agents that look for the traces of edits, such as `filler-noticer`: a family may claim
    to leave a fair score as it is only where at most ``limit`` of its variants are noticed. With
    repeats, the means of both sides are compared. An agent that sees no fault proves nothing about
    faults for which it does not look.
    """

    name: ClassVar[str] = "noticed"
    version: ClassVar[str] = "6"
    table_columns: ClassVar[tuple[Column, ...]] = COLUMNS

    limit: float = option(
        0.1,
        help="The share of noticed variants up to which edits are harmless.",
        minimum=0,
        maximum=1,
    )

    def measure(self, records: Records) -> Table:
        found: list[Group] = []
        for agent in records.agents:
            families = [each for each in groups(records, agent) if each.family != ALL_FAMILIES]
            ways = direction_groups(records, families)
            for family in families:
                found += [family, *(way for way in ways if way.family == family.family)]
        moved = [sums_over_papers(records, group.pairs, _gain_of(group)) for group in found]
        worse = [sums_over_papers(records, group.pairs, _worse_of(group)) for group in found]
        shares = self.rates(records, worse) if found else []
        shifts = self.means(records, moved) if found else []
        rows = [
            self._row(group, share, shift)
            for group, share, shift in zip(found, shares, shifts, strict=True)
        ]
        notes = [
            *self.interval_notes(records),
            "Edits are harmless to an agent where the interval of the noticed share is at or "
            f"below {100 * self.limit:g} %.",
        ]
        return Table.of(
            self.name,
            "Noticed edits",
            COLUMNS,
            rows,
            notes,
            method=[self.interval_sentence(records)],
            headline=True,
            reading="Each row is one agent under one family, or under one direction of its edits. "
            "An edit is noticed if the variant gets a worse score than its paper.",
            fine=FINE,
            findings=_findings(rows),
            warnings=short_warnings(self.name, rows, name_pairs),
        )

    def _row(self, group: Group, share: stats.Estimate, shift: stats.Estimate) -> dict[str, Cell]:
        gain = _gain_of(group)
        shifts = [value for pair in group.pairs if (value := gain(pair)) is not None]
        return {
            "agent": group.agent.name,
            "family": group.family,
            "direction": group.direction or None,
            "expect": group.expect,
            "pairs": len(shifts),
            "papers": share.interval.n,
            "worse": sum(value < 0 for value in shifts),
            "better": sum(value > 0 for value in shifts),
            **SHARE.cells(share),
            "method": share.interval.method,
            **SHIFT.cells(shift),
            "answer": self._answer(share) if shifts else None,
            "confidence": self.confidence,
            "unit": "paper",
            "short": short_of({"share": share, "mean shift": shift}) if shifts else None,
            "note": note_of(share) if shifts else "no pair with two scores",
        }

    def _answer(self, share: stats.Estimate) -> str:
        low, high = share.interval.low, share.interval.high
        if low is not None and low > self.limit:
            return NOTICED
        return HARMLESS if high is not None and high <= self.limit else OPEN


def _gain_of(group: Group) -> Value:
    """By how many score points a variant is better, whichever way the scale of the agent goes."""
    sign = 1.0 if group.agent.scale.higher_is_better else -1.0

    def gain(pair: RepeatedPair) -> float | None:
        before, after = pair.scores
        return sign * (fmean(after) - fmean(before)) if before and after else None

    return gain


def _worse_of(group: Group) -> Value:
    gain = _gain_of(group)

    def worse(pair: RepeatedPair) -> float | None:
        found = gain(pair)
        return None if found is None else float(found < 0)

    return worse


def _findings(rows: Sequence[dict[str, Cell]]) -> list[Finding]:
    """Which families are noticed, by the agents that notice them."""
    seen: dict[str, list[str]] = {}
    for row in rows:
        if row["answer"] == NOTICED and not row["direction"]:
            seen.setdefault(str(row["family"]), []).append(str(row["agent"]))
    parts = [f"{family} by {list_names(agents)}" for family, agents in seen.items()]
    text = f"Noticed edits: {'; '.join(parts)}." if parts else "No family was shown to be noticed."
    question = (
        "Do agents that look for one kind of fault notice the edits: does the edited paper get a "
        "worse score than the unchanged one?"
    )
    return [Finding(question, part="question"), Finding(text)] if rows else []
