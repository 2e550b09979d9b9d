"""Options: annotations to schema, to values, and back."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from revkit.contracts import Component
from revkit.errors import OptionError
from revkit.options import (
    from_options,
    option,
    options_of,
    schema_of,
    unknown_name,
    yaml_name,
)


@dataclass(frozen=True)
class Deep:
    """An option of a type that no YAML value has."""

    deep: complex = option(1j, help="No YAML value.")


@dataclass(frozen=True)
class Holding:
    """An option that holds it."""

    inner: Deep | None = option(None, help="Holds it.")


@dataclass(frozen=True)
class Wide(Component):
    """One option of each kind."""

    name: ClassVar[str] = "wide"
    flag: bool = option(False, help="A flag.")
    count: int = option(3, help="A count.", minimum=0, maximum=10)
    max_distance: float = option(0.05, help="A distance.", minimum=0)
    text: str = option("a", help="A text.")
    mode: Literal["add", "remove", 3] = "add"
    pair: tuple[int, int] = (3, 5)
    ratios: tuple[float, ...] = option((0.7,), minimum=0.1, maximum=2)
    weights: Mapping[str, float] = dataclasses.field(default_factory=dict)
    limit: int | None = None
    either: int | str = 1
    list_: tuple[str, ...] = ()


@dataclass(frozen=True)
class Needy(Component):
    """A required option."""

    name: ClassVar[str] = "needy"
    path: str = option(help="A path.")


def test_schema_names_types_bounds_defaults_and_help() -> None:
    schema: Any = schema_of(Wide)
    properties = schema["properties"]
    assert schema["additionalProperties"] is False
    assert "required" not in schema
    assert properties["count"] == {
        "type": "integer",
        "minimum": 0,
        "maximum": 10,
        "description": "A count.",
        "default": 3,
    }
    assert properties["max-distance"]["type"] == "number"
    assert properties["mode"] == {"enum": ["add", "remove", 3], "default": "add"}
    assert properties["pair"]["prefixItems"] == [{"type": "integer"}, {"type": "integer"}]
    assert properties["pair"]["default"] == [3, 5]
    assert properties["ratios"]["items"] == {"type": "number", "minimum": 0.1, "maximum": 2}
    assert properties["weights"]["additionalProperties"] == {"type": "number"}
    assert properties["limit"]["anyOf"] == [{"type": "integer"}, {"type": "null"}]
    assert "list" in properties
    assert schema_of(Needy)["required"] == ["path"]
    jsonschema.Draft202012Validator.check_schema(schema)


def test_yaml_names() -> None:
    assert yaml_name("max_distance") == "max-distance"
    assert yaml_name("from_") == "from"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"flag": 1}, "flag: expected true or false, not 1"),
        ({"flag": "true"}, "expected true or false"),
        ({"count": 2.0}, "expected a whole number, not 2.0"),
        ({"count": True}, "expected a whole number, not true"),
        ({"count": "3"}, "expected a whole number, not '3'"),
        ({"count": 11}, "11 is above the maximum of 10"),
        ({"count": -1}, "-1 is below the minimum of 0"),
        ({"max-distance": "1e-3"}, "write 0.001"),
        ({"max-distance": float("nan")}, "finite"),
        ({"max-distance": float("inf")}, "finite"),
        ({"max-distance": False}, "expected a number, not false"),
        ({"text": 7}, "expected text, not 7; put it in quotes"),
        ({"text": None}, "put it in quotes"),
        ({"text": ["a"]}, "expected text, not ['a']"),
        ({"mode": "ad"}, "did you mean 'add'"),
        ({"mode": 3.0}, "expected one of"),
        ({"mode": True}, "expected one of"),
        ({"pair": [1]}, "expected 2 values, not 1"),
        ({"pair": "ab"}, "expected a list"),
        ({"pair": [1, 2.5]}, "expected a whole number"),
        ({"ratios": [0.5, 3]}, "above the maximum of 2"),
        ({"ratios": {"a": 1}}, "expected a list"),
        ({"weights": [1]}, "expected a mapping"),
        ({"weights": {1: 2.0}}, "expected text, not 1"),
        ({"weights": {"a": "b"}}, "expected a number"),
        ({"limit": "x"}, "expected a whole number"),
        ({"either": 1.5}, "expected a whole number"),
        ({"max_distance": 1.0}, "did you mean 'max-distance'"),
        ({"colour": 1}, "unknown option 'colour'"),
    ],
)
def test_wrong_options_are_told(options: dict[Any, Any], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        from_options(Wide, options)
    assert message in str(caught.value)
    assert len(caught.value.problems) == 1


def test_all_problems_of_a_component_come_at_once() -> None:
    with pytest.raises(OptionError) as caught:
        from_options(Wide, {"flag": 1, "count": "x", "colour": 3})
    assert [name for name, _ in caught.value.problems] == ["flag", "count", "colour"]
    with pytest.raises(OptionError, match="path: is required and missing"):
        from_options(Needy, {})


def test_python_and_yaml_make_the_same_component() -> None:
    built = Wide(max_distance=1, pair=[3, 5], ratios=[1], weights={"a": 2})  # type: ignore[arg-type]
    read = from_options(
        Wide, {"max-distance": 1, "pair": [3, 5], "ratios": [1], "weights": {"a": 2}}
    )
    assert built == read
    assert repr(built) == repr(read)
    assert built.pair == (3, 5)
    assert isinstance(built.max_distance, float)
    assert options_of(built)["max-distance"] == 1.0


def test_what_python_may_not_hold() -> None:
    with pytest.raises(OptionError, match="above the maximum"):
        Wide(count=99)
    with pytest.raises(OptionError, match="finite"):
        Wide(max_distance=float("nan"))
    with pytest.raises(dataclasses.FrozenInstanceError):
        Wide().count = 4  # type: ignore[misc]


def test_options_do_not_alias_what_they_were_given() -> None:
    weights = {"a": 1.0}
    component = Wide(weights=weights)
    weights["a"] = 2.0
    assert component.weights == {"a": 1.0}


def test_mutable_defaults_and_odd_annotations_are_refused() -> None:
    with pytest.raises(TypeError, match="mutable default"):
        option([1])

    @dataclass(frozen=True)
    class Odd(Component):
        name: ClassVar[str] = "odd"
        thing: complex = 1j

    with pytest.raises(TypeError, match="cannot be of type"):
        schema_of(Odd)
    with pytest.raises(TypeError, match="frozen dataclass"):
        schema_of(object)


def test_unknown_name_offers_the_nearest() -> None:
    assert unknown_name("agent", "citaton-counter", ["citation-counter", "constant"]) == (
        "unknown agent 'citaton-counter'; did you mean 'citation-counter'?"
    )
    assert unknown_name("agent", "zzz", ["b", "a"]) == "unknown agent 'zzz'; known: a, b"
    assert unknown_name("agent", "zzz", []) == "unknown agent 'zzz'; known: none"


_numbers = st.floats(min_value=0, max_value=1e6, allow_nan=False)
_texts = st.text(max_size=8)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    st.fixed_dictionaries(
        {},
        optional={
            "flag": st.booleans(),
            "count": st.integers(0, 10),
            "max-distance": _numbers | st.integers(0, 9),
            "text": _texts,
            "mode": st.sampled_from(["add", "remove", 3]),
            "pair": st.tuples(st.integers(), st.integers()).map(list),
            "ratios": st.lists(st.floats(0.1, 2), max_size=4),
            "weights": st.dictionaries(_texts, _numbers, max_size=3),
            "limit": st.none() | st.integers(),
            "either": st.integers() | _texts,
        },
    )
)
def test_options_survive_the_round_trip(options: dict[str, Any]) -> None:
    made = from_options(Wide, options)
    written = options_of(made)
    jsonschema.Draft202012Validator(schema_of(Wide)).validate(written)
    again = from_options(Wide, written)
    assert again == made
    assert options_of(again) == written
    for name, value in options.items():
        assert written[name] == value


def test_an_option_of_a_type_that_no_spec_can_hold_is_named() -> None:
    with pytest.raises(TypeError, match=r"^inner: deep: an option cannot be of type .*complex"):
        schema_of(Holding)
