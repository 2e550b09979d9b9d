"""Scores between draft and review."""

from __future__ import annotations

from typing import Any

import pytest

from revkit.errors import OptionError
from revkit_reviewground.checks import ScorePolicy, check_scores

DRAFT: dict[str, Any] = {
    "summary": "x",
    "rating": 5,
    "soundness": "3 good",
    "confidence": 4.0,
    "decision": "reject",
}


def wrong(policy: ScorePolicy | None = None, **changed: Any) -> list[str]:
    return [one.field for one in check_scores(DRAFT, {**DRAFT, **changed}, policy)]


def test_by_default_all_is_kept() -> None:
    assert wrong() == []
    assert wrong(rating=5.0, soundness=3, decision=" Reject ") == []
    assert wrong(rating=6) == ["rating"]
    assert wrong(rating=6, confidence=3) == ["rating", "confidence"]
    assert wrong(decision="accept") == ["decision"]


def test_what_is_dropped_or_no_number_is_found() -> None:
    review = {key: value for key, value in DRAFT.items() if key not in ("rating", "decision")}
    assert [one.field for one in check_scores(DRAFT, review)] == ["rating", "decision"]
    assert wrong(rating="high") == ["rating"]
    assert wrong(rating=None) == ["rating"]
    assert wrong(rating=True) == ["rating"]


def test_the_policy_bounds_number_and_size_of_changes() -> None:
    one = ScorePolicy(changes=1, largest=1.0)
    assert wrong(one, rating=6) == []
    assert wrong(one, rating=7) == ["rating"]
    assert wrong(one, rating=6, confidence=3) == ["rating", "confidence"]
    assert wrong(ScorePolicy(changes=2), rating=6, confidence=3) == []
    assert wrong(ScorePolicy(decision=True), decision="accept") == []


def test_names_are_compared_without_case_and_numbers_may_lead_a_text() -> None:
    assert list(check_scores({"Rating": 6}, {"rating": "6: marginally above"})) == []
    assert [one.message for one in check_scores({"rating": 6}, {"Rating": "8: accept"})] == [
        "rating changed from 6 to 8; no changed fields are allowed"
    ]


@pytest.mark.parametrize("wrong_policy", [{"changes": -1}, {"largest": -0.5}])
def test_negative_policies_are_refused(wrong_policy: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        ScorePolicy(**wrong_policy)
