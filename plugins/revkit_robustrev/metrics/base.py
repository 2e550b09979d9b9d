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
            f"Intervals are {100 * self.confidence:g} % intervals over papers, not over pairs: by "
            "Korn and Graubard for rates, by Student's t for differences, and by "
            f"{self.resamples:,} resamples of papers (seed {records.seed}) for medians, other "
            'figures, and samples of 500 papers or more. The column "Interval" states the method '
            'of a row. The column "Short intervals" states which intervals may be too short.'
        )

    def interval_notes(self, records: Records) -> tuple[str, ...]:
        """The sentences on intervals that every table with resampled bounds carries."""
        return (self.interval_sentence(records), *copies_notes(records))
