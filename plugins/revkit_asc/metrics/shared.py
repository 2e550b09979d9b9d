"""What the metrics of a calibration share: options, columns and sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from revkit.contracts import Metric
from revkit.model.records import Records
from revkit.model.table import Cell, Column
from revkit.options import option

if TYPE_CHECKING:
    from revkit.stats import Estimate

AGENT = Column("agent", "Agent", "", "The agent as the experiment names it.", "agent")
SETTING = Column("setting", "Setting", "", "Raw, or the way of fitting as the experiment names it.")
LEVEL = Column("level", "Level", "share", "The confidence level of the intervals.", "confidence")
UNIT = Column("unit", "Unit", "", "What the intervals take to be independent.", "unit")
NOTE = Column("note", "Note", "", "Why a cell is empty, or what limits a figure.", "note")
NO_CALIBRATION = (
    "The experiment has no calibration section, so no map was fitted: the raw scores stand alone."
)
ITEM = "item"


@dataclass(frozen=True)
class Calibrated(Metric):
    """A metric over the agents that a calibration maps onto one scale."""

    without: tuple[str, ...] = option(
        (),
        help="Agents to leave out, by name: those that stand in for another one in the drift "
        "simulation, say.",
    )
    resamples: int = option(
        10_000, help="How often the items are drawn anew for an interval.", minimum=100
    )
    level: float = option(
        0.95, help="The confidence level of every interval.", minimum=0.5, maximum=0.999
    )


def points(
    name: str, title: str, unit: str, text: str, over: str = "items"
) -> tuple[Column, Column, Column]:
    """Three columns for a figure and its interval: ``<name>``, ``<name>_low``, ``<name>_high``.

    ``over`` names what the interval takes to be independent.
    """
    return (
        Column(name, title, unit, text),
        Column(
            f"{name}_low", f"{title}, low", unit, f"Lower bound of it, over {over}.", "low", name
        ),
        Column(
            f"{name}_high", f"{title}, high", unit, f"Upper bound of it, over {over}.", "high", name
        ),
    )


def estimate_cells(name: str, estimate: Estimate) -> dict[str, Cell]:
    """The cells of `points`."""
    return {
        name: estimate.value,
        f"{name}_low": estimate.interval.low,
        f"{name}_high": estimate.interval.high,
    }


def joined(*notes: str) -> str | None:
    """Distinct notes in the order given, as one cell; None where there is nothing to say."""
    return "; ".join(dict.fromkeys(note for note in notes if note)) or None


def counted(counts: Mapping[str, int]) -> str:
    """Counts by name, in words: "3 timeout, 1 refusal"."""
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count)


def interval_note(metric: Calibrated, records: Records) -> str:
    """How the intervals of a table were made."""
    text = (
        f"Intervals are {100 * metric.level:g} % percentile intervals over {metric.resamples:,} "
        f"resamples of held-out items (seed {records.seed}); the maps are taken as fitted."
    )
    if records.copies:
        text += (
            f" {records.copies} item(s) have the text of another one and count as independent all "
            "the same: intervals are too short."
        )
    return text
