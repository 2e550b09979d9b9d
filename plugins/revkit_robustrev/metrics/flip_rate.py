"""How often a verdict changes: the benchmark's first figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from revkit.figures import Sums, arrays, bound_cells, join_notes, note_of
from revkit.model.records import AgentRow, Records
from revkit.model.table import Cell, Table
from revkit.options import option
from revkit_robustrev.metrics.base import OverPapers
from revkit_robustrev.metrics.flip_columns import (
    COLUMNS,
    MEAN,
    MEDIAN,
    NET,
    NOISE,
    RATE,
    RATES,
)
from revkit_robustrev.metrics.flip_findings import (
    CHARTS,
    MEASURES,
    findings,
    range_note,
    warnings,
)
from revkit_robustrev.metrics.over_agents import over_rates
from revkit_robustrev.metrics.pairs import (
    ALL_AGENTS,
    Group,
    flipped,
    groups,
    left_out_note,
    sums_over_papers,
)
from revkit_robustrev.metrics.repeats import disagreement, floor_of, repeats_of

if TYPE_CHECKING:
    from revkit import stats


@dataclass(frozen=True)
class FlipRate(OverPapers):
    """The share of pairs whose verdict changed, by agent and family (ROBUST-REV, sections 4 and 5).

    A pair counts when both verdicts are there; what failed is counted, and ``best_case`` and
    ``worst_case`` say how far it could move the rate. There are three intervals: Wald over
    pairs, as in the paper; Wilson over pairs; and over papers, the one to report. The rows of
    "all agents" give the mean of the agents' rates, as the paper's table 5.2 does, and one row the
    median over agents.
    """

    name: ClassVar[str] = "flip-rate"
    version: ClassVar[str] = "3"

    power: float = option(
        0.8, help="The power at which a difference counts as detectable.", minimum=0.5, maximum=0.99
    )

    def measure(self, records: Records) -> Table:
        cells = [group for agent in records.agents for group in groups(records, agent)]
        sums = [sums_over_papers(records, group.pairs, flipped) for group in cells]
        rates = self._rates(records, cells, sums)
        floors = self._floors(records)
        rows = [
            self._row(records, group, observed, rate, floors)
            for group, observed, rate in zip(cells, sums, rates, strict=True)
        ]
        rows += self._over_agents(records, cells, sums)
        notes = [
            *self.interval_notes(records),
            f'Rows of "{ALL_AGENTS}" give the mean of the agents\' rates, every agent with one '
            "weight; agents without a valid pair are left out.",
            f"Detectable rise: two-sided test at {100 * (1 - self.confidence):g} %, power "
            f"{100 * self.power:g} %, both agents on the same pairs, flips taken as uncorrelated "
            "between them.",
            *left_out_note(records),
            *range_note(rows),
        ]
        if records.repeats < 2:
            notes.append("repeats: 1, so no noise floor was measured and no net rate is given.")
        return Table.of(
            self.name,
            "Flip rate",
            COLUMNS,
            rows,
            notes,
            charts=CHARTS,
            measures=MEASURES,
            findings=findings(rows, self.confidence),
            warnings=warnings(records, rows),
            method=[self.interval_sentence(records), *left_out_note(records)],
        )

    def _rates(
        self, records: Records, cells: Sequence[Group], sums: Sequence[Sums]
    ) -> Sequence[stats.FlipRate]:
        from revkit import stats

        lost = [
            sums_over_papers(records, group.pairs, lambda pair: 1.0 if pair.flip is None else None)
            for group in cells
        ]
        papers = len(records.papers)
        return stats.flip_rates(
            *arrays(sums, papers),
            arrays(lost, papers)[1],
            resampling=self.resampling(records),
        )

    def _floors(self, records: Records) -> dict[str, stats.NoiseFloor]:
        if records.repeats < 2:
            return {}
        return {
            agent.name: floor_of(records, agent, self.resampling(records))
            for agent in records.agents
        }

    def _row(
        self,
        records: Records,
        group: Group,
        sums: Sums,
        rate: stats.FlipRate,
        floors: dict[str, stats.NoiseFloor],
    ) -> dict[str, Cell]:
        from revkit import stats

        failed = sum(pair.failed for pair in group.pairs)
        floor = floors.get(group.agent.name)
        net = self._net(records, group.agent, sums) if floor else None
        effect, rise, why = self._detectable(sums)
        return {
            "agent": group.agent.name,
            "family": group.family,
            "statistic": RATES,
            "expect": group.expect,
            "pairs": len(group.pairs),
            "rejected": group.rejected,
            "crashed": group.crashed,
            "failed": failed,
            "without_verdict": rate.failed - failed,
            "valid": rate.valid,
            "flips": rate.flips,
            **RATE.cells(rate.rate),
            **bound_cells("wald", stats.wald_interval(rate.flips, rate.valid, self.confidence)),
            **bound_cells("wilson", stats.wilson_interval(rate.flips, rate.valid, self.confidence)),
            "papers": sums.papers,
            "confidence": self.confidence,
            "unit": "paper",
            "method": rate.rate.interval.method,
            "best_case": rate.best_case,
            "worst_case": rate.worst_case,
            **NOISE.cells(floor.rate if floor else None),
            **NET.cells(net),
            "design_effect": effect,
            "detectable": rise,
            "note": join_notes(
                note_of(rate.rate),
                why,
                _named("noise floor", floor.rate if floor else None),
                _named("net rate", net),
                "" if floor else "repeats: 1",
            ),
        }

    def _net(self, records: Records, agent: AgentRow, sums: Sums) -> stats.Estimate:
        from revkit import stats

        shares = [disagreement(repeats) for repeats in repeats_of(records, agent)]
        return stats.cluster_rate_difference(
            sums.totals,
            sums.counts,
            [share or 0.0 for share in shares],
            [int(share is not None) for share in shares],
            resampling=self.resampling(records),
        )

    def _detectable(self, sums: Sums) -> tuple[float | None, float | None, str]:
        """Design effect, smallest detectable rise, and why there is none.

        Where the effect cannot be estimated (no flip at all, say), pairs of one paper are taken to
        tell no more than one: the cautious end.
        """
        from revkit import stats

        if not sums.n:
            return None, None, ""
        effect = stats.design_effect(sums.totals, sums.counts)
        used = sums.n / sums.papers if effect.value is None else max(1.0, effect.value)
        found = stats.minimum_detectable_difference(
            sums.n,
            sums.total / sums.n,
            self.power,
            self.confidence,
            used,
            paired=True,
        )
        why = "no rise is large enough to be detected" if found.rise is None else ""
        return effect.value, found.rise, why

    def _over_agents(
        self, records: Records, cells: Sequence[Group], sums: Sequence[Sums]
    ) -> list[dict[str, Cell]]:
        rows = []
        width = len(records.perturbations) + 1
        for i in range(width if records.agents else 0):
            column, counted = cells[i::width], sums[i::width]
            mean = over_rates(counted, "mean", self.resampling(records))
            rows.append(self._agents_row(column, counted, mean, MEAN))
        if records.agents:
            middle = over_rates(sums[width - 1 :: width], "median", self.resampling(records))
            rows.append(
                self._agents_row(
                    cells[width - 1 :: width], sums[width - 1 :: width], middle, MEDIAN
                )
            )
        return rows

    def _agents_row(
        self,
        column: Sequence[Group],
        sums: Sequence[Sums],
        estimate: stats.Estimate,
        statistic: str,
    ) -> dict[str, Cell]:
        pairs = [pair for group in column for pair in group.pairs]
        failed = sum(pair.failed for pair in pairs)
        valid = sum(s.n for s in sums)
        silent = [group.agent.name for group, s in zip(column, sums, strict=True) if not s.n]
        return {
            "agent": ALL_AGENTS,
            "family": column[0].family,
            "statistic": statistic,
            "expect": column[0].expect,
            "pairs": len(pairs),
            "rejected": column[0].rejected,
            "crashed": column[0].crashed,
            "failed": failed,
            "without_verdict": len(pairs) - failed - valid,
            "valid": valid,
            "flips": int(sum(s.total for s in sums)),
            **RATE.cells(estimate),
            "papers": estimate.interval.n,
            "confidence": self.confidence,
            "unit": "paper",
            "method": estimate.interval.method,
            "note": join_notes(
                note_of(estimate),
                f"no valid pair: {', '.join(silent)}" if silent else "",
            ),
        }


def _named(figure: str, estimate: stats.Estimate | None) -> str:
    """What limits a second figure of the row, under its name."""
    note = note_of(estimate) if estimate else ""
    return f"{figure}: {note}" if note else ""
