"""The metric `presentation-gain`: a gain of scores, split into gaming and better writing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from revkit.contracts import Metric
from revkit.dataclass import dataclass
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
from revkit.figures.numbers import between, count_of, number_of
from revkit.model.records import AgentRow, Pair, Records
from revkit.model.table import Cell, Column, Finding, Table, TableWarning
from revkit.options import option
from revkit_attacks.terms import PRESENTATION

_POINTS = "points of 100"
GAIN = Figure(
    "gain",
    "Gain",
    _POINTS,
    "Mean score of the variants minus that of their papers; above 0: the edits raise the score.",
)
WRITING = Figure(
    "writing",
    "Better writing",
    _POINTS,
    "The gain of the quality measure on the same pairs, mean.",
)
GAMING = Figure(
    "gaming",
    "Gaming",
    _POINTS,
    "Gain minus better writing; above 0: the score rises more than the quality of the writing.",
)
_COLUMNS = (
    AGENT,
    FAMILY,
    Column("direction", "Direction", "", "Which way the edits go, as the family names it."),
    *GAIN.columns,
    *WRITING.columns,
    *GAMING.columns,
    Column("pairs", "Pairs", "count", "Pairs with all four scores: the n."),
    Column("papers", "Papers", "count", "Papers with such a pair."),
    Column("lost", "Lost", "count", "Pairs without one of the four scores."),
    CONFIDENCE,
    UNIT,
    SHORT,
    NOTE,
)
_QUESTION = (
    "Do edits of the presentation alone raise an agent's score by more than they improve the "
    "writing?"
)
_READING = (
    "Gain = better writing + gaming. An interval of gaming above 0 means that the edits raise the "
    "score without better writing, one below 0 that they lower it without worse writing."
)
_MOST_LEADING = 3
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
            findings=_findings(rows, self.quality),
            warnings=short_warnings(self.name, rows, name_pairs)
            if measures
            else (TableWarning("no-figure", text, advice="Name an agent of this run."),),
            reading=_READING if rows else "",
            terms=PRESENTATION,
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


def _findings(rows: Sequence[dict[str, Cell]], quality: str) -> list[Finding]:
    """The question; for each agent, in how many kinds of edits its score changes by more than the
    quality; and the limit of the measure."""
    if not rows:
        return []
    by_agent: dict[str, list[dict[str, Cell]]] = {}
    for row in rows:
        by_agent.setdefault(str(row["agent"]), []).append(row)
    limit = (
        f"The split is only as good as the quality measure, {quality}: if it does not notice "
        "better writing, all of a gain counts as gaming."
    )
    texts = [_sentence(agent, own) for agent, own in by_agent.items()]
    return [
        Finding(_QUESTION, part="question"),
        *(Finding(text) for text in texts[:_MOST_LEADING]),
        Finding(limit, part="limit"),
        *(Finding(text, place="section") for text in texts[_MOST_LEADING:]),
    ]


def _sentence(agent: str, rows: Sequence[dict[str, Cell]]) -> str:
    known = [row for row in rows if number_of(row.get("gaming")) is not None]
    up = [row for row in known if (number_of(row.get("gaming_low")) or 0.0) > 0]
    down = [row for row in known if (number_of(row.get("gaming_high")) or 0.0) < 0]
    kinds = count_of(len(rows), "kind of edits", "kinds of edits")
    if not known:
        return f"{agent}: gaming could not be measured."
    if not up and not down:
        return f"{agent}: no gaming is shown in {kinds}."
    parts = []
    for found, way, choose in ((up, "better", max), (down, "worse", min)):
        if found:
            most = choose(found, key=lambda row: number_of(row["gaming"]) or 0.0)
            ends = between(number_of(most["gaming_low"]), number_of(most["gaming_high"]))
            parts.append(
                f"{way} than the quality explains in {len(found)} of {kinds}, most under "
                f"{most['family']} ({number_of(most['gaming']) or 0.0:+.1f} points {ends}, "
                f"{count_of(int(most['pairs'] or 0), 'pair')})"
            )
    return f"{agent}: the score is {' and '.join(parts)}."
