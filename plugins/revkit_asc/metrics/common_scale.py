"""Flips and shifts on the common scale, for agents with a calibration map."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from revkit.contracts import Metric
from revkit.dataclass import dataclass
from revkit.figures import (
    AGENT,
    CONFIDENCE,
    NOTE,
    SHORT,
    UNIT,
    Figure,
    Resampled,
    Sums,
    confidence_option,
    copies_notes,
    join_notes,
    note_of,
    short_of,
    short_warnings,
    sums,
)
from revkit.model.records import AgentRow, Pair, Records
from revkit.model.table import Cell, Column, Table
from revkit_asc.terms import CALIBRATION

if TYPE_CHECKING:
    from revkit.stats import Estimate

ALL = "all families"
RANGE = 100.0  # of the common scale
POINTS = "points of 0-100"


MEAN = Figure(
    "mean",
    "Mean shift",
    POINTS,
    "Severity after the edits minus severity before; above 0: the review is harsher.",
)
SIZE = Figure("mean_abs", "Mean |shift|", POINTS, "The size of that difference without its sign.")
RATE = Figure("flip_rate", "Flip rate", "share", "Share of the pairs that are flips.")
COLUMNS = (
    AGENT,
    Column("family", "Family", "", "The perturbation as the experiment names it."),
    Column(
        "accept_up_to",
        "Accept up to",
        POINTS,
        "The line of acceptance: a paper is accepted up to this severity.",
    ),
    Column("pairs", "Pairs", "count", "Pairs put to the agent."),
    Column("failed", "Failed", "count", "Pairs of which all reviews of a side failed."),
    Column("without_score", "No score", "count", "Pairs reviewed without a score on either side."),
    Column("n", "n", "count", "Pairs with a score on both sides: the n of all figures."),
    Column("papers", "Papers", "count", "Papers with such a pair."),
    *MEAN.columns,
    *SIZE.columns,
    Column(
        "flips",
        "Flips",
        "count",
        "Pairs of which one side has a severity up to the line of acceptance and the other above.",
    ),
    *RATE.columns,
    Column(
        "extrapolated",
        "Outside anchors",
        "share",
        "Share of the pairs with a score outside the range of the anchors. The map is flat there, "
        "so their shifts may be too small.",
    ),
    CONFIDENCE,
    UNIT,
    SHORT,
    NOTE,
)
FINE = (
    "failed", "without_score", "papers", "mean_low", "mean_high", "mean_abs_low", "mean_abs_high",
    "confidence", "unit", "short", "note",
)  # fmt: skip


@dataclass(frozen=True)
class _Repeated:
    """A paper and one of its variants with all repeats: the severities of both sides.

    Repeats say more about an agent, not about more papers, so the pair counts once: a flip is the
    share of comparisons of a review of the paper with one of the variant that lie on two sides of
    the line, and the size of the shift is the mean distance of such two reviews.
    """

    repeats: Sequence[Pair]

    @cached_property
    def before(self) -> Sequence[float]:
        return [x for pair in self.repeats if (x := pair.original.common) is not None]

    @cached_property
    def after(self) -> Sequence[float]:
        return [x for pair in self.repeats if (x := pair.variant.common) is not None]

    @property
    def paper(self) -> str:
        return self.repeats[0].original.paper

    @property
    def is_valid(self) -> bool:
        return bool(self.before and self.after)

    @property
    def failed(self) -> bool:
        """Whether it is not valid because all reviews of a side failed."""
        sides = (
            [pair.original for pair in self.repeats],
            [pair.variant for pair in self.repeats],
        )
        return not self.is_valid and any(all(v.failure for v in side) for side in sides)

    @property
    def extrapolated(self) -> float:
        """The share of the repeats with a score outside the range of the anchors."""
        outside = [pair.original.extrapolated or pair.variant.extrapolated for pair in self.repeats]
        return sum(outside) / len(outside)

    def compared(self, value: Callable[[float, float], float]) -> float | None:
        """The mean of ``value`` over all comparisons; None where a side has no severity."""
        found = [value(one, other) for one in self.before for other in self.after]
        return math.fsum(found) / len(found) if found else None


@dataclass(frozen=True)
class _Group:
    """The pairs of one agent under one family, or under all that should change nothing."""

    agent: AgentRow
    family: str
    pairs: Sequence[_Repeated]

    def flip(self, pair: _Repeated) -> float | None:
        line = self.agent.accept_up_to
        if line is None:
            return None
        return pair.compared(lambda before, after: float((before <= line) != (after <= line)))

    @staticmethod
    def shift(pair: _Repeated) -> float | None:
        return pair.compared(lambda before, after: after - before)

    @staticmethod
    def size(pair: _Repeated) -> float | None:
        return pair.compared(lambda before, after: abs(after - before))


@dataclass(frozen=True)
class CommonScale(Resampled, Metric):
    """Score shifts and changed verdicts on the scale that all agents share.

    For every agent that carries a map (`calibration:` below its name) and every perturbation: the
    shift of the calibrated severity, 0 no flaw to 100 reject, so above 0 means a harsher review;
    and the share of pairs of which one side is up to ``accept-up-to`` and the other above it.
    These are verdicts by one rule for all agents. Its own verdicts are in the table of
    flips, which a map never changes. A pair counts once however often it was reviewed. Intervals
    take papers as independent.
    """

    name: ClassVar[str] = "common-scale"
    version: ClassVar[str] = "8"
    table_columns: ClassVar[tuple[Column, ...]] = COLUMNS

    confidence: float = confidence_option(formerly="level")

    def measure(self, records: Records) -> Table:
        title = "Shifts and flips on the common scale"
        groups = [group for agent in records.agents for group in _groups(records, agent)]
        if not groups:
            return Table.of(self.name, title, COLUMNS, [], [*self._notes(records)])
        shifts = [_sums(records, group, group.shift) for group in groups]
        sizes = [_sums(records, group, group.size) for group in groups]
        flips = [_sums(records, group, group.flip) for group in groups]
        rates = self.rates(records, flips)
        rows = [
            self._row(group, flips[i], (*self._moves(records, shifts[i], sizes[i]), rates[i]))
            for i, group in enumerate(groups)
        ]
        method = self._method()
        return Table.of(
            self.name,
            title,
            COLUMNS,
            rows,
            [*self._notes(records), method],
            headline=True,
            method=[method],
            reading="Verdicts here are by one rule for all agents: accept up to a severity. The "
            "verdicts that the agents give themselves are in the table of flips.",
            terms=CALIBRATION,
            fine=FINE,
            warnings=short_warnings(
                self.name, rows, lambda row: f"{row['agent']} ({row['family']})"
            ),
        )

    def _moves(self, records: Records, shift: Sums, size: Sums) -> tuple[Estimate, Estimate]:
        from revkit import stats

        resampling = self.resampling(records)
        return (
            stats.cluster_mean_shift(shift.totals, shift.counts, RANGE, resampling=resampling),
            stats.cluster_mean_size(size.totals, size.counts, RANGE, resampling=resampling),
        )

    def _row(
        self, group: _Group, flips: Sums, estimates: tuple[Estimate, Estimate, Estimate]
    ) -> dict[str, Cell]:
        mean, size, rate = estimates
        failed = sum(pair.failed for pair in group.pairs)
        n = sum(flips.counts)
        outside = sum(pair.extrapolated for pair in group.pairs if pair.is_valid)
        total = sum(flips.totals)
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
            "flips": round(total) if math.isclose(total, round(total), abs_tol=1e-9) else total,
            **RATE.cells(rate),
            "extrapolated": outside / n if n else None,
            "confidence": self.confidence,
            "unit": "paper",
            "short": short_of({"mean shift": mean, "mean |shift|": size, "flip rate": rate}),
            "note": join_notes(note_of(mean), note_of(size), note_of(rate)),
        }

    def _method(self) -> str:
        return (
            f"Intervals are {100 * self.confidence:g} % over papers: Korn and Graubard's for the "
            "flip rate, Student's t for the shift, and halfway between Student's t and Hall's for "
            "its size. They take the maps as fitted, so the choice of anchors is not in them."
        )

    def _notes(self, records: Records) -> Iterator[str]:
        without = [agent.name for agent in records.agents if agent.accept_up_to is None]
        if without:
            yield f"Without a calibration map, and so not in this table: {', '.join(without)}."
        if len(without) == len(records.agents):
            return
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
        yield _Group(agent, row.name, _repeated(records.pairs(agent.name, row.name)))
    fair = {row.name for row in records.perturbations if row.keeps_science}
    pooled = [pair for pair in records.pairs(agent.name) if pair.variant.perturbation in fair]
    if len(fair) > 1:
        yield _Group(agent, ALL, _repeated(pooled))


def _repeated(pairs: Sequence[Pair]) -> Sequence[_Repeated]:
    """The repeats of each pair put together, in the order of the records."""
    found: dict[tuple[str, str, int], list[Pair]] = {}
    for pair in pairs:
        key = (pair.variant.paper, pair.variant.perturbation, pair.variant.index)
        found.setdefault(key, []).append(pair)
    return [_Repeated(repeats) for repeats in found.values()]


def _sums(records: Records, group: _Group, value: Callable[[_Repeated], float | None]) -> Sums:
    papers = [paper.id for paper in records.papers]
    return sums(papers, ((pair.paper, value(pair)) for pair in group.pairs))
