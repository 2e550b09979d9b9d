"""Human reviews in one schema: scores that are scores, texts that are texts, scales declared."""

from __future__ import annotations

import pytest

from revkit.model.rating_scale import RatingScale
from revkit.venues import fields_of, read_text
from revkit_reviewbench.corpora.normalise import Form, NormalReview

TEN = RatingScale("ten", 1, 10)

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
    assert "6" not in review.as_text()


@pytest.mark.parametrize(
    "gone", ["summary", "weaknesses", "questions", "rating", "soundness", "confidence"]
)
def test_a_missing_field_is_reported(gone: str) -> None:
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
    assert Form().scale is None
    assert Form(rating=TEN).scale == TEN
    assert Form(rating=TEN).normalise({**WHOLE, "rating": 0}) == ("rating",)
    zero = RatingScale("zero", 0, 10)
    assert isinstance(Form(rating=zero).normalise({**WHOLE, "rating": 0}), NormalReview)
    onto = Form(rating=zero, onto=TEN).normalise({**WHOLE, "rating": 0})
    assert isinstance(onto, NormalReview)
    assert onto.rating == 1.0


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
