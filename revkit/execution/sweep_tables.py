"""Join the tables of all points of a sweep, with the swept options in the first columns."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from revkit.model.table import Cell, Chart, Column, Finding, Measure, Rows, Table, TableWarning
from revkit.spec import Axis

POINT = "point"
# A note names so many points by their labels, and a chart becomes so many at most.
MOST_NAMED = 5
MOST_CHARTS = 24
Labels = tuple[str, ...]


def join_tables(axes: Sequence[Axis], tables: Mapping[Labels, Table]) -> Table:
    """Return one table from the tables of one metric at several points, by the points' labels.

    A column that some points lack is empty there; one that is of another unit at some points is a
    separate column for each. A note that not all have says whose it is, and of titles that differ
    the common part is used.
    """
    first = next(iter(tables.values()))
    columns = _columns(tables.values())
    lead = lead_columns(axes, [column.name for column in columns.values()])
    names = [column.name for column in lead]
    rows: list[Mapping[str, Cell]] = [
        {**dict(zip(names, cells_of(axes, labels), strict=False)), **row}
        for labels, table in tables.items()
        for row in _rows(table, columns)
    ]
    if len(axes) > 1:
        texts = [point_text(axes, labels) for labels, table in tables.items() for _ in table.rows]
        rows = [{**row, names[-1]: label} for row, label in zip(rows, texts, strict=True)]
    return Table.of(
        first.name,
        _agreed([table.title for table in tables.values()]),
        (*lead, *columns.values()),
        rows,
        _notes(axes, tables),
        headline=any(table.headline for table in tables.values()),
        fine=(*names[len(axes) :], *_fine(tables.values(), columns)),
        charts=tuple(_charts(_common_charts(tables.values(), columns), axes, names)),
        section=any(table.section for table in tables.values()),
        rows_shown=_common_rows(tables.values(), columns),
        measures=_common_measures(tables.values(), columns),
        findings=_findings(axes, tables),
        warnings=_warnings(axes, tables),
        reading=first.reading if len({table.reading for table in tables.values()}) == 1 else "",
        terms=list(dict.fromkeys(term for table in tables.values() for term in table.terms)),
    )


def _columns(tables: Iterable[Table]) -> dict[tuple[str, str], Column]:
    """Return the columns of all tables by name and unit."""
    found: dict[tuple[str, str], list[Column]] = {}
    for table in tables:
        for column in table.columns:
            found.setdefault((column.name, column.unit), []).append(column)
    columns: dict[tuple[str, str], Column] = {}
    taken = {name for name, _ in found}
    for (name, unit), alike in found.items():
        free = name
        if any(known == name for known, _ in columns):
            free = f"{name} ({unit or 'no unit'})"
            while free in taken:
                free += "'"
            taken.add(free)
        title = _agreed([column.title for column in alike])
        help = _agreed([each.help for each in alike])
        role = alike[0].role if len({(each.role, each.of) for each in alike}) == 1 else ""
        clear = all(each.clear for each in alike)
        columns[name, unit] = Column(free, title, unit, help, role, clear=clear)
    for key, alike in found.items():
        if columns[key].role and (of := alike[0].of):
            whose = columns.get((of, key[1])) or next(c for (n, _), c in columns.items() if n == of)
            columns[key] = replace(columns[key], of=whose.name)
    return columns


def _rows(table: Table, columns: Mapping[tuple[str, str], Column]) -> list[dict[str, Cell]]:
    names = [columns[column.name, column.unit].name for column in table.columns]
    return [dict(zip(names, row, strict=True)) for row in table.rows]


def _fine(tables: Iterable[Table], columns: Mapping[tuple[str, str], Column]) -> Iterable[str]:
    """Return the columns that every table with them marks as details."""
    fine: dict[str, bool] = {}
    for table in tables:
        for column in table.columns:
            name = columns[column.name, column.unit].name
            fine[name] = fine.get(name, True) and column.name in table.fine
    return [name for name, detail in fine.items() if detail]


def _common_charts(
    tables: Iterable[Table], columns: Mapping[tuple[str, str], Column]
) -> list[Chart]:
    """Return the charts of all tables; charts of the same columns and rows occur once.

    A chart of a column that is of several units would draw some of its rows alone, and is left out.
    """
    mixed = _mixed(columns)
    found: dict[Chart, list[Chart]] = {}
    for table in tables:
        for chart in table.charts:
            if not mixed.intersection(chart.columns()):
                found.setdefault(replace(chart, title="", mark=None), []).append(chart)
    return [
        replace(
            bare,
            title=_agreed([chart.title for chart in alike]),
            mark=alike[0].mark if len({chart.mark for chart in alike}) == 1 else None,
        )
        for bare, alike in found.items()
    ]


def _mixed(columns: Mapping[tuple[str, str], Column]) -> set[str]:
    """Return the names of columns that have several units."""
    names = Counter(name for name, _ in columns)
    return {name for name, units in names.items() if units > 1}


def _common_rows(tables: Iterable[Table], columns: Mapping[tuple[str, str], Column]) -> Rows:
    """Return the rows that every table declares to show; all rows if the tables differ."""
    asked = {table.rows_shown for table in tables}
    only = next(iter(asked)) if len(asked) == 1 else ()
    return () if _mixed(columns).intersection(name for name, _ in only) else only


def _common_measures(
    tables: Iterable[Table], columns: Mapping[tuple[str, str], Column]
) -> tuple[Measure, ...]:
    """Return the measures of all tables, each once, without columns that have several units."""
    mixed = _mixed(columns)
    found = dict.fromkeys(measure for table in tables for measure in table.measures)
    return tuple(
        measure
        for measure in found
        if not mixed.intersection((measure.column, *(name for name, _ in measure.where)))
    )


def _agreed(texts: Sequence[str]) -> str:
    """Return the common part of several texts: the words before and after the words that differ."""
    first, *others = (text.split() for text in dict.fromkeys(texts))
    if not others:
        return texts[0]
    least = min(map(len, (first, *others)))
    before = next((i for i in range(least) if any(other[i] != first[i] for other in others)), least)
    after = next(
        (i for i in range(least - before) if any(o[-1 - i] != first[-1 - i] for o in others)),
        least - before,
    )
    return " ".join([*first[:before], "...", *first[len(first) - after :]])


def cells_of(axes: Sequence[Axis], labels: Labels) -> list[Cell]:
    """Return the swept values as cells: numbers if all values of an axis are numbers, else
    labels.
    """
    return [
        _number(axis, label) if axis.numeric else label
        for axis, label in zip(axes, labels, strict=True)
    ]


def point_text(axes: Sequence[Axis], labels: Labels) -> str:
    """Return the label of a point."""
    return ",".join(f"{axis.name}={label}" for axis, label in zip(axes, labels, strict=True))


def _number(axis: Axis, label: str) -> Cell:
    value = axis.values[axis.labels.index(label)]
    return value if isinstance(value, int | float) else label


def lead_columns(axes: Sequence[Axis], taken: Iterable[str]) -> list[Column]:
    """Return the columns before a table's own columns, whose names are ``taken``: one for each
    axis; with several axes, one more for the point as a whole.
    """
    columns = [Column(axis.name, axis.name, "", f"The value of {axis.path}.") for axis in axes]
    if len(axes) > 1:
        columns.append(Column(POINT, "Point", "", "All swept values."))
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
        for note in dict.fromkeys(table.notes):
            whose.setdefault(note, []).append(point_text(axes, labels))
    return [
        note if len(points) == len(tables) else f"{_several(points, len(tables))}: {note}"
        for note, points in whose.items()
    ]


def _findings(axes: Sequence[Axis], tables: Mapping[Labels, Table]) -> list[Finding]:
    """Return the findings of all points: one that all points share, such as the question, once, and
    others with their point in front. The large numbers of single points are not moved.
    """
    whose: dict[Finding, list[str]] = {}
    for labels, table in tables.items():
        for finding in dict.fromkeys(replace(each, headlines=()) for each in table.findings):
            whose.setdefault(finding, []).append(point_text(axes, labels))
    return [
        each
        for finding, points in whose.items()
        for each in (
            [finding]
            if len(points) == len(tables)
            else [replace(finding, text=f"{point}: {finding.text}") for point in points]
        )
    ]


def _warnings(axes: Sequence[Axis], tables: Mapping[Labels, Table]) -> list[TableWarning]:
    """Return the warnings of all points; a warning that several points share names them."""
    whose: dict[TableWarning, list[str]] = {}
    for labels, table in tables.items():
        for warning in dict.fromkeys(table.warnings):
            whose.setdefault(warning, []).append(point_text(axes, labels))
    return [
        each
        if len(of) == len(tables)
        else replace(each, text=f"{_several(of, len(tables))}: {each.text}")
        for each, of in whose.items()
    ]


def _several(points: Sequence[str], of: int) -> str:
    """Return the points of a note by their labels, if they are few."""
    if len(points) <= MOST_NAMED:
        return "; ".join(points)
    return f"{len(points)} of {of} points ({'; '.join(points[:3])}; ...)"


def _charts(charts: Sequence[Chart], axes: Sequence[Axis], lead: Sequence[str]) -> Iterator[Chart]:
    """Return the charts of one point's table that can also distinguish the points.

    Bars become lines along an axis of numbers, one chart for each combination of the other axes.
    """
    for chart in charts:
        if chart.kind in ("heat-map", "opposed") or chart.group:
            continue
        along = _along(axes) if chart.kind == "bars" else None
        if along is None:
            by = axes[0].name if len(axes) == 1 else POINT
            yield replace(chart, title=f"{chart.title}, by {by}", group=lead[-1])
            continue
        others = [index for index in range(len(axes)) if index != along]
        for chosen in itertools.product(*(axes[index].labels for index in others)):
            pairs = [(axes[i], label) for i, label in zip(others, chosen, strict=True)]
            where = ", ".join(f"{axis.name}={label}" for axis, label in pairs)
            cells = [_number(axis, label) if axis.numeric else label for axis, label in pairs]
            yield replace(
                chart,
                kind="lines",
                title=f"{chart.title}, by {axes[along].name}{f' ({where})' if where else ''}",
                x=lead[along],
                group=chart.x,
                where=(*chart.where, *((lead[i], c) for i, c in zip(others, cells, strict=True))),
            )


def _along(axes: Sequence[Axis]) -> int | None:
    """Return the axis along which lines are drawn: the axis with the most numbers, if the others
    leave few charts.

    Seeds are numbers that mean nothing.
    """
    numeric = [i for i, axis in enumerate(axes) if axis.numeric and axis.path != "seed"]
    if not numeric:
        return None
    best = max(numeric, key=lambda index: (len(axes[index].labels), -index))
    least = 1 if len(axes) == 1 else 3
    others = math.prod(len(axis.labels) for i, axis in enumerate(axes) if i != best)
    return best if len(axes[best].labels) >= least and others <= MOST_CHARTS else None
