"""Reading the tables of a run by name; a table that is not there is empty, not an error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from revkit.contracts import RunView
from revkit.model.table import Cell, Table

Row = Mapping[str, Cell]
ALL_AGENTS = "all agents"
ALL_FAMILIES = "all families"


@dataclass(frozen=True)
class Figure:
    """One number of a table with its interval; ``value`` is None where it was not measured."""

    value: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def measured(self) -> bool:
        """Whether an interval is known, be it open at one end."""
        return self.low is not None or self.high is not None


class Tables:
    """The tables of one run."""

    def __init__(self, run: RunView) -> None:
        self._tables: dict[str, Table] = {table.name: table for table in run.tables}
        self._rows: dict[str, Sequence[Row]] = {table.name: table.records() for table in run.tables}

    def has(self, name: str) -> bool:
        """Whether the experiment measured the metric ``name``."""
        return name in self._tables

    def notes(self, name: str) -> tuple[str, ...]:
        """The notes of a table."""
        return self._tables[name].notes if name in self._tables else ()

    def rows(self, name: str, **match: Cell) -> list[Row]:
        """The rows whose cells equal ``match``."""
        return [
            row
            for row in self._rows.get(name, ())
            if all(row.get(key) == value for key, value in match.items())
        ]

    def row(self, name: str, **match: Cell) -> Row:
        """The first such row; an empty one where there is none."""
        found = self.rows(name, **match)
        return found[0] if found else {}


def number(row: Row, name: str) -> float | None:
    """A cell as a number; None where it is empty, absent or text."""
    cell = row.get(name)
    return None if cell is None or isinstance(cell, str) else float(cell)


def count(row: Row, name: str) -> int:
    """A cell that counts; 0 where the row or the cell is absent."""
    return int(number(row, name) or 0)


def figure(row: Row, name: str, interval: str = "") -> Figure:
    """The number under ``name`` with the bounds under ``<interval>_low`` and ``_high``."""
    prefix = interval or name
    return Figure(number(row, name), number(row, f"{prefix}_low"), number(row, f"{prefix}_high"))
