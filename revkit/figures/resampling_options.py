"""The options and estimates of metrics that resample papers to compute intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from revkit.dataclass import dataclass
from revkit.figures.short import short_warnings
from revkit.figures.sums import Sums, arrays
from revkit.model.records import Records
from revkit.model.resampling import CONFIDENCE, FEW_PAPERS, RESAMPLES, Resampling
from revkit.model.table import Cell, TableWarning
from revkit.options import option

if TYPE_CHECKING:
    from revkit.stats import Estimate

_AT_ONCE = 200  # columns estimated together; bounds the memory, not the result


def confidence_option(formerly: str = "") -> Any:
    """Return the option ``confidence``; ``formerly`` is its name in an earlier release."""
    return option(
        CONFIDENCE,
        help="The confidence level of every interval.",
        minimum=0.5,
        maximum=0.999,
        formerly=formerly,
    )


@dataclass(frozen=True)
class Resampled:
    """The two options of a metric that resamples papers to compute its intervals.

    Derive a metric from it and from `revkit.contracts.Metric`, in this order::

        @dataclass(frozen=True)
        class AcceptRate(Resampled, Metric):
            name: ClassVar[str] = "accept-rate"

    The draws depend only on the seed of the experiment and the number of papers, so the same
    records give the same bounds.
    """

    name: ClassVar[str]
    resamples: int = option(
        RESAMPLES, help="How often the papers are resampled for an interval.", minimum=100
    )
    confidence: float = confidence_option()

    def resampling(self, records: Records, unit: str = "paper") -> Resampling:
        """Return how this metric resamples for its intervals, for `revkit.stats`."""
        return Resampling(records.seed, self.resamples, self.confidence, unit)

    def means(self, records: Records, parts: Sequence[Sums]) -> list[Estimate]:
        """Return the mean of each part over all its values, with papers resampled."""
        from revkit import stats

        return self._estimates(stats.cluster_bootstrap_means, records, parts)

    def rates(self, records: Records, parts: Sequence[Sums]) -> list[Estimate]:
        """Return the same for shares, with closed-form intervals if few papers differ from the
        rest.
        """
        from revkit import stats

        return self._estimates(stats.cluster_bootstrap_rates, records, parts)

    def _estimates(
        self,
        estimate: Callable[..., Sequence[Estimate]],
        records: Records,
        parts: Sequence[Sums],
    ) -> list[Estimate]:
        found: list[Estimate] = []
        for start in range(0, len(parts), _AT_ONCE):
            some = parts[start : start + _AT_ONCE]
            totals, counts = arrays(some, len(some[0].totals))
            found += estimate(totals, counts, resampling=self.resampling(records))
        return found

    def few_papers(self, papers: int, noun: str = "paper") -> tuple[TableWarning, ...]:
        """Return a warning if intervals use fewer than `FEW_PAPERS` papers."""
        if not 0 < papers < FEW_PAPERS:
            return ()
        counted = f"{papers} {noun}{'s' * (papers > 1)}"
        text = f"Only {counted}: intervals from resampling may be too short."
        return (TableWarning("imprecise", text, advice="Treat the results as a first look."),)

    def imprecise(
        self,
        papers: int,
        rows: Iterable[Mapping[str, Cell]],
        name: Callable[[Mapping[str, Cell]], str],
        noun: str = "paper",
    ) -> tuple[TableWarning, ...]:
        """Return `few_papers`, or, if there are enough papers, `short_warnings` of the rows."""
        return self.few_papers(papers, noun) or short_warnings(self.name, rows, name)


def copies_notes(records: Records) -> tuple[str, ...]:
    """Return a note on a table if papers of the run have the same text as another paper."""
    if not records.copies:
        return ()
    return (
        f"{records.copies} paper(s) have the same text as another paper but count as "
        "independent, so intervals are too short.",
    )
