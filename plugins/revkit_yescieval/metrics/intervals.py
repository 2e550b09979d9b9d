"""What the metrics share: the options of intervals, and the columns that say how sure we are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from revkit.contracts import Metric
from revkit.figures import Resampling
from revkit.model.records import Records
from revkit.model.table import Cell, Column
from revkit.options import option
from revkit_yescieval.metrics.scored import Sums

if TYPE_CHECKING:
    from revkit.stats import Estimate, Interval

POINTS = "score points"
JUDGE = Column("judge", "Judge", "", "The judge as the experiment names it.", "judge")
RUBRIC = Column("rubric", "Rubric", "", "The rubric by which texts were scored.", "rubric")
FAMILY = Column("family", "Family", "", "The family of the rubric.")
LEVEL = Column("level", "Level", "", "How hard the texts were perturbed, as their edits say.")
PERTURBED = Column("perturbed", "Perturbed", "", "The rubric at which the edits aim.")
CONFIDENCE = Column(
    "confidence", "Confidence", "share", "The level of the intervals.", "confidence"
)
UNIT = Column("unit", "Unit", "", "What the intervals take to be independent.", "unit")
METHOD = Column("method", "Interval", "", "How the interval of this row was computed.", "method")
NOTE = Column("note", "Note", "", "Why a cell is empty, or what limits a figure.", "note")
FINE = ("confidence", "unit", "note")
_AT_ONCE = 200


@dataclass(frozen=True)
class Resampled(Metric):
    """A metric whose intervals resample papers.

    The draws depend on the experiment's seed and the number of papers alone, so the same records
    give the same bounds.
    """

    resamples: int = option(
        10_000, help="How often the papers are drawn anew for an interval.", minimum=100
    )
    confidence: float = option(
        0.95, help="The confidence level of every interval.", minimum=0.5, maximum=0.999
    )

    def means(self, records: Records, parts: Sequence[Sums]) -> list[Estimate]:
        """The mean of each part over all its observations, papers resampled."""
        from revkit import stats

        return self._estimates(stats.cluster_bootstrap_means, records, parts)

    def rates(self, records: Records, parts: Sequence[Sums]) -> list[Estimate]:
        """The same for shares, with closed forms where few papers differ from the rest."""
        from revkit import stats

        return self._estimates(stats.cluster_bootstrap_rates, records, parts)

    def _estimates(
        self,
        estimate: Callable[..., Sequence[Estimate]],
        records: Records,
        parts: Sequence[Sums],
    ) -> list[Estimate]:
        """``estimate`` of each part; some at a time, which changes nothing but the memory."""
        import numpy as np

        found: list[Estimate] = []
        for start in range(0, len(parts), _AT_ONCE):
            some = parts[start : start + _AT_ONCE]
            found += estimate(
                np.array([part.totals for part in some]).reshape(len(some), -1).T,
                np.array([part.counts for part in some]).reshape(len(some), -1).T,
                resampling=Resampling(records.seed, self.resamples, self.confidence),
            )
        return found


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


def note_of(estimate: Estimate) -> str:
    """What limits a figure: of its value where it has none, else of its interval."""
    return estimate.note or estimate.interval.note


def joined(*notes: str) -> str | None:
    """Distinct notes in the order given, as one cell; None where there is nothing to say."""
    return "; ".join(dict.fromkeys(note for note in notes if note)) or None


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
