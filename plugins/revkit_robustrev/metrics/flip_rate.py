"""How often a verdict changes: the main metric of the benchmark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from revkit.dataclass import dataclass
from revkit.figures import Sums, arrays, bound_cells, join_notes, note_of, short_of
from revkit.model.card import CardLine
from revkit.model.records import AgentRow, Records
from revkit.model.table import Cell, Column, Measure, Table
from revkit.options import option
from revkit_robustrev.metrics.base import OverPapers
from revkit_robustrev.metrics.contrasts import contrasts_of
from revkit_robustrev.metrics.doses import LOWER_BOUND, dose_cells, variants_of
from revkit_robustrev.metrics.flip_columns import (
    CHANGE,
    COLUMNS,
    MEAN,
    MEAN_OF_DIRECTION,
    MEDIAN,
    NET,
    NOISE,
    RANKED_MEDIAN,
    RATE,
    RATE_OF_DIRECTION,
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
    ALL_FAMILIES,
    Group,
    RepeatedPair,
    are_whole,
    as_count,
    direction_groups,
    flipped,
    groups,
    left_out_note,
    pooled_families,
    repeats_note,
    sums_over_papers,
)
from revkit_robustrev.metrics.ranking import OpenRate, unranked_because
from revkit_robustrev.metrics.repeats import is_gross, noise_of

if TYPE_CHECKING:
    from revkit import stats
    from revkit.stats.missing_pairs import Over


# A card calls the noise of an agent a weakness if more than a tenth of its verdicts change without
# any change of the text.
MUCH_NOISE = 0.1


@dataclass(frozen=True)
class _Counts:
    """What each paper contributes: flips of its valid pairs, all its pairs, what failures leave
    open, and, where both sides have two verdicts or more, flips and noise."""

    flips: Sums
    pairs: Sums
    known: Sums
    lost: Sums
    across: Sums
    noise: Sums
    up: Sums
    down: Sums

    @classmethod
    def of(cls, records: Records, group: Group) -> _Counts:
        def add(value: object) -> Sums:
            return sums_over_papers(records, group.pairs, value)  # type: ignore[arg-type]

        return cls(
            add(flipped),
            add(lambda pair: 1.0),
            add(lambda pair: pair.valid_share * (pair.flip or 0.0)),
            add(lambda pair: 1 - pair.valid_share),
            add(lambda pair: None if noise_of(pair) is None else pair.flip),
            add(noise_of),
            add(lambda pair: pair.up),
            add(lambda pair: pair.down),
        )


@dataclass(frozen=True)
class _Cell:
    """One agent under one family (or all), counted."""

    group: Group
    counts: _Counts


@dataclass(frozen=True)
class FlipRate(OverPapers):
    """The share of pairs whose verdict changed, by agent and family (ROBUST-REV, sections 4 and 5).

    A pair counts when both verdicts are there, and once however often it was reviewed. What failed
    is counted, ``best_case`` and ``worst_case`` say how far it could move the rate, and
    ``missing_low`` and ``missing_high`` add the sampling error of papers to both (Imbens and Manski
    2004). There are three intervals of the rate: over papers, the one to report; Wilson and Wald
    over pairs, as in the paper, where every verdict repeats itself. With ``repeats``, the net rate
    is the excess of the flips over the noise of both sides, (p - q)^2 for an agent that accepts
    papers with chance p and variants with chance q. The rows of "all agents" give the mean of the
    agents' rates, as the paper's table 5.2 does, and one row the median over agents; they are about
    these agents on new papers. Where a family draws a direction for each paper, further rows count
    the pairs of each direction with the same weights. Beside every rate is the dose of the variants
    that were made (`revkit.model.dose.Dose`).
    """

    name: ClassVar[str] = "flip-rate"
    version: ClassVar[str] = "15"
    table_columns: ClassVar[tuple[Column, ...]] = COLUMNS
    table_measures: ClassVar[tuple[Measure, ...]] = MEASURES

    power: float = option(
        0.8, help="The power at which a difference counts as detectable.", minimum=0.5, maximum=0.99
    )

    sample_agents: bool = option(
        False,
        help=(
            "Take the agents as a sample of agents: the interval of their mean rate, which the "
            "headline then states, is also about other agents of the kind."
        ),
        later=True,
    )

    def measure(self, records: Records) -> Table:
        from revkit import stats

        columns = [
            [_Cell(group, _Counts.of(records, group)) for group in groups(records, agent)]
            for agent in records.agents
        ]
        cells = [cell for column in columns for cell in column]
        rates = stats.cluster_bootstrap_rates(
            *arrays([cell.counts.flips for cell in cells], len(records.papers)),
            resampling=self.resampling(records),
        )
        rows = [self._row(records, cell, rate) for cell, rate in zip(cells, rates, strict=True)]
        rows += self._over_agents(records, columns, rows)
        rows += self._by_direction(records, [[cell.group for cell in found] for found in columns])
        contrasts = contrasts_of(
            records,
            [[cell.group for cell in column] for column in columns],
            self.resampling(records),
        )
        notes = [
            *self.interval_notes(records),
            f'Rows of "{ALL_AGENTS}" give the mean of the agents\' rates, each agent weighted '
            f"equally, for {self._whom} and new papers; agents without a valid pair are left out. "
            f'"{ALL_FAMILIES}" weights every pair equally.',
            f"Detectable rise: two-sided test at {100 * (1 - self.confidence):g} %, power "
            f"{100 * self.power:g} %, both agents on the same pairs, flips taken as uncorrelated "
            "between them.",
            *left_out_note(records),
            *repeats_note(records),
            *range_note(rows),
            LOWER_BOUND,
        ]
        if records.repeats < 2:
            notes.append("repeats: 1, so no noise was measured and no net rate is given.")
        return Table.of(
            self.name,
            "Flip rate",
            COLUMNS,
            rows,
            notes,
            charts=CHARTS,
            measures=MEASURES,
            findings=findings(
                records, rows, contrasts, self.confidence, sampled=self.sample_agents
            ),
            warnings=warnings(records, rows),
            method=[
                self.interval_sentence(records),
                *left_out_note(records),
                *repeats_note(records),
                LOWER_BOUND,
            ],
        )

    def card_lines(self, table: Table) -> Sequence[CardLine]:
        rate = CardLine(
            "robustness",
            RATE.name,
            "Verdict changed",
            (("statistic", RATES),),
            each="family",
            n="papers",
            beside=("dose_median",),
        )
        change = CardLine(
            "direction",
            CHANGE.name,
            "Change of acceptance",
            (("statistic", RATES), ("family", ALL_FAMILIES)),
            n="papers",
            weak="above",
        )
        if all(row[NET.name] is None for row in table.records()):
            return (*_pooled_first(rate), change)
        # With repeats, what counts is the excess over the agent's own noise.
        beside = (RATE.name, NOISE.name, "dose_median")
        net = replace(
            rate,
            column=NET.name,
            title="Verdict changed, beyond noise",
            n="net_pairs",
            beside=beside,
            weak="above",
        )
        noise = CardLine(
            "robustness",
            NOISE.name,
            "Two reviews of one text disagree",
            (("statistic", RATES), ("family", ALL_FAMILIES)),
            n="net_pairs",
            weak="above",
            limit=MUCH_NOISE,
        )
        pooled, *families = _pooled_first(net)
        return (pooled, noise, *families, change)

    @property
    def _whom(self) -> str:
        return "agents of which these are a sample" if self.sample_agents else "these agents"

    def _row(self, records: Records, cell: _Cell, rate: stats.Estimate) -> dict[str, Cell]:
        group, counts = cell.group, cell.counts
        effect, rise, why = self._detectable(counts.flips)
        bounds, open_rate = self._missing(records, [counts], rate)
        unranked = (
            unranked_because(records, group.agent, open_rate)
            if group.family == ALL_FAMILIES
            else ""
        )
        return {
            "agent": group.agent.name,
            "family": group.family,
            "statistic": RATE_OF_DIRECTION if group.direction else RATES,
            "direction": group.direction or None,
            "expect": group.expect,
            **_counted([cell]),
            "flips": as_count(counts.flips.total),
            **RATE.cells(rate),
            **self._over_pairs(group.pairs, counts),
            "papers": counts.flips.papers,
            "confidence": self.confidence,
            "unit": "paper",
            "method": rate.interval.method,
            **bounds,
            "ranked": not unranked,
            "unranked": unranked or None,
            **self._beyond(records, [group.agent], [counts], rate),
            "design_effect": effect,
            "detectable": rise,
            **_dose(records, group),
            "note": join_notes(
                "no valid pair" if rate.value is None and counts.pairs.n else note_of(rate),
                why,
                "" if records.repeats > 1 else "repeats: 1",
            ),
        }

    def _over_pairs(self, pairs: Sequence[RepeatedPair], counts: _Counts) -> dict[str, Cell]:
        """Intervals that take pairs as independent, where flips are whole."""
        from revkit import stats

        if not are_whole([pair for pair in pairs if pair.flip is not None]):
            return {}
        k, n = round(counts.flips.total), counts.flips.n
        return {
            **bound_cells("wald", stats.wald_interval(k, n, self.confidence)),
            **bound_cells("wilson", stats.wilson_interval(k, n, self.confidence)),
        }

    def _missing(
        self,
        records: Records,
        counts: Sequence[_Counts],
        rate: stats.Estimate,
        over: Over = "mean",
    ) -> tuple[dict[str, Cell], OpenRate]:
        """Return bounds of the rate that hold for any possible verdicts of the failed pairs."""
        from revkit import stats

        papers = len(records.papers)
        known, pairs = arrays([each.known for each in counts], papers)
        lost, _ = arrays([each.lost for each in counts], papers)
        found = stats.cluster_missing_bounds(
            known, lost, pairs, resampling=self.resampling(records), over=over
        )
        open_rate = OpenRate(found.best, found.worst, rate.interval.low, rate.interval.high)
        failed = any(each.lost.total > 1e-9 for each in counts)
        # Without failures, the two methods for one rate may give two intervals.
        interval = found.interval if failed else rate.interval
        cells: dict[str, Cell] = {
            "best_case": found.best,
            "worst_case": found.worst,
            "missing_low": interval.low,
            "missing_high": interval.high,
            "bounds": open_rate.text if failed and found.best is not None else None,
        }
        return cells, open_rate

    def _beyond(
        self,
        records: Records,
        agents: Sequence[AgentRow],
        counts: Sequence[_Counts],
        rate: stats.Estimate,
    ) -> dict[str, Cell]:
        """Noise, net rate and change of acceptance, and which intervals of the row are short."""
        noise, net = self._noise(records, counts) if records.repeats > 1 else (None, None)
        if noise is not None and is_gross(
            [(a, c.flips, c.across, c.noise) for a, c in zip(agents, counts, strict=True)]
        ):
            net = rate
        change = self._change(records, counts)
        return {
            **NOISE.cells(noise),
            **NET.cells(net),
            "net_pairs": sum(each.noise.n for each in counts) if noise else None,
            **CHANGE.cells(change),
            "short": short_of(
                {"flip rate": rate, "noise": noise, "net rate": net, "change of acceptance": change}
            ),
        }

    def _noise(
        self, records: Records, counts: Sequence[_Counts]
    ) -> tuple[stats.Estimate, stats.Estimate]:
        """Noise of both sides and the excess over it, on pairs with two verdicts a side."""
        from revkit import stats

        papers, resampling = len(records.papers), self.resampling(records)
        across, _ = arrays([each.across for each in counts], papers)
        noise, pairs = arrays([each.noise for each in counts], papers)
        return (
            stats.cluster_mean_rate(noise, pairs, resampling=resampling),
            stats.cluster_excess(across, noise, pairs, resampling=resampling),
        )

    def _change(self, records: Records, counts: Sequence[_Counts]) -> stats.Estimate:
        """How much more often variants are accepted than their originals."""
        from revkit import stats

        papers = len(records.papers)
        up = arrays([each.up for each in counts], papers)
        down = arrays([each.down for each in counts], papers)
        return stats.cluster_mean_difference(*up, *down, resampling=self.resampling(records))

    def _detectable(self, sums: Sums) -> tuple[float | None, float | None, str]:
        """Design effect, smallest detectable rise, and why there is none.

        Where the effect cannot be estimated (no flip at all, say), pairs of one paper count as one:
        the cautious end.
        """
        from revkit import stats

        if not sums.n:
            return None, None, ""
        fractional = any(not float(total).is_integer() for total in sums.totals)
        effect = None if fractional else stats.design_effect(sums.totals, sums.counts).value
        used = sums.n / sums.papers if effect is None else max(1.0, effect)
        found = stats.minimum_detectable_difference(
            sums.n,
            min(1.0, sums.total / sums.n),
            self.power,
            self.confidence,
            used,
            paired=True,
        )
        why = "no rise is large enough to be detected" if found.rise is None else ""
        return effect, found.rise, why

    def _over_agents(
        self,
        records: Records,
        columns: Sequence[Sequence[_Cell]],
        agents: Sequence[dict[str, Cell]],
    ) -> list[dict[str, Cell]]:
        if not columns:
            return []
        rows = [
            self._agents_row(records, [column[i] for column in columns], MEAN)
            for i in range(len(records.perturbations) + 1)
        ]
        last = [column[-1] for column in columns]
        rows.append(self._agents_row(records, last, MEDIAN))
        ranked = {row["agent"] for row in agents if row["family"] == ALL_FAMILIES and row["ranked"]}
        kept = [cell for cell in last if cell.group.agent.name in ranked]
        if 0 < len(kept) < len(last):
            rows.append(self._agents_row(records, kept, RANKED_MEDIAN))
        return rows

    def _by_direction(
        self, records: Records, agents: Sequence[Sequence[Group]]
    ) -> list[dict[str, Cell]]:
        """The rows of each direction: of the agents, then their means."""
        columns = [
            [_Cell(group, _Counts.of(records, group)) for group in direction_groups(records, found)]
            for found in agents
        ]
        cells = [cell for column in columns for cell in column]
        rates = self.rates(records, [cell.counts.flips for cell in cells])
        rows = [self._row(records, cell, rate) for cell, rate in zip(cells, rates, strict=True)]
        together = zip(*columns, strict=True)
        return [*rows, *(self._agents_row(records, same, MEAN_OF_DIRECTION) for same in together)]

    def _agents_row(
        self, records: Records, column: Sequence[_Cell], statistic: str
    ) -> dict[str, Cell]:
        from revkit import stats

        counts = [cell.counts for cell in column]
        over: Over = "mean" if statistic in (MEAN, MEAN_OF_DIRECTION) else "median"
        sums = [each.flips for each in counts]
        if over == "mean" and self.sample_agents:
            estimate = stats.sampled_mean_rate(
                *arrays(sums, len(records.papers)), resampling=self.resampling(records)
            )
        else:
            estimate = over_rates(sums, over, self.resampling(records))
        silent = [cell.group.agent.name for cell in column if not cell.counts.flips.n]
        bounds, _ = self._missing(records, counts, estimate, over)
        group = column[0].group
        return {
            "agent": ALL_AGENTS,
            "family": group.family,
            "statistic": statistic,
            "direction": group.direction or None,
            "expect": group.expect,
            **_counted(column),
            "flips": as_count(sum(each.total for each in sums)),
            **RATE.cells(estimate),
            "papers": estimate.interval.n,
            "confidence": self.confidence,
            "unit": "paper",
            "method": estimate.interval.method,
            **bounds,
            **(
                self._beyond(records, [cell.group.agent for cell in column], counts, estimate)
                if over == "mean"
                else {"short": short_of({"flip rate": estimate})}
            ),
            **_dose(records, group),
            "note": join_notes(
                note_of(estimate),
                f"no valid pair: {', '.join(silent)}" if silent else "",
            ),
        }


def _counted(cells: Sequence[_Cell]) -> dict[str, Cell]:
    """Counts of pairs, over the agents of ``cells``."""
    pairs = [pair for cell in cells for pair in cell.group.pairs]
    failed = sum(pair.failed for pair in pairs)
    valid = [pair for pair in pairs if pair.flip is not None]
    whole = not cells[0].group.direction  # what was rejected has no direction
    return {
        "pairs": len(pairs),
        "rejected": cells[0].group.rejected if whole else None,
        "crashed": cells[0].group.crashed if whole else None,
        "failed": failed,
        "without_verdict": len(pairs) - failed - len(valid),
        "valid": len(valid),
        "variants": len({(pair.paper, pair.family, pair.index) for pair in valid}),
    }


def _dose(records: Records, group: Group) -> dict[str, Cell]:
    """The dose of the variants of a group, the same for every agent."""
    families = pooled_families(records) if group.family == ALL_FAMILIES else (group.family,)
    return dose_cells(
        row for family in families for row in variants_of(records, family, group.direction)
    )


def _pooled_first(line: CardLine) -> tuple[CardLine, ...]:
    """Return the line of all families, and those of each family."""
    pooled = replace(line, where=(*line.where, ("family", ALL_FAMILIES)))
    return pooled, replace(line, brief=False)
