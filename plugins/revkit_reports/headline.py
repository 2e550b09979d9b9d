"""Headline tables as a reader sees them: values with their intervals in one cell, no fine print."""

from __future__ import annotations

from dataclasses import dataclass

from revkit.model.table import Cell, Column, Table
from revkit_reports.numbers import between, cell_text, fixed, is_number
from revkit_reports.visible import one_line

MOST_ROWS = 60


@dataclass(frozen=True)
class Shown:
    """A table to print: titles, the help of each column, which are numbers, and rows of text.

    ``left_out`` counts rows beyond the bound.
    """

    title: str
    columns: tuple[str, ...]
    helps: tuple[str, ...]
    numbers: tuple[bool, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]
    left_out: int = 0


def shown(table: Table, most_rows: int = MOST_ROWS) -> Shown:
    """``table`` without the columns it calls fine print; ``x_low`` and ``x_high`` go with ``x``.

    Columns in which no row says anything are left out too.
    """
    names = [column.name for column in table.columns]
    kept = []
    for index, column in enumerate(table.columns):
        bound = any(column.name == f"{name}{end}" for name in names for end in ("_low", "_high"))
        empty = all(row[index] in (None, "") for row in table.rows)
        if column.name not in table.fine and not bound and not empty:
            kept.append(index)
    places = {name: index for index, name in enumerate(names)}
    rows = tuple(
        tuple(_cell(row, table.columns[index], places) for index in kept)
        for row in table.rows[:most_rows]
    )
    columns = [table.columns[index] for index in kept]
    return Shown(
        one_line(table.title),
        tuple(one_line(column.title or column.name, 40) for column in columns),
        tuple(one_line(column.help, 400) for column in columns),
        tuple(is_number(column) for column in columns),
        rows,
        tuple(one_line(note, 1_000) for note in table.notes),
        max(0, len(table.rows) - most_rows),
    )


def _cell(row: tuple[Cell, ...], column: Column, places: dict[str, int]) -> str:
    value = row[places[column.name]]
    text = one_line(cell_text(value, column), 60)
    low, high = (
        row[places[name]] if (name := f"{column.name}{end}") in places else None
        for end in ("_low", "_high")
    )
    if value is None or isinstance(low, str) or isinstance(high, str):
        return text
    if low is None and high is None:
        return text
    if column.unit == "share":
        return f"{text} {between(low, high, 100)}"
    if isinstance(value, float) and abs(value) >= 10:
        return f"{fixed(value, 1)} {between(low, high)}"
    return f"{text} {between(low, high, places=2)}"


def parts(found: Shown, room: int, width: int) -> list[list[int]]:
    """Split the columns into groups that fit ``room`` characters, each with the first column.

    ``width`` is what stands between two columns.
    """
    sizes = [
        max([len(title), *(len(row[i]) for row in found.rows)])
        for i, title in enumerate(found.columns)
    ]
    groups: list[list[int]] = []
    used = 0
    for index in range(1, len(sizes)):
        need = sizes[index] + width
        if not groups or used + need > room:
            groups.append([0])
            used = sizes[0]
        groups[-1].append(index)
        used += need
    return groups or [[0]]
