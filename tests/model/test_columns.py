"""A dataclass is the one place that knows the columns of a record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import pytest

from revkit.model.columns import (
    ColumnInfo,
    column,
    columns_of_class,
    copy_fields,
    csv_columns,
    read_row,
    row_of,
)


@dataclass(frozen=True)
class Inner:
    name: str
    passed: bool = True


@dataclass(frozen=True)
class Row:
    id: str = column("Its id.")
    score: float | None = column("Its score.")
    kind: Literal["a", "b"] = column("Its kind.")
    parts: tuple[Inner, ...] = column("Its parts.", csv=False)
    more: Mapping[str, Any] = column("What else.", csv=False)
    tags: tuple[str, ...] = column("Its tags.", sparse=True, default=())


ROW = Row("x", 1.5, "a", (Inner("n", False), Inner("m")), {"k": [1]})
JSON = {
    "id": "x",
    "score": 1.5,
    "kind": "a",
    "parts": [{"name": "n", "passed": False}, {"name": "m", "passed": True}],
    "more": {"k": [1]},
}


def test_a_row_is_written_and_read_back() -> None:
    assert row_of(ROW) == JSON
    assert read_row(Row, JSON) == ROW
    tagged = Row("x", None, "b", (), {}, ("t",))
    assert row_of(tagged)["tags"] == ["t"]
    assert read_row(Row, {**row_of(tagged), "unknown": 1}) == tagged


def test_columns_are_those_of_the_fields() -> None:
    assert columns_of_class(Row)[0] == ColumnInfo("id", "Its id.")
    assert csv_columns(Row) == ("id", "score", "kind", "tags")


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"id": 5}, TypeError),
        ({"score": "1"}, TypeError),
        ({"score": True}, TypeError),
        ({"kind": "c"}, TypeError),
        ({"parts": {}}, TypeError),
        ({"parts": [{"passed": True}]}, KeyError),
        ({"parts": [5]}, TypeError),
        ({"more": []}, TypeError),
    ],
)
def test_a_value_of_another_type_is_refused(
    changes: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        read_row(Row, {**JSON, **changes})


def test_fields_of_the_same_names_are_copied() -> None:
    assert copy_fields(Inner, Inner("x", False), name="y") == Inner("y", False)
    assert copy_fields(Row, ROW, id="z").score == 1.5
