"""Judges with a planted weakness."""

from __future__ import annotations

import pytest

from revkit.contracts import Context
from revkit.model.criterion import Criterion
from revkit.model.paper import Paper
from revkit.model.review import Failure
from revkit_yescieval.judges import LengthJudge, Optimist

CRITERION = Criterion("any", "Is it?", ((1, "no"), (2, "a little"), (5, "yes")))


def test_the_optimist_likes_everything() -> None:
    for text in ("Bad.", "Good. " * 50):
        assert Optimist().judge(Paper("p", text), CRITERION, Context()).score == 5.0


@pytest.mark.parametrize(("words", "score"), [(1, 1), (39, 1), (40, 2), (79, 2), (80, 5), (999, 5)])
def test_the_length_judge_counts_words(words: int, score: float) -> None:
    text = Paper("p", "word " * words)
    assert LengthJudge(words=40).judge(text, CRITERION, Context()).score == score


def test_they_review_no_papers() -> None:
    for judge in (Optimist(), LengthJudge()):
        outcome = judge.review(Paper("p", "Text."), Context())
        assert isinstance(outcome, Failure)
        assert outcome.kind == "rejected"
