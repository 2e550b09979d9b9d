"""The relation between the flip rate and the dose of the edits."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from revkit.dataclass import dataclass
from revkit.figures import (
    AGENT,
    CONFIDENCE,
    FAMILY,
    METHOD,
    NOTE,
    SHORT,
    UNIT,
    Figure,
    Sums,
    join_notes,
    note_of,
    short_of,
    short_warnings,
)
from revkit.model.records import AgentRow, Records
from revkit.model.table import Cell, Chart, Column, Table
from revkit.options import option
from revkit_robustrev.metrics.base import OverPapers
from revkit_robustrev.metrics.doses import LOWER_BOUND
from revkit_robustrev.metrics.over_agents import over_rates
from revkit_robustrev.metrics.pairs import (
    ALL_AGENTS,
    as_count,
    flipped,
    left_out_note,
    pairs_of,
    repeats_note,
    sums_over_papers,
)

if TYPE_CHECKING:
    from revkit import stats

RATE = Figure("rate", "Flip rate", "share", "Flips over valid pairs of this part.", "over papers.")
COLUMNS = (
    AGENT,
    FAMILY,
    Column("part", "Part", "count", "Part of the family's variants by dose, from the lowest: 1."),
    Column("dose", "Dose", "share", "Median dose of the variants of this part."),
    Column("dose_low", "Dose, lowest", "share", "The lowest dose of this part."),
    Column("dose_high", "Dose, highest", "share", "The highest dose of this part."),
    Column("variants", "Variants", "count", "Variants of this part."),
    Column("valid", "Pairs", "count", "Pairs of this part with a verdict on both sides."),
    Column("flips", "Flips", "count", "Pairs whose verdicts differ, means over repeats."),
    Column("papers", "Papers", "count", "Papers with a valid pair in this part."),
    *RATE.columns,
    METHOD,
    CONFIDENCE,
    UNIT,
    SHORT,
    NOTE,
)
CHART = Chart(
    "lines",
    "Flip rate by dose, mean over agents",
    "dose",
    "rate",
    group="family",
    low="rate_low",
    high="rate_high",
    where=(("agent", ALL_AGENTS),),
)
Key = tuple[str, str, int]


@dataclass(frozen=True)
class _Part:
    """The variants of one family whose doses lie in one part of their range."""

    family: str
    number: int
    doses: Mapping[Key, float]

    @property
    def cells(self) -> dict[str, Cell]:
        import numpy as np

        doses = sorted(self.doses.values())
        return {
            "family": self.family,
            "part": self.number,
            "dose": float(np.median(doses)),
            "dose_low": doses[0],
            "dose_high": doses[-1],
            "variants": len(doses),
        }


@dataclass(frozen=True)
class DoseResponse(OverPapers):
    """The flip rate of each agent by the dose of the variants of a family.

    The variants of a family are cut at the quantiles of their dose (words changed over words of the
    paper) into ``parts`` parts of about equal size; equal doses stay together, so there may be
    fewer. Each part has its flip rate over the pairs of its papers. Families are not pooled: they
    differ in more than their dose. Doses are not drawn at random, and papers that take more edits
    may differ from others, so a rise does not prove that the dose is its cause.
    """

    name: ClassVar[str] = "dose-response"
    version: ClassVar[str] = "6"
    table_columns: ClassVar[tuple[Column, ...]] = COLUMNS

    parts: int = option(
        4, help="How many parts the variants of a family are cut into.", minimum=1, maximum=20
    )

    def measure(self, records: Records) -> Table:
        parts = [
            part
            for row in records.perturbations
            for part in self._parts(records, row.name)
            if records.agents
        ]
        counted = [_counted(records, agent, parts) for agent in records.agents]
        flat = [each for column in counted for each in column]
        rates = iter(self.rates(records, flat) if flat else [])
        rows = [
            self._row(agent.name, part, each.total, each.n, next(rates))
            for agent, column in zip(records.agents, counted, strict=True)
            for part, each in zip(parts, column, strict=True)
        ]
        for part, *column in zip(parts, *counted, strict=True):
            mean = over_rates(column, "mean", self.resampling(records))
            total = sum(each.total for each in column)
            rows.append(self._row(ALL_AGENTS, part, total, sum(e.n for e in column), mean))
        notes = [
            *self.interval_notes(records),
            f'Rows of "{ALL_AGENTS}" give the mean of the agents\' rates, each agent weighted '
            "equally. The parts of a family contain different papers.",
            *left_out_note(records),
            *repeats_note(records),
            LOWER_BOUND,
        ]
        return Table.of(
            self.name,
            "Flip rate by dose",
            COLUMNS,
            rows,
            notes,
            method=[self.interval_sentence(records)],
            charts=(CHART,) if rows else (),
            warnings=short_warnings(
                self.name,
                rows,
                lambda row: f"{row['agent']}, dose group {row['part']} of {row['family']}",
            ),
        )

    def _parts(self, records: Records, family: str) -> list[_Part]:
        import numpy as np

        doses: dict[Key, float] = {
            (row.paper, family, row.index): row.dose
            for row in records.variants
            if row.perturbation == family and row.outcome == "made" and row.dose is not None
        }
        if not doses:
            return []
        shares = [part / self.parts for part in range(1, self.parts)]
        cuts = [float(cut) for cut in np.quantile(sorted(doses.values()), shares)]
        cut: dict[int, dict[Key, float]] = {}
        for key, dose in doses.items():
            cut.setdefault(bisect_left(cuts, dose), {})[key] = dose
        ordered = (cut[place] for place in sorted(cut))
        return [_Part(family, number, found) for number, found in enumerate(ordered, 1)]

    def _row(
        self, agent: str, part: _Part, flips: float, valid: int, rate: stats.Estimate
    ) -> dict[str, Cell]:
        return {
            "agent": agent,
            **part.cells,
            "valid": valid,
            "flips": as_count(flips),
            "papers": rate.interval.n,
            **RATE.cells(rate),
            "method": rate.interval.method,
            "confidence": self.confidence,
            "unit": "paper",
            "short": short_of({"flip rate": rate}),
            "note": join_notes(note_of(rate), "" if valid else "no valid pair"),
        }


def _counted(records: Records, agent: AgentRow, parts: Sequence[_Part]) -> list[Sums]:
    """The flips of one agent in each part."""
    pairs = {(pair.paper, pair.family, pair.index): pair for pair in pairs_of(records, agent.name)}
    return [
        sums_over_papers(records, [pairs[key] for key in part.doses if key in pairs], flipped)
        for part in parts
    ]
