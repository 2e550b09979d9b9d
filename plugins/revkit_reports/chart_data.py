"""Prepare the rows of a table for a chart: numbers, names, groups."""

from __future__ import annotations

import math
from collections.abc import Sequence

from revkit.dataclass import dataclass
from revkit.figures.numbers import cell_text, count_of, number_at
from revkit.model.table import Cell, Chart, Column, Table
from revkit_reports.visible import one_line

MOST_GROUPS = 16
# Axes beyond this cannot be drawn: ticks and margins overflow or coincide.
LARGEST = 1e15
SMALLEST = 1e-15
NAMELESS = "(no name)"
_NO_UNIT = ("", "count", "share", "p")

Row = dict[str, Cell]


@dataclass(frozen=True)
class Drawn:
    """One chart: its title, the ``svg`` element ("" if there is nothing to draw), and a
    note for the reader."""

    title: str
    svg: str
    note: str = ""


@dataclass(frozen=True)
class Data:
    """A chart with its rows and their columns."""

    chart: Chart
    key: str
    rows: Sequence[Row]
    table: Table

    @property
    def title(self) -> str:
        """The title of the chart on one line."""
        return one_line(self.chart.title)

    def axis(self, name: str) -> str:
        """Return the title of an axis, with its unit if it has one."""
        column = self._column(name)
        title = one_line(column.title or column.name, 60)
        return title if column.unit in _NO_UNIT else f"{title} ({one_line(column.unit, 30)})"

    def is_share(self, name: str) -> bool:
        """Whether the column called ``name`` contains shares, from 0 to 1."""
        return self._column(name).unit == "share"

    def name(self, row: Row, column: str) -> str:
        """Return the cell as a name; a dash if it is empty."""
        return one_line(cell_text(row[column], self._column(column))) or NAMELESS

    def names(self, column: str) -> list[str]:
        """Return the distinct names of a column in the order of the table."""
        return list(dict.fromkeys(self.name(row, column) for row in self.rows))

    def names_by_mean(self, column: str, value: str) -> list[str]:
        """Return the distinct names of a column in the order of the mean of their values; names
        without a value are last."""
        values: dict[str, list[float]] = {name: [] for name in self.names(column)}
        for row in self.rows:
            number = number_at(row, value)
            if number is not None:
                values[self.name(row, column)].append(number)

        def mean(name: str) -> tuple[bool, float]:
            own = values[name]
            return not own, math.fsum(own) / len(own) if own else 0.0

        return sorted(values, key=mean)

    def groups(self) -> dict[str, list[Row]]:
        """Return rows by their group, in the order of the table; all rows under "" if there are no
        groups.
        """
        found: dict[str, list[Row]] = {}
        for row in self.rows:
            name = self.name(row, self.chart.group) if self.chart.group else ""
            found.setdefault(name, []).append(row)
        return found

    def too_large(self, *columns: str) -> bool:
        """Return whether a number is too large to be drawn."""
        return any(size > LARGEST for size in self._sizes(columns))

    def too_small(self, *columns: str) -> bool:
        """Return whether a number is too close to zero for an axis."""
        return any(0 < size < SMALLEST for size in self._sizes(columns))

    def _sizes(self, columns: Sequence[str]) -> list[float]:
        return [
            abs(value)
            for row in self.rows
            for column in columns
            if (value := number_at(row, column)) is not None
        ]

    def _column(self, name: str) -> Column:
        return next(column for column in self.table.columns if column.name == name)


def limit_names(names: Sequence[str], most: int, noun: str) -> tuple[list[str], str]:
    """Return the first ``most`` of ``names``, and a sentence that counts the others."""
    rest = len(names) - most
    if rest <= 0:
        return list(names), ""
    plural = noun if noun.endswith("s") else f"{noun}s"
    return list(names[:most]), f"{count_of(rest, noun, plural)} more in the table only."


def join_notes(*notes: str) -> str:
    """Return the notes that are not empty, as one text."""
    return " ".join(note for note in notes if note)
