"""YAML to values with places: what stays text, what is refused, where things stand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from revkit.errors import SpecError
from revkit.files.yaml_source import parse_source, parse_value, read_source, to_yaml


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-1", -1),
        ("+5", 5),
        ("007", 7),
        ("0x1F", 31),
        ("0o17", 15),
        ("1e-3", 0.001),
        ("1E5", 100000.0),
        ("-.5", -0.5),
        ("1.", 1.0),
        ("2604.01960", 2604.0196),
        ("'2604.01960'", "2604.01960"),
        ("[3, 5]", [3, 5]),
        ("{a: 1}", {"a": 1}),
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("", ""),
        (" ", ""),
        ("''", ""),
        ("on", "on"),
        ("off", "off"),
        ("yes", "yes"),
        ("No", "No"),
        ("y", "y"),
        ("1:30", "1:30"),
        ("190:20:30", "190:20:30"),
        ("2026-01-01", "2026-01-01"),
        ("2026-01-01T10:00:00Z", "2026-01-01T10:00:00Z"),
        ("1_000", "1_000"),
        ("0b11", "0b11"),
        ("=", "="),
        (".inf", ".inf"),
        (".nan", ".nan"),
        ("nan", "nan"),
        ("1e", "1e"),
        ("-", [None]),
        ("a=b", "a=b"),
        ("$HOME", "$HOME"),
    ],
)
def test_values(text: str, value: Any) -> None:
    found = parse_value(text)
    assert found == value
    assert type(found) is type(value)


def test_numbers_that_no_number_type_holds() -> None:
    assert parse_value("1e999") == float("inf")  # refused where a number is wanted
    with pytest.raises(SpecError, match="cannot be read as int"):
        parse_value("1" * 5000)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("a: [1, 2\nb: 3", (2, 2), "expected ',' or ']'"),
        ("a: 1\n  b: 2", (2, 4), "check whether the line above already has a value"),
        ("a: b: c", (1, 5), "a ':' is not allowed here; put text that contains ': ' in quotes"),
        ("a: 'x", (1, 6), "the file ends here, and a quoted text is not closed"),
        ("a: 1\n\tb: 2", (2, 1), "a tab cannot begin a line"),
        ("a: *nope", (1, 4), "undefined alias"),
        ("a: &x 1\nb: &x 2", (2, 4), "found duplicate anchor 'x'"),
        ("a: 1\n---\nb: 2", (2, 1), "begins a second document"),
        ("a: 1\nb: 2\na: 3", (3, 1), "the key 'a' is used twice"),
        ("'1': 1\n1: 3", (2, 1), "the key '1' is used twice"),
        ("a:\n  b: {c: 1, c: 2}", (2, 13), "the key 'c' is used twice"),
        ("a: !!python/object/apply:os.system ['x']", (1, 4), "is not allowed"),
        ("a: !!binary aGk=", (1, 4), "is not allowed"),
        ("a: !custom 1", (1, 4), "is not allowed"),
        ("a: !!timestamp 2026-01-01", (1, 4), "is not allowed"),
        ("a: !!set {x, y}", (1, 4), "is not allowed"),
        ("a: !!int x", (1, 4), "'x' cannot be read as int"),
        ("? [a, b]\n: 1", (1, 3), "a key must be text"),
        ("a: 1\nb: \x07", (2, 4), "the character 0x07 is not allowed"),
        ("\x00", (1, 1), "the character 0x00 is not allowed"),
        ("", None, "is empty"),
        ("# nothing\n", None, "is empty"),
    ],
)
def test_malformed_text_is_told_with_its_place(
    text: str, place: tuple[int, int] | None, message: str
) -> None:
    with pytest.raises(SpecError) as caught:
        parse_source(text, "x.yaml")
    problem = caught.value.problems[0]
    assert message in problem.message
    assert (problem.line, problem.column) == (place or (0, 0))
    assert problem.source == "x.yaml"


def test_several_bad_values_come_at_once() -> None:
    with pytest.raises(SpecError) as caught:
        parse_source("a: !x 1\na: 2\nb: !!int z\n")
    assert [(p.line, p.column) for p in caught.value.problems] == [(1, 4), (2, 1), (3, 4)]


def test_keys_are_text_as_written() -> None:
    source = parse_source("2604.01960: a\n007: b\ntrue: c\n~: d\n1e3: e")
    assert list(source.value) == ["2604.01960", "007", "true", "~", "1e3"]


def test_anchors_merge_with_their_places() -> None:
    source = parse_source(
        "x-base: &b {use: a, with: {k: 1}}\none:\n  <<: *b\n  with: {k: 2}\ntwo: *b\n"
        "three: {<<: [*b, {use: z, more: 1}]}\n"
    )
    assert source.value["one"] == {"use": "a", "with": {"k": 2}}
    assert source.value["two"] == {"use": "a", "with": {"k": 1}}
    assert source.value["three"] == {"use": "a", "with": {"k": 1}, "more": 1}
    assert source.values["one", "with", "k"] == (4, 13)
    assert source.keys["one", "with"] == (4, 3)


def bomb(levels: int) -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [
        f"a{level}: &a{level} [" + ", ".join([f"*a{level - 1}"] * 10) + "]"
        for level in range(1, levels)
    ]
    return "\n".join(lines)


@pytest.mark.parametrize(
    "text",
    [
        bomb(9),
        "a: &a [*a]",
        "a: &a {b: *a}",
        "[" * 1500,
        "[" * 60 + "]" * 60,
        "a: " + "{b: " * 60 + "}" * 60,
        "- " * 1500,
        "? " * 1500,
        "<<: &a {<<: *a}",
    ],
    ids=str.split("bomb loop map-loop brackets deep-list deep-map dashes marks merge-loop"),
)
def test_hostile_text_is_refused(text: str) -> None:
    with pytest.raises(SpecError):
        parse_source(text)


def test_reading_files(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    with pytest.raises(SpecError, match="this file does not exist"):
        read_source(path)
    with pytest.raises(SpecError, match="is a folder; name a file"):
        read_source(tmp_path)
    path.write_bytes(b"a: 1\nb: \xff\n")
    with pytest.raises(SpecError, match=r"is not UTF-8 \(byte 8 is 0xff\); save the file as UTF-8"):
        read_source(path)
    path.write_bytes("a: ü".encode("utf-16"))
    with pytest.raises(SpecError, match="is not UTF-8"):
        read_source(path)
    path.write_bytes(b"a: 1\n" + b"#" * 1_000_000)
    with pytest.raises(SpecError, match="larger than 1 MB"):
        read_source(path)
    path.write_bytes(b"\xef\xbb\xbfa: 1\r\nb: ok\r\n")
    source = read_source(path)
    assert source.value == {"a": 1, "b": "ok"}
    assert source.keys["a",] == (1, 1)
    assert source.values["b",] == (2, 4)


def test_a_problem_shows_the_line_and_a_caret() -> None:
    source = parse_source("a: 1\nkey: {b: 2}\n", "x.yaml")
    problem = source.problem(("key", "b"), "is wrong")
    assert str(problem) == ("x.yaml:2:10: key.b: is wrong\n    2 | key: {b: 2}\n      |          ^")
    nearest = source.problem(("key", "c", "d"), "is missing")
    assert (nearest.line, nearest.column) == (2, 1)


_scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
    | st.sampled_from(
        ["1e-3", "0o17", "0x1F", "007", "2604.01960", "on", "yes", "1:30", "2026-01-01", "null",
         "~", "", "<<", "=", "- a", "a: b", "#x", "1_000", "+.5", "-", ".5", "&a", "*a", "!x"]
    )
)  # fmt: skip
_values = st.recursive(
    _scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), inner)
    ),
    max_leaves=8,
)


@settings(max_examples=150)
@given(_values)
def test_what_is_written_reads_back(value: Any) -> None:
    wrapped = {"a": value}
    assert repr(parse_source(to_yaml(wrapped)).value) == repr(wrapped)


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Any:
    yield path, value
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _paths(item, (*path, key))
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _paths(item, (*path, index))


@settings(max_examples=60)
@given(
    st.recursive(
        st.integers(0, 999) | st.sampled_from(["x", "ab cd", "q: z", "ü"]),
        lambda inner: (
            st.lists(inner, min_size=1, max_size=3)
            | st.dictionaries(st.sampled_from("abcdef"), inner, min_size=1, max_size=3)
        ),
        max_leaves=10,
    ),
    st.booleans(),
)
def test_places_point_at_the_values(value: Any, flow: bool) -> None:
    text = yaml.safe_dump(
        {"root": value}, default_flow_style=flow, sort_keys=False, allow_unicode=True
    )
    source = parse_source(text)
    lines = text.splitlines()
    for path, item in _paths({"root": value}):
        line, column = source.values[path]
        rest = lines[line - 1][column - 1 :]
        if isinstance(item, str):
            assert rest.lstrip("'\"").startswith(item[:2])
        elif isinstance(item, int):
            assert rest.startswith(str(item))
        if path and isinstance(path[-1], str):
            line, column = source.keys[path]
            assert lines[line - 1][column - 1 :].startswith(f"{path[-1]}:")


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (r'x: "C:\data"', "found unknown escape character 'd'"),
        (r'x: "\u12"', "expected escape sequence of 4 hexadecimal numbers, but found '\"'"),
    ],
)
def test_a_wrong_escape_in_a_closed_quote_has_its_own_remedy(text: str, cause: str) -> None:
    with pytest.raises(SpecError) as caught:
        parse_source(text)
    problem = caught.value.problems[0]
    remedy = r"; write \\ for a backslash, or use single quotes"
    assert problem.message == f"malformed YAML: {cause}{remedy}"


@pytest.mark.parametrize("digits", ["FFFFFFFF", "00110000"])
def test_an_escape_that_is_not_a_character_is_a_problem(digits: str) -> None:
    with pytest.raises(SpecError, match=r"an escape \\U in double quotes is above \\U0010FFFF"):
        parse_source(rf'x: "\U{digits}"')
