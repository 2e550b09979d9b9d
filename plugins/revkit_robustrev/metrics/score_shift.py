"""How far a score moves, on the agent's own scale and on the axis all agents share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from revkit.figures import (
    AGENT,
    CONFIDENCE,
    FAMILY,
    NOTE,
    POINTS,
    UNIT,
    Figure,
    Sums,
    bound_cells,
    bounds,
    join_notes,
    note_of,
)
from revkit.model.records import Pair, Records
from revkit.model.review import Scale
from revkit.model.table import Cell, Column, Measure, Table
from revkit_robustrev.metrics.base import OverPapers
from revkit_robustrev.metrics.pairs import (
    ALL_AGENTS,
    ALL_FAMILIES,
    Group,
    family_names,
    groups,
    left_out_note,
    sums_over_papers,
)

if TYPE_CHECKING:
    from revkit import stats

OWN, SEVERITY = "own", "severity"
QUANTILES = {"q05": 0.05, "q25": 0.25, "median": 0.5, "q75": 0.75, "q95": 0.95}
_T = "Student's t over papers (linearised ratio)."
_CLUSTER = "papers resampled, percentiles; the interval to report."
SIZE = Figure(
    "mean_abs",
    "Mean |shift|",
    POINTS,
    "Mean of |score after - score before|.",
    _CLUSTER,
    bounds="abs_cluster",
    bounds_title="|shift|, cluster",
)
SHIFT = Figure(
    "mean",
    "Mean shift",
    POINTS,
    "Mean of score after - score before.",
    _CLUSTER,
    bounds="mean_cluster",
    bounds_title="Shift, cluster",
)
COLUMNS = (
    AGENT,
    FAMILY,
    Column(
        "axis",
        "Axis",
        "",
        '"own": points of the agent\'s scale; "severity": 0 (no flaw) to 100 (reject).',
    ),
    Column("scale", "Scale", "", "The agent's own scale."),
    Column("pairs", "Pairs", "count", "Pairs put to the agent."),
    Column("failed", "Failed", "count", "Pairs with a failure on either side."),
    Column("without_score", "No score", "count", "Pairs reviewed without a score on either side."),
    Column("n", "n", "count", "Pairs with a score on both sides."),
    Column("papers", "Papers", "count", "Papers with such a pair."),
    Column("unmoved", "Unmoved", "count", "Pairs whose two scores are equal."),
    SIZE.value_column,
    *bounds("abs_t", "|shift|, t", POINTS, _T),
    *SIZE.interval_columns,
    SHIFT.value_column,
    *bounds("mean_t", "Shift, t", POINTS, _T),
    *SHIFT.interval_columns,
    Column("minimum", "Lowest", POINTS, "The lowest shift."),
    *(
        Column(name, f"{100 * share:g} %", POINTS, f"The {100 * share:g} % quantile of the shifts.")
        for name, share in QUANTILES.items()
    ),
    Column("maximum", "Highest", POINTS, "The highest shift."),
    CONFIDENCE,
    UNIT,
    NOTE,
)

MEASURES = (
    Measure(
        "agent", "mean_abs", (("family", ALL_FAMILIES), ("axis", OWN)), title="|Shift|, own scale"
    ),
    Measure(
        "agent", "mean_abs", (("family", ALL_FAMILIES), ("axis", SEVERITY)), title="|Shift|, 0-100"
    ),
)


@dataclass(frozen=True)
class _Part:
    """One row to be: who, what, on which axis, and the shift of every pair there."""

    agent: str
    family: str
    axis: str
    scale: str
    pairs: Sequence[Pair]
    shifts: Sequence[float | None]


@dataclass(frozen=True)
class ScoreShift(OverPapers):
    """Score of the variant minus score of the original (ROBUST-REV, section 4, takes its size).

    Every agent and family has two rows: in points of the agent's own scale, and on the 0-100
    severity axis, where a shift above 0 means a harsher review. Only the severity axis has rows
    over all agents, pooling their pairs, for points of different scales have no mean.
    """

    name: ClassVar[str] = "score-shift"
    version: ClassVar[str] = "3"

    def measure(self, records: Records) -> Table:
        cells = [group for agent in records.agents for group in groups(records, agent)]
        parts = [part for group in cells for part in _parts(group)]
        parts += _over_agents(records, parts)
        signed = [_sums(records, part, lambda shift: shift) for part in parts]
        absolute = [_sums(records, part, abs) for part in parts]
        estimates = self.means(records, [*absolute, *signed])
        rows = [
            self._row(part, sums, (estimates[i], estimates[len(parts) + i]))
            for i, (part, sums) in enumerate(
                zip(parts, zip(absolute, signed, strict=True), strict=True)
            )
        ]
        scales = {agent.scale.name: agent.scale.severity_loss for agent in records.agents}
        notes = [
            *self.interval_notes(records),
            "t intervals take papers as independent too; they are symmetric, so one near 0 may "
            "leave the possible range. Quantiles describe the pairs at hand and carry no interval.",
            f'Rows of "{ALL_AGENTS}" pool the pairs of all agents, on the severity axis only.',
            *(f"Scale {name} on the severity axis: {loss}." for name, loss in scales.items()),
            *left_out_note(records),
        ]
        return Table.of(self.name, "Score shift", COLUMNS, rows, notes, measures=MEASURES)

    def _row(
        self, part: _Part, sums: tuple[Sums, Sums], estimates: tuple[stats.Estimate, stats.Estimate]
    ) -> dict[str, Cell]:
        from revkit import stats

        size, signed = estimates
        abs_t, mean_t = (
            stats.cluster_t_interval(s.totals, s.counts, confidence=self.confidence).interval
            for s in sums
        )
        shifts = [shift for shift in part.shifts if shift is not None]
        failed = sum(pair.failed for pair in part.pairs)
        return {
            "agent": part.agent,
            "family": part.family,
            "axis": part.axis,
            "scale": part.scale,
            "pairs": len(part.pairs),
            "failed": failed,
            "without_score": len(part.pairs) - failed - len(shifts),
            "n": len(shifts),
            "papers": sums[0].papers,
            "unmoved": sum(shift == 0 for shift in shifts),
            **SIZE.cells(size),
            **bound_cells("abs_t", abs_t),
            **SHIFT.cells(signed),
            **bound_cells("mean_t", mean_t),
            **_quantiles(shifts),
            "confidence": self.confidence,
            "unit": "paper",
            "note": join_notes(note_of(size), note_of(signed)),
        }


def _severity_shift(scale: Scale, pair: Pair) -> float | None:
    before, after = pair.original.score, pair.variant.score
    if before is None or after is None:
        return None
    return scale.to_severity(after) - scale.to_severity(before)


def _parts(group: Group) -> tuple[_Part, _Part]:
    scale = group.agent.scale
    severity = [_severity_shift(scale, pair) for pair in group.pairs]
    own = [pair.shift for pair in group.pairs]
    name, family, pairs = group.agent.name, group.family, group.pairs
    return (
        _Part(name, family, OWN, scale.name, pairs, own),
        _Part(name, family, SEVERITY, scale.name, pairs, severity),
    )


def _over_agents(records: Records, parts: Sequence[_Part]) -> list[_Part]:
    together = []
    for family in family_names(records) if records.agents else ():
        column = [part for part in parts if part.axis == SEVERITY and part.family == family]
        together.append(
            _Part(
                ALL_AGENTS,
                family,
                SEVERITY,
                "",
                [pair for part in column for pair in part.pairs],
                [shift for part in column for shift in part.shifts],
            )
        )
    return together


def _sums(records: Records, part: _Part, change: Callable[[float], float]) -> Sums:
    shifts = iter(part.shifts)

    def value(_: Pair) -> float | None:
        shift = next(shifts)
        return None if shift is None else change(shift)

    return sums_over_papers(records, part.pairs, value)


def _quantiles(shifts: Sequence[float]) -> dict[str, Cell]:
    if not shifts:
        return {}
    import numpy as np

    values = np.quantile(np.array(shifts), list(QUANTILES.values()))
    named = {name: float(value) for name, value in zip(QUANTILES, values, strict=True)}
    return {"minimum": float(min(shifts)), **named, "maximum": float(max(shifts))}
