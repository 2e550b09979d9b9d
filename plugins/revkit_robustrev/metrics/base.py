"""Options and notes that the metrics with intervals share."""

from __future__ import annotations

from dataclasses import dataclass

from revkit.contracts import Metric
from revkit.figures import Resampled, confidence_option, copies_notes
from revkit.model.records import Records


@dataclass(frozen=True)
class OverPapers(Resampled, Metric):
    """A metric that resamples papers to compute its intervals."""

    confidence: float = confidence_option(formerly="level")

    def interval_sentence(self, records: Records) -> str:
        """Return how the intervals of a table were computed."""
        return (
            f"Intervals are {100 * self.confidence:g} % over papers, not pairs: rates have Korn "
            "and Graubard's, differences Student's t; percentiles of "
            f"{self.resamples:,} resamples of papers (seed {records.seed}) are for medians, other "
            'figures, and 500 papers or more. "Interval" states the method of a row, "Short '
            'intervals" which of them may be too short.'
        )

    def interval_notes(self, records: Records) -> tuple[str, ...]:
        """The sentences on intervals that every table with resampled bounds carries."""
        return (self.interval_sentence(records), *copies_notes(records))
