"""Human reviews in the fields of a form: what fits, and what is turned down instead of bent."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from revkit.model.training import fitted, points_of
from revkit.model.variant import Rejection

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "summary": {"type": "string", "maxLength": 20},
        "strengths": {
            "type": "array",
            "items": {"type": "string", "maxLength": 20},
            "maxItems": 3,
        },
        "soundness": {"type": "integer", "minimum": 1, "maximum": 4},
        "rating": {"type": "number", "minimum": 1, "maximum": 10},
        "step": {"type": "integer", "enum": [1, 3, 5]},
        "decision": {"type": "string", "enum": ["accept", "reject"]},
    },
    "required": ["summary", "strengths", "soundness", "rating", "step", "decision"],
    "additionalProperties": False,
}
REVIEW: dict[str, Any] = {
    "reviewer": "J. Doe",
    "decision": "accept",
    "summary": " Short. ",
    "strengths": "- One.\n- Two.",
    "soundness": 3.0,
    "rating": 6.5,
    "step": 3,
}


def test_a_review_that_fits() -> None:
    reply = fitted(REVIEW, SCHEMA)
    assert reply == (
        '{"summary": "Short.", "strengths": ["One.", "Two."], "soundness": 3, "rating": 6.5, '
        '"step": 3, "decision": "accept"}'
    )


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("summary", None, "summary: missing"),
        ("summary", " \n", "summary: empty"),
        ("summary", "x" * 21, "summary: too long"),
        ("summary", ["x"], "summary: no text"),
        ("strengths", "", "strengths: empty"),
        ("strengths", ["a", "b", "c", "d"], "strengths: too many points"),
        ("strengths", ["a", ""], "strengths: empty"),
        ("strengths", {"a": "b"}, "strengths: not a list of texts"),
        ("soundness", "3", "soundness: no number"),
        ("soundness", "3 good", "soundness: no number"),
        ("soundness", True, "soundness: no number"),
        ("soundness", 3.5, "soundness: not a whole number"),
        ("soundness", 5, "soundness: outside its scale"),
        ("soundness", float("nan"), "soundness: no number"),
        ("step", 4, "step: outside its scale"),
        ("decision", "Accept", "decision: none of its words"),
        ("decision", True, "decision: none of its words"),
    ],
)
def test_what_does_not_fit_is_turned_down(field: str, value: Any, why: str) -> None:
    assert fitted({**REVIEW, field: value}, SCHEMA) == Rejection(why)


def test_the_verdict_as_the_form_asks_for_it() -> None:
    schema = {"properties": {"accept": {"type": "boolean"}}}
    assert fitted({"decision": "reject"}, schema, "accept") == '{"accept": false}'
    assert fitted({"decision": "accept"}, schema, "accept") == '{"accept": true}'
    assert fitted({}, schema, "accept") == Rejection("accept: missing")
    assert fitted({"decision": "maybe"}, schema, "accept") == Rejection(
        "accept: neither true nor false"
    )


def test_points_of_a_text() -> None:
    assert points_of("Good:\n1. One\n   more\n2) Two\n") == ["Good:", "One\n   more", "Two"]
    assert points_of("First.\n\nSecond\nline.") == ["First.", "Second\nline."]
    assert points_of("- alone") == ["- alone"]
    assert points_of("") == []


@given(st.dictionaries(st.sampled_from(sorted(SCHEMA["properties"])), st.none() | st.booleans()
                       | st.integers(-2, 12) | st.floats() | st.text(max_size=30)
                       | st.lists(st.text(max_size=30), max_size=5)))  # fmt: skip
def test_what_is_given_meets_the_schema(review: dict[str, Any]) -> None:
    reply = fitted({**REVIEW, **review}, SCHEMA)
    if not isinstance(reply, Rejection):
        value = json.loads(reply)
        jsonschema.validate(value, SCHEMA)
        assert list(value) == list(SCHEMA["properties"])
