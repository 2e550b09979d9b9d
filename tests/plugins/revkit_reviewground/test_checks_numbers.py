"""Numbers that a review reports as the paper's."""

from __future__ import annotations

import pytest

from revkit.model.paper import Paper
from revkit_reviewground.checks import check_review

PAPER = Paper(
    "numbers",
    "# N\n\n## 1 Results\nAccuracy is 92.43 on the test set with 3,000 samples, and the share is "
    "0.617.\n\n| a | b |\n|---|---|\n| 81.52 | 77.93 |\n| 83.17 | 79.28 |\n\n"
    "The score is $9 1 . 0 6$ in all.\n",
)


def wrong(statement: str) -> list[str]:
    found = check_review(PAPER, {"summary": statement})
    numbers = [one for one in found if one.kind == "number"]
    assert all(one.certainty == "suspect" for one in numbers)
    return [one.excerpt.strip() for one in numbers]


@pytest.mark.parametrize(
    "statement",
    [
        "Accuracy is 92.43.",
        "Accuracy is 92.4%.",
        "Accuracy is 92%.",
        "Accuracy is 0.9243.",
        "The share is 61.7%.",
        "The error is 7.57%.",
        "It uses 3.0k samples.",
        "The score is 91.06.",
        "It gains 1.65 points.",
        "It gains 1.35 points over the rest.",
    ],
)
def test_numbers_of_the_paper_in_other_forms_pass(statement: str) -> None:
    assert wrong(statement) == []


@pytest.mark.parametrize(
    ("statement", "number"),
    [
        ("Accuracy is 93.42.", "93.42"),
        ("Accuracy is 92.5%.", "92.5%"),
        ("The share is 71.6%.", "71.6%"),
        ("It gains 4.87 points.", "4.87"),
        ("It is 17.3x faster.", "17.3x"),
    ],
)
def test_other_numbers_are_suspect(statement: str, number: str) -> None:
    assert wrong(statement) == [number]


@pytest.mark.parametrize(
    "statement",
    [
        "Could it reach 95.5%?",
        "More than 95.5% of users agree.",
        "About 95.5% agree.",
        "It should reach 95.5%.",
        "GPT-3.5 and Python 3.11 are used.",
        "See Section 3.27 and Table 12.",
        "On average it reaches 88.13.",
        "I rate it 7.5/10 with confidence 4.25.",
        "See arXiv:1906.07582 and Nature 63.41 (2014).",
        "Half, 50%, or all, 100%, of them.",
        "There are 12 layers of 0.5 size.",
    ],
)
def test_what_is_no_result_is_not_checked(statement: str) -> None:
    assert wrong(statement) == []
