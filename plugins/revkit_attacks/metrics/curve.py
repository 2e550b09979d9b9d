"""The metrics `attack-curve` and `attack-queries`: success against the budget of queries."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from revkit.contracts import Metric
from revkit.figures import AGENT, CONFIDENCE, NOTE, UNIT, Figure, confidence_option, join_notes
from revkit.model.attack import AttackRecords, AttackRow
from revkit.model.records import Records
from revkit.model.table import Cell, Chart, Column, Table
from revkit_attacks.metrics.searches import (
    NO_ATTACK,
    STRATEGY,
    agents_of,
    method_of,
    succeeded,
)

_MOST_POINTS = 25
_MOST_CHARTS = 6
WITHIN = Figure(
    "success",
    "Attack success",
    "share",
    "Papers with a confirmed success within so many queries, over assessed papers.",
    "Wilson over papers.",
)
_QUERIES = Column("queries", "Queries", "count", "Reviews that the search asked for.")
_ASSESSED = Column("assessed", "Assessed", "count", "Eligible papers that could be assessed.")
_CENSORING = (
    "A success that was not seen within the budget is censored there. All searches have the same "
    "budget and a strategy that ends by itself never succeeds, so nothing is censored earlier, and "
    "the Kaplan-Meier estimate equals the share of papers."
)


@dataclass(frozen=True)
class AttackCurve(Metric):
    """The share of papers on which a strategy succeeds within so many queries.

    The baseline is on the same axes. A strategy that plans for its budget, such as `greedy`, would
    do better with a smaller budget than its curve shows there.
    """

    name: ClassVar[str] = "attack-curve"
    version: ClassVar[str] = "2"
    confidence: float = confidence_option()

    def measure(self, records: Records) -> Table:
        """Return a row for each agent, strategy and number of queries."""
        columns = (AGENT, STRATEGY, _QUERIES, _ASSESSED, *WITHIN.columns, CONFIDENCE, UNIT)
        attack = records.attack
        title = "Attack success by queries"
        if attack is None:
            return Table.of(self.name, title, columns, [], warnings=[NO_ATTACK])
        rows = [
            row
            for agent in agents_of(records, attack)
            for strategy in attack.strategies
            for row in self._rows(attack, agent.name, strategy.name)
        ]
        with_points = [
            agent.name
            for agent in agents_of(records, attack)
            if any(row["agent"] == agent.name for row in rows)
        ]
        charts = [
            Chart(
                "lines",
                f"Attack success by queries: {name}",
                x="queries",
                y="success",
                group="strategy",
                where=(("agent", name),),
            )
            for name in with_points[:_MOST_CHARTS]
        ]
        notes = [method_of(attack), _CENSORING]
        return Table.of(self.name, title, columns, rows, notes, charts=charts)

    def _rows(self, attack: AttackRecords, agent: str, name: str) -> Iterator[dict[str, Cell]]:
        from revkit import stats

        rows = [row for row in attack.of(agent, name) if row.assessed]
        times = [row.success_at for row in rows if succeeded(row) and row.success_at]
        for queries in _points(attack.budget) if rows else ():
            within = sum(time <= queries for time in times)
            rate = stats.rate(within, len(rows), self.confidence, unit="paper")
            yield {
                "agent": agent,
                "strategy": name,
                "queries": queries,
                "assessed": len(rows),
                **WITHIN.cells(rate),
                "confidence": self.confidence,
                "unit": "paper",
            }


def _points(budget: int) -> list[int]:
    """Numbers of queries at which a curve is drawn: all, or some evenly spaced."""
    if budget <= _MOST_POINTS:
        return list(range(1, budget + 1))
    return sorted({round(1 + i * (budget - 1) / (_MOST_POINTS - 1)) for i in range(_MOST_POINTS)})


MEAN = Figure(
    "mean",
    "Mean queries",
    "queries",
    "Queries up to a confirmed success or the end of the budget, mean over assessed papers.",
    "Student's t over papers.",
)
SAVED = Figure(
    "saved",
    "Fewer than baseline",
    "queries",
    "The mean of the baseline less that of the strategy, over papers that both assessed.",
    "Student's t over paired papers.",
)


@dataclass(frozen=True)
class AttackQueries(Metric):
    """How many queries a success takes: quartiles with censoring, and a restricted mean.

    A paper without a success counts with the whole budget in the mean, which is therefore
    restricted to it. Quartiles are empty where fewer papers succeed. Strategies are ranked by how
    many queries they save against the baseline, over the same papers.
    """

    name: ClassVar[str] = "attack-queries"
    version: ClassVar[str] = "2"
    confidence: float = confidence_option()

    def measure(self, records: Records) -> Table:
        """Return a row for each agent and strategy."""
        columns = (
            AGENT,
            STRATEGY,
            _ASSESSED,
            Column("censored", "Censored", "count", "Assessed papers without a success."),
            Column("lower", "Lower quartile", "queries", "A quarter succeed within so many."),
            Column("median", "Median", "queries", "Half succeed within so many."),
            Column("upper", "Upper quartile", "queries", "Three quarters succeed within so many."),
            *MEAN.columns,
            *SAVED.columns,
            Column(
                "rank", "Rank", "count", "1 for the strategy that saves most against this agent."
            ),
            CONFIDENCE,
            UNIT,
            NOTE,
        )
        attack = records.attack
        title = "Queries to success"
        if attack is None:
            return Table.of(self.name, title, columns, [], warnings=[NO_ATTACK])
        rows: list[dict[str, Cell]] = []
        for agent in agents_of(records, attack):
            own = [self._row(attack, agent.name, each.name) for each in attack.strategies]
            _rank(own)
            rows += own
        return Table.of(self.name, title, columns, rows, [method_of(attack), _CENSORING])

    def _row(self, attack: AttackRecords, agent: str, name: str) -> dict[str, Cell]:
        from revkit import stats

        spent = _spent(attack, agent, name)
        base = _spent(attack, agent, attack.baseline)
        both = [base[paper] - spent[paper] for paper in spent if paper in base]
        times = [row.success_at for row in attack.of(agent, name) if succeeded(row)]
        found = [time for time in times if time is not None]
        row: dict[str, Cell] = {
            "agent": agent,
            "strategy": name,
            "assessed": len(spent),
            "censored": len(spent) - len(found),
            **dict(zip(("lower", "median", "upper"), _quartiles(found, len(spent)), strict=True)),
            "confidence": self.confidence,
            "unit": "paper",
            "note": join_notes("" if spent else "no paper is eligible and assessed"),
        }
        if spent:
            values = list(spent.values())
            mean = stats.mean_interval(values, confidence=self.confidence, unit="paper")
            row |= MEAN.cells(mean)
        if both and name != attack.baseline:
            row |= SAVED.cells(stats.mean_interval(both, confidence=self.confidence, unit="paper"))
        return row


def _spent(attack: AttackRecords, agent: str, name: str) -> dict[str, float]:
    """The queries up to a confirmed success, else the budget, of each assessed paper."""
    return {row.paper: _time(row, attack.budget) for row in attack.of(agent, name) if row.assessed}


def _time(row: AttackRow, budget: int) -> float:
    return float(row.success_at or budget) if succeeded(row) else float(budget)


def _quartiles(times: Sequence[int], n: int) -> list[Cell]:
    """The smallest numbers of queries within which a quarter, a half and three quarters of ``n``
    papers succeed; None where fewer do."""
    ordered = sorted(times)
    needed = [-(-n * share // 4) for share in (1, 2, 3)]
    return [ordered[count - 1] if 0 < count <= len(ordered) else None for count in needed]


def _rank(rows: Sequence[dict[str, Cell]]) -> None:
    """Number the strategies of one agent by their mean; equal means share a rank."""
    means = sorted(mean for row in rows if isinstance(mean := row.get("mean"), float))
    for row in rows:
        if isinstance(mean := row.get("mean"), float):
            row["rank"] = 1 + means.index(mean)


def median_of(values: Sequence[float]) -> float | None:
    """The median of ``values``; None without any."""
    return float(statistics.median(values)) if values else None
