"""The numbers in cells of tables."""

from __future__ import annotations

import math

import pytest

from revkit.figures.numbers import number_at, number_of
from revkit.model.table import Cell


@pytest.mark.parametrize(
    ("cell", "number"),
    [(0, 0.0), (-2, -2.0), (0.25, 0.25), (10**400, math.inf), (-(10**400), -math.inf)],
    ids=["zero", "whole", "share", "huge", "huge below zero"],
)
def test_number_of_a_numeric_cell(cell: Cell, number: float) -> None:
    assert number_of(cell) == number
    assert number_at({"a": cell}, "a") == number


@pytest.mark.parametrize("cell", [None, "", "1.5", True, False])
def test_other_cells_contain_no_number(cell: Cell) -> None:
    assert number_of(cell) is None


def test_a_missing_cell_contains_no_number() -> None:
    assert number_at({"a": 1.0}, "b") is None
