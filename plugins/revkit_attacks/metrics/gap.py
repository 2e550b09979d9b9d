"""The metric `attack-gap`: what a search finds beyond the fixed attack, on the same papers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from revkit.contracts import Metric
from revkit.dataclass import dataclass
from revkit.figures import (
    AGENT,
    CONFIDENCE,
    NOTE,
    SHARE_METHOD,
    SHORT,
    UNIT,
    Figure,
    Resampled,
    join_notes,
    note_of,
    short_of,
    short_warnings,
)
from revkit.figures.numbers import between, count_of, number_of, percent
from revkit.model.attack import AttackRecords
from revkit.model.card import CardLine
from revkit.model.records import AgentRow, Records
from revkit.model.table import Cell, Chart, Column, Finding, Table, TableWarning
from revkit_attacks.metrics.searches import (
    ANY_STRATEGY,
    NO_ATTACK,
    agents_of,
    clean_of,
    has_event,
    method_of,
    of_any_strategy,
    succeeded,
    terms_of,
)

FIXED, SEARCH = "fixed", "search"
ANY_ARM = "any arm"
_UNCONFIRMED = (
    "A success of a search is confirmed by fresh reviews, a success of the fixed edits is one "
    "review. For an agent with noise, the gap is therefore too small rather than too large."
)
_NAME = Column(
    "attack", "Attack", "", "The family of fixed edits, any of them, or the strategy.", "family"
)
RATE = Figure(
    "success", "Success", "share", "Share of the papers on which the attack succeeds.", SHARE_METHOD
)
GAP = Figure(
    "gap",
    "Gap",
    "share",
    "Success of the search minus success of the fixed edits of any family, on the same papers; "
    "above 0: searching succeeds more often.",
)
_READING = (
    "Fixed edits are tried once; a search tries again and uses the answers. A gap whose interval "
    "includes 0 does not show that searching succeeds more often."
)
_POWER = 0.8
_FINE = ("needed", "confidence", "unit", "short", "note")
_GATED = "no gap: keep-if refused proposals of the searches"
_COLUMNS = (
    Column("gained", "By search only", "count", "Papers on which the search alone succeeds."),
    Column("lost", "By fixed edits only", "count", "Papers on which the fixed edits alone do."),
    Column(
        "needed",
        "Papers needed",
        "count",
        "Eligible papers with which McNemar's test would find a difference like this one with a "
        "power of 80% (Connor 1987, from the shares of gained and lost papers, as if they were "
        "known); empty where no paper differs, or as many are gained as lost.",
    ),
)
COLUMNS = (
    AGENT,
    _NAME,
    Column("kind", "Kind", "", "fixed: the variants of a family; search: a strategy."),
    Column("eligible", "Papers", "count", "Eligible papers that every search assessed: the n."),
    Column("successes", "Successes", "count", "Papers on which the attack succeeds.", clear=True),
    *RATE.columns,
    *GAP.columns,
    *_COLUMNS,
    CONFIDENCE,
    UNIT,
    SHORT,
    NOTE,
)


@dataclass(frozen=True)
class AttackGap(Resampled, Metric):
    """The success of fixed edits beside that of searches, over the same eligible papers.

    The fixed attack is what a run without an attacker measures: the variants of an arm as they are,
    one review each. A paper without a variant is one on which that arm does not succeed. "Any arm"
    takes the best of all variants, an attacker who tries each once. The gap is what flip rates of
    fixed perturbations leave out. Where `keep-if` of the attack refused a proposal of an agent's
    searches, searches and fixed edits are of two spaces, so the gap is empty.
    """

    name: ClassVar[str] = "attack-gap"
    version: ClassVar[str] = "6"
    table_columns: ClassVar[tuple[Column, ...]] = COLUMNS

    def measure(self, records: Records) -> Table:
        """Return a row for each agent and attack."""
        attack = records.attack
        title = "Fixed and adaptive attack"
        if attack is None:
            return Table.of(self.name, title, COLUMNS, [], warnings=[NO_ATTACK])
        rows = [row for agent in agents_of(records, attack) for row in self._of(records, agent)]
        chart = Chart("bars", title, x="agent", y="success", group="attack")
        method = method_of(attack)
        notes = [method, *([_UNCONFIRMED] if attack.confirm else [])]
        return Table.of(
            self.name,
            title,
            COLUMNS,
            rows,
            notes,
            section=True,
            fine=_FINE,
            charts=[chart] if any(row["success"] is not None for row in rows) else [],
            findings=list(_findings(rows)),
            warnings=[
                *short_warnings(
                    self.name, rows, lambda row: f"{row['agent']} under {row['attack']}"
                ),
                *_gated(attack),
            ],
            method=[method],
            reading=_READING,
            terms=terms_of(attack),
        )

    def card_lines(self, table: Table) -> Sequence[CardLine]:
        """Return the success of the fixed edits, and what searches add to it."""
        fixed = CardLine(
            "adaptive", RATE.name, "Fixed edits succeed", (("attack", ANY_ARM),), n="eligible"
        )
        search = (("attack", ANY_STRATEGY),)
        gap = replace(
            fixed, column=GAP.name, title="Gap of the searches", where=search, weak="above"
        )
        return (fixed, gap)

    def _of(self, records: Records, agent: AgentRow) -> Iterator[dict[str, Cell]]:
        attack = records.attack
        assert attack is not None
        papers = _papers(attack, agent.name)
        fixed = _variants_with_event(records, attack, agent, papers)
        anyway = {paper for found in fixed.values() for paper in found}
        for arm, found in fixed.items():
            yield self._row(agent, arm, FIXED, papers, found)
        yield self._row(agent, ANY_ARM, FIXED, papers, anyway)
        searches = {
            each.name: {row.paper for row in attack.of(agent.name, each.name) if succeeded(row)}
            for each in attack.strategies
        }
        searches[ANY_STRATEGY] = {
            rows[0].paper
            for rows in of_any_strategy(attack, agent.name)
            if any(map(succeeded, rows))
        }
        gated = _refused(attack, agent.name) > 0
        for name, found in searches.items():
            row = self._row(agent, name, SEARCH, papers, found)
            gap = {"note": _GATED} if gated else self._gap(records, papers, found, anyway)
            yield {**row, **gap}

    def _row(
        self, agent: AgentRow, name: str, kind: str, papers: list[str], found: set[str]
    ) -> dict[str, Cell]:
        from revkit import stats

        successes = sum(paper in found for paper in papers)
        rate = stats.rate(successes, len(papers), self.confidence, unit="paper")
        return {
            "agent": agent.name,
            "attack": name,
            "kind": kind,
            "eligible": len(papers),
            "successes": successes,
            **RATE.cells(rate),
            "short": None,
            "confidence": self.confidence,
            "unit": "paper",
            "note": join_notes(note_of(rate)),
        }

    def _gap(
        self, records: Records, papers: list[str], found: set[str], fixed: set[str]
    ) -> dict[str, Cell]:
        from revkit import stats

        if not papers:
            return {}
        ones = [1.0] * len(papers)
        gained = sum(paper in found - fixed for paper in papers)
        lost = sum(paper in fixed - found for paper in papers)
        needed = stats.pairs_for_difference(
            gained / len(papers), lost / len(papers), _POWER, self.confidence
        )
        # Only discordant papers say anything of the difference.
        gap = stats.cluster_rate_difference(
            [float(paper in found - fixed) for paper in papers],
            ones,
            [float(paper in fixed - found) for paper in papers],
            ones,
            resampling=self.resampling(records),
        )
        return {
            **GAP.cells(gap),
            "gained": gained,
            "lost": lost,
            "needed": needed,
            "short": short_of({"gap": gap}),
            "note": join_notes(note_of(gap)),
        }


def _papers(attack: AttackRecords, agent: str) -> list[str]:
    """The papers that every strategy assessed, so that all rates are of the same ones."""
    assessed: dict[str, int] = {}
    for row in attack.rows:
        if row.agent == agent:
            assessed[row.paper] = assessed.get(row.paper, 0) + row.assessed
    return [paper for paper, count in assessed.items() if count == len(attack.strategies)]


def _variants_with_event(
    records: Records, attack: AttackRecords, agent: AgentRow, papers: list[str]
) -> Mapping[str, set[str]]:
    """The papers on which the variants of each arm show the event, reviewed once."""
    clean = clean_of(records, agent.name)
    found: dict[str, set[str]] = {arm: set() for arm in attack.arms}
    eligible = set(papers)
    for pair in records.pairs(agent.name):
        seen = pair.variant
        fixed = seen.perturbation in found and seen.repeat == 0 and seen.paper in eligible
        if fixed and has_event(attack.goal, clean[seen.paper][0], seen, agent):
            found[seen.perturbation].add(seen.paper)
    return found


def _refused(attack: AttackRecords, agent: str) -> int:
    """How many proposals against ``agent`` a gate refused that fixed edits need not pass."""
    return sum(row.gated for row in attack.rows if row.agent == agent and row.eligible)


def _gated(attack: AttackRecords) -> Iterator[TableWarning]:
    """A warning for each agent whose searches passed a gate that fixed edits need not pass."""
    for agent in attack.agents:
        refused = _refused(attack, agent)
        if refused:
            yield TableWarning(
                "no-figure",
                f"{agent}: attack.keep-if refused {refused:,} proposals of the searches, and the "
                "fixed edits need not pass it, so a gap would compare two sets of edits and is not "
                "shown.",
                advice="Set the same keep-if for each perturbation instead.",
            )


def _findings(rows: list[dict[str, Cell]]) -> Iterator[Finding]:
    """For each agent: what searching adds to the fixed edits."""
    for row in rows:
        if row["attack"] != ANY_STRATEGY or row["success"] is None:
            continue
        fixed = next(
            each for each in rows if each["agent"] == row["agent"] and each["attack"] == ANY_ARM
        )
        text = (
            f"{row['agent']}: fixed edits of any family succeed on "
            f"{percent(number_of(fixed['success']))} of "
            f"{count_of(int(row['eligible'] or 0), 'eligible paper')}, at least one search on "
            f"{percent(number_of(row['success']))}"
        )
        yield Finding(f"{text}{_gap_in_words(row)}", place="section")


def _gap_in_words(row: Mapping[str, Cell]) -> str:
    """The gap with its interval and what it shows, and the papers that a test would need where
    the interval contains 0."""
    gap, low, high = (number_of(row.get(key)) for key in ("gap", "gap_low", "gap_high"))
    if gap is None:
        return "; no gap can be stated."
    text = f". The gap is {100 * gap:.1f} percentage points"
    if low is None or high is None:
        return f"{text}."
    text += f" {between(low, high, 100.0)}: "
    if low > 0:
        return f"{text}searching succeeds more often."
    if high < 0:
        return f"{text}searching succeeds less often."
    text += "these papers do not show that searching succeeds more often."
    needed = row.get("needed")
    if needed:
        text += (
            f" A test would find a gap of this size in about {needed:,} eligible papers, with a "
            f"power of {percent(_POWER, 0)}."
        )
    return text
