"""The direction of flips: towards acceptance, or towards rejection."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from revkit.dataclass import dataclass
from revkit.figures import RESAMPLES, Sums, arrays, join_notes, short_of
from revkit.model.card import CardLine
from revkit.model.records import Records
from revkit.model.table import Cell, Column, Table
from revkit.options import option
from revkit_robustrev.metrics.base import OverPapers
from revkit_robustrev.metrics.direction_columns import (
    ACCEPT_NET,
    ACCEPT_RATE,
    CHART,
    COLUMNS,
    DIFFERENCE,
    DIFFERENCE_NET,
    FINE,
    RATIO,
    RAW,
    REJECT_NET,
    REJECT_RATE,
    SHARE,
)
from revkit_robustrev.metrics.direction_findings import findings, warnings
from revkit_robustrev.metrics.flip_columns import CHANGE
from revkit_robustrev.metrics.pairs import (
    ALL_AGENTS,
    ALL_FAMILIES,
    Group,
    as_count,
    groups,
    left_out_note,
    one_pair_each,
    repeats_note,
    sums_over_papers,
)

if TYPE_CHECKING:
    from revkit import stats


@dataclass(frozen=True)
class _Counts:
    """What each paper contributes: flips up and down, and what was at risk of each."""

    up: Sums
    down: Sums
    rejects: Sums
    accepts: Sums

    @classmethod
    def of(cls, records: Records, group: Group) -> _Counts:
        valid = [pair for pair in group.pairs if pair.flip is not None]
        return cls(
            sums_over_papers(records, valid, lambda pair: pair.up),
            sums_over_papers(records, valid, lambda pair: pair.down),
            sums_over_papers(records, valid, lambda pair: pair.rejects),
            sums_over_papers(records, valid, lambda pair: pair.before),
        )

    @property
    def columns(self) -> tuple[Sums, Sums, Sums, Sums]:
        return self.up, self.down, self.rejects, self.accepts

    @property
    def valid(self) -> int:
        return self.up.n


@dataclass(frozen=True)
class Direction(OverPapers):
    """Compares reject-to-accept flips with accept-to-reject flips (ROBUST-REV, section 5.3).

    The ratio distinguishes exploitable perturbations from noise only where about as many originals
    could flip one way as the other. So the table also gives the share of the pairs at risk that
    flipped each way, their difference, and the change of the share of accepted texts. All intervals
    and tests take papers as independent, because the original verdict decides which way a paper can
    flip. With repeats, the rates at risk are net of what the agent's noise alone gives. Rows over
    all agents give every agent one weight (the ratio is the mean of log ratios); they never add
    the flips of agents up.
    """

    name: ClassVar[str] = "direction"
    version: ClassVar[str] = "12"
    table_columns: ClassVar[tuple[Column, ...]] = COLUMNS

    resamples: int = option(
        RESAMPLES,
        help="How often the papers are resampled for an interval.",
        minimum=100,
        later=True,
    )

    def measure(self, records: Records) -> Table:
        found = [
            [(group, _Counts.of(records, group)) for group in groups(records, agent)]
            for agent in records.agents
        ]
        rows = [self._row(records, *cell) for column in found for cell in column]
        _correct(rows)
        if found:
            rows += [
                self._over_agents(records, [column[i] for column in found])
                for i in range(len(records.perturbations) + 1)
            ]
        notes = [
            self.interval_sentence(records),
            "p comes from a test of whether flips are equally frequent in both directions (unit: "
            'papers); "p, Holm" is p after Holm\'s correction over the agents, made for each '
            "family and for all families together. With fewer than six papers that flip more often "
            "in one direction there is no p, because none could be below 5 %.",
            f'Rows of "{ALL_AGENTS}" are means over agents, each agent weighted equally; their '
            "intervals treat the agents as fixed and the papers as a sample. Flips of different "
            "agents are not pooled.",
            *left_out_note(records),
            *repeats_note(records),
        ]
        return Table.of(
            self.name,
            "Direction of flips",
            COLUMNS,
            rows,
            notes,
            headline=True,
            fine=(*FINE, *(RAW if records.repeats > 1 else ())),
            charts=(CHART,),
            rows_shown=(("family", ALL_FAMILIES),),
            findings=findings(rows, self.confidence),
            warnings=warnings(rows),
            method=notes[:2],
            reading="Each row is one agent, over all families together. Flips to accept make the "
            "agent more lenient, flips to reject stricter. Only rejected originals can flip to "
            "accept, so the shares of the rejects and of the accepts that flip are beside the "
            "counts.",
        )

    def card_lines(self, table: Table) -> Sequence[CardLine]:
        pooled = (("family", ALL_FAMILIES),)
        return (
            CardLine(
                "direction", REJECT_NET.name, each="family", n="rejects", weak="above", brief=False
            ),
            CardLine("direction", REJECT_RATE.name, where=pooled, n="rejects", brief=False),
            CardLine("direction", ACCEPT_RATE.name, where=pooled, n="accepts", brief=False),
        )

    def _row(self, records: Records, group: Group, counts: _Counts) -> dict[str, Cell]:
        from revkit import stats

        resampling = self.resampling(records)
        found = stats.cluster_direction(
            *(column.totals for column in counts.columns), resampling=resampling
        )
        test, net = found.test, self._net(records, group)
        flips = found.up + found.down
        return {
            "agent": group.agent.name,
            "family": group.family,
            **_cells_of(counts),
            **RATIO.cells(found.ratio),
            **SHARE.cells(found.share),
            "p_clustered": test.p_value,
            "informative": test.informative,
            **_at_risk(found),
            **CHANGE.cells(found.change),
            **_net_cells(net),
            **self._over_pairs(group, counts),
            "confidence": self.confidence,
            "unit": "paper",
            "short": _short(found, net),
            "note": join_notes(
                "no valid pair" if not counts.valid else found.ratio.note,
                found.ratio.interval.note if flips else "",
                test.note if flips else "",
                _of_one_paper("rejects", found.reject_rate, counts.up, counts.rejects),
                _of_one_paper("accepts", found.accept_rate, counts.down, counts.accepts),
                "change of acceptance: one paper, so no interval" if _is_open(found.change) else "",
            ),
        }

    def _net(self, records: Records, group: Group) -> stats.NetRisk | None:
        """Rates at risk less what noise alone gives, from papers with two verdicts or more."""
        if records.repeats < 2:
            return None
        from revkit import stats

        kept = [
            (pair, within / 2)
            for pair in group.pairs
            if pair.flip is not None
            and (within := stats.distance_within(pair.verdicts[0])) is not None
        ]
        if not kept:
            return None
        noise = {id(pair): share for pair, share in kept}
        pairs = [pair for pair, _ in kept]
        columns = [
            sums_over_papers(records, pairs, value).totals
            for value in (
                lambda pair: pair.up,
                lambda pair: pair.down,
                lambda pair: noise[id(pair)],
                lambda pair: pair.rejects,
                lambda pair: pair.before,
            )
        ]
        return stats.cluster_net_risk(*columns, resampling=self.resampling(records))

    def _over_pairs(self, group: Group, counts: _Counts) -> dict[str, Cell]:
        """Figures that take pairs as independent: only where each paper has one pair."""
        from revkit import stats

        valid = [pair for pair in group.pairs if pair.flip is not None]
        if not valid or not one_pair_each(valid):
            return {}
        up, down, rejects, accepts = (round(column.total) for column in counts.columns)
        gap = stats.newcombe_interval(up, rejects, down, accepts, self.confidence)
        return {
            "p_exact": stats.sign_test(up, down) if up + down else None,
            "newcombe_low": gap.low,
            "newcombe_high": gap.high,
            "p_fisher": stats.fisher_test(up, rejects, down, accepts)
            if rejects and accepts
            else None,
        }

    def _over_agents(
        self, records: Records, column: Sequence[tuple[Group, _Counts]]
    ) -> dict[str, Cell]:
        from revkit import stats

        counts = [counts for _, counts in column]
        papers = len(records.papers)
        tables = [arrays([each.columns[i] for each in counts], papers)[0] for i in range(4)]
        found = stats.mean_direction(*tables, resampling=self.resampling(records))
        valid = sum(each.valid for each in counts)
        silent = [group.agent.name for group, each in column if not each.up.total + each.down.total]
        test = _test_over_agents(counts)
        return {
            "agent": ALL_AGENTS,
            "family": column[0][0].family,
            "valid": valid,
            **RATIO.cells(found.ratio),
            "p_clustered": test.p_value if test else None,
            "informative": test.informative if test else None,
            **_at_risk(found),
            **CHANGE.cells(found.change),
            "confidence": self.confidence,
            "unit": "paper",
            "short": _short(found),
            "note": join_notes(
                "no valid pair" if not valid else found.ratio.note,
                found.ratio.interval.note if found.flipping else "",
                f"no flip, so not in the ratio: {', '.join(silent)}"
                if silent and found.flipping
                else "",
                test.note if test and found.flipping else "",
            ),
        }


def _is_open(estimate: stats.Estimate) -> bool:
    """Whether an estimate has a value without an interval, as that of one paper."""
    bounds = estimate.interval
    return estimate.value is not None and bounds.low is None and bounds.high is None


def _at_risk(found: stats.ClusterDirection | stats.AgentsDirection) -> dict[str, Cell]:
    """The rates at risk and their difference; none without an interval, which is of one paper."""
    figures = {
        REJECT_RATE: found.reject_rate,
        ACCEPT_RATE: found.accept_rate,
        DIFFERENCE: found.difference,
    }
    return {
        name: cell
        for figure, estimate in figures.items()
        if not _is_open(estimate)
        for name, cell in figure.cells(estimate).items()
    }


def _of_one_paper(what: str, rate: stats.Estimate, flips: Sums, at_risk: Sums) -> str:
    """Say how many of one paper's pairs flipped, where this is all that is known."""
    if not _is_open(rate):
        return ""
    return f"{what} flipped: {flips.total:g} of {at_risk.total:g} pair(s) of one paper, so no share"


