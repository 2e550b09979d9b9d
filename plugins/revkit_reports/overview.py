"""What reports say of a sweep: its tables side by side, what was swept in the first columns."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from revkit.contracts import SweepView
from revkit.figures.numbers import counted
from revkit.model.table import Cell, Chart, Table
from revkit_reports.tables import ALL_FAMILIES
from revkit_reports.visible import one_line

# Wide tables that the report of a single run shows by parts of its own: here, by these columns.
_PARTS = {
    "flip-rate": (
        ("agent", "rate", "cluster_low", "cluster_high", "valid", "flips", "confidence", "unit"),
        {"family": ALL_FAMILIES, "statistic": "rate"},
    ),
    "clean-accuracy": (
        (
            *("agent", "accuracy", "accuracy_low", "accuracy_high", "n", "majority"),
            *("balanced", "balanced_low", "balanced_high", "confidence", "unit"),
        ),
        {},
    ),
}
# What is drawn of them: the figure, and the title of its chart.
_DRAWN = {"flip-rate": ("rate", "Flip rate"), "clean-accuracy": ("accuracy", "Accuracy")}
# Reports know the bounds of a figure by its name.
_RENAMED = {"cluster_low": "rate_low", "cluster_high": "rate_high"}
MOST_NOTES = 30
MOST_CHARTS = 24
MOST_VALUES = 12


def compared(sweep: SweepView) -> list[Table]:
    """The tables to show: each that asks to be shown, those that a report shows by parts, and at
    the end the points."""
    found = [each for table in sweep.tables for each in _shown(table, len(sweep.axes))]
    return [_fewer_notes(table) for table in (*found, sweep.points)]


def as_written(table: Table, sweep: SweepView) -> Table:
    """``table`` to be printed: numbers that were swept stand as their points are called, with all
    digits, since rounded ones would be of another experiment. It has no charts."""
    axes = len(sweep.axes)
    rows = [(*(_label(cell) for cell in row[:axes]), *row[axes:]) for row in table.rows]
    return replace(table, rows=tuple(rows), charts=())


def opening(sweep: SweepView) -> str:
    """What was swept, and how many points have no result."""
    points = counted(len(sweep.points.rows), "point")
    axes = ", ".join(one_line(path, 80) for path, _ in sweep.axes)
    lost = sum(bool(row.get("error")) for row in sweep.points.records())
    told = f"{points} over {axes}. Each is an experiment of its own in the folder points."
    return told + (f" {lost:,} of them {'has' if lost == 1 else 'have'} no result." * bool(lost))


def swept(sweep: SweepView) -> list[tuple[str, str]]:
    """Each path that was swept with its values, as far as there is room."""
    told = []
    for index, (path, _) in enumerate(sweep.axes):
        cells = dict.fromkeys((type(row[index]), row[index]) for row in sweep.points.rows)
        values = [one_line(str(_label(cell)), 60) for _, cell in cells]
        if len(values) > MOST_VALUES:
            values = [*values[: MOST_VALUES - 2], "...", values[-1]]
        many = f" ({len(cells):,} values)" if len(cells) > MOST_VALUES else ""
        told.append((one_line(path, 120), ", ".join(values) + many))
    return told


def _fewer_notes(table: Table) -> Table:
    rest = len(table.notes) - MOST_NOTES
    if rest <= 0:
        return table
    notes = (*table.notes[:MOST_NOTES], f"{counted(rest, 'more note')} in result.json.")
    return replace(table, notes=notes)


def _shown(table: Table, axes: int) -> Iterator[Table]:
    if table.headline:
        yield table
    elif table.name in _PARTS:
        names, where = _PARTS[table.name]
        part = _part(table, names, where)
        figure, title = _DRAWN[table.name]
        yield replace(part, charts=tuple(_charts(part, axes, figure, title)))


def _charts(table: Table, axes: int, figure: str, title: str) -> Iterator[Chart]:
    """``figure`` along the axis of most numbers, in one chart for each combination of the others;
    where there is none, by agent and point."""
    names = [column.name for column in table.columns]
    if not {figure, "agent"} <= set(names):
        return
    low, high = (name if (name := f"{figure}_{end}") in names else "" for end in ("low", "high"))
    lead = [dict.fromkeys(row[index] for row in table.rows) for index in range(axes)]
    numeric = [i for i, cells in enumerate(lead) if _are_numbers(cells) and names[i] != "seed"]
    along = max(numeric, key=lambda index: (len(lead[index]), -index)) if numeric else None
    others = [index for index in range(axes) if index != along]
    combinations = list(dict.fromkeys(tuple(row[i] for i in others) for row in table.rows))
    if along is None or len(combinations) > MOST_CHARTS or (others and len(lead[along]) < 3):
        by = names[axes] if axes > 1 else names[0]
        full = f"{title}, by {names[0] if axes == 1 else 'point'}"
        yield Chart("bars", full, "agent", figure, "", by, low, high)
        return
    for cells in combinations:
        where = tuple((names[i], cell) for i, cell in zip(others, cells, strict=True))
        told = ", ".join(f"{name}={cell}" for name, cell in where)
        full = f"{title}, by {names[along]}{f' ({told})' if told else ''}"
        yield Chart("lines", full, names[along], figure, "", "agent", low, high, where)


def _label(cell: Cell) -> Cell:
    """A number as labels of points have it."""
    if not _are_numbers([cell]):
        return cell
    return str(cell).replace("e+", "e")


def _are_numbers(cells: Iterable[Cell]) -> bool:
    return all(isinstance(cell, int | float) and not isinstance(cell, bool) for cell in cells)


def _part(table: Table, names: tuple[str, ...], where: Mapping[str, str]) -> Table:
    """``table`` with what was swept and the columns ``names``, and with rows as ``where`` says."""
    known = {column.name: column for column in table.columns}
    lead = itertools.takewhile(lambda name: name != names[0], known)
    kept = [name for name in (*lead, *names) if name in known]
    columns = [replace(known[name], name=_RENAMED.get(name, name)) for name in kept]
    rows: list[dict[str, Cell]] = [
        {_RENAMED.get(name, name): row[name] for name in kept}
        for row in table.records()
        if all(row.get(name) == wanted for name, wanted in where.items())
    ]
    fine = [name for name in table.fine if name in kept]
    return Table.of(table.name, table.title, columns, rows, headline=True, fine=fine)
