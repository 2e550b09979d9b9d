"""Tables: cells, columns, and the way through JSON."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from revkit.errors import PaperError
from revkit.model.table import Column, Table, TableWarning

COLUMNS = [Column("agent", "Agent"), Column("rate", "Flip rate", "share", "Flips over pairs.")]


def test_missing_cells_are_none_and_unknown_ones_an_error() -> None:
    table = Table.of("flip-rate", "Flips", COLUMNS, [{"agent": "a", "rate": 0.5}, {"agent": "b"}])
    assert table.rows == (("a", 0.5), ("b", None))
    assert table.records() == [{"agent": "a", "rate": 0.5}, {"agent": "b", "rate": None}]
    with pytest.raises(PaperError, match=r"no columns \['rat'\]"):
        Table.of("flip-rate", "Flips", COLUMNS, [{"agent": "a", "rat": 0.5}])


@pytest.mark.parametrize(
    "cell", [math.nan, math.inf, -math.inf, [1], {"a": 1}, (1,), b"x", 1j, object()]
)
def test_cells_that_no_table_holds(cell: Any) -> None:
    with pytest.raises(PaperError, match="rate contains"):
        Table.of("t", "T", COLUMNS, [{"agent": "a", "rate": cell}])


def test_numpy_cells() -> None:
    numpy = pytest.importorskip("numpy")
    with pytest.raises(PaperError, match="contains a int64"):
        Table.of("t", "T", COLUMNS, [{"agent": "a", "rate": numpy.int64(1)}])


@pytest.mark.parametrize("name", ["", "Flip Rate", "../x", "a/b", "a--b", "-a", "a\n", "a.b"])
def test_names_become_file_names(name: str) -> None:
    with pytest.raises(PaperError, match="kebab-case"):
        Table.of(name, "T", COLUMNS, [])


def test_shape() -> None:
    with pytest.raises(PaperError, match="1 cells for 2 columns"):
        Table("t", "T", tuple(COLUMNS), (("a",),))
    with pytest.raises(PaperError, match="two columns share a name"):
        Table("t", "T", (COLUMNS[0], COLUMNS[0]), ())


def test_json_both_ways() -> None:
    rows: list[Any] = [
        {"agent": "a", "rate": 0.1 + 0.2},
        {"agent": "b", "rate": True},
        {"rate": 10**20},
    ]
    table = Table.of("t", "T", COLUMNS, rows, ["a note"])
    assert Table.from_json(table.to_json()) == table


def test_warnings_come_back_from_json_with_their_places() -> None:
    warnings = (
        TableWarning("misleading", "Read with care."),
        TableWarning.of_places("imprecise", "These may be too short", ("rate of a", "rate of b")),
    )
    table = Table.of("flip-rate", "Flips", COLUMNS, [], warnings=warnings)
    again = Table.from_json(json.loads(json.dumps(table.to_json())))
    assert again.warnings == warnings
    assert again.warnings[1].text == "These may be too short: rate of a; rate of b."
