"""Tables as data frames of other libraries, which are loaded when they are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from revkit.errors import MissingPackage

if TYPE_CHECKING:
    from revkit.model.table import Cell, Table


def load_package(name: str, install: str) -> Any:
    """The module ``name``. Raises `MissingPackage`, which names the command that installs it."""
    try:
        return import_module(name)
    except ImportError as error:
        if error.name is not None and error.name.partition(".")[0] != name.partition(".")[0]:
            raise
        raise MissingPackage(
            f"this needs the package {name}, which is not installed; run: pip install {install}"
        ) from None


def columns_of(table: Table) -> dict[str, list[Cell]]:
    """The cells of each column; a column with whole numbers and fractions has fractions only."""
    cells = zip(*table.rows, strict=True) if table.rows else ((),) * len(table.columns)
    return {
        column.name: _one_type(list(values))
        for column, values in zip(table.columns, cells, strict=True)
    }


def _one_type(values: Sequence[Cell]) -> list[Cell]:
    kinds = {type(value) for value in values if value is not None}
    if kinds == {int, float}:
        return [None if value is None else float(value) for value in values]
    if len(kinds) > 1:
        return [None if value is None else str(value) for value in values]
    return list(values)
