"""What people write in reviews: marks that a reader of paper and review would call wrong."""

from __future__ import annotations

import pytest

from revkit.model.paper import Paper
from revkit_reviewground.checks import Finding, check_review

TEXT = """# Gears that Learn

## Abstract
We present gears that learn to turn, and the gears turn 12.5% faster than a lever.

## 1 Introduction
The proposed gear learns a mapping from torque to angle without any supervision at all. We use
different tooth weights for each dimension of the input, which keeps the training stable.

## 2 Highway experiment
The highway gear is trained for ten epochs on the highway data.

## 3 Pulley experiment
Table 1 compares the pulley gear with a baseline that was tuned by hand.

Table 1: The pulley gear against the GRU baseline.

| method | accuracy |
| --- | --- |
| GRU baseline | 71.2 |
| pulley gear | 74.9 |

The questions were collected through Mechanical Turk from people who own gears.
"""
PAPER = Paper("gears", TEXT)


def marks(statement: str, kind: str = "quote") -> list[Finding]:
    found = check_review(PAPER, {"comments": statement})
    return [one for one in found if one.kind == kind and one.certainty != "unverifiable"]


@pytest.mark.parametrize(
    "statement",
    [
        'A good advisor gives advice such as "keep a certain distance from the gear in front".',
        'E.g. if the sentence is "the dog jumps on the trampoline", what does the gear do?',
        'The idea comes a bit "out of the blue for me;" more motivation would help.',
        'Why not use "eighty million tiny gears" as data?',
        'The "product of gear models" from Hinton does something similar to this.',
        'In Fig. 2 it is written "a sequence of six gears in a row" but the text has five.',
        'In Rippel\'s paper there is a statement that this would "defeat the purpose of gears".',
        'After the authors\' response: 1. "minibatches are balanced by the number of teeth" helps.',
        "> In Figure 4, how do the clusters of gears relate to the clusters of levers",
        'Typo: "learns a maping form torque to angle" -> "learns a mapping from torque to angle"',
        'The authors claim that "the proposed gear learns mapping from torque to angle".',
        'The authors claim that "the proposed gear learns a mappping from torque to angle".',
        'Did you mean "the gear learns a mapping from angle to torque"?',
    ],
)
def test_words_that_are_not_the_papers_get_no_mark(statement: str) -> None:
    assert marks(statement) == []


@pytest.mark.parametrize(
    "statement",
    [
        'The authors claim that "the proposed gear outlives every lever ever built".',
        'The abstract says "our gears are the first of their kind in the world".',
        'Section 2.1: "a theorem of convergence follows from the pigeonhole principle".',
        'It is odd that "the proposed gear learns a mapping from torque to speed" here.',
        'They "use a different tooth for each dimension of the input".',
        'The authors claim that "the proposed gear does not learn a mapping from torque to angle".',
    ],
)
def test_words_ascribed_to_the_paper_or_near_to_its_words_are_false(statement: str) -> None:
    (found,) = marks(statement)
    assert found.certainty == "false"


def test_words_that_nobody_is_said_to_have_written_are_suspect() -> None:
    (found,) = marks('I disagree: "every gear must be trained on a thousand levers first".')
    assert found.certainty == "suspect"


@pytest.mark.parametrize(
    "statement",
    [
        "1.1.\tOne of the main contributions is unclear.",
        "6.1. The gear is not defined.\n6.2. Neither is the lever.",
        "There is a section 4.1 but no 4.2.",
        "The best system of the task [2] has an F-measure of 63.5%.",
        "The lever has 15.7%, while the paper has 12.5%.",
    ],
)
def test_numbering_and_numbers_of_others_are_no_numbers_of_the_paper(statement: str) -> None:
    assert marks(statement, "number") == []


def test_a_number_that_the_paper_lacks_is_still_marked() -> None:
    (found,) = marks("The authors report an accuracy of 83.17% for the gear.", "number")
    assert found.certainty == "suspect"


@pytest.mark.parametrize(
    "statement",
    [
        "In the highway experiment, the authors do not compare with a baseline.",
        "Missing human evaluation: I disagree with the authors that it is not feasible.",
    ],
)
def test_another_experiment_and_collected_data_are_no_answer(statement: str) -> None:
    assert marks(statement, "missing") == []


def test_the_same_experiment_is_an_answer() -> None:
    (found,) = marks(
        "In the pulley experiment, the authors do not compare with a baseline.", "missing"
    )
    assert found.place is not None


@pytest.mark.parametrize(
    "statement",
    [
        "It is upto the area chairs to decide whether this fits the venue.",
        "It is up to the reviewers to decide.",
    ],
)
def test_a_word_to_the_chairs_cites_nobody(statement: str) -> None:
    assert marks(statement, "reviewer") == []


def test_a_comparison_with_another_method_names_no_baseline() -> None:
    assert (
        marks("Compared with another line of methods - ZipGear, question arises.", "comparison")
        == []
    )


@pytest.mark.parametrize(
    "statement",
    [
        "The accuracy column is fine, but the pulley experiment is not described anywhere.",
        "The authors do not report the pulley experiment.",
        "It is a pity that the highway experiment goes unreported.",
    ],
)
def test_a_heading_with_the_words_answers_what_is_not_reported(statement: str) -> None:
    (found,) = marks(statement, "missing")
    assert found.certainty == "suspect"
    assert found.place is not None
    assert "experiment" in found.place.words


@pytest.mark.parametrize(
    "statement",
    [
        "The wear experiment is not described anywhere.",
        "The pulley experiment is not described in enough detail.",
        "If the pulley experiment is not described, nobody can repeat it.",
    ],
)
def test_other_words_and_degrees_are_not_answered_by_a_heading(statement: str) -> None:
    assert marks(statement, "missing") == []


@pytest.mark.parametrize(
    ("statement", "cited"),
    [
        ("The previous reports raise the issue of cost.", 1),
        ("This was raised in the panel discussion.", 1),
        ("Both referee reports point out the same problem.", 1),
        ("Previous reports show that gears wear out.", 0),
        ("This is discussed in the panel on the right of Figure 2.", 0),
    ],
)
def test_reports_and_panels_of_reviewers_are_phantoms(statement: str, cited: int) -> None:
    assert len(marks(statement, "reviewer")) == cited
