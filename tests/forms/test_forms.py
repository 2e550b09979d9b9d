"""Forms: what is read from YAML, what a filled-in form becomes, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from revkit.forms import (
    ExampleProblem,
    Field,
    Fields,
    Form,
    FormFolder,
    FormProblem,
    load_examples,
    parse_form,
)
from revkit.model.review import Review, Scale

MINE = """\
name: mine
scale: {minimum: 1, maximum: 4, higher-is-better: true, accept-at: 3}
score: soundness
confidence: sure
aspects: [sure]
fields:
  reason: {type: text, help: Why}
  points: {type: list, max-items: 2, max-length: 9}
  sure: {type: number, values: {0.5: a guess, 1: certain}}
  soundness: {type: integer, minimum: 1, maximum: 4, step: 1, help: "How sound:"}
"""
FILLED = {"soundness": 2, "sure": 0.5, "points": [" a ", " "], "reason": " Since.\n"}


def test_a_form_by_hand() -> None:
    form = parse_form(MINE)
    assert form.schema == {
        "type": "object",
        "properties": {
            "reason": {"type": "string", "maxLength": 4000},
            "points": {
                "type": "array",
                "items": {"type": "string", "maxLength": 9},
                "maxItems": 2,
            },
            "sure": {"type": "number", "enum": [0.5, 1]},
            "soundness": {"type": "integer", "minimum": 1, "maximum": 4},
        },
        "required": ["reason", "points", "sure", "soundness"],
        "additionalProperties": False,
    }
    assert form.description == (
        "- reason (text): Why\n"
        "- points (a list of texts)\n"
        "- sure (one of 0.5 (a guess), 1 (certain))\n"
        "- soundness (a whole number from 1 to 4): How sound"
    )
    assert form.scale == Scale("mine", 1, 4, accept_at=3, values=(1.0, 2.0, 3.0, 4.0))
    assert list(form.ordered(FILLED)) == ["reason", "points", "sure", "soundness"]
    assert form.review(FILLED) == Review(
        False,
        2.0,
        "Reason:\nSince.\n\nPoints:\n- a",
        confidence=0.5,
        aspects={"sure": 0.5},
        details={"form": "mine"},
    )
    assert form.accepts(FILLED, Scale("mine", 1, 4, accept_at=2)) is True
    assert (form.title, form.source) == ("mine", MINE)
    assert parse_form(MINE, 10).fields[0].max_length == 10


@pytest.mark.parametrize(
    ("decision", "schema", "told", "yes", "no"),
    [
        ("{type: boolean}", {"type": "boolean"}, "true or false", True, False),
        (
            "{type: choice, values: [reject, accept]}",
            {"type": "string", "enum": ["reject", "accept"]},
            'one of "reject", "accept"',
            "accept",
            "reject",
        ),
    ],
)
def test_a_verdict_of_its_own(
    decision: str, schema: dict[str, Any], told: str, yes: Any, no: Any
) -> None:
    form = parse_form(
        "name: d\nscale: {minimum: 0, maximum: 1, higher-is-better: false}\nscore: s\n"
        f"decision: d\nfields: {{s: {{type: number, minimum: 0, maximum: 1}}, d: {decision}}}"
    )
    assert form.fields[1].schema() == schema
    assert form.description.endswith(f"- d ({told})")
    assert form.accepts({"s": 1, "d": yes}) is True
    assert form.accepts({"s": 1, "d": no}) is False
    assert [field.judges for field in form.fields] == [True, True]


def test_a_scale_without_a_verdict() -> None:
    form = parse_form(MINE.replace(", accept-at: 3", ""))
    assert form.accepts(FILLED) is None


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("name: mine\n", "", "the key 'name' is missing"),
        ("name: mine\n", "name: mine\nscales: 1\n", "unknown key 'scales'"),
        ("name: mine\n", "name: [mine]\n", "name: expected text"),
        ("type: text", "type: string", "fields.reason.type: expected one of text"),
        ("type: text", "type: [text]", "fields.reason.type: expected one of text"),
        ("help: Why", "help: {a: b}", "fields.reason.help: expected text"),
        ("type: text", "type: text, values: [1]", "only a number or a choice has values"),
        ("type: text", "type: choice", "fields.reason: expected values, the words to choose"),
        ("type: text", "type: choice, values: [5, no]", "fields.reason.values: expected words"),
        ("{0.5: a guess, 1: certain}", "[]", "fields.sure.values: expected numbers"),
        ("{0.5: a guess, 1: certain}", "{a: b}", "fields.sure.values: expected numbers"),
        ("{0.5: a guess, 1: certain}", "[1, 1.0]", "two of them are equal"),
        ("{0.5: a guess, 1: certain}", "[1, .nan]", "expected numbers"),
        ("max-items: 2", "max-items: 0", "points.max-items: expected a whole number from 1"),
        ("max-items: 2", "max-items: .inf", "points.max-items: expected a whole number from 1"),
        ("step: 1", "step: one", "soundness.step: expected a number"),
        ("score: soundness", "score: rating", "score: unknown field 'rating'"),
        ("score: soundness", "score: reason", "must be of type integer or number"),
        ("confidence: sure", "decision: sure", "must be of type boolean or choice"),
        ("confidence: sure", "decision: d", "decision: unknown field 'd'"),
        (
            "confidence: sure\naspects: [sure]\nfields:\n",
            "decision: d\nfields:\n  d: {type: choice, values: [maybe, reject]}\n",
            "decision: its values must be accept and reject",
        ),
        ("fields:\n", "decision: d\nfields:\n  d: {type: boolean}\n", "accept-at: the verdict is"),
        ("[sure]", "sure", "aspects: expected a list"),
        ("[sure]", "[reason]", "aspects: the field 'reason' must be"),
        ("maximum: 4, higher", "maximum: 1, higher", "scale: .* must be below"),
        ("maximum: 4, higher", "maximum: four, higher", "scale.maximum: expected a number"),
        (": true, acc", ": maybe, acc", "higher-is-better: expected true or false"),
        ("maximum: 4, step", "maximum: 5, step", "must equal those of the scale"),
        ("minimum: 1, maximum: 4, step: 1", "values: [1, 9]", "outside the range"),
        ("higher-is-better: true, ", "", "'higher-is-better' is missing"),
        ("fields:", "fields: [", "malformed YAML"),
        (MINE, "- a\n", "expected a mapping"),
        (MINE, "", "is empty"),
        (MINE, "a: " + "[" * 20_000, "nested too deeply"),
        (MINE, "!!python/object/apply:os.getpid []", "the tag .* is not allowed"),
    ],
)
def test_what_is_no_form_is_told(old: str, new: str, told: str) -> None:
    assert old in MINE
    with pytest.raises(FormProblem, match=told):
        parse_form(MINE.replace(old, new))


def test_aliases_cannot_grow() -> None:
    """A billion laughs: what aliases make of lists is never written out."""
    lists = "".join(
        f"  - &l{n} [{', '.join([f'*l{n - 1}'] * 9) if n else 'x'}]\n" for n in range(30)
    )
    with pytest.raises(FormProblem, match="too many values, or values nested without end"):
        parse_form(f"bomb:\n{lists}name: *l29\n")
    with pytest.raises(FormProblem, match="too many values, or values nested without end"):
        parse_form(MINE.replace("aspects: [sure]\n", f"aspects:\n{lists}"))


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
        max_leaves=5,
    ),
    st.sampled_from(["name", "title", "scale", "score", "decision", "aspects", "fields"]),
    st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_whatever_stands_there_is_a_form_or_a_problem(value: Any, key: str, inner: bool) -> None:
    whole: dict[str, Any] = {
        "name": "mine",
        "scale": {"minimum": 1, "maximum": 4, "higher-is-better": True},
        "score": "x",
        "fields": {"x": {"type": "integer", "minimum": 1, "maximum": 4}},
    }
    if inner and isinstance(whole.get(key), dict):
        first = next(iter(whole[key]))
        whole[key] = {**whole[key], first: value}
    else:
        whole[key] = value
    try:
        form = parse_form(json.dumps(whole))
    except FormProblem:
        return
    jsonschema.Draft202012Validator.check_schema(form.schema)
    assert form.description


def test_a_folder_of_forms(tmp_path: Path) -> None:
    (tmp_path / "b.yaml").write_text(MINE)
    (tmp_path / "a.yaml").write_text(MINE.replace("name: mine", "name: other"))
    folder = FormFolder(tmp_path, longest_text=50)
    assert folder.names == ("a", "b")
    assert folder.load("a").name == "other"
    assert folder.load("b").fields[0].max_length == 50
    elsewhere = tmp_path / "elsewhere.txt"
    elsewhere.write_text(MINE)
    assert folder.load(str(elsewhere)).name == "mine"
    (tmp_path / "a.yaml").unlink()
    assert folder.load("a").name == "other"  # what comes with the code is read once
    elsewhere.write_text(MINE.replace("name: mine", "name: changed"))
    assert folder.load(str(elsewhere)).name == "changed"
    for name in ("c", str(tmp_path), "a\0b", "x" * 5000):
        with pytest.raises(FormProblem, match=r"unknown form .*; known: a, b .and no such file"):
            folder.load(name)
    elsewhere.write_bytes(b"\xff")
    with pytest.raises(FormProblem, match="not UTF-8"):
        folder.load(str(elsewhere))


RATED = Fields((Field("words", "text"), Field("rating", "integer", minimum=1, maximum=9)))
LINE = '{"paper": "P", "review": {"rating": 5, "words": "\\u2028 fine"}}'


def test_examples_are_in_the_order_of_the_form(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(f"\n{LINE}\n".replace("\\u2028", "\u2028"), encoding="utf-8")
    (example,) = load_examples(str(path), RATED)
    assert example.paper == "P"
    assert example.review == '{"words": "\u2028 fine", "rating": 5}'
    assert load_examples(None, RATED) == ()


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("", "no example"),
        ("{", "line 1: it is not JSON"),
        ('{"paper": "P"}', "line 1: expected the keys"),
        (LINE.replace('"P"', '" "'), "line 1: the paper must be text"),
        (LINE.replace("5", "10"), "line 1: review.rating: 10 is greater"),
        (LINE.replace("words", "word"), "line 1: review"),
    ],
)
def test_what_is_no_example_is_told(line: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(line)
    with pytest.raises(ExampleProblem, match=told):
        load_examples(str(path), RATED)
    with pytest.raises(ExampleProblem, match="cannot be read"):
        load_examples(str(tmp_path / "gone"), RATED)


def test_every_file_that_a_person_writes_is_read_by_one_set_of_rules() -> None:
    """Scalars of YAML 1.2, equal keys refused with both places, and the nearest name."""
    with pytest.raises(FormProblem) as refusal:
        parse_form(f"{MINE}scale: {{minimum: 1}}\n", name="mine.yaml")
    assert "mine.yaml:11:1: the key 'scale' is used twice; first at line 2" in str(refusal.value)
    assert str(refusal.value).endswith("      | ^")
    with pytest.raises(FormProblem, match="did you mean 'aspects'"):
        parse_form(f"{MINE}aspect: [sure]\n")
    form = parse_form(MINE.replace("help: Why", "help: yes").replace("maximum: 4", "maximum: 04"))
    assert (form.fields[0].help, form.scale.maximum) == ("yes", 4)
    with pytest.raises(FormProblem, match="used twice"):
        parse_form(f"a: &a {{b: 1}}\n{MINE}c:\n  <<: *a\n  <<: *a\n")


def test_a_form_can_be_a_key() -> None:
    assert hash(parse_form(MINE)) == hash(parse_form(MINE))
    assert isinstance(parse_form(MINE), Form)
