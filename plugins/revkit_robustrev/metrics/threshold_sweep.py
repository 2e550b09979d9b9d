"""Flip rate as a function of the score from which an agent accepts."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from revkit.dataclass import dataclass
from revkit.figures import (
    AGENT,
    CONFIDENCE,
    METHOD,
    NOTE,
    SHORT,
    UNIT,
    Figure,
    Sums,
    interval_text,
    join_notes,
    note_of,
    short_of,
    short_warnings,
)
from revkit.figures.numbers import MOST_LISTED, count_of, list_names, number_of, percent
from revkit.model.records import AgentRow, Records
from revkit.model.repeats import scores_of
from revkit.model.review import Scale
from revkit.model.table import Cell, Chart, Column, Finding, Table
from revkit.options import option
from revkit_robustrev.metrics.base import OverPapers
from revkit_robustrev.metrics.pairs import (
    RepeatedPair,
    as_count,
    left_out_note,
    originals_of,
    pairs_of,
    pooled_families,
    repeats_note,
    sums_over_papers,
)

if TYPE_CHECKING:
    from revkit import stats

RATE = Figure(
    "rate",
    "Flip rate",
    "share",
    "Pairs whose scores lie on different sides of the threshold, over pairs with both scores.",
    "over papers.",
)
CHANGE = Figure(
    "acceptance_change",
    "Change of acceptance",
    "share",
    "Share of variants accepted at the threshold minus share of their originals.",
    "over papers.",
)
COLUMNS = (
    AGENT,
    Column("threshold", "Accept at", "score points", "The score from which a text is accepted."),
    Column("declared", "Declared", "", "Whether this is the threshold that the scale declares."),
    Column("accepted", "Accepted", "share", "Unchanged papers accepted at this threshold."),
    Column("n", "n", "count", "Pairs with a score on both sides."),
    Column("papers", "Papers", "count", "Papers with such a pair."),
    Column("flips", "Flips", "count", "Pairs that flip at this threshold, means over repeats."),
    *RATE.columns,
    METHOD,
    *CHANGE.columns,
    CONFIDENCE,
    UNIT,
    SHORT,
    NOTE,
)
CHART = Chart(
    "lines",
    "Flip rate by the score from which a text is accepted",
    "threshold",
    "rate",
    group="agent",
    low="rate_low",
    high="rate_high",
)


@dataclass(frozen=True)
class ThresholdSweep(OverPapers):
    """The flip rate that an agent's scores would give at other thresholds of acceptance.

    A flip is a score that crosses the threshold, so a flip rate depends on where that is: it is
    high where many scores lie, and 0 beyond the last of them. An agent accepts a text whose score
    is the threshold or better, so the flip rate can change only at a score that the agent gave.
    This table computes it at each of these scores and at the declared threshold; where the scale
    lists its scores, and they are no more than ``steps`` and one, at all listed scores. Between two
    scores, the rate is that at the better one. Where the agent gave more than ``steps`` scores, the
    table has ``steps`` of them, evenly spaced by rank, the one with the highest flip rate of all,
    and the declared one, and the note of a row states it. A rate that is high at the declared
    threshold only is a fact about that threshold; one that is high along the scale is a fact about
    the agent. Verdicts that an agent gave are not used. All families that keep the science count.
    """

    name: ClassVar[str] = "threshold-sweep"
    version: ClassVar[str] = "7"
    table_columns: ClassVar[tuple[Column, ...]] = COLUMNS

    steps: int = option(
        19,
        help="How many thresholds to list for an agent; the one with the highest flip rate and the "
        "declared one are listed too.",
        minimum=1,
        maximum=200,
    )

    def measure(self, records: Records) -> Table:
        rows = [row for agent in records.agents for row in self._rows(records, agent)]
        notes = [
            *self.interval_notes(records),
            "Verdicts follow from scores here, whatever verdict an agent gave; the intervals of "
            "one agent's thresholds come from the same papers and are not independent.",
            "The interval of the highest flip rate does not include the choice of its threshold.",
            *left_out_note(records),
            *repeats_note(records),
        ]
        return Table.of(
            self.name,
            "Flip rate by threshold",
            COLUMNS,
            rows,
            notes,
            method=[self.interval_sentence(records)],
            charts=(CHART,),
            findings=_findings(rows, self.confidence),
            warnings=short_warnings(
                self.name,
                rows,
                lambda row: f"{row['agent']} at {row['threshold']:g}" if row["declared"] else "",
            ),
        )

    def _rows(self, records: Records, agent: AgentRow) -> list[dict[str, Cell]]:
        families = set(pooled_families(records))
        pairs = [pair for pair in pairs_of(records, agent.name) if pair.family in families]
        scores = [scores_of(reviews) for reviews in originals_of(records, agent.name).values()]
        tried = thresholds_of(agent.scale, pairs, self.steps)
        counted = [_Crossed.of(records, pairs, agent.scale, at) for at in tried.listed]
        rates = self.rates(records, [each.flips for each in counted]) if counted else []
        changes = [self._change(records, each) for each in counted]
        return [
            {
                "agent": agent.name,
                "threshold": at,
                "declared": at == agent.scale.accept_at,
                "accepted": _accepted(scores, agent.scale, at),
                "n": crossed.flips.n,
                "papers": crossed.flips.papers,
                "flips": as_count(crossed.flips.total),
                **RATE.cells(rate),
                "method": rate.interval.method,
                **CHANGE.cells(change),
                "confidence": self.confidence,
                "unit": "paper",
                "short": short_of({"flip rate": rate, "change of acceptance": change}),
                "note": join_notes(
                    note_of(rate),
                    "" if agent.scale.accept_at is not None else "the scale declares no threshold",
                    tried.note,
                ),
            }
            for at, crossed, rate, change in zip(tried.listed, counted, rates, changes, strict=True)
        ]

    def _change(self, records: Records, crossed: _Crossed) -> stats.Estimate:
        from revkit import stats

        return stats.cluster_rate_difference(
            crossed.up.totals,
            crossed.up.counts,
            crossed.down.totals,
            crossed.down.counts,
            resampling=self.resampling(records),
        )


@dataclass(frozen=True)
class _Crossed:
    """Flips at one threshold, by paper: all, towards acceptance, and away from it."""

    flips: Sums
    up: Sums
    down: Sums

    @classmethod
    def of(
        cls, records: Records, pairs: Sequence[RepeatedPair], scale: Scale, at: float
    ) -> _Crossed:
        found = {id(pair): _crossing(pair, scale, at) for pair in pairs}

        def add(part: int) -> Sums:
            def value(pair: RepeatedPair) -> float | None:
                crossing = found[id(pair)]
                return None if crossing is None else crossing[part]

            return sums_over_papers(records, pairs, value)

        up, down = add(0), add(1)
        together = Sums(
            tuple(a + b for a, b in zip(up.totals, down.totals, strict=True)), up.counts
        )
        return cls(together, up, down)


def _crossing(pair: RepeatedPair, scale: Scale, at: float) -> tuple[float, float] | None:
    """The parts of a pair that flip up and down at a threshold; None without both scores."""
    before, after = (_share(side, scale, at) for side in pair.scores)
    if before is None or after is None:
        return None
    return (1 - before) * after, before * (1 - after)


def _share(scores: Sequence[float], scale: Scale, at: float) -> float | None:
    """The share of ``scores`` that are accepted; None without a score."""
    if not scores:
        return None
    better = scale.higher_is_better
    return sum(score >= at if better else score <= at for score in scores) / len(scores)


def _accepted(papers: Sequence[Sequence[float]], scale: Scale, at: float) -> float | None:
    shares = [share for scores in papers if (share := _share(scores, scale, at)) is not None]
    return sum(shares) / len(shares) if shares else None


class SweptThresholds(NamedTuple):
    """The thresholds that a table lists, in ascending order, and the number of those that exist."""

    listed: tuple[float, ...]
    number: int

    @property
    def note(self) -> str:
        """Return how many thresholds exist, if they are not all listed."""
        if len(self.listed) >= self.number:
            return ""
        return (
            f"{len(self.listed)} of {self.number:,} thresholds are listed, among them the one with "
            "the highest flip rate"
        )


def thresholds_of(scale: Scale, pairs: Sequence[RepeatedPair], steps: int) -> SweptThresholds:
    """Return the thresholds at which the flip rate of ``pairs`` can differ, and the declared one.

    These are the scores of the pairs, except the worst of them, at which everything is accepted;
    if the scale lists at most ``steps`` and one scores, they are the listed scores. Of more than
    ``steps`` thresholds, ``steps`` are listed, evenly spaced by rank, and the one with the highest
    flip rate.
    """
    declared = () if scale.accept_at is None else (float(scale.accept_at),)
    listed = bool(scale.values) and len(scale.values) <= steps + 1
    scores = scale.values if listed else [score for pair in pairs for score in _scores(pair)]
    worst = min(scores, default=None) if scale.higher_is_better else max(scores, default=None)
    every = sorted({float(score) for score in scores if score != worst})
    some = every
    if not listed and len(every) > steps:
        ranks = {round((i + 1) * (len(every) + 1) / (steps + 1)) - 1 for i in range(steps)}
        some = [*(every[rank] for rank in ranks), _highest(scale, pairs, every)]
    return SweptThresholds(tuple(sorted({*some, *declared})), len({*every, *declared}))


def _scores(pair: RepeatedPair) -> tuple[float, ...]:
    """The scores of both sides of a pair; none if a side has no score."""
    before, after = pair.scores
    return (*before, *after) if before and after else ()


def _highest(scale: Scale, pairs: Sequence[RepeatedPair], thresholds: Sequence[float]) -> float:
    """The threshold with the most flips; of several, the best score.

    A pair flips only at thresholds between its own scores, so each pair adds its steps to one list
    of changes, and the flips at a threshold are the sum of the changes up to it.
    """
    sign = 1 if scale.higher_is_better else -1
    ascending = sorted(sign * at for at in thresholds)
    changes = [0.0] * (len(ascending) + 1)
    for pair in pairs:
        own = sorted({sign * score for score in _scores(pair)})
        for below, at in itertools.pairwise(own):
            flips = sum(_crossing(pair, scale, sign * at) or ())
            changes[bisect.bisect_right(ascending, below)] += flips
            changes[bisect.bisect_right(ascending, at)] -= flips
    totals = [round(total, 9) for total in itertools.accumulate(changes[:-1])]
    return sign * max(zip(totals, ascending, strict=True))[1]


def _findings(rows: Sequence[Mapping[str, Cell]], confidence: float) -> list[Finding]:
    """Agents whose flip rate would be higher at another threshold than at the declared one."""
    higher: list[str] = []
    highest: list[str] = []
    for agent in dict.fromkeys(str(row["agent"]) for row in rows):
        own = [row for row in rows if row["agent"] == agent and row["rate"] is not None]
        if not own:
            continue
        declared = next((row for row in own if row["declared"]), None)
        most = max(own, key=lambda row: (float(row["rate"] or 0.0), row is declared))
        if most is declared:
            highest.append(agent)
        else:
            higher.append(f"{agent} {_rate(most)} ({_instead(most, declared)})")
    if not higher:
        return []
    if len(higher) > MOST_LISTED:
        higher = [*higher[:MOST_LISTED], count_of(len(higher) - MOST_LISTED, "more agent")]
    text = (
        "An agent accepts a text whose score reaches a threshold. At another threshold than the "
        "declared one, these agents would flip more often (highest flip rate, "
        f"{100 * confidence:g}% interval over papers): {'; '.join(higher)}."
    )
    if highest:
        names = list_names(highest[:MOST_LISTED])
        text += f" For {names}, the flip rate at the declared threshold is the highest one."
    return [Finding(text, (), "section")]


def _instead(most: Mapping[str, Cell], declared: Mapping[str, Cell] | None) -> str:
    """Return the threshold of ``most`` beside the declared one."""
    text = f"threshold {_number(most, 'threshold')}"
    return text if declared is None else f"{text} instead of {_number(declared, 'threshold')}"


def _number(row: Mapping[str, Cell], name: str) -> str:
    cell = row[name]
    return f"{cell:g}" if isinstance(cell, int | float) else "-"


def _rate(row: Mapping[str, Cell]) -> str:
    return f"{percent(number_of(row['rate']))} {interval_text(row, 'rate', 100)}"
