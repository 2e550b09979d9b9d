"""Headline tables as they are printed: values with their intervals, without the columns of detail.

A column that is equal in all rows becomes one line, and notes on single rows go under the table,
so that the remaining columns are those that a reader compares.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import field, replace

from revkit.dataclass import dataclass
from revkit.figures import SHORT, is_short
from revkit.figures.numbers import (
    between,
    cell_text,
    is_number,
    list_names,
    mark_of,
    places_for,
    places_of_intervals,
    to_fixed,
)
from revkit.model.table import ENDS, Cell, Column, Role, Table
from revkit_reports.tables import matches
from revkit_reports.visible import one_line

MOST_ROWS = 60
MOST_REMARKS = 8
MOST_LETTERS = 60
# The columns that name the rows: their title says what they are, and the report explains the words.
_NAMING: tuple[Role, ...] = ("agent", "family", "judge", "rubric")


@dataclass(frozen=True)
class CellView:
    """One cell as text: its value, and the two ends of its interval, empty if it has none.

    ``conservative`` says that the interval is probably wider than necessary, ``short`` that it may
    miss the true value more often than stated.
    """

    value: str
    low: str = ""
    high: str = ""
    conservative: bool = False
    short: bool = False

    @property
    def interval(self) -> str:
        """Return the interval in brackets, "" if there is none; an open end is written as three
        dots.
        """
        return f"[{self.low}, {self.high}]{self._mark}" if self.low else ""

    @property
    def tight(self) -> str:
        """Return the interval without blanks and thousands separators."""
        if not self.low:
            return ""
        low, high = (x.replace(",", "") for x in (self.low, self.high))
        return f"[{low},{high}]{self._mark}"

    @property
    def _mark(self) -> str:
        return mark_of(conservative=self.conservative, short=self.short)

    @property
    def inline(self) -> str:
        """Return value and interval in one line."""
        return f"{self.value} {self.interval}".rstrip()


@dataclass(frozen=True)
class TableView:
    """A table to print: its columns, of which ``numbers`` are right-aligned and ``measured`` have
    intervals; rows of cells; values that all rows share (``same``); remarks on single rows; and
    notes without those on method. ``reading`` says how to read the table, and ``definitions`` are
    the titles of the columns that need an explanation, each with it.

    ``left_out`` counts rows beyond the bound.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    helps: tuple[str, ...]
    numbers: tuple[bool, ...]
    measured: tuple[bool, ...]
    rows: tuple[tuple[CellView, ...], ...]
    same: str
    remarks: tuple[str, ...]
    notes: tuple[str, ...]
    left_out: int = 0
    reading: str = ""
    definitions: tuple[tuple[str, str], ...] = ()

    @property
    def conservative(self) -> bool:
        """Whether an interval of the table is conservative."""
        return any(cell.conservative for row in self.rows for cell in row)

    @property
    def short(self) -> bool:
        """Whether an interval of the table may be too short."""
        return any(cell.short for row in self.rows for cell in row)


@dataclass
class Stated:
    """What a report has stated, so that notes and definitions appear once."""

    notes: set[str] = field(default_factory=set)
    definitions: set[tuple[str, str]] = field(default_factory=set)

    @classmethod
    def of(cls, tables: Iterable[Table]) -> Stated:
        """Return what a report of ``tables`` states in its paragraph on method."""
        return cls({one_line(note, 1_000) for table in tables for note in table.method})

    def view_of(self, table: Table, most_rows: int = MOST_ROWS) -> TableView:
        """Return the view of ``table`` without the notes and definitions that were stated."""
        view = view_of(table, most_rows)
        notes = tuple(note for note in view.notes if note not in self.notes)
        definitions = tuple(each for each in view.definitions if each not in self.definitions)
        self.notes.update(notes)
        if view.rows:
            self.definitions.update(definitions)
        return replace(view, notes=notes, definitions=definitions)


def view_of(table: Table, most_rows: int = MOST_ROWS) -> TableView:
    """Return ``table`` as it is printed: without detail, with the interval next to its value.

    Empty columns are left out, columns that are equal in all rows become one line, and the column
    with the role "note" becomes remarks under the table.
    """
    table = _only(table)
    rows = table.rows[:most_rows]
    kept = [
        index
        for index, column in enumerate(table.columns)
        if column.name not in table.fine
        and column.role not in ENDS
        and not all(row[index] in (None, "") for row in table.rows)
    ]
    remarks = _remarks(table, kept, rows)
    if remarks:
        kept = [index for index in kept if table.columns[index].role != "note"]
    shared = [i for i in kept[1:] if _is_shared(table, i) and not _has_ends(table, i)]
    kept = [index for index in kept if index not in shared]
    columns = [table.columns[index] for index in kept]
    drawn = [_column(table, rows, index) for index in kept]
    titles = tuple(_title(column) for column in columns)
    return TableView(
        table.name,
        one_line(table.title),
        titles,
        tuple(one_line(column.help, 400) for column in columns),
        tuple(is_number(column) for column in columns),
        tuple(_has_ends(table, index) for index in kept),
        tuple(zip(*drawn, strict=True)) if drawn else (),
        _same(table, shared),
        tuple(remarks),
        tuple(one_line(note, 1_000) for note in table.notes if note not in table.method),
        max(0, len(table.rows) - most_rows),
        one_line(table.reading, 600),
        definitions([table.columns[i] for i in (*kept, *shared)]),
    )


