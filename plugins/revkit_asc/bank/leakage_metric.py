"""The metric `anchor-leakage`: compares errors on old anchors with errors on fresh anchors in a
run.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from typing import ClassVar

from revkit.contracts import Metric
from revkit.dataclass import dataclass
from revkit.errors import OptionError
from revkit.figures import AGENT, CONFIDENCE, NOTE, UNIT, Figure, confidence_option
from revkit.figures.numbers import MOST_LISTED, between, count_of, stated_p, to_fixed
from revkit.model.consensus import consensus_of
from revkit.model.records import Anchors, FittedMap, PaperRow, Records
from revkit.model.review import Scale
from revkit.model.table import Cell, Column, Finding, Table, TableWarning
from revkit.options import option, unknown_name
from revkit_asc.bank.leakage import AnchorError, Leakage, old_against_fresh
from revkit_asc.terms import BANK

_QUESTION = "Do agents know the anchors that have been in use for long?"
_READING = (
    "An agent that has seen the old anchors, for example in its training data, is more accurate on "
    "them than on fresh ones: a difference above 0 with a small p."
)
_QUARTER = re.compile(r"([0-9]{4}-Q[1-4])?")
_TITLE = "Errors on old and on fresh anchors"
_EXCESS = Figure(
    "excess",
    "Error, fresh minus old",
    "score points",
    "Mean error on fresh anchors minus that on old ones; above 0: the agent is more accurate on "
    "old anchors.",
    "Welch's, within tiers.",
)
_COLUMNS = (
    AGENT,
    Column("map", "Map", "", "The way of fitting that brings its scores onto the common scale."),
    Column("old", "Old anchors", "count", "Old anchors with a score, in tiers with fresh ones."),
    Column("fresh", "Fresh anchors", "count", "Fresh anchors with a score, in the same tiers."),
    *_EXCESS.columns,
    CONFIDENCE,
    Column("p", "p", "p", "One-sided, against an excess of 0 or less."),
    Column("p_holm", "p, Holm", "p", "p after Holm's correction over agents.", clear=True),
    UNIT,
    NOTE,
)


@dataclass(frozen=True)
class AnchorLeakage(Metric):
    """Tests whether agents have smaller errors on anchors that have been in use for long than on
    fresh ones.

    An agent whose training data hold the old anchors is closer to their consensus. Errors are
    absolute, on the common scale, and compared within tiers by Welch's test, since a hard tier is
    hard for all. A small p is a reason to rotate and to probe for the watermark, no proof.
    """

    name: ClassVar[str] = "anchor-leakage"
    version: ClassVar[str] = "6"
    table_columns: ClassVar[tuple[Column, ...]] = _COLUMNS
    data: ClassVar[tuple[str, ...]] = ("watermark.tsv",)
    map: str = option("", help="The way of fitting to use; empty for the last of the experiment.")
    fresh_since: str = option(
        "",
        help="First quarter whose anchors are fresh, as 2026-Q2; empty for the latest that occurs.",
    )
    confidence: float = confidence_option(formerly="level")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not _QUARTER.fullmatch(self.fresh_since):
            text = f"expected a quarter such as 2026-Q2, not {self.fresh_since!r}"
            raise OptionError(self.name, [("fresh-since", text)])

    def measure(self, records: Records) -> Table:
        """Return one row for each agent that has a map."""
        anchors = records.anchors
        if anchors is None or not anchors.maps:
            note = "This run has no calibration, so there are no anchors to compare."
            return Table.of(self.name, _TITLE, _COLUMNS, [], [note])
        ways = list(dict.fromkeys(fitted.name for fitted in anchors.maps))
        way = self.map or ways[-1]
        if way not in ways:
            raise OptionError(self.name, [("map", unknown_name("way of fitting", way, ways))])
        quarters = {_introduced(paper) for paper in anchors.papers}
        since = self.fresh_since or max(quarters, default="")
        scales = {agent.name: agent.scale for agent in records.agents}
        maps = {fitted.agent: fitted for fitted in anchors.maps if fitted.name == way}
        errors = {
            name: _errors(anchors, fitted, scales[name], since) for name, fitted in maps.items()
        }
        results = old_against_fresh(errors, confidence=self.confidence)
        rows = [_row(result, maps[result.agent]) for result in results]
        warnings = [
            _warning(result)
            for result in results
            if result.p_holm is not None and result.p_holm < 1 - self.confidence
        ]
        return Table.of(
            self.name, _TITLE, _COLUMNS, rows, _notes(since, quarters), warnings=warnings,
            section=True, fine=("map", "confidence", "p", "unit", "note"),
            findings=_findings(results, 1 - self.confidence), reading=_READING, terms=BANK,
        )  # fmt: skip


def _findings(results: Sequence[Leakage], level: float) -> list[Finding]:
    """The question, and each agent whose errors were compared."""
    known = [each for each in results if each.p_holm is not None]
    if not known:
        return []
    suspect = [each for each in known if each.p_holm is not None and each.p_holm < level]
    others = len(known) - len(suspect)
    texts = [
        f"{each.agent}: its mean error is {to_fixed(each.excess, 1)} severity points lower on "
        f"{each.old:,} old anchors than on {each.fresh:,} fresh ones "
        f"{between(each.low, each.high)}, {stated_p(each.p_holm)}."
        for each in suspect[:MOST_LISTED]
    ]
    if others:
        texts.append(
            f"For {count_of(others, 'other agent' if suspect else 'agent')}, a smaller error on "
            "old anchors is not shown."
        )
    return [Finding(_QUESTION, part="question"), *map(Finding, texts)]


def _introduced(paper: PaperRow) -> str:
    """Return the quarter of an anchor's first use; "" if its labels do not state it."""
    value = paper.labels.extra.get("introduced")
    return value if isinstance(value, str) and _QUARTER.fullmatch(value) else ""


