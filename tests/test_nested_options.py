"""Options that are dataclasses themselves: schema, values, places of problems, and the way back."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from revkit.contracts import Component
from revkit.errors import OptionError
from revkit.options import AnyJson, as_written, from_options, option, options_of, schema_of


@dataclass(frozen=True)
class Range:
    """An inner value with a check of its own."""

    ends: tuple[float, float] = option(help="Lowest and highest.")
    how: Literal["mean", "median"] = option("mean", help="How.")
    inner: Range | None = None

    def __post_init__(self) -> None:
        if self.ends[0] >= self.ends[1]:
            raise OptionError("", [("ends", "the lowest comes first")])


@dataclass(frozen=True)
class Secret:
    """The name of a secret."""

    secret: str = option(nonempty=True)


@dataclass(frozen=True)
class Deep(Component):
    """A component with nested options."""

    name: ClassVar[str] = "deep"
    one: Range | None = option(None, help="One.")
    many: tuple[Range, ...] = ()
    env: Mapping[str, str | Secret] | None = None
    free: AnyJson = None
    ratio: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.env and "HOME" in self.env:
            raise OptionError(self.name, [("env.HOME", "is set already")])


def problems_of(options: dict[str, Any]) -> list[tuple[str, str]]:
    with pytest.raises(OptionError) as caught:
        from_options(Deep, options)
    return list(caught.value.problems)


def test_the_schema_describes_nested_keys_once() -> None:
    schema: Any = schema_of(Deep)
    jsonschema.Draft202012Validator.check_schema(schema)
    name = f"{Range.__module__}.Range"
    reference = {"$ref": f"#/$defs/{name}"}
    assert schema["properties"]["one"]["anyOf"] == [reference, {"type": "null"}]
    assert schema["properties"]["many"] == {"type": "array", "items": reference, "default": []}
    inner = schema["$defs"][name]
    assert inner["required"] == ["ends"]
    assert inner["additionalProperties"] is False
    assert inner["properties"]["how"] == {
        "enum": ["mean", "median"],
        "default": "mean",
        "description": "How.",
    }
    assert inner["properties"]["inner"]["anyOf"][0] == reference
    secret = schema["$defs"][f"{Secret.__module__}.Secret"]
    assert secret["properties"]["secret"] == {"type": "string", "minLength": 1}


GOOD: dict[str, Any] = {
    "one": {"ends": [1, 10], "inner": {"ends": [0, 1], "how": "mean"}},
    "many": [{"how": "median", "ends": [1, 2.5]}],
    "env": {"A": "text", "B": {"secret": "KEY"}},
    "free": [1, {"a": None}],
}


def test_values_and_the_json_that_they_were_read_from() -> None:
    deep = from_options(Deep, GOOD)
    assert deep.one.ends == (1.0, 10.0)
    assert deep.one.inner.inner is None
    assert deep.many[0].how == "median"
    assert deep.env["B"] == Secret("KEY")
    # 1 stays 1, a given default stays and an absent one does not come: keys hold this JSON.
    assert repr(options_of(deep)) == repr({**GOOD, "ratio": 0.5})
    assert options_of(from_options(Deep, options_of(deep))) == options_of(deep)
    jsonschema.Draft202012Validator(schema_of(Deep)).validate(options_of(deep))
    assert options_of(pickle.loads(pickle.dumps(deep))) == options_of(deep)


def test_a_component_built_in_python_is_the_one_of_a_spec() -> None:
    assert Deep(one=Range((1, 10), inner=Range((0, 1)))) == from_options(Deep, {"one": GOOD["one"]})
    made: Any = Deep
    assert options_of(made(**GOOD)) == options_of(from_options(Deep, GOOD))
    assert as_written(Range((1.0, 2.0))) == {"ends": [1.0, 2.0]}


def test_what_was_given_does_not_change_later() -> None:
    given = {"one": {"ends": [1, 2]}}
    deep = from_options(Deep, given)
    given["one"]["ends"][0] = 7
    assert options_of(deep)["one"] == {"ends": [1, 2]}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"one": 3}, ("one", "expected a mapping, not 3")),
        ({"one": {}}, ("one.ends", "is required and missing")),
        ({"one": {"ends": [1, "2"]}}, ("one.ends[1]", "expected a number, not '2'; write 2.0")),
        ({"one": {"ends": [2, 1]}}, ("one.ends", "the lowest comes first")),
        (
            {"one": {"ends": [1, 2], "hwo": 1}},
            ("one.hwo", "unknown key 'hwo'; did you mean 'how'?"),
        ),
        (
            {"many": [{"ends": [1, 2]}, {"ends": [1, 2], "how": "meann"}]},
            ("many[1].how", "unknown value 'meann'; did you mean 'mean' or 'median'?"),
        ),
        ({"env": {"A": {"secret": ""}}}, ("env.A.secret", "expected text, not ''")),
        (
            {"env": {"A": 3}},
            (
                "env.A",
                "expected text, not 3; put it in quotes if it is text, or expected a mapping, "
                "not 3",
            ),
        ),
        ({"env": {"HOME": "x"}}, ("env.HOME", "is set already")),
        ({"free": {"a": [float("nan")]}}, ("free.a[0]", "expected a finite number, not nan")),
        ({"free": {"a": {1: 2}}}, ("free.a", "the key 1 is not text; put it in quotes")),
    ],
)
def test_problems_have_their_place(options: dict[str, Any], expected: tuple[str, str]) -> None:
    assert problems_of(options) == [expected]


def test_problems_of_values_and_of_checks_come_at_once() -> None:
    options = {
        "one": {"ends": [1, 2], "hwo": 1, "inner": {"ends": [3, 2]}},
        "env": {"HOME": "x", "A": 3.0},
    }
    places = [place for place, _ in problems_of(options)]
    assert places == ["one.hwo", "one.inner.ends", "env.A", "env.HOME"]


def test_a_wrong_option_hides_no_check_by_its_default() -> None:
    """Without ``ratio``, a check would be made with a value that nobody gave."""
    assert [place for place, _ in problems_of({"ratio": "x", "env": {"HOME": "x"}})] == ["ratio"]


JSONS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)  # fmt: skip


@given(JSONS)
def test_anything_gives_values_or_problems_with_places(value: Any) -> None:
    for name in ("one", "many", "env", "free"):
        schema = jsonschema.Draft202012Validator(schema_of(Deep))
        try:
            deep = from_options(Deep, {name: value})
        except OptionError as error:
            places = [place for place, _ in error.problems]
            assert places, value
            assert all(place.startswith(name) for place in places)
        else:
            assert options_of(deep)[name] == value
            schema.validate(options_of(deep))
