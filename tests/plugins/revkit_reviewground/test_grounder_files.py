"""Forms, templates, schemas and files of drafts of `review-grounder`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import jsonschema
import pytest

from revkit.errors import OptionError
from revkit.model.paper import Paper
from revkit.model.review import Failure, Review
from revkit.prompting import Data, TemplateProblem
from revkit.schemas import read_packaged_schema
from revkit_reviewground.agent import ReviewGrounder
from revkit_reviewground.form import load_form
from revkit_reviewground.repair import points, repaired
from revkit_reviewground.role_call import Lengths, reply_schema
from revkit_reviewground.templates import (
    PLACES,
    conversation,
    meta_rubrics,
    role_template,
)
from tests.plugins.revkit_reviewground.scripted import (
    DEBRIEF,
    DRAFT,
    FINAL,
    INSIGHTS,
    KEYWORDS,
    PAPER,
    RESULTS,
    TEXT,
    Model,
)

ROOT = Path(__file__).parents[3]
REPLIES = {
    "review": FINAL,
    "keywords": KEYWORDS,
    "debrief": DEBRIEF,
    "insights": INSIGHTS,
    "results": RESULTS,
}


@pytest.mark.parametrize("name", sorted(REPLIES))
def test_the_schemas_hold_the_fields_of_the_paper(name: str) -> None:
    """Appendix E.2.2 to E.2.4."""
    schema = read_packaged_schema("revkit_reviewground", name)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(REPLIES[name], schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**REPLIES[name], "more": 1}, schema)


def test_the_form_holds_the_fields_of_the_paper() -> None:
    """Appendix E.2.5."""
    schema = load_form("iclr-decision").schema
    file = read_packaged_schema("revkit_reviewground", "review")
    assert {key: file[key] for key in schema} == schema
    assert list(cast(Any, schema["properties"])) == [
        "summary", "strengths", "weaknesses", "questions", "soundness", "presentation",
        "contribution", "rating", "confidence", "decision",
    ]  # fmt: skip
    jsonschema.validate(FINAL, schema)
    for name, value in (("rating", 0), ("rating", 11), ("soundness", 5), ("decision", "maybe")):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**FINAL, name: value}, schema)


def test_reports_can_be_kept_short() -> None:
    schema: Any = reply_schema("insights", Lengths(2, 50))
    issues = schema["properties"]["review_issues"]["properties"]["missing_key_points"]
    assert issues["maxItems"] == 2
    assert issues["items"]["properties"]["what_missing"]["maxLength"] == 50
    keywords: Any = reply_schema("keywords", Lengths(1, 50))
    assert keywords["properties"]["keywords"]["minItems"] == 3
    assert keywords["properties"]["keywords"]["maxItems"] == 3


def test_a_form_without_decision_uses_its_scale(tmp_path: Path) -> None:
    path = tmp_path / "form.yaml"
    path.write_text(
        "name: plain\nscale: {minimum: 1, maximum: 5, higher-is-better: true, accept-at: 3}\n"
        "score: rating\nfields:\n  summary: {type: text}\n"
        "  rating: {type: integer, minimum: 1, maximum: 5}\n"
    )
    filled = {"summary": "Fine.", "rating": 3}

    model = Model(drafter=filled, aggregator=filled)
    agent = ReviewGrounder(model="m", form=str(path))
    review = agent.review(PAPER, model.context())
    assert isinstance(review, Review)
    assert (review.accept, review.score, review.confidence) == (True, 3.0, None)


def test_the_built_in_templates_are_whole() -> None:
    for name in PLACES:
        assert role_template(name).user
    assert [line.split(".")[0] for line in meta_rubrics().splitlines()] == list("12345678")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("miner", "no draft here", "must contain {{draft}}"),
        ("drafter", "{{form}} {{rubrics}}", "unknown placeholder 'rubrics'"),
        (
            "drafter",
            "=== system ===\n{{form}}\n=== user ===\n{{form}}",
            "{{form}} belongs in the user part",
        ),
        ("searcher", " \n", "is empty"),
    ],
)
def test_a_template_that_is_none_is_refused(
    name: str, text: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "template.md"
    path.write_text(text)
    with pytest.raises(TemplateProblem) as caught:
        role_template(name, str(path))
    assert message in str(caught.value)


def test_what_is_put_in_is_no_template() -> None:
    values = {
        "draft": Data("draft", "{{passages}} {{paper}}"),
        "passages": Data("guide", "{{draft}}"),
    }
    turns = conversation(role_template("miner"), "S", Data("paper", "{{draft}} text"), values)
    content = turns[1].content
    assert "{{draft}} text" in content
    assert "{{passages}} {{paper}}" in content
    assert content.count("{{draft}}") == 2


def test_points_of_a_text() -> None:
    assert points("1. One\n2. Two\nmore\n3) Three") == ["One", "Two\nmore", "Three"]
    assert points("- a\n- b") == ["a", "b"]
    assert points("One.\n\nTwo.") == ["One.", "Two."]
    assert points("") == []


@pytest.mark.parametrize("raw", ["", "{", "[]", "{}", "nothing", '{"a": ', "}{", '{"x": {"y": 1}}'])
def test_what_is_no_object_of_the_schema_is_not_repaired(raw: str) -> None:
    assert repaired(raw, load_form("iclr-decision").schema) is None


def test_deep_nesting_is_not_followed() -> None:
    raw = '{"summary": ' + "[" * 5000 + "]" * 5000 + "}"
    assert repaired(raw, load_form("iclr-decision").schema) is None


@pytest.mark.parametrize("number", ["1e999", "NaN", "-Infinity", "9" * 400, "9" * 5000])
@pytest.mark.parametrize("kind", ["integer", "number"])
def test_a_number_that_is_no_finite_float_is_not_repaired(number: str, kind: str) -> None:
    schema = {"type": "object", "properties": {"score": {"type": kind}}}
    assert repaired('{"score": "7"}', schema) is not None
    assert repaired(f'{{"score": {number}}}', schema) is None


def drafts(folder: Path, *rows: Any) -> str:
    path = folder / "drafts.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("key", ["digest", "title"])
def test_drafts_made_elsewhere_take_the_place_of_the_drafter(key: str, tmp_path: Path) -> None:
    value = PAPER.digest if key == "digest" else "SPARSE GATES for long documents"
    draft = {**DRAFT, "strengths": "- One\n- Two", "rating": "5: below", "decision": "Reject"}
    model = Model()
    path = drafts(tmp_path, {key: value, "review": draft})
    agent = ReviewGrounder(model="m", draft_from=path, roles={"drafter": "never-asked"})
    review = agent.review(PAPER, model.context())
    assert isinstance(review, Review), review
    assert "drafter" not in model.roles()
    evidence: Any = review.details["evidence"]
    assert evidence["draft"]["strengths"] == ["One", "Two"]
    assert evidence["roles"]["drafter"] == {"status": "from a file"}
    assert agent.models() == ("m",)
    assert agent.files_needed() == (path,)


def test_a_paper_without_a_draft_is_no_review(tmp_path: Path) -> None:
    agent = ReviewGrounder(model="m", draft_from=drafts(tmp_path, {"title": "x", "review": DRAFT}))
    found = agent.review(Paper("p", TEXT, "Another"), Model().context())
    assert isinstance(found, Failure)
    assert (found.kind, found.detail) == (
        "rejected",
        "drafter: the file of drafts has none for this paper",
    )


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"title": "x"}], "line 1: expected an object with the key 'review'"),
        ([{"review": {}}], "line 1: 'digest' or 'title' is missing"),
        ([{"title": "x", "review": {}}, {"title": "X!", "review": {}}], "line 2: a second draft"),
    ],
)
def test_a_file_of_drafts_is_checked(rows: list[Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(OptionError) as caught:
        ReviewGrounder(model="m", draft_from=drafts(tmp_path, *rows))
    assert message in str(caught.value)


def test_the_identity_holds_the_content_of_files(tmp_path: Path) -> None:
    path = tmp_path / "miner.md"
    path.write_text("One {{draft}}")
    first = ReviewGrounder(model="m", roles={"miner": {"prompt": str(path)}}).identity()
    moved = tmp_path / "elsewhere.md"
    moved.write_text("One {{draft}}")
    assert ReviewGrounder(model="m", roles={"miner": {"prompt": str(moved)}}).identity() == first
    moved.write_text("Two {{draft}}")
    assert ReviewGrounder(model="m", roles={"miner": {"prompt": str(moved)}}).identity() != first
