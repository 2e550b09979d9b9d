"""Human reviews in one schema: scores that are scores, texts that are texts, scales declared."""

from __future__ import annotations

import pytest

from revkit_reviewbench.corpora.decisions import read_decision
from revkit_reviewbench.corpora.layouts import fields_of
from revkit_reviewbench.corpora.normalise import Form, NormalReview, read_score, read_text

WHOLE = {
    "summary": "It counts leaves.",
    "strengths": ["Clear.", "Short."],
    "weaknesses": "One tree.",
    "questions": "N/A",
    "rating": "6: marginally above the acceptance threshold",
    "soundness": "3 good",
    "presentation": 2,
    "contribution": "4 excellent",
    "confidence": "4: You are confident in your assessment, but not certain.",
}


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (6, 6.0),
        (5.5, 5.5),
        ("6", 6.0),
        (" 8 ", 8.0),
        ("6: marginally above the acceptance threshold", 6.0),
        ("10: Top 5% of accepted papers", 10.0),
        ("3 good", 3.0),
        ("2 Fair", 2.0),
        # A digit within prose is no score.
        ("I give it a 6", None),
        ("6/10", None),
        ("6 out of 10", None),
        ("3 fair", None),
        ("6:7", None),
        ("good", None),
        ("", None),
        ("N/A", None),
        (None, None),
        (True, None),
        ([6], None),
        (float("nan"), None),
        (10**400, None),
        ("11", None),
        (0, None),
        ("6" * 5000, None),
    ],
)
def test_scores(value: object, number: float | None) -> None:
    assert read_score(value, 1, 10) == number


def test_a_whole_review() -> None:
    review = Form().normalise(WHOLE)
    assert review == NormalReview(
        rating=6.0,
        summary="It counts leaves.",
        strengths="Clear.\nShort.",
        weaknesses="One tree.",
        questions="N/A",
        soundness=3.0,
        presentation=2.0,
        contribution=4.0,
        confidence=4.0,
    )
    assert "6" not in review.told()


@pytest.mark.parametrize(
    "gone", ["summary", "weaknesses", "questions", "rating", "soundness", "confidence"]
)
def test_a_missing_field_is_told(gone: str) -> None:
    assert Form().normalise({**WHOLE, gone: ""}) == (gone,)


def test_categorical_scores_go_to_four_as_on_the_form() -> None:
    # The paper states [1, 5]; no form of ICLR gives a 5 for soundness.
    assert Form().normalise({**WHOLE, "soundness": 5}) == ("soundness",)
    assert isinstance(Form().normalise({**WHOLE, "confidence": 5}), NormalReview)


def test_any_text_will_do_for_older_forms() -> None:
    form = Form(sections=False)
    review = form.normalise({"review": "Fine.", "rating": "7: Good paper, accept"})
    assert review == NormalReview(rating=7.0, review="Fine.")
    assert form.normalise({"rating": 7}) == ("text",)
    assert form.normalise({"review": "Fine."}) == ("rating",)


def test_the_scale_is_declared_not_guessed() -> None:
    assert Form().scale == "rating-1-10"
    assert Form(rating=(0, 10)).scale == "rating-0-10"
    assert Form().normalise({**WHOLE, "rating": 0}) == ("rating",)
    assert isinstance(Form(rating=(0, 10)).normalise({**WHOLE, "rating": 0}), NormalReview)


def test_names_of_other_years() -> None:
    found = fields_of(
        {
            "summary_of_the_paper": {"value": "S"},
            "strength_and_weaknesses": "W",
            "Recommendation": "5: marginally below the acceptance threshold",
        }
    )
    assert (found["summary"], found["review"]) == ("S", "W")
    assert found["rating"] == "5: marginally below the acceptance threshold"
    assert read_text({"value": 1}) == ""


@pytest.mark.parametrize(
    ("value", "accept", "withdrawn"),
    [
        ("Accept", True, False),
        ("Accept (Poster)", True, False),
        ("ICLR 2024 spotlight", None, False),
        ("notable-top-25%", True, False),
        ("Reject", False, False),
        ("rejected-papers", False, False),
        ("Invite to Workshop Track", False, False),
        (True, True, False),
        (False, False, False),
        (None, None, False),
        ("", None, False),
        ("Withdrawn", None, True),
        ("withdrawn-rejected-submissions", None, True),
        ("Desk Reject", None, True),
        ("accept or reject", None, False),
        ("Do not accept", None, False),
    ],
)
def test_decisions(value: object, accept: bool | None, withdrawn: bool) -> None:
    found = read_decision(value)
    assert (found.accept, found.withdrawn) == (accept, withdrawn)
