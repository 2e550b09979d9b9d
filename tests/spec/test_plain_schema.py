"""A quick yes to a spec is a yes of jsonschema, and what comes with revkit gets one."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from revkit.plain_schema import surely_conforms
from revkit.schemas import read_schema
from revkit.spec.check import _validator

SCHEMA = read_schema("experiment")
VALIDATOR = _validator()(SCHEMA)
FOLDER = Path(__file__).parents[2] / "experiments"
SPECS = {path.name: yaml.safe_load(path.read_text("utf-8")) for path in FOLDER.glob("*.yaml")}
_VALUES: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 3),
    st.sampled_from([5.0, 0.5, float("nan"), float("inf"), 10**30]),
    st.sampled_from(["", "a", "a b", "x" * 200, "papers", "llm", "iclr-2024"]),
    st.just([]),
    st.just({}),
    st.just({"use": "llm"}),
    st.just({1: 2}),
)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container of a spec with each of its keys or numbers."""
    found: list[tuple[Any, Any]] = []
    items: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    for key, each in items:
        found += [(value, key), *places(each)]
    return found


@pytest.mark.parametrize("name", sorted(SPECS))
def test_specs_that_come_with_revkit_get_a_quick_yes(name: str) -> None:
    assert surely_conforms(SPECS[name], SCHEMA)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_quick_yes_is_a_yes(data: st.DataObject) -> None:
    spec = copy.deepcopy(SPECS[data.draw(st.sampled_from(sorted(SPECS)))])
    for _ in range(data.draw(st.integers(1, 3))):
        whole = places(spec)
        if not whole:
            break
        holder, key = data.draw(st.sampled_from(whole))
        change = data.draw(st.sampled_from(["value", "name", "less"]))
        if change == "value":
            holder[key] = copy.deepcopy(data.draw(_VALUES))
        elif change == "less":
            del holder[key]
        elif isinstance(holder, dict):
            holder[data.draw(st.sampled_from(["use", "with", "x-note", "seed", "9", "k"]))] = key
    if surely_conforms(spec, SCHEMA):
        VALIDATOR.validate(spec)


@pytest.mark.parametrize(
    ("value", "schema"),
    [
        (1, {"not": {}}),  # a keyword that is not known here
        (1, {"$ref": "other.json"}),
        (1, {"$ref": "#/$defs/none"}),
        (True, {"type": "integer"}),
        (5.0, {"type": "integer"}),
        (True, {"enum": [1]}),
        ({"b": 1}, {"properties": {"a": {}}, "additionalProperties": False}),
        ({"ab": 1}, {"patternProperties": {"^a": {"type": "string"}}}),
        ([1], {"items": {"type": "string"}}),
    ],
    ids=lambda value: re.sub(r"\W+", "-", str(value)),
)
def test_no_quick_yes(value: Any, schema: dict[str, Any]) -> None:
    assert not surely_conforms(value, schema)
