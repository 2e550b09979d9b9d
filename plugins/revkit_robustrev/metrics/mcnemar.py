"""Test whether two agents flip equally often on the same pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar

from revkit.dataclass import dataclass
from revkit.figures import (
    CONFIDENCE,
    METHOD,
    NOTE,
    SHORT,
    UNIT,
    Figure,
    Sums,
    join_notes,
    short_of,
    short_warnings,
    sums,
)
from revkit.figures.numbers import MOST_LISTED, count_of, list_names, number_at
from revkit.model.records import AgentRow, Records
from revkit.model.table import Cell, Column, Finding, Table
from revkit_robustrev.metrics.base import OverPapers
from revkit_robustrev.metrics.pairs import (
    as_count,
    left_out_note,
    pairs_of,
    pooled_families,
    repeats_note,
)

if TYPE_CHECKING:
    from revkit import stats

DIFFERENCE = Figure(
    "difference",
    "Difference",
    "share",
    "Flip rate of the first minus that of the second. Below 0, the first flips less, which is "
    "better.",
    "over papers.",
)
COLUMNS = (
    Column("first", "First agent", "", "The one agent.", clear=True),
    Column("second", "Second agent", "", "The other agent.", clear=True),
    Column("n", "n", "count", "Pairs with a verdict on both sides for both agents."),
    Column(
        "left_out",
        "Left out",
        "count",
        "Pairs without two verdicts for at least one of the agents.",
    ),
    Column("both", "Both", "count", "Pairs on which both flipped."),
    Column(
        "first_only", "First only", "count", "Pairs on which only the first flipped.", clear=True
    ),
    Column(
        "second_only", "Second only", "count", "Pairs on which only the second flipped.", clear=True
    ),
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
    Column(
        "p_corrected",
        "p, corrected",
        "p",
        "p of the chi2 with continuity correction; pairs independent.",
    ),
    Column("p_exact", "p, exact", "p", "Exact binomial test; pairs independent."),
    Column("p_mid", "p, mid", "p", "Mid-p version of the exact test; pairs independent."),
    Column("chi2_clustered", "chi2, papers", "statistic", "Obuchowski's test, papers independent."),
    Column(
        "p_clustered",
        "p, papers",
        "p",
        "p of Obuchowski's test of two rates on the same pairs; papers independent.",
    ),
    Column(
        "p_holm",
        "p, Holm",
        "p",
        "p, papers after Holm's correction over all rows. Below 0.05, the data show a difference.",
    ),
    Column("informative", "Informative", "count", "Papers on which the two differ."),
    CONFIDENCE,
    UNIT,
    SHORT,
    NOTE,
)

FINE = (
    *("left_out", "both", "neither", "method", "chi2", "p_chi2", "chi2_corrected", "p_corrected"),
    *("p_exact", "p_mid", "chi2_clustered", "informative", "confidence", "unit", "short", "note"),
)
SHOWN = 0.05  # p after Holm's correction below which a difference is shown
Key = tuple[str, str, int]


@dataclass(frozen=True)
class McNemar(OverPapers):
    """McNemar's test for every two agents on per-pair flips (ROBUST-REV, section 6).

    Only pairs valid for both agents count, from the families that keep the science, each once
    however often it was reviewed. The test to report takes papers as independent; Holm's correction
    is applied to it, over all pairs of agents in the table. Four versions take pairs as
    independent, as the paper does. They are computed where every verdict repeats itself, and are
    in the table's file only, because variants of one paper are not independent.
    """

    name: ClassVar[str] = "mcnemar"
    version: ClassVar[str] = "8"
    table_columns: ClassVar[tuple[Column, ...]] = COLUMNS

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
            _tested(sum(p is not None for p in adjusted)),
            "The difference and this test treat papers as independent. The tests that treat pairs "
            "as independent are in the file of the table.",
            *self.interval_notes(records),
            *left_out_note(records),
            *repeats_note(records),
        ]
        if len(records.agents) < 2:
            notes.append("Fewer than two agents: nothing to compare.")
        return Table.of(
            self.name,
            "Comparison of agents",
            COLUMNS,
            rows,
            notes,
            fine=FINE,
            section=True,
            method=[notes[0], self.interval_sentence(records)],
            findings=_findings(rows),
            reading='Each row compares the flip rates of two agents on the same pairs. "First '
            'only" counts the pairs on which only the first agent flipped.',
            warnings=short_warnings(
                self.name, rows, lambda row: f"{row['first']} and {row['second']}"
            ),
        )

    def _gap(self, records: Records, compared: _Comparison) -> stats.Estimate:
        """Over pairs valid for both, the rates differ as those of the discordant pairs do."""
        from revkit import stats

        return stats.cluster_rate_difference(
            compared.first_only.totals,
            compared.first_only.counts,
            compared.second_only.totals,
            compared.second_only.counts,
            resampling=self.resampling(records),
        )


@dataclass(frozen=True)
class _Comparison:
    """Two agents on the same pairs: the flips of each valid pair, and sums over papers."""

    first: str
    second: str
    flips: Sequence[tuple[float, float]]
    left_out: int
    first_only: Sums
    second_only: Sums

    @classmethod
    def of(
        cls, records: Records, one: str, other: str, flips: Mapping[str, Mapping[Key, float | None]]
    ) -> _Comparison:
        found: list[tuple[str, float, float]] = []
        keys = sorted(flips[one].keys() | flips[other].keys())
        for key in keys:
            a, b = flips[one].get(key), flips[other].get(key)
            if a is not None and b is not None:
                found.append((key[0], a, b))
        papers = [paper.id for paper in records.papers]
        return cls(
            one,
            other,
            [(a, b) for _, a, b in found],
            len(keys) - len(found),
            sums(papers, ((paper, a * (1 - b)) for paper, a, b in found)),
            sums(papers, ((paper, b * (1 - a)) for paper, a, b in found)),
        )

    @property
    def is_whole(self) -> bool:
        """Whether every flip is 0 or 1."""
        return all(flip in (0.0, 1.0) for pair in self.flips for flip in pair)


def _row(comparison: _Comparison, gap: stats.Estimate) -> dict[str, Cell]:
    import numpy as np

    from revkit import stats

    first, second = comparison.first_only, comparison.second_only
    n = first.n
    seen = np.array(first.counts, dtype=bool)
    test = stats.cluster_difference_test((np.array(first.totals) - np.array(second.totals))[seen])
    few = test.informative < stats.MIN_INFORMATIVE
    return {
        "first": comparison.first,
        "second": comparison.second,
        "n": n,
        "left_out": comparison.left_out,
        "both": as_count(sum(a * b for a, b in comparison.flips)),
        "first_only": as_count(first.total),
        "second_only": as_count(second.total),
        "neither": as_count(sum((1 - a) * (1 - b) for a, b in comparison.flips)),
        **DIFFERENCE.cells(gap),
        "method": gap.interval.method,
        **(_over_pairs(comparison) if n else {}),
        "chi2_clustered": test.statistic,
        "p_clustered": test.p_value if n and not few else None,
        "informative": test.informative,
        "unit": "paper",
        "short": short_of({"difference": gap}),
        "note": join_notes(test.note, "too few for a p-value" if few else "", gap.interval.note)
        if n
        else "no pair valid for both",
    }


def _over_pairs(comparison: _Comparison) -> dict[str, Cell]:
    """The four tests that take pairs as independent, where all flips are whole."""
    from revkit import stats

    if not comparison.is_whole:
        return {}
    test = stats.mcnemar(round(comparison.first_only.total), round(comparison.second_only.total))
    return {
        "chi2": test.statistic,
        "p_chi2": test.p_value,
        "chi2_corrected": test.corrected_statistic,
        "p_corrected": test.corrected_p_value,
        "p_exact": test.exact_p_value,
        "p_mid": test.mid_p_value,
    }


def _tested(tests: int) -> str:
    """Return which comparisons have a p, and what it is corrected for."""
    why = "a test needs six papers on which one agent flips more often than the other"
    if not tests:
        return f"No comparison has a p: {why}."
    return (
        f'The test ("p, papers") was made for {count_of(tests, "comparison")} and corrected for '
        f"{'it' if tests == 1 else 'them'} by Holm's method; {why}."
    )


def _findings(rows: Sequence[Mapping[str, Cell]]) -> list[Finding]:
    """Return which agents flip less than which others, and how many comparisons are open."""
    fewer: dict[str, list[str]] = {}
    open_ = 0
    for row in rows:
        p, gap = number_at(row, "p_holm"), number_at(row, "difference")
        if p is None or p >= SHOWN or not gap:
            open_ += 1
            continue
        pair = (str(row["first"]), str(row["second"]))
        less, more = pair if gap < 0 else pair[::-1]
        fewer.setdefault(less, []).append(more)
    if not rows:
        return []
    found = [f"{less} flips less than {_some(more)}" for less, more in fewer.items()]
    rest = "No difference was shown for " if not found else "; no difference was shown for "
    text = "; ".join(found[:MOST_LISTED])
    if len(found) > MOST_LISTED:
        left = len(found) - MOST_LISTED
        verb = "flips" if left == 1 else "flip"
        text += f"; {count_of(left, 'more agent')} {verb} less than others"
    if open_:
        other = "other " if found else ""
        text += f"{rest}{'the ' if found else ''}{count_of(open_, f'{other}comparison')}"
    how = f" (p < {SHOWN:g}, Holm)" if found else ""
    return [Finding(f"{'Shown by the data' + how + ': ' if found else ''}{text}.", (), "section")]


def _some(names: Sequence[str]) -> str:
    more = len(names) - MOST_LISTED
    return list_names([*names[:MOST_LISTED], *([f"{more} more"] if more > 0 else [])])


def _flips(records: Records, agent: AgentRow) -> dict[Key, float | None]:
    """What the agent did on each pair of the families that keep the science."""
    families = set(pooled_families(records))
    return {
        (pair.paper, pair.family, pair.index): pair.flip
        for pair in pairs_of(records, agent.name)
        if pair.family in families
    }
