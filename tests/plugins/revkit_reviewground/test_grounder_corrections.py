"""Findings go back to the aggregator, and what is left is marked; scores keep to their policy."""

from __future__ import annotations

from typing import Any

import pytest

from revkit.model.review import Review
from revkit_reviewground.agent import ReviewGrounder
from revkit_reviewground.checks import Finding
from revkit_reviewground.findings import marked
from revkit_reviewground.form import load_form
from revkit_reviewground.scores import breaches, settle_scores
from tests.plugins.revkit_reviewground.scripted import DRAFT, FINAL, PAPER, RESULTS, Model

FALSE_QUOTE = {**FINAL, "weaknesses": ['The paper says "we never tested any of it at all".']}
FORM = load_form("iclr-decision")


def reviewed(model: Model, **options: Any) -> Review:
    agent = ReviewGrounder(model="m", **options)
    review = agent.review(PAPER, model.context(uses=agent.uses))
    assert isinstance(review, Review), review
    return review


def test_a_false_quote_goes_back_once_and_is_corrected() -> None:
    model = Model(aggregator=FALSE_QUOTE)
    review = reviewed(model)
    assert model.roles().count("correction") == 1
    (request,) = [request for role, request in model.asked if role == "correction"]
    assert [each.role for each in request.messages] == ["system", "user", "assistant", "user"]
    assert "we never tested" in request.messages[3].content
    found: Any = review.details["evidence"]
    assert found["findings"]["corrections"] == 1
    assert [each["kind"] for each in found["findings"]["first"]] == ["quote"]
    assert [each["kind"] for each in found["findings"]["fixed"]] == ["quote"]
    assert found["findings"]["remaining"] == []
    assert review.details["review"] == FINAL
    assert "[E1]" not in review.text


def test_what_is_still_wrong_is_marked_in_the_review() -> None:
    model = Model(aggregator=FALSE_QUOTE, correction=FALSE_QUOTE)
    review = reviewed(model)
    assert model.roles().count("correction") == 1
    found: Any = review.details["evidence"]
    assert len(found["findings"]["remaining"]) == 1
    assert found["findings"]["fixed"] == []
    text, _, report = review.text.partition("\n\nEvidence:\n")
    assert text.count("[E1]") == 1
    assert "- [E1] weaknesses" in report
    assert review.details["review"] == FALSE_QUOTE  # the fields alone carry no marks


def test_findings_may_go_back_more_often_or_never() -> None:
    model = Model(aggregator=FALSE_QUOTE, correction=FALSE_QUOTE)
    reviewed(model, corrections=2)
    assert model.roles().count("correction") == 2
    model = Model(aggregator=FALSE_QUOTE)
    review = reviewed(model, corrections=0)
    assert model.roles().count("correction") == 0
    assert "[E1]" in review.text


def test_without_checks_nothing_is_checked_and_that_is_said() -> None:
    model = Model(aggregator=FALSE_QUOTE)
    review = reviewed(model, without=("checks",))
    assert model.roles().count("correction") == 0
    assert review.details["evidence"]["findings"] is None  # type: ignore[index,call-overload]
    assert "The review was not checked against the paper" in review.text


def test_marks_stand_behind_their_passages() -> None:
    review = {"summary": "One two. One.", "weaknesses": ["a b", "c One"]}
    found = [
        Finding("quote", "summary", "One", "x", at=9),
        Finding("anchor", "summary", "One two", "x", at=0),
        Finding("missing", "weaknesses[1]", "One", "x", at=2),
        Finding("number", "weaknesses[7]", "One", "x"),
        Finding("number", "summary", "not there", "x"),
    ]
    assert marked(review, found) == {
        "summary": "One two [E2]. One [E1].",
        "weaknesses": ["a b", "c One [E3]"],
    }
    assert review["weaknesses"] == ["a b", "c One"]


def changed(**values: Any) -> dict[str, Any]:
    return {**FINAL, **values}


@pytest.mark.parametrize(
    ("final", "allowed"),
    [
        (changed(), True),
        (changed(rating=6), True),
        (changed(rating=4.5), True),
        (changed(rating=7), False),  # two steps
        (changed(rating=6, decision="accept"), True),
        (changed(rating=4, decision="accept"), False),  # against the rating
        (changed(decision="accept"), False),  # without the rating
        (changed(soundness=2, presentation=2), True),
        (changed(soundness=1), False),
        (changed(soundness=2, presentation=2, contribution=1), False),  # three of them
    ],
)
def test_bounded_scores_change_by_little(final: dict[str, Any], allowed: bool) -> None:
    assert (breaches(FORM, DRAFT, final, "bounded") == ()) is allowed
    fields, record = settle_scores(FORM, DRAFT, final, "bounded")
    numbers = {field.name for field in FORM.fields if field.judges}
    source = final if allowed else DRAFT
    assert {name: fields[name] for name in numbers} == {name: source[name] for name in numbers}
    assert fields["summary"] == final["summary"]
    assert record["kept"] == ("aggregator" if allowed else "draft")


def test_a_score_beyond_the_policy_goes_back_and_is_put_right() -> None:
    model = Model(aggregator=changed(rating=9), correction=changed(rating=9))
    review = reviewed(model)
    assert model.roles().count("correction") == 1
    assert "rating went from 5 to 9" in model.prompts("correction")[0]
    assert review.score == 5.0
    assert "Score rating: 5 in the draft, 9 by the aggregator, not kept" in review.text


def test_keep_draft_costs_no_call() -> None:
    model = Model(aggregator=changed(rating=9))
    review = reviewed(model, scores="keep-draft")
    assert model.roles().count("correction") == 0
    assert review.score == 5.0
    assert "exactly as the draft" in model.prompts("aggregator")[0]


def test_the_aggregator_may_be_free() -> None:
    model = Model(aggregator=changed(rating=9, decision="accept"))
    review = reviewed(model, scores="aggregator")
    assert model.roles().count("correction") == 0
    assert (review.score, review.accept) == (9.0, True)


def test_false_evidence_of_a_report_is_told_to_the_aggregator() -> None:
    claims = [
        {"claim": "a", "evidence": 'Section 3: "we never wrote these words anywhere at all"'},
        {"claim": "b", "evidence": "Table 9"},
        {"claim": "c", "evidence": "Table 1"},
        {"claim": "d", "evidence": "not_found_in_text"},
        {"claim": "e", "evidence": ""},
    ]
    report = {**RESULTS, "facts": {**RESULTS["facts"], "key_results": claims}}
    model = Model(analyzer=report)
    review = reviewed(model)
    found: Any = review.details["evidence"]
    assert found["analyzer"]["facts"]["key_results"] == claims
    assert [each["kind"] for each in found["unsupported"]["analyzer"]] == ["quote", "anchor"]
    assert found["unsupported"]["miner"] == []
    (prompt,) = model.prompts("aggregator")
    assert prompt.count("[not found in the paper]") == 2
    assert '"Table 9 [not found in the paper]"' in prompt
    assert "Evidence of the result analyzer that the paper lacks: Table 9" in review.text
    model = Model(analyzer=report)
    reviewed(model, without=("checks",))
    assert "[not found in the paper]" not in model.prompts("aggregator")[0]
