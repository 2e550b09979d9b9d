"""What the metrics with intervals share: two options, and the columns that say how sure we are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from revkit.contracts import Metric
from revkit.model.records import Records
from revkit.model.table import Cell, Column
from revkit.options import option

if TYPE_CHECKING:
    from revkit.stats import Interval

AGENT = Column("agent", "Agent", "", "The agent as the experiment names it.")
FAMILY = Column("family", "Family", "", "The perturbation as the experiment names it.")
LEVEL = Column("level", "Level", "share", "The confidence level of the intervals.")
UNIT = Column("unit", "Unit", "", "What the intervals take to be independent.")
METHOD = Column("method", "Interval", "", "How the interval named in this row was computed.")
NOTE = Column("note", "Note", "", "Why a cell is empty, or what limits a figure.")


@dataclass(frozen=True)
class Resampled(Metric):
    """A metric whose intervals resample papers.

    The draws depend on the experiment's seed and the number of papers alone, so the same records
    give the same bounds.
    """

    resamples: int = option(
        10_000, help="How often the papers are drawn anew for an interval.", minimum=100
    )
    level: float = option(
        0.95, help="The confidence level of every interval.", minimum=0.5, maximum=0.999
    )


def bounds(prefix: str, title: str, unit: str, how: str) -> tuple[Column, Column]:
    """Two columns for an interval: ``<prefix>_low`` and ``<prefix>_high``."""
    return (
        Column(f"{prefix}_low", f"{title}, low", unit, f"Lower bound: {how}"),
        Column(f"{prefix}_high", f"{title}, high", unit, f"Upper bound: {how}"),
    )


def bound_cells(prefix: str, interval: Interval | None) -> dict[str, Cell]:
    """The cells of `bounds`; both empty where there is no interval."""
    if interval is None:
        return {}
    return {f"{prefix}_low": interval.low, f"{prefix}_high": interval.high}


def joined(*notes: str) -> str | None:
    """Distinct notes in the order given, as one cell; None where there is nothing to say."""
    return "; ".join(dict.fromkeys(note for note in notes if note)) or None


def interval_notes(metric: Resampled, records: Records) -> tuple[str, ...]:
    """The sentences on intervals that every table with resampled bounds carries."""
    notes = [
        f"Cluster intervals are {100 * metric.level:g} % percentile intervals over "
        f"{metric.resamples:,} resamples of papers (seed {records.seed}); where fewer than ten "
        "papers differ from the rest, rates and what is made of rates have closed forms over "
        "papers instead, and other means a note that their interval is too short. The unit is the "
        "paper, not the pair."
    ]
    if records.copies:
        notes.append(
            f"{records.copies} paper(s) have the text of another one and count as independent all "
            "the same: intervals are too short."
        )
    return tuple(notes)


def method_column(prefix: str, title: str) -> Column:
    """The column that says how the interval of one figure was computed."""
    return Column(f"{prefix}_method", f"{title}, interval", "", "How its interval was computed.")
