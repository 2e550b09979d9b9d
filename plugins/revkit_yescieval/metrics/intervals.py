"""What the metrics share: the options of intervals, and the columns that say how sure we are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from revkit.figures import Resampled
from revkit.model.records import Records
from revkit.model.table import Cell, Column

if TYPE_CHECKING:
    from revkit.stats import Estimate, Interval

FAMILY = Column("family", "Family", "", "The family of the rubric.")
LEVEL = Column("level", "Level", "", "How hard the texts were perturbed, as their edits say.")
PERTURBED = Column("perturbed", "Perturbed", "", "The rubric at which the edits aim.")
FINE = ("confidence", "unit", "note")


def bounds(prefix: str, title: str, unit: str) -> tuple[Column, Column]:
    """Two columns for an interval over papers: ``<prefix>_low`` and ``<prefix>_high``."""
    return (
        Column(
            f"{prefix}_low", f"{title}, low", unit, "Lower bound, papers resampled.", "low", prefix
        ),
        Column(
            f"{prefix}_high",
            f"{title}, high",
            unit,
            "Upper bound, papers resampled.",
            "high",
            prefix,
        ),
    )


def estimate_cells(prefix: str, estimate: Estimate) -> dict[str, Cell]:
    """A value and its `bounds`."""
    return {prefix: estimate.value, **bound_cells(prefix, estimate.interval)}


def bound_cells(prefix: str, interval: Interval) -> dict[str, Cell]:
    """The cells of `bounds`."""
    return {f"{prefix}_low": interval.low, f"{prefix}_high": interval.high}


def interval_note(metric: Resampled, records: Records) -> tuple[str, ...]:
    """The sentences on intervals that every table with resampled bounds carries."""
    notes = [
        f"Intervals are {100 * metric.confidence:g} % intervals from {metric.resamples:,} "
        f"resamples of papers (seed {records.seed}): the unit is the paper, since its variants and "
        "repeats hang together. Shares have closed forms over papers where fewer than ten differ "
        "from the rest."
    ]
    if records.copies:
        notes.append(
            f"{records.copies} paper(s) have the text of another one and count as independent all "
            "the same: intervals are too short."
        )
    return tuple(notes)
