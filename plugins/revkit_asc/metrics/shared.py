"""What the metrics of a calibration share: options, columns and sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from revkit.contracts import Metric
from revkit.figures import Resampled, confidence_option
from revkit.model.records import Records
from revkit.model.table import Cell, Column
from revkit.options import option

if TYPE_CHECKING:
    from revkit.stats import Estimate

SETTING = Column("setting", "Setting", "", "Raw, or the way of fitting as the experiment names it.")
NO_CALIBRATION = (
    "The experiment has no calibration section, so no map was fitted: the raw scores stand alone."
)
ITEM = "item"


@dataclass(frozen=True)
class Calibrated(Resampled, Metric):
    """A metric over the agents that a calibration maps onto one scale."""

    without: tuple[str, ...] = option(
        (),
        help="Agents to leave out, by name: those that stand in for another one in the drift "
        "simulation, say.",
    )
    resamples: int = option(
        10_000, help="How often the items are drawn anew for an interval.", minimum=100
    )
    confidence: float = confidence_option(formerly="level")


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


def counted(counts: Mapping[str, int]) -> str:
    """Counts by name, in words: "3 timeout, 1 refusal"."""
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count)


def interval_note(metric: Calibrated, records: Records) -> str:
    """How the intervals of a table were made."""
    text = (
        f"Intervals are {100 * metric.confidence:g} % percentile intervals over "
        f"{metric.resamples:,} resamples of held-out items (seed {records.seed}); the maps are "
        "taken as fitted."
    )
    if records.copies:
        text += (
            f" {records.copies} item(s) have the text of another one and count as independent all "
            "the same: intervals are too short."
        )
    return text
