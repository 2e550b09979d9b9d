"""Table: what a metric gives, with units and notes beside every figure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

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


@dataclass(frozen=True)
class Table:
    """Rows of cells under named columns. A cell that has no value is None, never NaN or 0.

    ``notes`` say what a reader must know: the unit of resampling, what was left out, why a cell is
    empty. ``name`` is kebab-case and becomes a file name.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise PaperError(f"table {self.name!r}: the name must be kebab-case")
        names = [column.name for column in self.columns]
        if len(set(names)) < len(names):
            raise PaperError(f"table {self.name!r}: two columns share a name")
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
        )

    def records(self) -> list[dict[str, Cell]]:
        """The rows as mappings from column name to cell."""
        names = [column.name for column in self.columns]
        return [dict(zip(names, row, strict=True)) for row in self.rows]

    def to_json(self) -> dict[str, Json]:
        return {
            "name": self.name,
            "title": self.title,
            "columns": [
                {"name": c.name, "title": c.title, "unit": c.unit, "help": c.help}
                for c in self.columns
            ],
            "rows": [list(row) for row in self.rows],
            "notes": list(self.notes),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Json]) -> Table:
        return cls(
            str(value["name"]),
            str(value["title"]),
            tuple(Column(**column) for column in value["columns"]),  # type: ignore[union-attr,arg-type]
            tuple(tuple(row) for row in value["rows"]),  # type: ignore[union-attr,arg-type]
            tuple(str(note) for note in value["notes"]),  # type: ignore[union-attr]
        )
