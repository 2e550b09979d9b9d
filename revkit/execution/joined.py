"""Joined tables: those of all points of a sweep under one another, with what was swept in front."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from revkit.model.table import Cell, Chart, Column, Table
from revkit.spec import Axis

POINT = "point"
Labels = tuple[str, ...]


def joined(axes: Sequence[Axis], tables: Mapping[Labels, Table]) -> Table:
    """One table of the tables that one metric gave at several points, by the points' labels.

    A column that some points lack is empty there. A note that not all have says whose it is.
    """
    first = next(iter(tables.values()))
    columns: dict[str, Column] = {}
    for table in tables.values():
        for column in table.columns:
            columns.setdefault(column.name, column)
    lead = lead_columns(axes, columns)
    names = [column.name for column in lead]
    rows: list[Mapping[str, Cell]] = [
        {**dict(zip(names, cells_of(axes, labels), strict=False)), **row}
        for labels, table in tables.items()
        for row in table.records()
    ]
    if len(axes) > 1:
        told = [told_of(axes, labels) for labels, table in tables.items() for _ in table.rows]
        rows = [{**row, names[-1]: label} for row, label in zip(rows, told, strict=True)]
    return Table.of(
        first.name,
        first.title,
        (*lead, *columns.values()),
        rows,
        _notes(axes, tables),
        headline=first.headline,
        fine=(*names[len(axes) :], *(name for name in first.fine if name in columns)),
        charts=tuple(_charts(first.charts, axes, names)),
    )


def cells_of(axes: Sequence[Axis], labels: Labels) -> list[Cell]:
    """What was swept as cells: numbers where all values of an axis are, else labels."""
    return [
        _number(axis, label) if axis.numeric else label
        for axis, label in zip(axes, labels, strict=True)
    ]


def told_of(axes: Sequence[Axis], labels: Labels) -> str:
    """The label of a point."""
    return ",".join(f"{axis.name}={label}" for axis, label in zip(axes, labels, strict=True))


def _number(axis: Axis, label: str) -> Cell:
    value = axis.values[axis.labels.index(label)]
    return value if isinstance(value, int | float) else label


def lead_columns(axes: Sequence[Axis], taken: Iterable[str]) -> list[Column]:
    """The columns in front of a table's own, whose names are ``taken``: one for each axis; with
    several axes, one more for the point as a whole."""
    columns = [Column(axis.name, axis.name, "", f"The value of {axis.path}.") for axis in axes]
    if len(axes) > 1:
        columns.append(Column(POINT, "Point", "", "All values that were swept."))
    names = set(taken)
    free = []
    for column in columns:
        name = column.name
        while name in names:
            name = f"sweep.{name}"
        names.add(name)
        free.append(replace(column, name=name))
    return free


def _notes(axes: Sequence[Axis], tables: Mapping[Labels, Table]) -> list[str]:
    whose: dict[str, list[str]] = {}
    for labels, table in tables.items():
        for note in table.notes:
            whose.setdefault(note, []).append(told_of(axes, labels))
    return [
        note if len(points) == len(tables) else f"{'; '.join(points)}: {note}"
        for note, points in whose.items()
    ]


def _charts(charts: Sequence[Chart], axes: Sequence[Axis], lead: Sequence[str]) -> Iterator[Chart]:
    """The charts of one point's table that can tell the points apart as well.

    Bars over a single axis of numbers become lines along it.
    """
    for chart in charts:
        if chart.kind == "heat-map" or chart.group:
            continue
        if chart.kind == "bars" and len(axes) == 1 and axes[0].numeric:
            yield replace(
                chart,
                kind="lines",
                title=f"{chart.title}, by {axes[0].name}",
                x=lead[0],
                group=chart.x,
            )
        else:
            by = axes[0].name if len(axes) == 1 else POINT
            yield replace(chart, title=f"{chart.title}, by {by}", group=lead[-1])
