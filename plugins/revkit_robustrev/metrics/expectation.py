"""Whether reviews moved as the edits should make them move."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from revkit.model.records import Pair, Records
from revkit.model.table import Cell, Column, Table
from revkit_robustrev.metrics.pairs import ALL_FAMILIES, Group, Sums, groups, sums_over_papers
from revkit_robustrev.metrics.resampled import (
    AGENT,
    FAMILY,
    LEVEL,
    METHOD,
    NOTE,
    UNIT,
    Resampled,
    bound_cells,
    bounds,
    interval_notes,
    joined,
)

if TYPE_CHECKING:
    from revkit import stats

COLUMNS = (
    AGENT,
    FAMILY,
    Column("expect", "Expected", "", "What a fair score does under these edits."),
    Column(
        "target", "Aspect", "", "The review aspect that should move, where the family names one."
    ),
    Column("measured", "Measured by", "", '"verdict" (no flip) or "score" (it moved that way).'),
    Column("pairs", "Pairs", "count", "Pairs put to the agent."),
    Column("n", "n", "count", "Pairs with what is measured on both sides."),
    Column("as_expected", "As expected", "count", "Pairs that behaved so."),
    Column("faults", "Faults", "count", "Pairs that did not."),
    Column("share", "Share as expected", "share", "Pairs as expected over n."),
    *bounds("share", "Share as expected", "share", "over papers."),
    Column("papers", "Papers", "count", "Papers with such a pair."),
    LEVEL,
    UNIT,
    METHOD,
    NOTE,
)


@dataclass(frozen=True)
class ExpectationMet(Resampled):
    """The share of pairs that behaved as the perturbation declares a fair review would.

    Under "invariant" edits the verdict must stay; under "decrease" the score must get worse, under
    "increase" better, by any amount, in the direction of the agent's scale (on a severity scale a
    worse score is a higher one). A score that stays put under harmful edits is a fault. The score
    meant is the overall one, also where the perturbation names an aspect.
    """

    name: ClassVar[str] = "expectation"
    version: ClassVar[str] = "1"

    def measure(self, records: Records) -> Table:
        cells = [
            group
            for agent in records.agents
            for group in groups(records, agent)
            if group.family != ALL_FAMILIES
        ]
        sums = [
            sums_over_papers(records, group.pairs, partial(_as_expected, group)) for group in cells
        ]
        targets = {row.name: row.target for row in records.perturbations}
        rows = [
            {**_row(group, targets[group.family], observed, rate), "level": self.level}
            for group, observed, rate in zip(cells, sums, self._rates(records, sums), strict=True)
        ]
        notes = [
            *interval_notes(self, records),
            "Verdict for invariant edits, overall score for the others; a score that does not move "
            "is a fault there.",
        ]
        return Table.of(self.name, "Reviews that moved as expected", COLUMNS, rows, notes)

    def _rates(self, records: Records, sums: list[Sums]) -> tuple[stats.Estimate, ...]:
        import numpy as np

        from revkit import stats

        shape = (len(sums), len(records.papers))
        return stats.cluster_bootstrap_rates(
            np.array([s.totals for s in sums]).reshape(shape).T,
            np.array([s.counts for s in sums]).reshape(shape).T,
            seed=records.seed,
            resamples=self.resamples,
            level=self.level,
        )


def _as_expected(group: Group, pair: Pair) -> float | None:
    if group.expect == "invariant":
        return None if pair.flip is None else float(not pair.flip)
    if pair.shift is None:
        return None
    better = pair.shift if group.agent.scale.higher_is_better else -pair.shift
    return float(better < 0 if group.expect == "decrease" else better > 0)


def _row(group: Group, target: str, sums: Sums, rate: stats.Estimate) -> dict[str, Cell]:
    right = int(sums.total)
    return {
        "agent": group.agent.name,
        "family": group.family,
        "expect": group.expect,
        "target": target or None,
        "measured": "verdict" if group.expect == "invariant" else "score",
        "pairs": len(group.pairs),
        "n": sums.count,
        "as_expected": right,
        "faults": sums.count - right,
        "share": rate.value,
        **bound_cells("share", rate.interval),
        "papers": sums.papers,
        "unit": "paper",
        "method": rate.interval.method,
        "note": joined(rate.note or rate.interval.note),
    }
