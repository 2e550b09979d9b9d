"""The summary of a sweep of seeds: mean and spread of each figure over the seeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from revkit.dataclass import dataclass
from revkit.figures import SHORT, Figure, short_of
from revkit.model.table import Cell, Column, Measure, Table
from revkit.spec.axes import Axis

if TYPE_CHECKING:
    from revkit.stats import Estimate

NAME, OTHER_NAME = "over-seeds", "over-seeds-scores"
_SEED, _SHARE = "seed", "share"
_HOW = "Student's t over the seeds, 95%."
_READING = (
    "Each row is one figure of one agent. The interval is that of the mean over further seeds. It "
    "does not cover the choice of papers where all seeds have the same papers; for that, read the "
    "intervals of the points."
)


@dataclass(frozen=True)
class _Part:
    """A figure of one agent at one combination of the other axes, at each seed that has it.

    A share is at least ``lowest``: 0, or -1 where the figure has negative values, as differences.
    """

    place: tuple[Cell, ...]
    agent: str
    figure: str
    unit: str
    values: Sequence[float]
    lowest: float


def summarise_seeds(axes: Sequence[Axis], tables: Sequence[Table], taken: set[str]) -> list[Table]:
    """Return the measures by agent of the joined ``tables`` over the seeds of a sweep: one table of
    shares, and one of figures in other units; none without an axis of seeds, or without such a
    measure. ``taken`` are the names of other tables.
    """
    along = next((i for i, axis in enumerate(axes) if axis.path == _SEED), None)
    if along is None or len(axes[along].labels) < 2:
        return []
    others = [i for i in range(len(axes)) if i != along]
    parts = [part for table in tables for part in _parts(table, along, others)]
    names = [(axes[i].name, axes[i].path) for i in others]
    shares = [part for part in parts if part.unit == _SHARE]
    rest = [part for part in parts if part.unit != _SHARE]
    return [
        *([_table(_free(NAME, taken), names, shares)] if shares else []),
        *([_table(_free(OTHER_NAME, taken), names, rest)] if rest else []),
    ]


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name = f"sweep-{name}"
    return name


def _table(name: str, axes: Sequence[tuple[str, str]], parts: Sequence[_Part]) -> Table:
    """Return the rows of ``parts``, which are all shares, or all in other units."""
    shares = parts[0].unit == _SHARE
    unit = _SHARE if shares else "ratio"
    mean = Figure("mean", "Mean", unit, "Mean of the figure over the seeds.", _HOW)
    columns = [
        *(Column(title, title, "", f"The value of {path}.") for title, path in axes),
        Column("agent", "Agent", "", "The name of the agent in the experiment.", "agent"),
        Column("figure", "Figure", "", "The figure, as its own table names it."),
        *([] if shares else [Column("unit", "Unit", "", "The unit of the figure.")]),
        Column("seeds", "Seeds", "count", "Seeds with a value."),
        *mean.columns,
        Column("sd", "Sd", unit, "Standard deviation over the seeds."),
        Column("least", "Least", unit, "The smallest value of a seed."),
        Column("most", "Most", unit, "The largest value of a seed."),
        SHORT,
    ]
    names = [title for title, _ in axes]
    return Table.of(
        name,
        "Shares over the seeds" if shares else "Scores and other figures over the seeds",
        columns,
        [{**dict(zip(names, each.place, strict=True)), **_cells(each, mean)} for each in parts],
        headline=True,
        fine=(SHORT.name,),
        reading=_READING,
    )


def _cells(part: _Part, figure: Figure) -> dict[str, Cell]:
    import numpy as np

    mean = _mean(part)
    several = len(part.values) > 1
    return {
        "agent": part.agent,
        "figure": part.figure,
        **({} if part.unit == _SHARE else {"unit": part.unit}),
        "seeds": len(part.values),
        **figure.cells(mean),
        "sd": float(np.std(part.values, ddof=1)) if several else None,
        "least": min(part.values),
        "most": max(part.values),
        SHORT.name: short_of({figure.title: mean}),
    }


def _mean(part: _Part) -> Estimate:
    """Return the mean with its interval, which does not exceed the range of a share."""
    from revkit.stats import mean_interval

    mean = mean_interval(part.values, unit=_SEED)
    low, high = mean.interval.low, mean.interval.high
    if part.unit != _SHARE or low is None or high is None:
        return mean
    return replace(
        mean, interval=replace(mean.interval, low=max(part.lowest, low), high=min(1.0, high))
    )


def _parts(table: Table, along: int, others: Sequence[int]) -> list[_Part]:
    """Return the measures by agent of one table, each once."""
    agent = next((i for i, each in enumerate(table.columns) if each.role == "agent"), None)
    if agent is None:
        return []
    found: list[_Part] = []
    for measure in dict.fromkeys(each for each in table.measures if each.by == "agent"):
        place = next(i for i, each in enumerate(table.columns) if each.name == measure.column)
        if table.columns[place].unit == "count":
            continue  # such as the number of papers
        title = measure.title or table.columns[place].title or measure.column
        groups: dict[tuple[tuple[Cell, ...], str], dict[Cell, float]] = {}
        for row, cells in zip(table.rows, table.records(), strict=True):
            value = row[place]
            if isinstance(value, bool | str) or value is None or not _is_of(cells, measure):
                continue
            key = tuple(row[i] for i in others), str(row[agent])
            groups.setdefault(key, {})[row[along]] = float(value)
        unit = table.columns[place].unit
        lowest = min((value for group in groups.values() for value in group.values()), default=0.0)
        found += [
            _Part(where, name, title, unit, [*values.values()], -1.0 if lowest < 0 else 0.0)
            for (where, name), values in groups.items()
        ]
    return found


def _is_of(cells: dict[str, Cell], measure: Measure) -> bool:
    """Return whether a row is one that the measure is about; True is not 1."""
    return all(
        isinstance(cells[name], bool) == isinstance(cell, bool) and cells[name] == cell
        for name, cell in measure.where
    )
