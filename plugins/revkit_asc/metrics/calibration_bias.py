"""Bias of calibrated scores by tier and by topic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from revkit.dataclass import dataclass
from revkit.figures import (
    AGENT,
    CONFIDENCE,
    NOTE,
    SHORT,
    UNIT,
    Figure,
    Resampling,
    join_notes,
    note_of,
    short_of,
    short_warnings,
)
from revkit.model.records import Records
from revkit.model.table import Cell, Chart, Column, Table
from revkit_asc.metrics.base import (
    ITEM,
    NO_CALIBRATION,
    OVER_ITEMS,
    SETTING,
    Calibrated,
    interval_note,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from revkit import stats
    from revkit.stats.values import FloatArray
    from revkit_asc.metrics.heldout import HeldOut
    from revkit_asc.metrics.settings import Setting

ALL_AGENTS = "all agents"
TIER_ORDER = ("none", "minor", "major", "reject")
BIAS = Figure(
    "bias",
    "Bias",
    "severity points",
    "Mean score minus consensus; above 0: the agent is stricter than people.",
    OVER_ITEMS,
)
COLUMNS = (
    SETTING,
    AGENT,
    Column("by", "By", "", "What the items are grouped by: tier or topic."),
    Column("group", "Group", "", "The tier, the band of the consensus, or the topic."),
    Column("items", "Items", "count", "Items of the group that all agents of the setting scored."),
    *BIAS.columns,
    CONFIDENCE,
    UNIT,
    SHORT,
    NOTE,
)


class _Cell(NamedTuple):
    setting: str
    agent: str
    by: str
    group: str
    sums: FloatArray
    counts: FloatArray


@dataclass(frozen=True)
class CalibrationBias(Calibrated):
    """Mean score minus consensus in each tier and each topic, for every agent and for all agents.

    Tiers are those of the labels; where an item has none, quarters of the consensus replace
    all of them. A score that is right on average is still above the consensus in the mildest
    tier and below it in the severest one, since no agent distinguishes the tiers perfectly: read
    differences between agents, and between topics.
    """

    name: ClassVar[str] = "calibration-bias"
    version: ClassVar[str] = "5"
    table_columns: ClassVar[tuple[Column, ...]] = COLUMNS

    def measure(self, records: Records) -> Table:
        from revkit_asc.metrics.heldout import agents_of, held_out
        from revkit_asc.metrics.settings import (
            fitted_setting,
            fitted_ways,
            raw_setting,
            refusals,
        )

        held = held_out(records, agents_of(records, self.without, self.name))
        ways = fitted_ways(records)
        settings = [raw_setting(held), *(fitted_setting(held, n, m) for n, m in ways.items())]
        cells = [cell for setting in settings for cell in _cells(held, setting)]
        estimates = self._cell_means(records, cells)
        rows = [self._row(cell, e) for cell, e in zip(cells, estimates, strict=True)]
        notes = [
            interval_note(self, records),
            "A score that is right on average is still too high for the mildest items and too low "
            "for the severest ones: what differs between agents or topics is bias.",
            *refusals(settings),
        ]
        if records.anchors is None:
            notes.insert(0, NO_CALIBRATION)
        charts = [
            Chart(
                "bars",
                f"Mean score less consensus by {by}, all agents",
                "group",
                "bias",
                group="setting",
                low="bias_low",
                high="bias_high",
                where=(("by", by), ("agent", ALL_AGENTS)),
            )
            for by in ("tier", "topic")
            if any(cell.by == by for cell in cells)
        ]
        short = short_warnings(
            self.name, rows, lambda row: f"{row['agent']} in {row['group']}, {row['setting']}"
        )
        title = "Bias by tier and topic"
        return Table.of(self.name, title, COLUMNS, rows, notes, charts=charts, warnings=short)

    def _cell_means(self, records: Records, cells: Sequence[_Cell]) -> Sequence[stats.Estimate]:
        import numpy as np

        from revkit import stats

        if not cells:
            return ()
        return stats.cluster_bootstrap_means(
            np.column_stack([cell.sums for cell in cells]),
            np.column_stack([cell.counts for cell in cells]),
            resampling=Resampling(records.seed, self.resamples, self.confidence, ITEM),
        )

    def _row(self, cell: _Cell, estimate: stats.Estimate) -> dict[str, Cell]:
        return {
            "setting": cell.setting,
            "agent": cell.agent,
            "by": cell.by,
            "group": cell.group,
            "items": estimate.n,
            **BIAS.cells(estimate),
            "confidence": self.confidence,
            "unit": ITEM,
            "short": short_of({"bias": estimate}),
            "note": join_notes(note_of(estimate)),
        }


def _cells(held: HeldOut, setting: Setting) -> Iterator[_Cell]:
    """Return the errors of one setting, summed by item, for each agent and group."""
    import numpy as np

    errors = np.full((len(held.papers), len(setting.agents)), 0.0)
    errors[setting.items] = setting.scores - setting.consensus[:, None]
    used = np.zeros(len(held.papers), dtype=bool)
    used[setting.items] = True
    columns = {agent: errors[:, j] for j, agent in enumerate(setting.agents)}
    if len(columns) > 1:
        columns = {ALL_AGENTS: errors.mean(axis=1), **columns}
    for by, names in (("tier", _tiers(held)), ("topic", _topics(held))):
        for group in _ordered(names):
            inside = used & np.array([name == group for name in names])
            for agent, column in columns.items():
                yield _Cell(setting.name, agent, by, group, *_masked(column, inside))


def _masked(column: FloatArray, inside: NDArray[np.bool_]) -> tuple[FloatArray, FloatArray]:
    return column * inside, inside.astype(float)


def _tiers(held: HeldOut) -> list[str]:
    from revkit_asc.metrics.anchors import band

    if all(paper.labels.tier for paper in held.papers):
        return [paper.labels.tier for paper in held.papers]
    return [band(severity) for severity in held.consensus.tolist()]


def _topics(held: HeldOut) -> list[str]:
    topics = [paper.labels.topic for paper in held.papers]
    return topics if all(topics) else []


def _ordered(names: Sequence[str]) -> list[str]:
    """Return tiers from the mildest on, and other groups by name; bands are in numerical order."""
    known = {tier: place for place, tier in enumerate(TIER_ORDER)}
    return sorted(set(names), key=lambda name: (known.get(name, len(known)), name))
