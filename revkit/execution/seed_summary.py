"""The summary of a sweep of seeds: mean and spread of each figure over the seeds."""

from __future__ import annotations

from collections.abc import Sequence

from revkit.dataclass import dataclass
from revkit.figures import SHORT, Figure, short_of
from revkit.model.table import Cell, Column, Measure, Table
from revkit.spec.axes import Axis

NAME = "over-seeds"
_SEED = "seed"
_MEAN = Figure(
    "mean",
    "Mean",
    "ratio",
    "Mean of the figure over the seeds; shares from 0 to 1.",
    "Student's t over the seeds, 95%.",
)
_READING = (
    "Each row is one figure of one agent. The interval is that of the mean over further seeds. It "
    "does not cover the choice of papers where all seeds have the same papers; for that, read the "
    "intervals of the points."
)


@dataclass(frozen=True)
class _Part:
    """A figure of one agent at one combination of the other axes, at each seed that has it."""

    place: tuple[Cell, ...]
    agent: str
    figure: str
    values: Sequence[float]


def summarise_seeds(axes: Sequence[Axis], tables: Sequence[Table], taken: set[str]) -> Table | None:
    """Return the measures by agent of the joined ``tables`` over the seeds of a sweep; None without
    an axis of seeds, or without such a measure. ``taken`` are the names of other tables.
    """
    along = next((i for i, axis in enumerate(axes) if axis.path == _SEED), None)
    if along is None or len(axes[along].labels) < 2:
        return None
    others = [i for i in range(len(axes)) if i != along]
    parts = [part for table in tables for part in _parts(table, along, others)]
    if not parts:
        return None
    columns = [
        *(Column(axes[i].name, axes[i].name, "", f"The value of {axes[i].path}.") for i in others),
        Column("agent", "Agent", "", "The name of the agent in the experiment.", "agent"),
        Column("figure", "Figure", "", "The figure, as its own table names it."),
        Column("seeds", "Seeds", "count", "Seeds with a value."),
        *_MEAN.columns,
        Column("sd", "Sd", "ratio", "Standard deviation over the seeds."),
        Column("least", "Least", "ratio", "The smallest value of a seed."),
        Column("most", "Most", "ratio", "The largest value of a seed."),
        SHORT,
    ]
    names = [axes[i].name for i in others]
    name = NAME
    while name in taken:
        name = f"sweep-{name}"
    return Table.of(
        name,
        "Figures over the seeds",
        columns,
        [{**dict(zip(names, part.place, strict=True)), **_cells(part)} for part in parts],
        headline=True,
        fine=(SHORT.name,),
        reading=_READING,
    )


def _cells(part: _Part) -> dict[str, Cell]:
    import numpy as np

    from revkit.stats import mean_interval

    mean = mean_interval(part.values, unit=_SEED)
    several = len(part.values) > 1
    return {
        "agent": part.agent,
        "figure": part.figure,
        "seeds": len(part.values),
        **_MEAN.cells(mean),
        "sd": float(np.std(part.values, ddof=1)) if several else None,
        "least": min(part.values),
        "most": max(part.values),
        SHORT.name: short_of({_MEAN.title: mean}),
    }


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
        found += [
            _Part(where, name, title, [*values.values()])
            for (where, name), values in groups.items()
        ]
    return found


def _is_of(cells: dict[str, Cell], measure: Measure) -> bool:
    """Return whether a row is one that the measure is about; True is not 1."""
    return all(
        isinstance(cells[name], bool) == isinstance(cell, bool) and cells[name] == cell
        for name, cell in measure.where
    )
