"""Coverage: score ranges, and cells of cluster and tier, for which a bank has too few anchors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from revkit.contracts import Metric
from revkit.dataclass import dataclass
from revkit.model.consensus import consensus_of
from revkit.model.paper import Labels
from revkit.model.records import Records
from revkit.model.table import Cell, Column, Table
from revkit.options import option
from revkit_asc.bank.anchor import TIERS

RANGES = 10
_COLUMNS = (
    Column("stratum", "Stratum", "", "What is counted: a range of scores, a tier, a cell of both."),
    Column("tier", "Tier", "", "The tier, where the stratum is one or belongs to one."),
    Column("cluster", "Cluster", "", "The topical cluster, where the stratum is a cell."),
    Column("low", "From", "score points", "Lower end of a range of the consensus."),
    Column("high", "To", "score points", "Upper end of a range; it belongs to the range."),
    Column("anchors", "Anchors", "count", "Anchors in the stratum."),
    Column("needed", "Needed", "count", "Fewest anchors that are not thin."),
    Column("thin", "Thin", "", "Whether there are fewer than needed."),
)


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The required number of anchors in a tenth of the scale, in a tier, and in a cell of tier and
    cluster.
    """

    per_range: int = 12
    per_tier: int = 30
    per_cell: int = 5


_FEWEST = Thresholds()


def coverage(labels: Sequence[Labels], thresholds: Thresholds = _FEWEST) -> Table:
    """Count anchors by tenth of the consensus, by tier, and by tier and cluster.

    A consensus of exactly 10, 20, ... belongs to the range that it ends, and 0 to the first.
    Anchors without a consensus, a tier or a cluster are counted in a note and left out where that
    is needed. Clusters are those that occur; a cell without any anchor is listed, with 0.
    """
    severities = [found.severity for item in labels if (found := consensus_of(item)) is not None]
    tiers = [item.tier for item in labels if item.tier in TIERS]
    cells = [(item.tier, item.topic) for item in labels if item.tier in TIERS and item.topic]
    rows: list[dict[str, Cell]] = []
    for index in range(RANGES):
        low, high = 100.0 * index / RANGES, 100.0 * (index + 1) / RANGES
        count = sum(low < value <= high or (index == 0 and value == 0.0) for value in severities)
        rows.append(_row("range", count, thresholds.per_range, low=low, high=high))
    rows += [_row("tier", tiers.count(tier), thresholds.per_tier, tier=tier) for tier in TIERS]
    for tier in TIERS:
        for cluster in sorted({cluster for _, cluster in cells}):
            count = cells.count((tier, cluster))
            place = {"tier": tier, "cluster": cluster}
            rows.append(_row("cell", count, thresholds.per_cell, **place))
    return Table.of("anchor-coverage", "Coverage of the anchors", _COLUMNS, rows,
                    _notes(labels, rows, thresholds))  # fmt: skip


def _row(stratum: str, count: int, needed: int, **place: Cell) -> dict[str, Cell]:
    found: dict[str, Cell] = {"stratum": stratum, "anchors": count, "needed": needed}
    return found | {"thin": count < needed} | place


def _notes(
    labels: Sequence[Labels], rows: Sequence[dict[str, Cell]], thresholds: Thresholds
) -> list[str]:
    notes = [
        f"Thin: fewer than {thresholds.per_range} anchors in a tenth of the scale, "
        f"{thresholds.per_tier} in a tier, {thresholds.per_cell} in a cell of tier and cluster. "
        "A map is least certain where anchors are thin, and is flat beyond the last of them.",
        "Counts of the whole bank: nothing is sampled, so there are no intervals.",
    ]
    lacking = {
        "no consensus": sum(consensus_of(item) is None for item in labels),
        "no tier": sum(item.tier not in TIERS for item in labels),
        "no cluster": sum(not item.topic for item in labels),
    }
    notes += [f"{count} of {len(labels)} anchors have {what}."
              for what, count in lacking.items() if count]  # fmt: skip
    thin = sum(bool(row["thin"]) for row in rows)
    notes.append(f"{thin} of {len(rows)} strata are thin.")
    return notes


@dataclass(frozen=True)
class AnchorCoverage(Metric):
    """Lists the score ranges and the cells of tier and cluster that have too few anchors.

    It counts the anchors of the run's calibration; without one, the table is empty and says so.
    """

    name: ClassVar[str] = "anchor-coverage"
    version: ClassVar[str] = "1"
    table_columns: ClassVar[tuple[Column, ...]] = _COLUMNS
    per_range: int = option(12, help="Fewest anchors in each tenth of the scale.", minimum=0)
    per_tier: int = option(30, help="Fewest anchors in each tier.", minimum=0)
    per_cell: int = option(5, help="Fewest anchors in each cell of tier and cluster.", minimum=0)

    def measure(self, records: Records) -> Table:
        """Return one row for each tenth of the scale, each tier, and each cell."""
        if records.anchors is None:
            note = "This run has no calibration, so there are no anchors to count."
            return Table.of(self.name, "Coverage of the anchors", _COLUMNS, [], [note])
        thresholds = Thresholds(self.per_range, self.per_tier, self.per_cell)
        return coverage([paper.labels for paper in records.anchors.papers], thresholds)
