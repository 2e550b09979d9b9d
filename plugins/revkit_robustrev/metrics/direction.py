"""Which way verdicts flip: towards acceptance, or away from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from revkit.contracts import Metric
from revkit.figures import (
    AGENT,
    CONFIDENCE,
    FAMILY,
    NOTE,
    UNIT,
    Figure,
    confidence_option,
    join_notes,
)
from revkit.figures.numbers import between, stated_p, to_fixed
from revkit.model.records import Pair, Records
from revkit.model.table import Cell, Chart, Column, Finding, Headline, Table
from revkit_robustrev.metrics.pairs import (
    ALL_AGENTS,
    ALL_FAMILIES,
    family_names,
    groups,
    left_out_note,
    sums_over_papers,
)

_OF_THOSE = ("share", "The share of those that flipped.", "Wilson, pairs independent.")
RATIO = Figure(
    "ratio",
    "Ratio",
    "ratio",
    "Reject-to-accept flips for each accept-to-reject flip.",
    "from that of the share; empty above: no upper bound.",
)
SHARE = Figure(
    "share",
    "Share to accept",
    "share",
    "The share of flips that go to accept.",
    "Clopper-Pearson, flips independent.",
)
REJECT_RATE = Figure("reject_rate", "Rejects flipped", *_OF_THOSE)
ACCEPT_RATE = Figure("accept_rate", "Accepts flipped", *_OF_THOSE)
COLUMNS = (
    AGENT,
    FAMILY,
    Column("valid", "Valid", "count", "Pairs with a verdict on both sides."),
    Column(
        "flips", "Flips", "count", "Valid pairs whose verdict changed: the n of ratio and share."
    ),
    Column("reject_to_accept", "Reject to accept", "count", "Flips from reject to accept."),
    Column("accept_to_reject", "Accept to reject", "count", "Flips from accept to reject."),
    *RATIO.columns,
    *SHARE.columns,
    Column("p_exact", "p, exact", "p", "Exact two-sided sign test of share = 1/2."),
    Column(
        "p_clustered", "p, papers", "p", "The same question with papers as the unit (Obuchowski)."
    ),
    Column("rejects", "Rejects", "count", "Valid pairs whose original was rejected."),
    *REJECT_RATE.columns,
    Column("accepts", "Accepts", "count", "Valid pairs whose original was accepted."),
    *ACCEPT_RATE.columns,
    CONFIDENCE,
    UNIT,
    NOTE,
)

PLACE: Literal["section"] = "section"
FINE = (
    *("family", "valid", "flips", "share", "rejects", "reject_rate", "accepts", "accept_rate"),
    *("confidence", "unit", "note"),
)
CHART = Chart(
    "opposed",
    "Flips from accept to reject and from reject to accept",
    "agent",
    "reject_to_accept",
    value="accept_to_reject",
    where=(("family", ALL_FAMILIES),),
)


@dataclass(frozen=True)
class Direction(Metric):
    """Reject-to-accept flips against accept-to-reject flips (ROBUST-REV, section 5.3).

    The ratio distinguishes exploitable perturbations from noise only where about as many
    originals could flip one way as the other; the share of each kind that flipped is shown next to
    it for that reason. Rows over all agents add their flips up.
    """

    name: ClassVar[str] = "direction"
    version: ClassVar[str] = "3"

    confidence: float = confidence_option(formerly="level")

    def measure(self, records: Records) -> Table:
        cells = [
            (agent.name, group.family, group.pairs)
            for agent in records.agents
            for group in groups(records, agent)
        ]
        for family in family_names(records) if records.agents else ():
            together = [pair for _, name, pairs in cells if name == family for pair in pairs]
            cells.append((ALL_AGENTS, family, together))
        rows = [self._row(records, *cell) for cell in cells]
        notes = [
            'Ratio, share and exact test treat flips as independent; "p, papers" treats papers as '
            f'independent. Rows of "{ALL_AGENTS}" add up the flips of all agents.',
            *left_out_note(records),
        ]
        return Table.of(
            self.name,
            "Direction of flips",
            COLUMNS,
            rows,
            notes,
            fine=FINE,
            charts=(CHART,),
            section=True,
            rows_shown=(("family", ALL_FAMILIES),),
            findings=[_finding(row, self.confidence) for row in rows if _is_whole(row)],
        )

    def _row(
        self, records: Records, agent: str, family: str, pairs: Sequence[Pair]
    ) -> dict[str, Cell]:
        from revkit import stats

        valid = [pair for pair in pairs if pair.flip is not None]
        up = [pair for pair in valid if pair.flip and pair.variant.accept]
        down = [pair for pair in valid if pair.flip and pair.original.accept]
        accepts = sum(bool(pair.original.accept) for pair in valid)
        found = stats.direction(
            len(up),
            len(down),
            confidence=self.confidence,
            rejects_at_risk=len(valid) - accepts,
            accepts_at_risk=accepts,
        )
        seen, *ways = (sums_over_papers(records, some, lambda _: 1.0) for some in (valid, up, down))
        kept = [i for i, pairs in enumerate(seen.counts) if pairs]
        clustered = stats.clustered_mcnemar(*([way.totals[i] for i in kept] for way in ways))
        return {
            "agent": agent,
            "family": family,
            "valid": len(valid),
            "flips": len(up) + len(down),
            "reject_to_accept": len(up),
            "accept_to_reject": len(down),
            **RATIO.cells(found.ratio),
            **SHARE.cells(found.share),
            "p_exact": found.p_value if up or down else None,
            "p_clustered": clustered.p_value if up or down else None,
            "rejects": len(valid) - accepts,
            **REJECT_RATE.cells(found.reject_to_accept_rate),
            "accepts": accepts,
            **ACCEPT_RATE.cells(found.accept_to_reject_rate),
            "confidence": self.confidence,
            "unit": "flip",
            "note": join_notes(
                "no valid pair" if not valid else found.note,
                clustered.note if up or down else "",
            ),
        }


def _is_whole(row: Mapping[str, Cell]) -> bool:
    """Whether the row is about all agents and all families."""
    return (row["agent"], row["family"]) == (ALL_AGENTS, ALL_FAMILIES)


def _finding(row: Mapping[str, Cell], confidence: float) -> Finding:
    """Which way verdicts flipped, with test and interval."""

    def number(name: str) -> float | None:
        cell = row.get(name)
        return float(cell) if isinstance(cell, int | float) else None

    up, down = int(number("reject_to_accept") or 0), int(number("accept_to_reject") or 0)
    if not row["valid"]:
        return Finding("No pair has a verdict on both sides, so there is no direction.", (), PLACE)
    if not up + down:
        return Finding("No verdict flipped, so there is no direction.", (), PLACE)
    counts = f"{up:,} verdicts flipped from reject to accept, {down:,} from accept to reject"
    test = f"exact sign test over flips {stated_p(number('p_exact'))}"
    if row["p_clustered"] is not None:
        test += f", over papers {stated_p(number('p_clustered'))}"
    ratio, low, high = (number(name) for name in ("ratio", "ratio_low", "ratio_high"))
    if ratio is None:
        return Finding(f"{counts} (no ratio; {test}).", (), PLACE)
    interval = f"{100 * confidence:g}% interval {between(low, high)}"
    return Finding(
        f"{counts}, a ratio of {to_fixed(ratio, 1)} : 1 ({interval}; {test}).",
        (Headline("flips to accept : to reject", ratio, "ratio", low, high),),
        PLACE,
    )
