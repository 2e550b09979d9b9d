"""Values from outside: counts, numbers, JSON and texts, whatever a server writes."""

from __future__ import annotations

import math
from typing import Any

import pytest

from revkit.http import MOST_COUNT, one_line, read_count, read_json, read_number


@pytest.mark.parametrize(
    ("value", "count"),
    [
        (0, 0), (7, 7), (MOST_COUNT, MOST_COUNT), (MOST_COUNT + 1, None), (10**400, None),
        (10**4200, None), (-1, None), (True, None), (7.0, None), (math.nan, None), ("7", None),
        (None, None), ([7], None),
    ],
)  # fmt: skip
def test_counts(value: Any, count: int | None) -> None:
    assert read_count(value) == count


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (0, 0.0), (-2, -2.0), (1.5, 1.5), (10**400, None), (math.inf, None), (math.nan, None),
        (True, None), ("1", None), (None, None),
    ],
)  # fmt: skip
def test_numbers(value: Any, number: float | None) -> None:
    assert read_number(value) == number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b'{"a": 1}', {"a": 1}),
        ('\ufeff{"a": 1}', {"a": 1}),
        (b'\xef\xbb\xbf{"a": 1}', {"a": 1}),
        ('{"a": 1' + "0" * 400 + "}", {"a": 10**400}),
        ('{"a": 1' + "0" * 5000 + ', "b": 2}', {"a": None, "b": 2}),
    ],
)
def test_json(text: str | bytes, value: Any) -> None:
    assert read_json(text) == value


@pytest.mark.parametrize("text", [b"\xff", "", "{", "[" * 200_000, "nothing", "\ufeff\ufeff1"])
def test_no_json(text: str | bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_json(text)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\n b\t c", "a b c"),
        ("a\x1b[31m\u202eb", "a[31mb"),
        ("x" * 300, "x" * 199 + "…"),
        ("<html>busy</html>", "<html>busy</html>"),
    ],
)
def test_one_line(text: str, line: str) -> None:
    assert one_line(text) == line
