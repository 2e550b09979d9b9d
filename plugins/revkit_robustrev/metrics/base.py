"""What the metrics with intervals share: their options and the sentences on intervals."""

from __future__ import annotations

from dataclasses import dataclass

from revkit.contracts import Metric
from revkit.figures import Resampled, confidence_option, copies_notes
from revkit.model.records import Records


@dataclass(frozen=True)
class OverPapers(Resampled, Metric):
    """A metric whose intervals resample papers."""

    confidence: float = confidence_option(formerly="level")

    def interval_sentence(self, records: Records) -> str:
        """How the intervals of a table were computed."""
        return (
            f"Cluster intervals are {100 * self.confidence:g} % percentile intervals over "
            f"{self.resamples:,} resamples of papers (seed {records.seed}). If fewer than ten "
            "papers differ from the rest, rates and their differences have closed-form intervals "
            "over papers, and other means have a note that their interval is too short. The unit "
            "is the paper, not the pair."
        )

    def interval_notes(self, records: Records) -> tuple[str, ...]:
        """The sentences on intervals that every table with resampled bounds carries."""
        return (self.interval_sentence(records), *copies_notes(records))
