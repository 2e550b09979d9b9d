"""Options and notes that the metrics with intervals share."""

from __future__ import annotations

from revkit.contracts import Metric
from revkit.dataclass import dataclass
from revkit.figures import Resampled, confidence_option, copies_notes
from revkit.model.records import Records


@dataclass(frozen=True)
class OverPapers(Resampled, Metric):
    """A metric that resamples papers to compute its intervals."""

    confidence: float = confidence_option(formerly="level")

    def interval_sentence(self, records: Records) -> str:
        """Return how the intervals of a table were computed."""
        return (
            f"Intervals are {100 * self.confidence:g} % intervals over papers, not over pairs, "
            "computed with the method of Korn and Graubard for rates, with Student's t for "
            f"differences, and with {self.resamples:,} resamples of papers (seed {records.seed}) "
            "for medians, other statistics, and samples of 500 papers or more. In the file of the "
            'table, the column "method" states the method of a row, and the column "short" states '
            "which intervals may be too short."
        )

    def interval_notes(self, records: Records) -> tuple[str, ...]:
        """The sentences on intervals that every table with resampled bounds carries."""
        return (self.interval_sentence(records), *copies_notes(records))
