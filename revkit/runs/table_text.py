"""A table as plain text or Markdown: values with their intervals, one row a line."""

from __future__ import annotations

import itertools
import textwrap
import unicodedata
from collections.abc import Sequence
from html import escape

from revkit.figures import SHORT, is_short
from revkit.figures.numbers import (
    EMPTY,
    between,
    cell_text,
    is_number,
    legends_of,
)
from revkit.model.table import ENDS, Cell, Column, Table

LONGEST_CELL = 60
LONGEST_OF_PAGE = 400
_GAP = 2
_SPECIAL = frozenset("\\`*_{}[]()#+!|~$^")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def text_of(table: Table, room: int = 0) -> str:
    """``table`` with its title, aligned columns and notes; text of cells is made visible.

    If it is wider than ``room`` columns of a terminal, it is split into parts below each other, of
    which each begins with the columns that name the rows, and notes are wrapped.
    """
    header, rows, right = _cells(table)
    sizes = [
        max(map(len, column))
        for column in zip(header, *rows, strict=True)
    ]  # fmt: skip
    lines = [visible(table.title, 400)]
    for part in _parts(sizes, right, room) if rows else ():
        lines.append("")
        for row in (header, ["-" * size for size in sizes], *rows):
            cells = [row[i].rjust(sizes[i]) if right[i] else row[i].ljust(sizes[i]) for i in part]
            lines.append((" " * _GAP).join(cells).rstrip())
    lines.append("")
    for note in _notes(table):
        text = f"- {visible(note, 1_000)}"
        lines += textwrap.wrap(text, room, subsequent_indent="  ") if room else [text]
    return "\n".join(lines).rstrip() + "\n"


def _parts(sizes: Sequence[int], right: Sequence[bool], room: int) -> list[list[int]]:
    """The columns of each part of a table. The first columns of text name the rows in all parts, if
    they leave half of the room."""
    every = range(len(sizes))
    lead = list(itertools.takewhile(lambda i: not right[i], every))
    if _width(sizes, lead) > room / 2:
        lead = lead[:1]
    parts = [list(lead)]
    for i in every[len(lead) :]:
        if room and _width(sizes, [*parts[-1], i]) > room and len(parts[-1]) > len(lead):
            parts.append(list(lead))
        parts[-1].append(i)
    return parts


def _width(sizes: Sequence[int], chosen: Sequence[int]) -> int:
    return sum(sizes[i] for i in chosen) + _GAP * (len(chosen) - 1)


def markdown_of(table: Table) -> str:
    """``table`` as Markdown with its title and notes; nothing in a cell is read as markup."""
    header, rows, right = _cells(table, LONGEST_OF_PAGE)
    lines = [f"**{_escaped(visible(table.title, 400))}**", ""]
    if rows:
        lines.append(f"| {' | '.join(map(_escaped, header))} |")
        lines.append(f"| {' | '.join('--:' if flush else ':--' for flush in right)} |")
    lines += [f"| {' | '.join(map(_escaped, row))} |" for row in rows]
    lines += ["", *(f"- {_escaped(visible(note, 1_000))}" for note in _notes(table))]
    return "\n".join(lines).rstrip() + "\n"


def visible(text: str, limit: int = LONGEST_CELL) -> str:
    """``text`` as one line, control and direction characters as escapes, cut at ``limit``."""
    line = " ".join(text.split())[: limit + 1]
    shown = "".join(
        f"\\u{ord(each):04x}" if unicodedata.category(each)[0] == "C" else each for each in line
    )
    return shown if len(shown) <= limit else shown[: limit - 3] + "..."


def _cells(
    table: Table, longest: int = LONGEST_CELL
) -> tuple[list[str], list[list[str]], list[bool]]:
    """The titles, the cells of each row, and which columns are flush right. The ends of an
    interval are in the cell of their value."""
    kept = [
        index
        for index, column in enumerate(table.columns)
        if not (column.role in ENDS and column.of)
    ]
    ends = {
        index: [_place(table, role, table.columns[index].name) for role in ENDS] for index in kept
    }
    rows = [
        [_cell(row, table.columns, index, ends[index], longest) for index in kept]
        for row in table.rows
    ]
    header = [visible(table.columns[i].title or table.columns[i].name) for i in kept]
    return header, rows, [is_number(table.columns[index]) for index in kept]


def _notes(table: Table) -> list[str]:
    """The notes, after the meaning of the marks of intervals if there are any."""
    short = any(
        _is_short(row, table.columns, index)
        for row in table.rows
        for index, column in enumerate(table.columns)
        if _place(table, "low", column.name) is not None
    )
    return [*legends_of(conservative=_has_sharp_ends(table), short=short), *table.notes]


def _is_short(row: Sequence[Cell], columns: Sequence[Column], index: int) -> bool:
    """Return whether the interval of a cell may be too short."""
    named = next((i for i, column in enumerate(columns) if column.name == SHORT.name), None)
    return named is not None and is_short(row[named], columns[index])


def _has_sharp_ends(table: Table) -> bool:
    """Return whether an interval of the table is conservative."""
    ends = [i for i, column in enumerate(table.columns) if column.role in ENDS[2:]]
    return any(row[i] is not None for row in table.rows for i in ends)


def _number(row: Sequence[Cell], place: int | None) -> float | None:
    value = None if place is None else row[place]
    return None if isinstance(value, str | bool) else value


def _place(table: Table, role: str, name: str) -> int | None:
    places = (i for i, each in enumerate(table.columns) if (each.role, each.of) == (role, name))
    return next(places, None)


def _cell(
    row: Sequence[Cell],
    columns: Sequence[Column],
    index: int,
    ends: Sequence[int | None],
    longest: int,
) -> str:
    text = visible(cell_text(row[index], columns[index]), longest)
    low, high, *other = (_number(row, place) for place in ends)
    sharp = (other[0], other[1]) if any(end is not None for end in other) else None
    share = columns[index].unit == "share"
    short = _is_short(row, columns, index)
    shown = between(low, high, 100 if share else 1.0, 1 if share else 2, sharp, short=short)
    return text if shown == EMPTY else f"{text} {shown}"


def _escaped(text: str) -> str:
    plain = "".join(_ENTITIES.get(each, each) for each in text)
    return "".join(f"\\{each}" if each in _SPECIAL else each for each in plain)


def html_of(table: Table, most: int = 1_000) -> str:
    """``table`` as an HTML table with a caption, its notes below; everything is escaped.

    Rows beyond ``most`` are left out, and the last row says how many.
    """
    header, rows, right = _cells(table, LONGEST_OF_PAGE)
    classes = [' class="number"' if flush else "" for flush in right]
    head = "".join(
        f'<th scope="col"{each}>{escape(title)}</th>'
        for title, each in zip(header, classes, strict=True)
    )
    lines = [
        "<tr>"
        + "".join(f"<td{each}>{escape(cell)}</td>" for cell, each in zip(row, classes, strict=True))
        + "</tr>"
        for row in rows[:most]
    ]
    if len(rows) > most:
        lines.append(f'<tr><td colspan="{len(header)}">{len(rows) - most:,} more rows</td></tr>')
    notes = "".join(f"<li>{escape(visible(note, 1_000))}</li>" for note in _notes(table))
    return (
        f"<table><caption>{escape(visible(table.title, 400))}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
        + (f"<ul>{notes}</ul>" if notes else "")
    )
