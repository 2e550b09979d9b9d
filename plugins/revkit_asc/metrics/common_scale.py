"""Flips and shifts on the common scale, for agents with a calibration map."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from revkit.contracts import Metric
from revkit.figures import (
    AGENT,
    CONFIDENCE,
    NOTE,
    UNIT,
    Figure,
    Resampled,
    Sums,
    confidence_option,
    copies_notes,
    join_notes,
    note_of,
    sums,
)
from revkit.model.records import AgentRow, Pair, Records
from revkit.model.table import Cell, Column, Table

if TYPE_CHECKING:
    from revkit.stats import Estimate

ALL = "all families"
POINTS = "points of 0-100"


MEAN = Figure("mean", "Mean shift", POINTS, "Severity after less severity before, on average.")
SIZE = Figure("mean_abs", "Mean |shift|", POINTS, "The size of that difference, on average.")
RATE = Figure("flip_rate", "Flip rate", "share", "Flips over n.")
COLUMNS = (
    AGENT,
    Column("family", "Family", "", "The perturbation as the experiment names it."),
    Column("accept_up_to", "Accept up to", POINTS, "The severity up to which a paper is accepted."),
    Column("pairs", "Pairs", "count", "Pairs put to the agent."),
    Column("failed", "Failed", "count", "Pairs with a failure on either side."),
    Column("without_score", "No score", "count", "Pairs reviewed without a score on either side."),
    Column("n", "n", "count", "Pairs with a score on both sides: the n of all figures."),
    Column("papers", "Papers", "count", "Papers with such a pair."),
    *MEAN.columns,
    *SIZE.columns,
    Column("flips", "Flips", "count", "Pairs on two sides of the line of acceptance."),
    *RATE.columns,
    Column(
        "extrapolated",
        "Extrapolated",
        "share",
        "Pairs with a score outside the range of the map's anchors, over n; the map is flat there, "
        "so their shifts may be too small.",
    ),
    CONFIDENCE,
    UNIT,
    NOTE,
)
FINE = (
    "failed", "without_score", "papers", "mean_low", "mean_high", "mean_abs_low", "mean_abs_high",
    "confidence", "unit", "note",
)  # fmt: skip


@dataclass(frozen=True)
class _Group:
    """The pairs of one agent under one family, or under all families that should not change the
    score.
    """

    agent: AgentRow
    family: str
    pairs: Sequence[Pair]

    def flip(self, pair: Pair) -> float | None:
        line, before, after = self.agent.accept_up_to, pair.original.common, pair.variant.common
        if line is None or before is None or after is None:
            return None
        return float((before <= line) != (after <= line))

    @staticmethod
    def shift(pair: Pair) -> float | None:
        before, after = pair.original.common, pair.variant.common
        return None if before is None or after is None else after - before

    def size(self, pair: Pair) -> float | None:
        shift = self.shift(pair)
        return None if shift is None else abs(shift)


@dataclass(frozen=True)
class CommonScale(Resampled, Metric):
    """Score shifts and changed verdicts on the scale that all agents share.

    For every agent that carries a map (`calibration:` below its name) and every perturbation: the
    shift of the calibrated severity, 0 no flaw to 100 reject, so above 0 means a harsher review;
    and the share of pairs of which one side is up to ``accept-up-to`` and the other above it.
    These are verdicts by one rule for all agents. Its own verdicts are in the table of
    flips, which a map never changes. Intervals take papers as independent.
    """

    name: ClassVar[str] = "common-scale"
    version: ClassVar[str] = "4"

    confidence: float = confidence_option(formerly="level")

    def measure(self, records: Records) -> Table:
        title = "Shifts and flips on the common scale"
        groups = [group for agent in records.agents for group in _groups(records, agent)]
        if not groups:
            return Table.of(self.name, title, COLUMNS, [], [*self._notes(records)])
        shifts = [_sums(records, group, group.shift) for group in groups]
        sizes = [_sums(records, group, group.size) for group in groups]
        flips = [_sums(records, group, group.flip) for group in groups]
        means = self.means(records, [*shifts, *sizes])
        rates = self.rates(records, flips)
        rows = [
            self._row(group, flips[i], (means[i], means[len(groups) + i], rates[i]))
            for i, group in enumerate(groups)
        ]
        return Table.of(
            self.name, title, COLUMNS, rows, [*self._notes(records)], headline=True, fine=FINE
        )

    def _row(
        self, group: _Group, flips: Sums, estimates: tuple[Estimate, Estimate, Estimate]
    ) -> dict[str, Cell]:
        mean, size, rate = estimates
        failed = sum(pair.failed for pair in group.pairs)
        n = sum(flips.counts)
        outside = sum(
            pair.original.extrapolated or pair.variant.extrapolated
            for pair in group.pairs
            if group.shift(pair) is not None
        )
        return {
            "agent": group.agent.name,
            "family": group.family,
            "accept_up_to": group.agent.accept_up_to,
            "pairs": len(group.pairs),
            "failed": failed,
            "without_score": len(group.pairs) - failed - n,
            "n": n,
            "papers": sum(count > 0 for count in flips.counts),
            **MEAN.cells(mean),
            **SIZE.cells(size),
            "flips": int(sum(flips.totals)),
            **RATE.cells(rate),
            "extrapolated": outside / n if n else None,
            "confidence": self.confidence,
            "unit": "paper",
            "note": join_notes(note_of(mean), note_of(size), note_of(rate)),
        }

    def _notes(self, records: Records) -> Iterator[str]:
        without = [agent.name for agent in records.agents if agent.accept_up_to is None]
        if without:
            yield f"Without a calibration map, and so not in this table: {', '.join(without)}."
        if len(without) == len(records.agents):
            return
        yield (
            f"Intervals are {100 * self.confidence:g} % over papers ({self.resamples:,} resamples, "
            f"seed {records.seed}; rates with few flips have closed forms over papers). They take "
            "the maps as fitted."
        )
        others = [row.name for row in records.perturbations if not row.keeps_science]
        if others:
            yield (
                f'"{ALL}" pools the perturbations whose edits keep the science; '
                f"{', '.join(others)} should move a fair review."
            )
        yield from copies_notes(records)


def _groups(records: Records, agent: AgentRow) -> Iterator[_Group]:
    if agent.accept_up_to is None:
        return
    for row in records.perturbations:
        yield _Group(agent, row.name, records.pairs(agent.name, row.name))
    fair = {row.name for row in records.perturbations if row.keeps_science}
    pooled = [pair for pair in records.pairs(agent.name) if pair.variant.perturbation in fair]
    if len(fair) > 1:
        yield _Group(agent, ALL, pooled)


def _sums(records: Records, group: _Group, value: Callable[[Pair], float | None]) -> Sums:
    papers = [paper.id for paper in records.papers]
    return sums(papers, ((pair.original.paper, value(pair)) for pair in group.pairs))