def _net_cells(net: stats.NetRisk | None) -> dict[str, Cell]:
    if net is None:
        return {}
    return {
        **REJECT_NET.cells(net.reject_rate),
        **ACCEPT_NET.cells(net.accept_rate),
        **DIFFERENCE_NET.cells(net.difference),
    }


def _short(
    found: stats.ClusterDirection | stats.AgentsDirection, net: stats.NetRisk | None = None
) -> Cell:
    """Which intervals of a row are short."""
    return short_of(
        {
            **(
                {}
                if net is None
                else {
                    REJECT_NET.title: net.reject_rate,
                    ACCEPT_NET.title: net.accept_rate,
                    DIFFERENCE_NET.title: net.difference,
                }
            ),
            "ratio": found.ratio,
            "rejects flipped": found.reject_rate,
            "accepts flipped": found.accept_rate,
            "rejects - accepts": found.difference,
            "change of acceptance": found.change,
        }
    )


def _cells_of(counts: _Counts) -> dict[str, Cell]:
    up, down, rejects, accepts = (column.total for column in counts.columns)
    return {
        "valid": counts.valid,
        "flips": as_count(up + down),
        "reject_to_accept": as_count(up),
        "accept_to_reject": as_count(down),
        "rejects": as_count(rejects),
        "accepts": as_count(accepts),
    }


def _test_over_agents(counts: Sequence[_Counts]) -> stats.ClusterTest | None:
    """The signs of papers, each agent's flips weighed by its number of pairs."""
    import numpy as np

    from revkit import stats

    parts = [
        (np.array(each.up.totals) - np.array(each.down.totals)) / each.valid
        for each in counts
        if each.valid
    ]
    return stats.cluster_sign_test(np.sum(parts, axis=0).round(15)) if parts else None


def _correct(rows: Sequence[dict[str, Cell]]) -> None:
    """Holm's correction over the agents of each family."""
    from revkit import stats

    for family in dict.fromkeys(row["family"] for row in rows):
        own = [row for row in rows if row["family"] == family]
        found: list[float | None] = [
            p if isinstance(p := row["p_clustered"], float) else None for row in own
        ]
        for row, p_value in zip(own, stats.holm(found), strict=True):
            row["p_holm"] = p_value
