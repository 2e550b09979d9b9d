"""What is read from an answer, and what is refused: nothing is guessed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from revkit.model.review import Failure, Review
from revkit_external.parse.documents import parse
from revkit_external.parse.numbers import number_of, rounded
from revkit_external.parse.paths import compile_path
from revkit_external.parse.patterns import matches
from revkit_external.parse.trouble import ReadingError

Read = Callable[..., Any]
SCORE = {"score": {"regex": r"Rating:\s*(\d+)", "scale": [1, 10]}}


def refused(outcome: Any, kind: str, *words: str) -> None:
    assert isinstance(outcome, Failure), outcome
    assert outcome.kind == kind, outcome
    for word in words:
        assert word in outcome.detail, outcome.detail


def test_ten_is_not_one(reading: Read) -> None:
    assert reading("Rating: 10: strong accept", SCORE, "text").score == 10.0
    first_digit = {"score": {"regex": r"Rating:\s*(\d)", "scale": [1, 10]}}
    refused(reading("Rating: 10", first_digit, "text"), "unparseable", "'1' is only a part")
    assert reading("Rating: 1", first_digit, "text").score == 1.0


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Rating: 7.5", "part of the number"),
        ("Rating: 7,5", "part of the number"),
        ("Rating: 6-7", "range"),
        ("Rating: 6 to 7", "range"),
        ("Rating: 4/5", "of 5"),
        ("Rating: 4 out of 5", "of 5"),
        ("Rating: 8\n\nRating: 3", "2 different values"),
    ],
)
def test_a_number_that_is_not_what_stands_there_is_refused(
    reading: Read, text: str, word: str
) -> None:
    refused(reading(text, SCORE, "text"), "unparseable", word)


def test_a_denominator_that_is_the_scale_is_fine(reading: Read) -> None:
    assert reading("Rating: 8/10", SCORE, "text").score == 8.0


def test_a_minus_that_was_not_captured(reading: Read) -> None:
    mapping = {"score": {"regex": r"Rating: -?(\d+)", "scale": [1, 10]}}
    refused(reading("Rating: -3", mapping, "text"), "unparseable", "minus")


@pytest.mark.parametrize(
    "value", ["8/10", "10: strong accept", "", "seven", "1e3", "٣", "NaN", "7,5"]
)
def test_a_text_that_is_no_number_as_a_whole(value: str) -> None:
    with pytest.raises(ReadingError):
        number_of(value, "$")


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("NaN", "is not a number"),
        ("seven", "is not a number"),
        ("", "is not a number"),
        ("-Infinity", "is not a finite number"),
        ("1e999", "is too large for a number"),
        ("1e3", "is a number with an exponent"),
        ("8/10", "contains more than a number"),
    ],
)
def test_the_message_states_why_a_text_is_no_number(value: str, why: str) -> None:
    with pytest.raises(ReadingError) as caught:
        number_of(value, "$.score")
    assert caught.value.detail.startswith(f"{value!r} at $.score {why}")


@given(st.integers(-(10**14), 10**14))
def test_whole_numbers_survive(value: int) -> None:
    assert number_of(str(value), "$") == value
    assert number_of(value, "$") == value


@pytest.mark.parametrize("value", [True, None, [], {}, float("nan"), 10**400])
def test_what_is_no_number(value: Any) -> None:
    with pytest.raises(ReadingError):
        number_of(value, "$")


@pytest.mark.parametrize(
    ("how", "value", "whole"),
    [
        ("half-up", 6.5, 7.0),
        ("half-even", 6.5, 6.0),
        ("half-even", 7.5, 8.0),
        ("down", 6.9, 6.0),
        ("up", 6.1, 7.0),
        ("half-up", 2.675, 3.0),
    ],
)
def test_rounding(how: str, value: float, whole: float) -> None:
    assert rounded(value, how) == whole


def test_rounding_is_noted_and_the_raw_number_kept(reading: Read) -> None:
    mapping = {"score": {"path": "$.s", "scale": [1, 10], "round": "half-up"}}
    review = reading({"s": 6.5}, mapping)
    assert review.score == 7.0
    assert review.details["native"] == {"score": 6.5}
    assert review.details["notes"] == ["score: 6.5 rounded half-up to 7"]


DECISION = {"accept": {"path": "$.d", "labels": {"Accept": True, "reject": False}}}


@pytest.mark.parametrize(
    ("label", "accept"), [("accept", True), (" ACCEPT\n", True), ("Reject", False)]
)
def test_labels_are_trimmed_and_in_one_case(reading: Read, label: str, accept: bool) -> None:
    assert reading({"d": label}, DECISION).accept is accept


@pytest.mark.parametrize("label", ["not accept", "accept leaning", "Major", "acceptt", "1", 3])
def test_an_unknown_label_is_a_failure_and_never_reject(reading: Read, label: Any) -> None:
    refused(reading({"d": label}, DECISION), "schema", "unmapped label")


@pytest.mark.parametrize(
    "text",
    [
        "I would not accept this.",
        "We cannot recommend to accept",
        "This paper isn't ready to accept",
        "unable to accept",
        "**Not** accept",
    ],
)
def test_not_accept_is_not_accept(reading: Read, text: str) -> None:
    mapping = {"accept": {"regex": r"(?i)\b(accept|reject)\b", "labels": "@decision"}}
    refused(reading(text, mapping, "text"), "unparseable", "negates")


def test_a_denial_of_something_else_is_no_denial(reading: Read) -> None:
    mapping = {"accept": {"regex": r"(?i)\b(accept|reject)\b", "labels": "@decision"}}
    text = "The claims are not new. Recommendation: accept"
    assert reading(text, mapping, "text").accept is True


def test_two_verdicts_are_named(reading: Read) -> None:
    mapping = {"accept": {"path": "$[*].d", "labels": "@journal4", "take": "last"}}
    two = [{"d": "accept"}, {"d": "reject"}]
    assert reading(two, mapping).accept is False
    pattern = {"accept": {"regex": r"(?m)^Decision: (\w+)", "labels": "@journal4"}}
    outcome = reading("Decision: accept\nDecision: major", pattern, "text")
    refused(outcome, "unparseable", "'accept' at line 1", "'major' at line 2")
    assert reading("Decision: minor\nDecision: accept", pattern, "text").accept is True


def test_a_bare_verdict_needs_labels(reading: Read) -> None:
    mapping = {"accept": {"path": "$.a"}}
    assert reading({"a": False}, mapping).accept is False
    refused(reading({"a": "yes"}, mapping), "schema", "unmapped label")
    refused(reading({"a": 1}, mapping), "schema", "unmapped label")


@pytest.mark.parametrize(
    ("label", "accept", "score", "severity"),
    [
        ("accept", True, 9.0, 10.0),
        ("minor_revisions", True, 7.0, 35.0),
        ("Minor Revision", True, 7.0, 35.0),
        ("minor_rev", True, 7.0, 35.0),
        ("minor", True, 7.0, 35.0),
        ("Major-Revision", False, 4.0, 65.0),
        ("REJECT", False, 2.0, 90.0),
    ],
)
def test_journal4(reading: Read, label: str, accept: bool, score: float, severity: float) -> None:
    source = {"path": "$.d", "labels": "@journal4"}
    review = reading({"d": label}, {"accept": source, "score": source, "severity": source})
    assert (review.accept, review.score, review.aspects["severity"]) == (accept, score, severity)


def test_named_sets_of_ones_own(reading: Read) -> None:
    labels = {"venue": {"accept": {"go": True, "stop": False}}}
    mapping = {"accept": {"path": "$.d", "labels": "@venue"}}
    assert reading({"d": "Go"}, mapping, labels=labels).accept is True


def test_out_of_scale(reading: Read) -> None:
    mapping = {"score": {"path": "$.s", "scale": [1, 6]}}
    refused(reading({"s": 7}, mapping), "schema", "out of scale", "from 1 to 6")
    clamped = {"score": {"path": "$.s", "scale": [1, 6], "clamp": True}}
    review = reading({"s": 7}, clamped)
    assert review.score == 6.0
    assert review.details["notes"] == ["score: 7 at $['s'] moved to 6"]


def test_a_scale_is_mapped_onto_another(reading: Read) -> None:
    mapping = {
        "score": {"path": "$.s", "scale": [0, 1], "to": [1, 10]},
        "accept": {"like": "score", "at-least": 5.5},
    }
    review = reading({"s": 0.5}, mapping)
    assert (review.score, review.accept) == (5.5, True)
    assert reading({"s": 0.25}, mapping).accept is False


PANEL = {"score": {"path": "$.r.*.score", "reduce": "mean", "scale": [1, 10]}}


def panel(*scores: Any) -> dict[str, Any]:
    return {"r": {f"r{i}": {"score": score} for i, score in enumerate(scores)}}


@pytest.mark.parametrize(
    ("how", "value"), [("mean", 6.0), ("median", 7.0), ("min", 3.0), ("max", 8.0)]
)
def test_a_panel_becomes_one_number(reading: Read, how: str, value: float) -> None:
    mapping = {"score": {"path": "$.r.*.score", "reduce": how, "scale": [1, 10]}}
    assert reading(panel(3, 7, 8), mapping).score == value


def test_a_panel_with_a_member_missing_is_partial(reading: Read) -> None:
    for answer in (panel(9, None, 7), {"r": {"a": {"score": 9}, "b": {}, "c": {"score": 7}}}):
        refused(reading(answer, PANEL), "partial", "1 of 3 members")
        review = reading(answer, PANEL, partial="keep")
        assert review.score == 8.0
        assert "1 of 3 members" in review.details["partial"][0]
    refused(reading(panel(None, None), PANEL), "schema", "2 of 2 members")


def test_a_panel_says_how_many_were_asked_and_how_many_answered(reading: Read) -> None:
    whole = reading(panel(9, 8, 7), PANEL).details
    assert whole["panels"] == {"score": {"asked": 3, "gave": 3}}
    assert "partial" not in whole
    counts = {"asked": 3, "gave": 2, "missing": ["$['r']['r1']['score']"]}
    skipping = {"score": {**PANEL["score"], "missing": "skip"}}
    for review in (
        reading(panel(9, None, 7), skipping),
        reading(panel(9, None, 7), PANEL, partial="keep"),
    ):
        assert review.score == 8.0
        assert review.details["panels"] == {"score": counts}
        assert review.details["partial"] == [
            "score: 1 of 3 members have no value ($['r']['r1']['score'])"
        ]
    texts = {**PANEL, "strengths": {"path": "$.r.*.text", "all": True}}
    answer = {"r": {"a": {"score": 9, "text": "x"}, "b": {"score": 7}}}
    assert reading(answer, texts).details["panels"]["strengths"] == {
        "asked": 2, "gave": 1, "missing": ["$['r']['b']"],
    }  # fmt: skip


def test_a_partial_panel_keeps_what_was_read(reading: Read) -> None:
    mapping = {**PANEL, "summary": {"path": "$.s"}, "accept": {"like": "score", "at-least": 5}}
    failure = reading({**panel(9, None, 7), "s": "Fine."}, mapping)
    refused(failure, "partial", "score: 1 of 3 members")
    read = json.loads(failure.raw)["read"]
    assert read["values"] == {"summary": "Fine."}
    assert read["native"] == {"score": [9, 7]}
    assert read["places"]["score"] == ["$['r']['r0']['score']", "$['r']['r2']['score']"]
    assert read["panels"]["score"]["asked"] == 3
    off = reading({**panel(9, 11, 7), "s": "Fine."}, mapping)
    assert json.loads(off.raw)["read"]["native"] == {"score": [9, 11, 7]}


def test_no_number_is_made_of_members_that_are_missing(reading: Read) -> None:
    score = {"path": "$.r[*].s", "scale": [1, 10]}
    empty = {"score": {**score, "reduce": "mean", "empty": 5, "missing": "skip"}}
    assert reading({"r": []}, empty).score == 5.0
    refused(reading({"r": [{}, {}]}, empty), "schema", "incomplete")
    refused(reading({}, empty), "schema", "incomplete")
    last = {"score": {**score, "take": "last"}}
    assert reading({"r": [{}, {"s": 3}]}, last).score == 3.0
    refused(reading({"r": [{"s": 3}, {}]}, last), "partial", "1 of 2 members")
    refused(reading({"r": [{"s": 3}, {}]}, {"score": score}), "partial", "1 of 2 members")
    first = {"score": {**score, "take": "first", "missing": "skip"}}
    review = reading({"r": [{}, {"s": 4}]}, first)
    assert (review.score, review.details["panels"]["score"]["gave"]) == (4.0, 1)


def test_a_majority_and_a_tie(reading: Read) -> None:
    mapping = {"accept": {"path": "$[*]", "labels": "@journal4", "reduce": "majority"}}
    assert reading(["accept", "minor", "reject"], mapping).accept is True
    refused(reading(["accept", "reject"], mapping), "unparseable", "no majority")


def test_a_count_of_nothing_is_zero_only_where_the_list_is(reading: Read) -> None:
    mapping = {"score": {"path": "$.m['a b'].comments[*].id", "reduce": "count", "scale": [0, 20]}}
    assert reading({"m": {"a b": {"comments": []}}}, mapping).score == 0.0
    assert reading({"m": {"a b": {"comments": [{"id": 1}, {"id": 2}]}}}, mapping).score == 2.0
    refused(reading({"m": {"other": {"comments": []}}}, mapping), "schema", "incomplete")
    refused(reading({"m": {}}, mapping), "schema", "incomplete")
    found: dict[str, Any] = {"score": {"regex": "<w:comment ", "reduce": "count", "scale": [0, 20]}}
    refused(reading("nothing here", found, "text"), "schema", "incomplete")
    found["score"]["empty"] = 0
    assert reading("nothing here", found, "text").score == 0.0
    assert reading("<w:comment a><w:comment b>", found, "text").score == 2.0


LETTER = """# Decision letter

