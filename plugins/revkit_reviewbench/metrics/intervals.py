"""What the metrics share: the options of intervals, and the columns that say how sure we are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from revkit.contracts import Metric
from revkit.figures import FEW_PAPERS, Resampled
from revkit.model.records import Records
from revkit.model.table import Cell, Column

if TYPE_CHECKING:
    from revkit.stats import Estimate

JUDGE = Column("judge", "Evaluator", "", "The evaluator as the experiment names it.", "judge")
AGENT = Column("agent", "Reviewer", "", "The reviewing agent, as the first run names it.", "agent")


@dataclass(frozen=True)
class ReviewMetric(Resampled, Metric):
    """A metric of judged reviews whose intervals resample the reviewed papers."""

    def interval_note(self, records: Records, why: str) -> str:
        """The sentence on intervals that every table carries."""
        return (
            f"Intervals are {100 * self.confidence:g} % intervals from {self.resamples:,} "
            f"resamples of papers (seed {records.seed}): {why}. A mean without an interval is the "
            "same on every paper, or of one paper: resampling then reveals nothing of its error."
        )

    def few_note(self, papers: int) -> tuple[str, ...]:
        """A warning where intervals rest on few reviewed papers."""
        if not 0 < papers < FEW_PAPERS:
            return ()
        count = f"{papers} reviewed paper{'s' * (papers > 1)}"
        return (f"Only {count}: intervals from resampling may be too short.",)


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


def with_bounds(name: str, title: str, unit: str, help: str) -> tuple[Column, Column, Column]:
    """The column of a figure and those of its interval."""
    return (Column(name, title, unit, help), *bounds(name, title, unit))


def cells(prefix: str, estimate: Estimate) -> dict[str, Cell]:
    """A value and its bounds."""
    return {
        prefix: estimate.value,
        f"{prefix}_low": estimate.interval.low,
        f"{prefix}_high": estimate.interval.high,
    }
