"""Findings: JSON both ways, what is refused, and the order and purity of `check_review`."""

from __future__ import annotations

import json
from typing import Any

import pytest

from revkit.errors import PaperError
from revkit.model.paper import Paper
from revkit_reviewground.checks import Finding, FindingPlace, check_review
from tests.plugins.revkit_reviewground.planted_papers import short_papers

GRAPHS, SPEECH = short_papers()
REVIEW: dict[str, Any] = {
    "summary": "As reviewer 2 noted, the paper says “most messages can never be dropped at all”.",
    "weaknesses": ["There is no ablation study.", "Table 9 is hard to read."],
    "notes": {"deep": [{"text": "The method outperforms ZigZagNet by 93.41%."}]},
    "rating": 6,
}


def test_a_finding_survives_json() -> None:
    for finding in check_review(GRAPHS, REVIEW):
        assert Finding.from_json(json.loads(json.dumps(finding.to_json()))) == finding


def test_fields_in_lists_and_objects_are_named_and_places_are_exact() -> None:
    found = check_review(GRAPHS, REVIEW)
    assert [(one.kind, one.field) for one in found] == [
        ("reviewer", "summary"),
        ("quote", "summary"),
        ("missing", "weaknesses[0]"),
        ("anchor", "weaknesses[1]"),
        ("comparison", "notes.deep[0].text"),
        ("number", "notes.deep[0].text"),
    ]
    texts = {
        "summary": REVIEW["summary"],
        "weaknesses[0]": REVIEW["weaknesses"][0],
        "weaknesses[1]": REVIEW["weaknesses"][1],
        "notes.deep[0].text": REVIEW["notes"]["deep"][0]["text"],
    }
    for one in found:
        assert texts[one.field].startswith(one.excerpt, one.at)
    place = found[2].place
    assert place is not None
    assert GRAPHS.text[place.start : place.end] == "4.3 Ablation study"


def test_the_same_arguments_give_the_same_findings() -> None:
    again = Paper("another id", GRAPHS.text)
    assert check_review(GRAPHS, REVIEW) == check_review(again, REVIEW)


@pytest.mark.parametrize("review", [{}, {"summary": ""}, {"summary": None, "rating": 3, "x": []}])
def test_a_review_without_text_gives_nothing(review: dict[str, Any]) -> None:
    assert check_review(GRAPHS, review) == ()


def test_wrong_layouts_are_refused() -> None:
    good = Finding("quote", "summary", "x", "y", place=FindingPlace(1, 2, "s", "w")).to_json()
    for name, bad in (
        ("kind", "quotation"),
        ("certainty", "sure"),
        ("at", -1),
        ("at", True),
        ("field", 3),
        ("place", "here"),
        ("place", {"start": 1}),
    ):
        with pytest.raises(PaperError):
            Finding.from_json({**good, name: bad})  # type: ignore[dict-item]


def test_an_honest_review_of_our_own_gives_nothing() -> None:
    review = {
        "summary": "The paper trains a recogniser on pauses and lowers the word error rate from "
        "7.84 to 7.12 (Table 1), outperforming Conformer.",
        "strengths": "Section 2.2 is clear: “The loss adds the cross entropy of pauses to that of "
        "words”. Figure 2 helps.",
        "weaknesses": "There is no ablation study, and limitations are not discussed. "
        "The paper does not compare with Whisper.",
        "questions": "Could the authors report error bars? Is there code?",
    }
    assert check_review(SPEECH, review) == ()