**Recommendation**: Minor Revision

## Summary

Fine work.

### Detail

More.

## Critical Gaps & Risks:

- no baseline
  - not this one
- 3 of 5 runs fail
- no code

## Next
"""


def test_markdown_headings_and_items(reading: Read) -> None:
    mapping = {
        "accept": {"regex": r"(?m)^\*\*Recommendation\*\*:\s*(.+)$", "labels": "@journal4"},
        "summary": {"heading": "summary"},
        "weaknesses": {"heading": "Critical Gaps & Risks", "items": True},
        "severity": {"heading": "Critical Gaps & Risks", "items": True, "reduce": "count",
                     "scale": [0, 10], "to": [0, 100]},
        "strengths": {"heading": "Strengths"},
    }  # fmt: skip
    review = reading(LETTER, mapping, "markdown")
    assert isinstance(review, Review)
    assert review.accept is True
    assert review.aspects == {"severity": 30.0}
    texts = review.details["texts"]
    assert texts["summary"] == "Fine work.\n\n### Detail\n\nMore."
    assert [text.split("\n")[0] for text in texts["weaknesses"]] == [
        "no baseline",
        "3 of 5 runs fail",
        "no code",
    ]
    assert "strengths" not in texts


def test_a_heading_in_code_is_none(reading: Read) -> None:
    mapping = {"accept": {"heading": "Decision", "labels": "@decision"}}
    text = "```\n## Decision\nreject\n```\n\n## Decision\n\naccept\n"
    assert reading(text, mapping, "markdown").accept is True


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "empty"),
        ("{", "no JSON"),
        ('{"d": "accept"} trailing', "no JSON"),
        ('{"d": "accept", "d": "reject"}', "'d' twice"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_json_that_is_none(text: str, word: str) -> None:
    with pytest.raises(ReadingError) as caught:
        parse(text, "json")
    assert caught.value.kind == "unparseable"
    assert word in caught.value.detail


CUT = "select the JSON by a pattern in output.cut"
LINES = "each line is JSON: set output.format to jsonl"


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ('```json\n{"s": 5}\n```\n', CUT),
        ('[12:30] warming up\n{"s": 5}\n', CUT),
        ('{"s": 5} trailing', CUT),
        ('{"s": 5}\r\n{"s": 6}\r\n', LINES),
        ('{"s": 5, "s": 6}\n', ""),
        ("I think {it} is good", ""),
        ("{", ""),
    ],
)
def test_the_message_states_what_to_set_if_json_is_not_alone(text: str, remedy: str) -> None:
    with pytest.raises(ReadingError) as caught:
        parse(text, "json")
    assert caught.value.detail.endswith(remedy)
    assert ("output." in caught.value.detail) is bool(remedy)


def test_json_lines() -> None:
    assert parse('{"a": 1}\n\n{"a": 2}\n', "jsonl").data == [{"a": 1}, {"a": 2}]
    with pytest.raises(ReadingError, match="line 2"):
        parse('{"a": 1}\n{"a": \n', "jsonl")


def test_a_number_beyond_floats_stays_text() -> None:
    assert parse('{"s": 1e999, "t": 1e3}', "json").data == {"s": "1e999", "t": 1000.0}


def test_not_a_number_is_a_fault_only_where_it_is_asked_for(reading: Read) -> None:
    answer = json.loads('{"s": NaN, "d": "accept"}')
    assert reading(answer, DECISION).accept is True
    mapping = {"score": {"path": "$.s", "scale": [1, 10]}}
    refused(reading(answer, mapping), "unparseable", "'NaN'")


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("$", ["$"]),
        ("$.a[0]", ["$['a'][0]"]),
        ("$.a[-1]", ["$['a'][-1]"]),
        ("$.a[9]", []),
        ("$['x y'].z", ["$['x y']['z']"]),
        ('$["x y"].*', ["$['x y']['z']"]),
        ("$.a[*]", ["$['a'][0]", "$['a'][1]"]),
        ("$.no.such", []),
    ],
)
def test_paths(path: str, found: list[str]) -> None:
    data = {"a": [1, 2], "x y": {"z": 3}}
    assert [place for place, _ in compile_path(path).walk(data).found] == found


@pytest.mark.parametrize("path", ["a.b", "$..a", "$.a[?@.b]", "$.a[", "$.a b", "$.a[1:2]", "$."])
def test_paths_that_are_none(path: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        compile_path(path)


@pytest.mark.slow
def test_a_pattern_that_backtracks_without_end_is_stopped() -> None:
    with pytest.raises(ReadingError, match="stopped after"):
        matches(r"(?:x+x+)+y", "x" * 5000)


RULES = [
    ({"path": "$.r.*.ok", "any": False}, "provider"),
    ({"path": "$.r.*.ok", "all": False}, ""),
    ({"path": "$.scale", "not": 10}, "provider"),
    ({"path": "$.scale", "equals": 6.0}, "provider"),
    ({"path": "$.errors.*", "exists": True}, ""),
    ({"path": "$.r.*", "fewer-than": 3, "kind": "partial"}, "partial"),
    ({"path": "$.r.*", "fewer-than": 2}, ""),
    ({"path": "$.misspelt", "equals": True}, "schema"),
    ({"path": "$.meta", "equals": None}, "provider"),
    ({"path": "$.scale", "at-most": 5}, ""),
    ({"path": "$.one", "equals": True}, ""),
]


@pytest.mark.parametrize(("rule", "kind"), RULES)
def test_rules_judge_the_output(reading: Read, rule: dict[str, Any], kind: str) -> None:
    answer = {
        "d": "accept",
        "r": {"a": {"ok": True}, "b": {"ok": False}},
        "scale": 6,
        "errors": {},
        "meta": None,
        "one": 1,
    }
    outcome = reading(answer, DECISION, fail_if=[rule])
    assert (outcome.kind if isinstance(outcome, Failure) else "") == kind


def test_require(reading: Read) -> None:
    mapping = {**DECISION, "score": {"path": "$.s", "scale": [1, 10]}}
    refused(reading({"d": "accept"}, mapping), "schema", "incomplete", "$.s")
    assert reading({"d": "accept"}, mapping, require=("accept",)).score is None
    refused(reading({"d": "accept", "s": 11}, mapping, require=("accept",)), "schema", "scale")


def test_usage_and_aspects(reading: Read) -> None:
    mapping = {
        **DECISION,
        "aspects": {"soundness": {"path": "$.x", "scale": [1, 4]}},
        "usage": {"prompt-tokens": {"path": "$.u"}},
        "confidence": {"path": "$.c", "scale": [1, 5]},
    }
    review = reading({"d": "accept", "x": 3, "u": 1200, "c": 4}, mapping)
    assert review.aspects == {"soundness": 3.0}
    assert review.details["usage"] == {"prompt-tokens": 1200.0}
    assert review.confidence == 4.0
