"""The metric `presentation-gain`: a gain of scores, split into gaming and better writing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from revkit.contracts import Metric
from revkit.figures import (
    AGENT,
    CONFIDENCE,
    FAMILY,
    NOTE,
    SHORT,
    UNIT,
    Figure,
    Resampled,
    note_of,
    short_of,
    short_warnings,
    sums,
)
from revkit.figures.columns import name_pairs
from revkit.figures.numbers import percent
from revkit.model.records import AgentRow, Pair, Records
from revkit.model.table import Cell, Column, Finding, Table, TableWarning
from revkit.options import option

_POINTS = "points of 100"
GAIN = Figure("gain", "Gain", _POINTS, "By how much variants score better than their papers, mean.")
WRITING = Figure(
    "writing",
    "Better writing",
    _POINTS,
    "The gain of the independent quality measure on the same pairs, mean.",
)
GAMING = Figure(
    "gaming",
    "Gaming",
    _POINTS,
    "The gain less that of the quality measure, mean over the same pairs.",
)
_COLUMNS = (
    AGENT,
    FAMILY,
    Column("direction", "Direction", "", "Which way the edits go."),
    *GAIN.columns,
    *WRITING.columns,
    *GAMING.columns,
    Column("pairs", "Pairs", "count", "Pairs with both scores of the agent and of the measure."),
    Column("papers", "Papers", "count", "Papers with such a pair."),
    Column("lost", "Lost", "count", "Pairs without one of the four scores."),
    CONFIDENCE,
    UNIT,
    SHORT,
    NOTE,
)
_Place = tuple[str, str, int, int]  # paper, perturbation, index, repeat
_Gains = tuple[str, float, float]  # paper, gain of the agent, gain of the measure


@dataclass(frozen=True)
class PresentationGain(Resampled, Metric):
    """The gain of a score under edits of the presentation, split into gaming and better writing.

    An edit may make a paper better to read, so a better score is not all gaming. ``quality`` names
    an agent of the run that measures quality independently of the agents under test. Its gain on
    the same pair of texts is taken for better writing, and the rest of an agent's gain for gaming
    (as iSDR does for language models as judges, arXiv 2506.09443). Gains are on the common axis of
    0 to 100, linear from end to end of each scale. Families that change the science have no row:
    there a gain is an error. The split is as good as the measure: a measure
    with the same weakness hides gaming.
    """

    name: ClassVar[str] = "presentation-gain"
    version: ClassVar[str] = "3"
    table_columns: ClassVar[tuple[Column, ...]] = _COLUMNS

    quality: str = option("", help="The agent whose score measures the quality of the writing.")

    def measure(self, records: Records) -> Table:
        """Return a row for each agent, family and direction."""
        measures = [each for each in records.agents if each.name == self.quality]
        rows = []
        if measures:
            reference = dict(_gains(measures[0], records.pairs(self.quality)))
            for agent in records.agents:
                if agent.name != self.quality:
                    rows += self._of(records, agent, reference)
        named = f"no agent is named {self.quality!r}" if self.quality else "no agent is named"
        text = f"Gaming and better writing were not separated: {named} in the option quality."
        return Table.of(
            self.name,
            "Gains by presentation: gaming and better writing",
            _COLUMNS,
            rows,
            headline=True,
            fine=("papers", "lost", "confidence", "unit", "short", "note"),
            findings=_findings(rows),
            warnings=short_warnings(self.name, rows, name_pairs)
            if measures
            else (TableWarning("no-figure", text),),
        )

    def _of(
        self, records: Records, agent: AgentRow, reference: Mapping[_Place, float]
    ) -> list[dict[str, Cell]]:
        ways = {(v.paper, v.perturbation, v.index): v.direction for v in records.variants}
        own = dict(_gains(agent, records.pairs(agent.name)))
        kept = {each.name for each in records.perturbations if each.keeps_science}
        found: dict[tuple[str, str], list[_Gains]] = {}
        planned: dict[tuple[str, str], int] = {}
        for pair in records.pairs(agent.name):
            place = _place(pair)
            if place[1] not in kept:
                continue
            key = (place[1], ways.get(place[:3], ""))
            planned[key] = planned.get(key, 0) + 1
            if place in own and place in reference:
                found.setdefault(key, []).append((place[0], own[place], reference[place]))
        return [
            self._row(records, agent, key, found.get(key, ()), count)
            for key, count in planned.items()
        ]

    def _row(
        self,
        records: Records,
        agent: AgentRow,
        key: tuple[str, str],
        gains: Sequence[_Gains],
        planned: int,
    ) -> dict[str, Cell]:
        papers = [each.id for each in records.papers]
        parts = [
            sums(papers, ((paper, gain) for paper, gain, _ in gains)),
            sums(papers, ((paper, writing) for paper, _, writing in gains)),
            sums(papers, ((paper, gain - writing) for paper, gain, writing in gains)),
        ]
        gain, writing, gaming = self.means(records, parts)
        return {
            "agent": agent.name,
            "family": key[0],
            "direction": key[1] or None,
            **GAIN.cells(gain),
            **WRITING.cells(writing),
            **GAMING.cells(gaming),
            "pairs": len(gains),
            "papers": len({paper for paper, _, _ in gains}),
            "lost": planned - len(gains),
            "confidence": self.confidence,
            "unit": "paper",
            "short": short_of({"gain": gain, "better writing": writing, "gaming": gaming}),
            "note": note_of(gaming),
        }


def _place(pair: Pair) -> _Place:
    variant = pair.variant
    return variant.paper, variant.perturbation, variant.index, variant.repeat


def _gains(agent: AgentRow, pairs: Sequence[Pair]) -> Iterator[tuple[_Place, float]]:
    """The gain of each pair with both scores, on the common axis."""
    for pair in pairs:
        before, after = pair.original.score, pair.variant.score
        if before is not None and after is not None:
            scale = agent.scale
            yield _place(pair), scale.to_severity(before) - scale.to_severity(after)


def _findings(rows: Sequence[dict[str, Cell]]) -> list[Finding]:
    """For each agent, in how many families its gain is shown to be gaming."""
    counts: dict[str, tuple[int, int]] = {}
    for row in rows:
        low = row["gaming_low"]
        shown = isinstance(low, float) and low > 0
        most, all_ = counts.get(str(row["agent"]), (0, 0))
        counts[str(row["agent"])] = (most + shown, all_ + 1)
    return [
        Finding(f"{agent}: the gain is gaming in {most} of {all_} rows ({percent(most / all_)}).")
        for agent, (most, all_) in counts.items()
        if most
    ]
