"""Table: what a metric gives, with units and notes beside every figure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from revkit.errors import PaperError
from revkit.model.values import Json

Cell = None | bool | int | float | str
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Column:
    """One column: ``name`` as in the CSV, ``title`` for a reader, ``unit`` ("share", "count", "p",
    "score points", ...), ``help`` the definition in one sentence."""

    name: str
    title: str = ""
    unit: str = ""
    help: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """How to draw rows of a table; every field but ``kind`` and ``title`` names a column.

    "lines": ``y`` over ``x`` (numbers), one line for each ``group``; "points": the same without
    lines; "bars": ``y`` for each ``x`` (a name) and ``group``; "heat-map": ``value`` at ``x`` and
    ``y`` (names), its scale centred on 0 where values have both signs. ``low`` and ``high`` bound
    ``y``. ``where`` keeps the rows whose cells equal its pairs. ``diagonal`` draws y = x, and
    ``mark`` a vertical line with its label.
    """

    kind: Literal["lines", "points", "bars", "heat-map"]
    title: str
    x: str
    y: str
    value: str = ""
    group: str = ""
    low: str = ""
    high: str = ""
    where: tuple[tuple[str, Cell], ...] = ()
    diagonal: bool = False
    mark: tuple[float, str] | None = None

    def columns(self) -> tuple[str, ...]:
        """The columns that it names."""
        named = (self.x, self.y, self.value, self.group, self.low, self.high)
        return tuple(name for name in (*named, *(name for name, _ in self.where)) if name)

    def to_json(self) -> dict[str, Json]:
        return {
            "kind": self.kind,
            "title": self.title,
            "x": self.x,
            "y": self.y,
            "value": self.value,
            "group": self.group,
            "low": self.low,
            "high": self.high,
            "where": [[name, cell] for name, cell in self.where],
            "diagonal": self.diagonal,
            "mark": None if self.mark is None else list(self.mark),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Chart:
        where = tuple((str(name), cell) for name, cell in value["where"])
        mark = value["mark"]
        return cls(
            **{**value, "where": where, "mark": None if mark is None else (mark[0], mark[1])}
        )


@dataclass(frozen=True)
class Table:
    """Rows of cells under named columns. A cell that has no value is None, never NaN or 0.

    ``notes`` say what a reader must know: the unit of resampling, what was left out, why a cell is
    empty. ``name`` is kebab-case and becomes a file name. ``headline`` asks reports to show the
    table itself where they summarise a run, not only among all tables, and to leave out of it the
    columns that ``fine`` names; ``charts`` say how to draw it.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = field(default=())
    headline: bool = False
    fine: tuple[str, ...] = ()
    charts: tuple[Chart, ...] = ()

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise PaperError(f"table {self.name!r}: the name must be kebab-case")
        names = [column.name for column in self.columns]
        if len(set(names)) < len(names):
            raise PaperError(f"table {self.name!r}: two columns share a name")
        named = {*self.fine, *(name for chart in self.charts for name in chart.columns())}
        if not named <= set(names):
            raise PaperError(f"table {self.name!r} has no columns {sorted(named - set(names))}")
        for row in self.rows:
            if len(row) != len(self.columns):
                raise PaperError(
                    f"table {self.name!r}: a row has {len(row)} cells for "
                    f"{len(self.columns)} columns"
                )
            for cell, column in zip(row, self.columns, strict=True):
                if cell is not None and not isinstance(cell, bool | int | float | str):
                    raise PaperError(
                        f"table {self.name!r}: {column.name} holds a {type(cell).__name__}, not a "
                        "bool, int, float or str"
                    )
                if isinstance(cell, float) and cell - cell != 0.0:
                    raise PaperError(f"table {self.name!r}: {column.name} holds {cell!r}")

    @classmethod
    def of(
        cls,
        name: str,
        title: str,
        columns: Sequence[Column],
        rows: Sequence[Mapping[str, Cell]],
        notes: Sequence[str] = (),
        *,
        headline: bool = False,
        fine: Sequence[str] = (),
        charts: Sequence[Chart] = (),
    ) -> Table:
        """Build a table from mappings; a missing key is an empty cell, an unknown one an error."""
        names = [column.name for column in columns]
        for row in rows:
            unknown = set(row) - set(names)
            if unknown:
                raise PaperError(f"table {name!r} has no columns {sorted(unknown)}")
        return cls(
            name,
            title,
            tuple(columns),
            tuple(tuple(row.get(key) for key in names) for row in rows),
            tuple(notes),
            headline,
            tuple(fine),
            tuple(charts),
        )

    def records(self) -> list[dict[str, Cell]]:
        """The rows as mappings from column name to cell."""
        names = [column.name for column in self.columns]
        return [dict(zip(names, row, strict=True)) for row in self.rows]

    def to_json(self) -> dict[str, Json]:
        value: dict[str, Json] = {
            "name": self.name,
            "title": self.title,
            "columns": [
                {"name": c.name, "title": c.title, "unit": c.unit, "help": c.help}
                for c in self.columns
            ],
            "rows": [list(row) for row in self.rows],
            "notes": list(self.notes),
        }
        if self.headline:
            value["headline"] = True
        if self.fine:
            value["fine"] = list(self.fine)
        if self.charts:
            value["charts"] = [chart.to_json() for chart in self.charts]
        return value

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Table:
        return cls(
            str(value["name"]),
            str(value["title"]),
            tuple(Column(**column) for column in value["columns"]),
            tuple(tuple(row) for row in value["rows"]),
            tuple(str(note) for note in value["notes"]),
            bool(value.get("headline", False)),
            tuple(str(name) for name in value.get("fine", ())),
            tuple(Chart.from_json(chart) for chart in value.get("charts", ())),
        )
