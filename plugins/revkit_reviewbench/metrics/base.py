"""Options and columns that the metrics of judged reviews share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from revkit.contracts import Metric
from revkit.dataclass import dataclass
from revkit.errors import OptionError
from revkit.figures import Resampled
from revkit.model.records import Records
from revkit.model.table import Column
from revkit.options import unknown_name

JUDGE = Column(
    "judge", "Evaluator", "", "The evaluator as the experiment names it.", "judge", clear=True
)
AGENT = Column(
    "agent", "Reviewer", "", "The reviewing agent, as the first run names it.", "agent", clear=True
)


@dataclass(frozen=True)
class ReviewMetric(Resampled, Metric):
    """A metric of judged reviews that resamples the reviewed papers to compute its intervals."""

    def interval_note(self, records: Records, why: str) -> str:
        """Return how the intervals of a table were computed; ``why`` states the unit and the
        reason.
        """
        return (
            f"Intervals are {100 * self.confidence:g} % intervals from {self.resamples:,} "
            f"resamples of papers (seed {records.seed}): {why}. A mean has no interval if it is "
            "the same on every paper, or of one paper: resampling then says nothing about its "
            "error."
        )

    def check_agents(self, option: str, names: Iterable[str], known: Sequence[str]) -> None:
        """Raise `OptionError` if ``option`` names a reviewer that is not among those ``known``."""
        unknown = next((name for name in names if name not in known), None)
        if unknown is not None and known:
            raise OptionError(self.name, [(option, unknown_name("agent", unknown, known))])
