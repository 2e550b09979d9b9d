"""Columns and notes that the tables of several metrics share."""

from __future__ import annotations

from revkit.figures import Resampled, copies_notes
from revkit.model.records import Records
from revkit.model.table import Column

FAMILY = Column("family", "Family", "", "The group of the rubric.")
LEVEL = Column("level", "Level", "", "How much worse the edits make the texts.", clear=True)
PERTURBED = Column("perturbed", "Target of the edits", "", "The rubric that the edits target.")
COINCIDE = Column(
    "coincide",
    "Coincide",
    "count",
    "Texts left out because their subtle and extreme variants are the same text.",
)
FINE = ("confidence", "unit", "short", "note")


def interval_note(metric: Resampled, records: Records) -> str:
    """Return how the intervals of a table were computed."""
    return (
        f"Intervals are {100 * metric.confidence:g} % intervals from {metric.resamples:,} "
        f"resamples of papers (seed {records.seed}). The unit is the paper, because its variants "
        "and repeats are not independent. If fewer than ten papers differ from the rest, shares "
        "have closed-form intervals over papers."
    )


def interval_notes(metric: Resampled, records: Records) -> tuple[str, ...]:
    """Return the sentences on intervals that every table with resampled bounds contains."""
    return (interval_note(metric, records), *copies_notes(records))
