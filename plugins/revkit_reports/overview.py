"""The tables of a sweep side by side, with the swept options in the first columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from revkit.contracts import SweepView
from revkit.figures import SHORT
from revkit.figures.numbers import count_of, number_of
from revkit.model.table import ENDS, Cell, Chart, Column, Measure, Table
from revkit_reports.tables import matches
from revkit_reports.visible import one_line

MOST_NOTES = 30
MOST_CHARTS = 24
MOST_VALUES = 12
MOST_FINDINGS = 20
MOST_LETTERS = 600


def tables_to_compare(sweep: SweepView) -> list[Table]:
    """Return the tables to show: headline tables, parts of tables with measures by agent, and
    finally the points.
    """
    found = [each for table in sweep.tables for each in _tables_to_show(table, len(sweep.axes))]
    return [_fewer_notes(table) for table in (*found, sweep.points)]


def label_swept(table: Table, sweep: SweepView) -> Table:
    """Return ``table`` for printing, without charts: swept numbers keep all digits, as in the names
    of their points, because a rounded number would name another experiment.
    """
    axes = len(sweep.axes)
    rows = [(*(_label(cell) for cell in row[:axes]), *row[axes:]) for row in table.rows]
    return replace(table, rows=tuple(rows), charts=())


def opening(sweep: SweepView) -> str:
    """Return the number of points, the swept options, and the number of points without a result."""
    points = count_of(len(sweep.points.rows), "point")
    axes = ", ".join(one_line(path, 80) for path, _ in sweep.axes)
    lost = sum(bool(row.get("error")) for row in sweep.points.records())
    text = f"{points} over {axes}. Each point has its own folder under points/."
    return text + (f" {lost:,} of them {'has' if lost == 1 else 'have'} no result." * bool(lost))


def findings(sweep: SweepView) -> list[str]:
    """Return the findings of the metrics at each point, then their warnings, at most
    `MOST_FINDINGS` of each.
    """
    leading = [
        each.text for table in sweep.tables for each in table.findings if each.place == "lead"
    ]
    warned = [
        f"Warning. {each.text} {each.advice}".rstrip()
        for table in sweep.tables
        for each in table.warnings
    ]
    return [*_first_of(leading, "finding"), *_first_of(warned, "warning")]


def _first_of(texts: Iterable[str], what: str) -> list[str]:
    lines = [one_line(text, MOST_LETTERS) for text in dict.fromkeys(texts)]
    rest = len(lines) - MOST_FINDINGS
    if rest <= 0:
        return lines
    return [*lines[:MOST_FINDINGS], f"{count_of(rest, f'more {what}')} in result.json."]


def swept_values(sweep: SweepView) -> list[tuple[str, str]]:
    """Return each swept option with its values, at most `MOST_VALUES` of them."""
    lines = []
    for index, (path, _) in enumerate(sweep.axes):
        cells = dict.fromkeys((type(row[index]), row[index]) for row in sweep.points.rows)
        values = [one_line(str(_label(cell)), 60) for _, cell in cells]
        if len(values) > MOST_VALUES:
            values = [*values[: MOST_VALUES - 2], "...", values[-1]]
        many = f" ({len(cells):,} values)" if len(cells) > MOST_VALUES else ""
        lines.append((one_line(path, 120), ", ".join(values) + many))
    return lines


def _fewer_notes(table: Table) -> Table:
    rest = len(table.notes) - MOST_NOTES
    if rest <= 0:
        return table
    notes = (*table.notes[:MOST_NOTES], f"{count_of(rest, 'more note')} in result.json.")
    return replace(table, notes=notes)


def _tables_to_show(table: Table, axes: int) -> Iterator[Table]:
    if table.headline:
        yield table
    elif measures := [m for m in table.measures if m.by == "agent"]:
        part = _part(table, [m for m in measures if m.where == measures[0].where])
        first = measures[0]
        column = next(each for each in table.columns if each.name == first.column)
        title = first.title or column.title
        yield replace(part, charts=tuple(_charts(part, axes, column, title)))


def _charts(table: Table, axes: int, column: Column, title: str) -> Iterator[Chart]:
    """Draw a figure over the numeric axis with the most values, one chart for each combination of
    the other axes; without a numeric axis, by agent and point.
    """
    names = [column.name for column in table.columns]
    figure = column.name
    ends = {c.role: c.name for c in table.columns if c.of == figure}
    low, high = ends.get("low", ""), ends.get("high", "")
    agent = next(c.name for c in table.columns if c.role == "agent")
    lead = [dict.fromkeys(row[index] for row in table.rows) for index in range(axes)]
    numeric = [i for i, cells in enumerate(lead) if _are_numbers(cells) and names[i] != "seed"]
    along = max(numeric, key=lambda index: (len(lead[index]), -index)) if numeric else None
    others = [index for index in range(axes) if index != along]
    combinations = list(dict.fromkeys(tuple(row[i] for i in others) for row in table.rows))
    if along is None or len(combinations) > MOST_CHARTS or (others and len(lead[along]) < 3):
        by = names[axes] if axes > 1 else names[0]
        full = f"{title}, by {names[0] if axes == 1 else 'point'}"
        yield Chart("bars", full, agent, figure, "", by, low, high)
        return
    for cells in combinations:
        where = tuple((names[i], cell) for i, cell in zip(others, cells, strict=True))
        fixed = ", ".join(f"{name}={cell}" for name, cell in where)
        full = f"{title}, by {names[along]}{f' ({fixed})' if fixed else ''}"
        yield Chart("lines", full, names[along], figure, "", agent, low, high, where)


def _label(cell: Cell) -> Cell:
    """Format a number as in the labels of points."""
    if not _are_numbers([cell]):
        return cell
    return str(cell).replace("e+", "e")


def _are_numbers(cells: Iterable[Cell]) -> bool:
    return all(number_of(cell) is not None for cell in cells)


def _part(table: Table, measures: Sequence[Measure]) -> Table:
    """Return ``table`` with the swept options, agents, and some of its measures with their
    bounds.
    """
    agent = next(index for index, each in enumerate(table.columns) if each.role == "agent")
    values = {measure.column for measure in measures}
    kept = [
        index
        for index, each in enumerate(table.columns)
        if index <= agent
        or each.name in values
        or (each.role in ENDS and each.of in values)
        or each.role in ("confidence", "unit")
        or each.name == SHORT.name
    ]
    rows = [
        tuple(row[index] for index in kept)
        for row, cells in zip(table.rows, table.records(), strict=True)
        if matches(cells, measures[0].where)
    ]
    columns = tuple(table.columns[index] for index in kept)
    names = {column.name for column in columns}
    fine = tuple(name for name in (*table.fine, SHORT.name) if name in names and name not in values)
    return Table(table.name, table.title, columns, tuple(rows), headline=True, fine=fine)
