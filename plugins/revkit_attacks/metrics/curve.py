"""The metrics `attack-curve` and `attack-queries`: success against the budget of queries."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from revkit.contracts import Metric
from revkit.dataclass import dataclass
from revkit.figures import (
    AGENT,
    CONFIDENCE,
    NOTE,
    SHARE_METHOD,
    SHORT,
    UNIT,
    Figure,
    confidence_option,
    join_notes,
    note_of,
    short_of,
    short_warnings,
)
from revkit.figures.numbers import count_of, number_of
from revkit.model.attack import AttackRecords, AttackRow
from revkit.model.records import Records
from revkit.model.table import Cell, Chart, Column, Finding, Table
from revkit_attacks.metrics.searches import (
    ANY_AGENT,
    NO_ATTACK,
    SAME_AGAIN,
    STRATEGY,
    agents_of,
    method_of,
    succeeded,
    terms_of,
)

if TYPE_CHECKING:
    from revkit.stats import Estimate

_MOST_POINTS = 25
_MOST_CHARTS = 6
_ALL_AGENTS = (
    "Rows of any agent: for each paper, the mean over the agents whose search was assessed under "
    "the strategy and under the baseline. They have no median, because a paper has several "
    "searches."
)
WITHIN = Figure(
    "success",
    "Attack success",
    "share",
    "Share of the assessed papers with a confirmed success within so many queries.",
    SHARE_METHOD,
)
_QUERIES = Column("queries", "Queries", "count", "Reviews that the search requested.")
_ASSESSED = Column(
    "assessed", "Assessed papers", "count", "Eligible papers with a readable reply: the n."
)
_CENSORING = (
    "A search without a success is censored at its last allowed query. All searches have the same "
    "number of queries and a strategy that ends by itself never succeeds, so nothing is censored "
    "earlier, and the Kaplan-Meier estimate equals the share of papers."
)
_READING_CURVE = (
    "Each row is the share of papers on which a strategy has succeeded after so many queries."
)
_READING = (
    "Fewer queries mean a stronger attack. A paper without a success counts with all queries that "
    "the strategy was allowed."
)
CURVE_COLUMNS = (AGENT, STRATEGY, _QUERIES, _ASSESSED, *WITHIN.columns, CONFIDENCE, UNIT)


@dataclass(frozen=True)
class AttackCurve(Metric):
    """The share of papers on which a strategy succeeds within so many queries.

    The baseline is on the same axes. A strategy that plans for its budget, such as `greedy`, would
    do better with a smaller budget than its curve shows there.
    """

    name: ClassVar[str] = "attack-curve"
    version: ClassVar[str] = "4"
    table_columns: ClassVar[tuple[Column, ...]] = CURVE_COLUMNS
    confidence: float = confidence_option()

    def measure(self, records: Records) -> Table:
        """Return a row for each agent, strategy and number of queries."""
        attack = records.attack
        title = "Attack success by queries"
        if attack is None:
            return Table.of(self.name, title, CURVE_COLUMNS, [], warnings=[NO_ATTACK])
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
        method = [method_of(attack), _CENSORING]
        return Table.of(
            self.name,
            title,
            CURVE_COLUMNS,
            rows,
            method,
            charts=charts,
            method=method,
            reading=_READING_CURVE,
            terms=terms_of(attack),
        )

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
    "Queries up to a confirmed success, or all that were allowed; mean over assessed papers.",
    "Student's t over papers.",
)
SAVED = Figure(
    "saved",
    "Queries saved",
    "queries",
    "Mean queries of the baseline, which does not use the answers, minus those of the strategy, "
    "over papers that both assessed; above 0: the strategy needs fewer.",
    "Student's t over paired papers.",
)
QUERIES_COLUMNS = (
    AGENT,
    STRATEGY,
    _ASSESSED,
    Column("censored", "Without success", "count", "Assessed papers without a success."),
    Column("lower", "Lower quartile", "queries", "A quarter succeed within so many."),
    Column(
        "median", "Median queries", "queries", "Half of the papers succeed within so many queries."
    ),
    Column("upper", "Upper quartile", "queries", "Three quarters succeed within so many."),
    *MEAN.columns,
    *SAVED.columns,
    Column("rank", "Rank", "count", "1 for the strategy that saves most against this agent."),
    CONFIDENCE,
    UNIT,
    SHORT,
    NOTE,
)


@dataclass(frozen=True)
class AttackQueries(Metric):
    """How many queries a success takes: quartiles with censoring, and a restricted mean.

    A paper without a success counts with the whole budget in the mean, which is therefore
    restricted to it. Quartiles are empty where fewer papers succeed. Strategies are ranked by how
    many queries they save against the baseline, over the same papers.
    """

    name: ClassVar[str] = "attack-queries"
    version: ClassVar[str] = "5"
    table_columns: ClassVar[tuple[Column, ...]] = QUERIES_COLUMNS
    confidence: float = confidence_option()

    def measure(self, records: Records) -> Table:
        """Return a row for each agent and strategy."""
        attack = records.attack
        title = "Queries to success"
        if attack is None:
            return Table.of(self.name, title, QUERIES_COLUMNS, [], warnings=[NO_ATTACK])
        rows: list[dict[str, Cell]] = []
        names = [agent.name for agent in agents_of(records, attack)]
        for name in [*names, *([ANY_AGENT] if len(names) > 1 else [])]:
            own = [self._row(attack, name, names, each.name) for each in attack.strategies]
            _rank(own)
            rows += own
        method = [method_of(attack), _CENSORING]
        return Table.of(
            self.name,
            title,
            QUERIES_COLUMNS,
            rows,
            [*method, *([_ALL_AGENTS] if len(names) > 1 else [])],
            method=method,
            reading=_READING,
            terms=terms_of(attack),
            findings=[Finding(text, place="section") for text in _rankings(attack, rows)],
            section=True,
            fine=("lower", "upper", "rank", "confidence", "unit", "short", "note"),
            warnings=short_warnings(
                self.name, rows, lambda row: f"{row['strategy']} against {row['agent']}"
            ),
        )

    def _row(
        self, attack: AttackRecords, agent: str, agents: Sequence[str], name: str
    ) -> dict[str, Cell]:
        from revkit import stats

        single = agent != ANY_AGENT
        if single:
            spent, base = _spent(attack, agent, name), _spent(attack, agent, attack.baseline)
        else:
            spent, base = _mean_spent(attack, agents, name)
        both = [base[paper] - spent[paper] for paper in spent if paper in base]
        times = [
            row.success_at
            for each in ([agent] if single else agents)
            for row in attack.of(each, name)
            if succeeded(row)
        ]
        found = [time for time in times if time is not None]
        quartiles = _quartiles(found, len(spent)) if single else [None, None, None]
        searches = len(spent) if single else _searches(attack, agents, name)
        row: dict[str, Cell] = {
            "agent": agent,
            "strategy": name,
            "assessed": len(spent),
            "censored": searches - len(found),
            **dict(zip(("lower", "median", "upper"), quartiles, strict=True)),
            "confidence": self.confidence,
            "unit": "paper",
            "note": join_notes("" if spent else "no paper is eligible and assessed"),
        }
        shown: dict[str, Estimate] = {}
        if spent:
            values = list(spent.values())
            mean = stats.mean_interval(values, confidence=self.confidence, unit="paper")
            row |= MEAN.cells(mean)
            shown[MEAN.title] = mean
        if both and name != attack.baseline:
            saved = stats.mean_interval(both, confidence=self.confidence, unit="paper")
            row |= SAVED.cells(saved)
            shown[SAVED.title] = saved
        row["short"] = short_of(shown)
        why = next((note_of(each) for each in shown.values() if each.interval.short), "")
        row["note"] = join_notes(str(row["note"] or ""), why)
        return row


def _spent(attack: AttackRecords, agent: str, name: str) -> dict[str, float]:
    """The queries up to a confirmed success, else the budget, of each assessed paper."""
    return {row.paper: _time(row, attack.budget) for row in attack.of(agent, name) if row.assessed}


def _mean_spent(
    attack: AttackRecords, agents: Sequence[str], name: str
) -> tuple[dict[str, float], dict[str, float]]:
    """The same over several agents, and beside it that of the baseline: for each paper, the mean
    over the agents whose search was assessed under both."""
    found: dict[str, list[tuple[float, float]]] = {}
    for agent in agents:
        base = _spent(attack, agent, attack.baseline)
        for paper, queries in _spent(attack, agent, name).items():
            if paper in base:
                found.setdefault(paper, []).append((queries, base[paper]))
    own, beside = (
        {paper: statistics.fmean(pair[i] for pair in each) for paper, each in found.items()}
        for i in (0, 1)
    )
    return own, beside


def _searches(attack: AttackRecords, agents: Sequence[str], name: str) -> int:
    """How many searches of a strategy were assessed, against any of ``agents``."""
    return sum(row.assessed for agent in agents for row in attack.of(agent, name))


def _rankings(attack: AttackRecords, rows: Sequence[dict[str, Cell]]) -> Iterator[str]:
    """For each agent that a search turned: the strategies with the fewest and the most queries, and
    which of them save more queries against the baseline than chance explains."""
    again = {each.name for each in attack.strategies if each.component == SAME_AGAIN}
    names = dict.fromkeys(str(row["agent"]) for row in rows)
    for name in names:
        own = [row for row in rows if row["agent"] == name and isinstance(row.get("mean"), float)]
        if not any(int(row["assessed"] or 0) and _some_success(row, attack) for row in own):
            continue
        own.sort(key=lambda row: (_float(row["mean"]), str(row["strategy"])))
        searches = [row for row in own if row["strategy"] not in again] or own
        first, last = searches[0], searches[-1]
        n = count_of(int(first["assessed"] or 0), "paper")
        fewest = f"{name} ({n}): the strategy {first['strategy']} needs the fewest queries"
        means = f"{_float(first['mean']):.1f} on average"
        if last is not first:
            means += f"; {last['strategy']} the most, {_float(last['mean']):.1f}"
        better = [row for row in own if _float(row.get("saved_low")) > 0]
        saved = ", ".join(
            f"{row['strategy']} {_float(row['saved']):.1f} "
            f"[{_float(row['saved_low']):.1f}, {_float(row['saved_high']):.1f}]"
            for row in better
        )
        others = count_of(len(own) - 1, "comparison")
        compared = (
            f"Fewer queries than {attack.baseline} on the same papers: {saved} (intervals not "
            f"corrected for {others})."
            if better
            else f"No strategy is shown to need fewer queries than {attack.baseline}."
        )
        yield f"{fewest}, {means}. {compared}"


def _some_success(row: dict[str, Cell], attack: AttackRecords) -> bool:
    return _float(row.get("mean"), float(attack.budget)) < attack.budget


def _float(cell: Cell, missing: float = 0.0) -> float:
    number = number_of(cell)
    return missing if number is None else number


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
