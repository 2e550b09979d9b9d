"""Options, columns and sentences that the metrics of a calibration share."""

from __future__ import annotations

from collections.abc import Mapping

from revkit.contracts import Metric
from revkit.dataclass import dataclass
from revkit.figures import Resampled, confidence_option
from revkit.model.records import Records
from revkit.model.table import Column
from revkit.options import option

SETTING = Column(
    "setting", "Setting", "", "Raw scores, or those after the maps that the experiment names so."
)
NO_CALIBRATION = (
    "The experiment has no calibration section, so no map was fitted: there are raw scores only."
)
ITEM = "item"
OVER_ITEMS = "items resampled."


@dataclass(frozen=True)
class Calibrated(Resampled, Metric):
    """A metric over the agents that a calibration maps to one scale."""

    without: tuple[str, ...] = option(
        (),
        help="Agents to leave out, by name, such as those that replace another one in the drift "
        "simulation.",
    )
    resamples: int = option(
        10_000, help="How often the items are resampled for an interval.", minimum=100
    )
    confidence: float = confidence_option(formerly="level")


def counted(counts: Mapping[str, int]) -> str:
    """Return counts by name as text: "3 timeout, 1 refusal"."""
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count)


def interval_note(metric: Calibrated, records: Records, refits: int = 0) -> str:
    """Return the note that states how the intervals of a table were computed."""
    text = (
        f"Intervals of {metric.name} are {100 * metric.confidence:g} % percentile intervals over "
        f"{metric.resamples:,} resamples of held-out items (seed {records.seed}); "
    )
    if refits:
        text += (
            "those of calibrated scores also cover the choice of the anchors, by "
            f"{refits} refits of the maps with random weights of the anchors, except that of the "
            "best r and those of rows with a note that the maps are taken as fitted."
        )
    else:
        text += "the maps are taken as fitted, as if the anchors had been chosen without chance."
    if records.copies:
        text += (
            f" {records.copies} item(s) have the text of another one and count as independent all "
            "the same: intervals are too short."
        )
    return text
