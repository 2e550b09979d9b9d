"""Whether two agents flip equally often on the same pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar

from revkit.figures import CONFIDENCE, METHOD, NOTE, UNIT, Figure, join_notes
from revkit.model.records import AgentRow, Pair, Records
from revkit.model.table import Cell, Column, Table
from revkit_robustrev.metrics.base import OverPapers
from revkit_robustrev.metrics.pairs import left_out_note, pooled_families

if TYPE_CHECKING:
    from revkit import stats

DIFFERENCE = Figure(
    "difference",
    "Difference",
    "share",
    "Flip rate of the first less that of the second.",
    "over papers.",
)
COLUMNS = (
    Column("first", "First agent", "", "The one agent."),
    Column("second", "Second agent", "", "The other agent."),
    Column("n", "n", "count", "Pairs with a verdict on both sides for both agents."),
    Column("left_out", "Left out", "count", "Pairs without that for at least one of the two."),
    Column("both", "Both", "count", "Pairs on which both flipped."),
    Column("first_only", "First only", "count", "Pairs on which only the first flipped."),
    Column("second_only", "Second only", "count", "Pairs on which only the second flipped."),
    Column("neither", "Neither", "count", "Pairs on which neither flipped."),
    *DIFFERENCE.columns,
    METHOD,
    Column(
        "chi2", "chi2", "statistic", "(b - c)^2 / (b + c), one degree of freedom (McNemar 1947)."
    ),
    Column("p_chi2", "p", "p", "The p-value of chi2; pairs independent."),
    Column(
        "chi2_corrected",
        "chi2, corrected",
        "statistic",
        "With continuity correction (Edwards 1948).",
    ),
    Column("p_corrected", "p, corrected", "p", "The p-value of that; pairs independent."),
    Column("p_exact", "p, exact", "p", "Exact binomial test; pairs independent."),
    Column("p_mid", "p, mid", "p", "Mid-p version of the exact test; pairs independent."),
    Column("chi2_clustered", "chi2, papers", "statistic", "Obuchowski's test, papers independent."),
    Column("p_clustered", "p, papers", "p", "The p-value of that: the one to report."),
    Column("p_holm", "p, Holm", "p", "p, papers after Holm's correction over all rows."),
    Column("informative", "Informative", "count", "Papers on which the two differ."),
    CONFIDENCE,
    UNIT,
    NOTE,
)

FINE = (
    *("left_out", "both", "neither", "method", "chi2_corrected", "p_corrected", "p_exact"),
    *("chi2_clustered", "informative", "confidence", "unit", "note"),
)


@dataclass(frozen=True)
class McNemar(OverPapers):
    """McNemar's test between every two agents on per-pair flips (ROBUST-REV, section 6).

    Only pairs valid for both agents count, from the families that should change nothing. Four
    versions take pairs as independent, as the paper does; the clustered one takes papers, and
    Holm's correction is applied to it, over all pairs of agents in the table.
    """

    name: ClassVar[str] = "mcnemar"
    version: ClassVar[str] = "3"

    def measure(self, records: Records) -> Table:
        from revkit import stats

        flips = {agent.name: _flips(records, agent) for agent in records.agents}
        compared = [
            _Comparison.of(records, one, other, flips) for one, other in combinations(flips, 2)
        ]
        rows = [_row(comparison, self._gap(records, comparison)) for comparison in compared]
        adjusted = stats.holm([row["p_clustered"] for row in rows])  # type: ignore[misc]
        for row, p_value in zip(rows, adjusted, strict=True):
            row["p_holm"], row["confidence"] = p_value, self.confidence
        notes = [
            'Holm\'s correction applies to the clustered test ("p, papers"), over '
            f"{sum(p is not None for p in adjusted)} comparison(s).",
            "The difference and the clustered test treat papers as independent, the other tests "
            "treat pairs as independent.",
            *self.interval_notes(records),
            *left_out_note(records),
        ]
        if len(records.agents) < 2:
            notes.append("Fewer than two agents: nothing to compare.")
        return Table.of(
            self.name,
            "McNemar's test between agents",
            COLUMNS,
            rows,
            notes,
            fine=FINE,
            section=True,
            method=notes[:1],
        )

    def _gap(self, records: Records, compared: _Comparison) -> stats.Estimate:
        """Over pairs valid for both, the rates differ as those of the discordant pairs do."""
        from revkit import stats

        return stats.cluster_rate_difference(
            compared.first_only,
            compared.valid,
            compared.second_only,
            compared.valid,
            resampling=self.resampling(records),
        )


Key = tuple[str, str, int, int]


@dataclass(frozen=True)
class _Comparison:
    """Two agents on the same pairs. The three counts have one entry for each paper of the run."""

    first: str
    second: str
    flips: stats.PairedFlips
    first_only: Sequence[int]
    second_only: Sequence[int]
    valid: Sequence[int]

    @classmethod
    def of(
        cls, records: Records, one: str, other: str, flips: Mapping[str, Mapping[Key, bool | None]]
    ) -> _Comparison:
        from revkit import stats

        keys = sorted(flips[one].keys() | flips[other].keys())
        first = [flips[one].get(key) for key in keys]
        second = [flips[other].get(key) for key in keys]
        place = {paper.id: i for i, paper in enumerate(records.papers)}
        counts = [[0] * len(place) for _ in range(3)]
        for key, a, b in zip(keys, first, second, strict=True):
            if a is not None and b is not None:
                for column, amount in enumerate((a and not b, b and not a, True)):
                    counts[column][place[key[0]]] += amount
        return cls(one, other, stats.mcnemar_from_flips(first, second), *counts)


def _row(comparison: _Comparison, gap: stats.Estimate) -> dict[str, Cell]:
    from revkit import stats

    found, test = comparison.flips, comparison.flips.test
    seen = [i for i, pairs in enumerate(comparison.valid) if pairs]
    clustered = stats.clustered_mcnemar(
        [comparison.first_only[i] for i in seen], [comparison.second_only[i] for i in seen]
    )
    n = sum(comparison.valid)
    return {
        "first": comparison.first,
        "second": comparison.second,
        "n": n,
        "left_out": found.left_out,
        "both": found.both,
        "first_only": found.first_only,
        "second_only": found.second_only,
        "neither": found.neither,
        **DIFFERENCE.cells(gap),
        "method": gap.interval.method,
        "chi2": test.statistic,
        "p_chi2": test.p_value if n else None,
        "chi2_corrected": test.corrected_statistic,
        "p_corrected": test.corrected_p_value if n else None,
        "p_exact": test.exact_p_value if n else None,
        "p_mid": test.mid_p_value if n else None,
        "chi2_clustered": clustered.statistic,
        "p_clustered": clustered.p_value if n else None,
        "informative": clustered.informative,
        "unit": "paper",
        "note": join_notes(test.note, clustered.note, gap.interval.note)
        if n
        else "no pair valid for both",
    }


def _flips(records: Records, agent: AgentRow) -> dict[Key, bool | None]:
    """What the agent did on each pair of the families that keep the science."""
    families = set(pooled_families(records))
    return {
        _key(pair): pair.flip
        for pair in records.pairs(agent.name)
        if pair.variant.perturbation in families
    }


def _key(pair: Pair) -> Key:
    variant = pair.variant
    return variant.paper, variant.perturbation, variant.index, variant.repeat