def definitions(columns: Sequence[Column]) -> tuple[tuple[str, str], ...]:
    """Return the titles of the columns that need an explanation, each with it; columns with the
    same explanation are named together.
    """
    titles: dict[str, list[str]] = {}
    for column in columns:
        text = one_line(column.help, 400).strip()
        if text and not column.clear and column.role not in _NAMING:
            text = text if text.endswith((".", "?", "!")) else f"{text}."
            titles.setdefault(text, []).append(_title(column))
    return tuple((list_names([*dict.fromkeys(of)]), text) for text, of in titles.items())


def _title(column: Column) -> str:
    return one_line(column.title or column.name, 40)


def _only(table: Table) -> Table:
    """Return ``table`` with only the rows that it declares for reports."""
    if not table.rows_shown:
        return table
    kept = [
        row
        for row, cells in zip(table.rows, table.records(), strict=True)
        if matches(cells, table.rows_shown)
    ]
    return replace(table, rows=tuple(kept))


def _ends(table: Table, index: int) -> list[int | None]:
    """Return the indices of the columns that bound a column from below and above, then those of
    its sharper bounds.
    """
    name = table.columns[index].name
    found = {column.role: i for i, column in enumerate(table.columns) if column.of == name}
    return [found.get(role) for role in ENDS]


def _has_ends(table: Table, index: int) -> bool:
    return _ends(table, index)[:2] != [None, None]


def _is_shared(table: Table, index: int) -> bool:
    """Return whether all rows (at least two) have the same value in the column; True is not 1
    here.
    """
    cells = {(type(row[index]), row[index]) for row in table.rows}
    return len(table.rows) > 1 and len(cells) == 1


def _same(table: Table, shared: Sequence[int]) -> str:
    if not shared:
        return ""
    values = [
        f"{_title(table.columns[i])} = "
        f"{one_line(cell_text(table.rows[0][i], table.columns[i]), 60)}"
        for i in shared
    ]
    return f"In every row: {'; '.join(values)}."


def _remarks(table: Table, kept: Sequence[int], rows: Sequence[tuple[Cell, ...]]) -> list[str]:
    """Return the notes of rows, each with the names of its rows; empty if there are too many notes,
    or if no column names the rows.
    """
    places = [index for index in kept if table.columns[index].role == "note"]
    naming = [i for i in kept if i not in places and not is_number(table.columns[i])]
    if not places or not naming:
        return []
    found: dict[str, list[str]] = {}
    for row in rows:
        if row[places[0]] not in (None, ""):
            names = [
                cell_text(row[i], table.columns[i]) for i in naming if row[i] not in (None, "")
            ]
            who = ", ".join(one_line(text, 40) for text in names)
            found.setdefault(one_line(str(row[places[0]])), []).append(who)
    if len(found) > MOST_REMARKS or any(len(who) > MOST_REMARKS for who in found.values()):
        return []
    return [f"{'; '.join(who)}: {note}" for note, who in found.items()]


def _column(table: Table, rows: Sequence[tuple[Cell, ...]], index: int) -> list[CellView]:
    """Return the cells of one column, all with the same number of decimals."""
    column = table.columns[index]
    ends = _ends(table, index)
    if ends[:2] == [None, None]:
        return [CellView(one_line(cell_text(row[index], column), MOST_LETTERS)) for row in rows]
    numbers = [
        [cell for i in (index, *ends[:2]) if i is not None and isinstance(cell := row[i], float)]
        for row in rows
    ]
    places = max(
        places_for(itertools.chain.from_iterable(numbers)),
        places_of_intervals(max(each) - min(each) for each in numbers if len(each) == 3),
    )
    named = next((i for i, each in enumerate(table.columns) if each.name == SHORT.name), None)
    return [
        _measured(
            row,
            column,
            index,
            ends,
            places,
            short=named is not None and is_short(row[named], column),
        )
        for row in rows
    ]


def _measured(
    row: tuple[Cell, ...],
    column: Column,
    index: int,
    ends: Sequence[int | None],
    places: int,
    *,
    short: bool,
) -> CellView:
    value = row[index]
    text = one_line(cell_text(value, column), MOST_LETTERS)
    if isinstance(value, float) and column.unit not in ("share", "p"):
        text = to_fixed(value, places)
    bounds = [None if i is None else row[i] for i in ends]
    low, high, *sharp = (None if isinstance(each, str) else each for each in bounds)
    if low is None and high is None:
        return CellView(text)
    scale, digits = (100.0, 1) if column.unit == "share" else (1.0, places)
    first, last = between(low, high, scale, digits)[1:-1].split(", ")
    return CellView(text, first, last, any(end is not None for end in sharp), short)
