"""The strict reader of JSON against json of the standard library and hand-made faults."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from revkit.model.strict_json import MOST_LEVELS, NotStrictJson, strict_json

NUMBERS = st.integers(-(10**308) + 1, 10**308 - 1) | st.floats(
    allow_nan=False, allow_infinity=False
)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=12,
)
# Texts that json reads, and the numbers that they give: not finite, or beyond floats.
BAD_NUMBERS = st.sampled_from(
    ["NaN", "Infinity", "-Infinity", "1e999", "-1e999", "1E+309", "2" + "0" * 308, "9" * 5000]
) | st.integers(309, 10**9).map(lambda power: f"1e{power}")


@given(VALUES)
def test_a_value_that_json_writes_is_read_unchanged(value: Any) -> None:
    text = json.dumps(value, allow_nan=False)
    found = strict_json(text)
    assert found == json.loads(text) == value
    assert json.dumps(found) == text, "the types too: 1 and 1.0, and the order of keys"


@st.composite
def values_with_a_fault(draw: st.DrawFn) -> tuple[list[str | int], str, str]:
    """Steps to a place, the text of a value, and the same text with a bad number at the place."""
    steps = draw(st.lists(st.integers(0, 3) | st.sampled_from(["a", "b-c", "d_1"]), max_size=6))
    bad = draw(BAD_NUMBERS)
    good = "0"
    for step in reversed(steps):
        if isinstance(step, int):
            before = ", ".join(json.dumps(draw(VALUES)) for _ in range(step))
            lead = f"[{before}, " if before else "["
            bad, good = f"{lead}{bad}]", f"{lead}{good}]"
        else:
            lead = f'{{"x": {json.dumps(draw(VALUES))}, "{step}": '
            bad, good = f"{lead}{bad}}}", f"{lead}{good}}}"
    return list(steps), good, bad


@given(values_with_a_fault())
def test_a_number_that_is_not_finite_is_refused_with_its_place(
    case: tuple[list[str | int], str, str],
) -> None:
    steps, good, bad = case
    strict_json(good)
    with pytest.raises(NotStrictJson) as raised:
        strict_json(bad)
    expected = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    assert raised.value.place == expected.removeprefix(".")
    assert "number" in raised.value.problem
    assert len(str(raised.value)) < 300


@given(st.text(max_size=40) | VALUES.map(json.dumps).map(lambda text: text[:-1] + "]"))
def test_any_text_is_read_or_refused_as_json_does(text: str) -> None:
    """What the strict reader returns, json returns too; what json refuses, it refuses."""
    try:
        found = strict_json(text)
    except NotStrictJson:
        return
    expected = json.loads(text.removeprefix("\ufeff"))
    assert found == expected
    assert all(map(math.isfinite, _floats(found)))


def _floats(value: Any) -> list[float]:
    if isinstance(value, dict | list):
        inner = value.values() if isinstance(value, dict) else value
        return [each for below in inner for each in _floats(below)]
    return [value] if isinstance(value, float) else []


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
        ('{"a": [{"b": 1, "b": 1}]}', "a[0]", "the key 'b' occurs twice in one object"),
        ('{"a": 1, "b": 2, "a": 3}', "", "the key 'a' occurs twice in one object"),
        ('{"a":\n 1,}', "line 2, column 4", "Expecting property name enclosed in double quotes"),
        ("", "line 1, column 1", "Expecting value"),
        ('{"x y": {"z": NaN}}', "'x y'.z", "NaN is not a JSON number"),
        ("[1, 2] 3", "line 1, column 8", "Extra data"),
        ("[" * 100_000, "", "nested too deeply"),
        ('{"a":' * 100_000, "", "nested too deeply"),
    ],
)
def test_faults_have_place_and_problem(text: str, place: str, problem: str) -> None:
    with pytest.raises(NotStrictJson) as raised:
        strict_json(text)
    assert (raised.value.place, raised.value.problem) == (place, problem)


def test_levels_are_bounded_and_brackets_in_texts_do_not_count() -> None:
    within = "[" * MOST_LEVELS + "]" * MOST_LEVELS
    assert strict_json(within) == json.loads(within)
    with pytest.raises(NotStrictJson, match="more than 200 levels"):
        strict_json(f"[{within}]")
    assert strict_json(json.dumps("[{" * 5_000)) == "[{" * 5_000
    wide = "[" + "[]," * 5_000 + "[]]"
    assert len(strict_json(wide)) == 5_001


def test_a_byte_order_mark_is_skipped() -> None:
    assert strict_json('\ufeff{"a": 1}') == {"a": 1}
