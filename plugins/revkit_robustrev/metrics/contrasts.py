"""Test whether verdicts flip more often under one family than under another, on the same papers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar

from revkit.dataclass import dataclass
from revkit.figures import (
    AGENT,
    CONFIDENCE,
    METHOD,
    NOTE,
    SHORT,
    UNIT,
    Figure,
    Resampling,
    Sums,
    arrays,
    join_notes,
    short_of,
    short_warnings,
)
from revkit.model.records import Records
from revkit.model.table import Cell, Column, Table
from revkit_robustrev.metrics.base import OverPapers
from revkit_robustrev.metrics.pairs import (
    ALL_AGENTS,
    Group,
    flipped,
    groups,
    pooled_families,
    repeats_note,
    sums_over_papers,
)

if TYPE_CHECKING:
    from revkit import stats

DIFFERENCE = Figure(
    "difference",
    "Difference",
    "share",
    "Flip rate under the first family minus that under the second, on the same papers.",
    "over papers.",
)
COLUMNS = (
    AGENT,
    Column("first", "First family", "", "The one family."),
    Column("second", "Second family", "", "The other family."),
    Column("papers", "Papers", "count", "Papers with a valid pair under both families."),
    Column(
        "pairs", "Pairs", "count", "Valid pairs on these papers, of both families and all agents."
    ),
    Column(
        "first_rate", "First rate", "share", "The flip rate under the first family on these papers."
    ),
    Column(
        "second_rate",
        "Second rate",
        "share",
        "The flip rate under the second family on these papers.",
    ),
    *DIFFERENCE.columns,
    METHOD,
    Column(
        "p_clustered",
        "p, papers",
        "p",
        "Obuchowski's test over papers; none with fewer than six informative papers.",
    ),
    Column("p_holm", "p, Holm", "p", "p after Holm's correction over the agent's rows."),
    Column("informative", "Informative", "count", "Papers on which the two families differ."),
    CONFIDENCE,
    UNIT,
    SHORT,
    NOTE,
)


@dataclass(frozen=True)
class Contrast:
    """Two families on the papers that have a valid pair under both, for one agent or the mean."""

    first: str
    second: str
    rates: tuple[float | None, float | None]
    difference: stats.Estimate
    test: stats.ClusteredMcNemar
    papers: int
    pairs: int
    p_value: float | None
    p_holm: float | None = None


def contrasts_of(
    records: Records, cells: Sequence[Sequence[Group]], resampling: Resampling
) -> list[Contrast]:
    """All contrasts of the families that keep the science, Holm's correction over them.

    ``cells`` holds the groups of each agent; over several agents, every agent has one weight.
    """
    from dataclasses import replace

    from revkit import stats

    fair = pooled_families(records)
    sums = [
        {
            group.family: sums_over_papers(records, group.pairs, flipped)
            for group in column
            if group.family in fair
        }
        for column in cells
    ]
    found = [
        _contrast(one, other, [(own[one], own[other]) for own in sums], resampling)
        for one, other in combinations(fair, 2)
        if sums
    ]
    adjusted = stats.holm([contrast.p_value for contrast in found])
    return [replace(c, p_holm=p) for c, p in zip(found, adjusted, strict=True)]


def _contrast(
    one: str, other: str, agents: Sequence[tuple[Sums, Sums]], resampling: Resampling
) -> Contrast:
    import numpy as np

    from revkit import stats

    shared = [first.shared(second) for first, second in agents]
    shared = [(first, second) for first, second in shared if first.n and second.n]
    papers = len(agents[0][0].counts)
    first, second = (arrays([pair[i] for pair in shared], papers) for i in (0, 1))
    difference = stats.cluster_mean_difference(*first, *second, resampling=resampling)
    with np.errstate(invalid="ignore"):
        rates = [np.nan_to_num(sums / counts) for sums, counts in (first, second)]
    seen = first[1].any(axis=1)
    test = stats.cluster_difference_test((rates[0] - rates[1]).sum(axis=1)[seen])
    p_value = test.p_value if test.informative >= stats.MIN_INFORMATIVE else None
    means = [
        float((sums.sum(axis=0) / counts.sum(axis=0)).mean()) if shared else None
        for sums, counts in (first, second)
    ]
    return Contrast(
        one,
        other,
        (means[0], means[1]),
        difference,
        test,
        int(seen.sum()),
        sum(part.n for pair in shared for part in pair),
        p_value,
    )


@dataclass(frozen=True)
class FamilyContrast(OverPapers):
    """Flip rates of two families compared on the papers that have a valid pair under both.

    The family with the highest rate of several is highest by chance to some degree. So each two
    families that keep the science are compared on the same papers, with a test over papers and
    Holm's correction, for each agent and for the mean over agents, each agent weighted equally.
    """

    name: ClassVar[str] = "family-contrast"
    version: ClassVar[str] = "6"
    table_columns: ClassVar[tuple[Column, ...]] = COLUMNS

    def measure(self, records: Records) -> Table:
        cells = [groups(records, agent) for agent in records.agents]
        rows = [
            self._row(agent.name, contrast)
            for agent, column in zip(records.agents, cells, strict=True)
            for contrast in contrasts_of(records, [column], self.resampling(records))
        ]
        if len(cells) > 1:
            rows += [
                self._row(ALL_AGENTS, contrast)
                for contrast in contrasts_of(records, cells, self.resampling(records))
            ]
        notes = [
            "Holm's correction applies to each agent's rows; for these agents and new papers.",
            *self.interval_notes(records),
            *repeats_note(records),
        ]
        if len(pooled_families(records)) < 2:
            notes.append("Fewer than two families that keep the science: no contrast.")
        return Table.of(
            self.name,
            "Families compared on the same papers",
            COLUMNS,
            rows,
            notes,
            method=[self.interval_sentence(records)],
            warnings=short_warnings(
                self.name, rows, lambda row: f"{row['first']} and {row['second']}, {row['agent']}"
            ),
        )

    def _row(self, agent: str, contrast: Contrast) -> dict[str, Cell]:
        test = contrast.test
        few = test.note if contrast.papers else "no paper with a valid pair under both"
        return {
            "agent": agent,
            "first": contrast.first,
            "second": contrast.second,
            "papers": contrast.papers,
            "pairs": contrast.pairs,
            "first_rate": contrast.rates[0],
            "second_rate": contrast.rates[1],
            **DIFFERENCE.cells(contrast.difference),
            "method": contrast.difference.interval.method,
            "p_clustered": contrast.p_value,
            "p_holm": contrast.p_holm,
            "informative": test.informative,
            "confidence": self.confidence,
            "unit": "paper",
            "short": short_of({"difference": contrast.difference}),
            "note": join_notes(
                few,
                "too few for a p-value" if contrast.p_value is None and contrast.papers else "",
                contrast.difference.interval.note,
            ),
        }