def _errors(anchors: Anchors, fitted: FittedMap, scale: Scale, since: str) -> list[AnchorError]:
    """Return the errors of one agent; calls on the same anchor are averaged before the map is
    applied.
    """
    if fitted.curve is None:
        return []
    raw: dict[str, list[float]] = {}
    for verdict in anchors.verdicts:
        if verdict.agent == fitted.agent and verdict.score is not None:
            raw.setdefault(verdict.paper, []).append(scale.to_severity(verdict.score))
    known = [
        (paper, consensus.severity, math.fsum(raw[paper.id]) / len(raw[paper.id]))
        for paper in anchors.papers
        if paper.id in raw and (consensus := consensus_of(paper.labels)) is not None
    ]
    mapped = fitted.curve([score for *_, score in known]) if known else []
    return [
        AnchorError(
            paper.labels.tier,
            bool(since) and _introduced(paper) >= since,
            abs(float(score) - severity),
        )
        for (paper, severity, _), score in zip(known, mapped, strict=True)
    ]


def _warning(result: Leakage) -> TableWarning:
    """Return the warning about an agent that seems to know anchors: its map is then less exact on
    other papers.
    """
    excess = to_fixed(result.excess, 1)
    return TableWarning(
        "misleading",
        f"{result.agent}: its error is {excess} points lower on old anchors than on fresh ones "
        f"({stated_p(result.p_holm)}), so it may know the old anchors.",
        advice="Its map is then less accurate on other papers. Check it for the watermark, and "
        "replace the old anchors.",
    )


def _row(result: Leakage, fitted: FittedMap) -> dict[str, Cell]:
    note = f"no map: {fitted.refused}" if fitted.curve is None else result.note
    return {
        "agent": result.agent,
        "map": fitted.name,
        "old": result.old,
        "fresh": result.fresh,
        "excess": result.excess,
        "excess_low": result.low,
        "excess_high": result.high,
        "confidence": result.confidence,
        "p": result.p,
        "p_holm": result.p_holm,
        "unit": "anchor",
        "note": note,
    }


def _notes(since: str, quarters: Collection[str]) -> list[str]:
    if not since:
        return ["No anchor states since when it is in use: all count as old, nothing is compared."]
    notes = [f"Fresh: in use since {since} or later. An unknown quarter counts as old."]
    if all(quarter >= since for quarter in quarters):
        notes.append("All anchors are fresh, so nothing can be compared.")
    notes.append(
        "A smaller error on old anchors means that an agent knows them, or that the fresh ones are "
        "harder within their tiers."
    )
    return notes
