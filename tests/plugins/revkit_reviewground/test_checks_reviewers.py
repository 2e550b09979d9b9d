"""Reviewers, chairs and rebuttals that are not in the input."""

from __future__ import annotations

from pathlib import Path

import pytest

from revkit.model.paper import Paper
from revkit_reviewground.checks import check_review, check_reviewers, fields
from revkit_reviewground.checks.paper_text import PaperText
from tests.plugins.revkit_reviewground.planted_papers import short_papers

GRAPHS, SPEECH = short_papers()
APPENDIX = Path(__file__).resolve().parents[4] / "shared" / "data" / "reviewbench"


def cited(statement: str, **options: object) -> list[str]:
    found = check_review(SPEECH, {"weaknesses": statement}, **options)  # type: ignore[arg-type]
    return [one.excerpt for one in found if one.kind == "reviewer"]


@pytest.mark.parametrize(
    "statement",
    [
        "As the reviewer 1 correctly pointed out, this is slow.",
        "As reviewer 1 and reviewer 2 both noted, this is slow.",
        "I agree with R3.",
        "The other reviewers raised this.",
        "The area chair asked for more.",
        "After reading the rebuttal I keep my score.",
        "In their response, the authors clarified this.",
        "AnonReviewer2 is right.",
        "I agree with most points of Reviewer cJ4x.",
        "As was mentioned by the first reviewer, the data are small.",
        "The AC should note that R2's concern about novelty is valid.",
        "The authors replied that the data are public.",
    ],
)
def test_phantoms_are_found(statement: str) -> None:
    assert len(cited(statement)) == 1


@pytest.mark.parametrize(
    "statement",
    [
        "As a reviewer, I find this slow.",
        "This reviewer is no expert.",
        "I am happy to raise my score after the rebuttal.",
        "Please address this in the rebuttal.",
        "I leave the decision to the area chair.",
        "As I am less sure of this, I am happy to support another reviewer who champions it.",
        "The paper reviews prior work, and R1 is a constant.",
        "The related work is reviewed well by the authors.",
        "The authors' claims hold.",
    ],
)
def test_self_hopes_and_other_senses_are_not(statement: str) -> None:
    assert cited(statement) == []


def test_who_is_in_the_input_may_be_cited() -> None:
    assert cited("As reviewer 1 noted, this is slow.", present=("reviewers",)) == []
    assert cited("The rebuttal addressed this.", present=("reviewers",)) == ["rebuttal"]
    assert cited("The rebuttal addressed this.", present=("authors",)) == []


def test_a_paper_on_reviewing_makes_it_only_suspect() -> None:
    paper = Paper("peer", SPEECH.text + "\nEach reviewer scored. " + "A reviewer wrote. " * 5)
    (found,) = check_review(paper, {"a": "As reviewer 1 noted, this is slow."})
    assert found.certainty == "suspect"


@pytest.mark.skipif(not APPENDIX.is_dir(), reason="the seed's reviews lie outside the repository")
@pytest.mark.parametrize(
    ("name", "least", "most"),
    [("review_deepreviewer14b_sea.txt", 7, 12), ("review_reviewgrounder_sea.txt", 0, 0)],
)
def test_the_seed_s_own_case_study(name: str, least: int, most: int) -> None:
    """The baseline's review cites reviewers in at least seven sentences, the seed's in none."""
    review = (APPENDIX / name).read_text(encoding="utf-8")
    found = list(check_reviewers(PaperText(SPEECH), fields({"review": review})))
    assert least <= len(found) <= most
