"""Quotes: what counts as a quotation, what it may differ in, and what is none."""

from __future__ import annotations

import pytest

from revkit.model.paper import Paper
from revkit_reviewground.checks import Finding, check_review

TEXT = """# On Widgets

## 1 Introduction
The proposed widget is effi-
cient and ﬂexible, and it reaches an accuracy of 92.4% on the “large” bench-
mark (Lee et al., 2020) without any tuning. We use $\\alpha = 0.5$ for all weights — always.

Perpiñán et al. describe a cross-validated *naïve* approach that the widget extends, and this
sentence is long enough so that a quotation of the whole of it has more words than twenty.

## 2 Method
We first rotate the widget by a small angle and then we measure how far the

7

Under review as a conference paper at ICLR 2022

needle has moved from its resting place.
"""
PAPER = Paper("widgets", TEXT)


def findings(statement: str, **options: object) -> list[Finding]:
    found = check_review(PAPER, {"weaknesses": statement}, **options)  # type: ignore[arg-type]
    return [one for one in found if one.kind in ("quote", "long-quote")]


@pytest.mark.parametrize(
    "quote",
    [
        '"The proposed widget is efficient and flexible"',
        "“the PROPOSED widget is efficient and flexible”",
        "«the proposed widget is efficient and flexible»",
        "„the proposed widget is efficient and flexible“",
        "``the proposed widget is efficient and flexible''",
        "`the proposed widget is efficient and flexible`",
        "'the proposed widget is efficient and flexible'",
        "‘the proposed widget is efficient and flexible’",
        '"reaches an accuracy of 92.4\\% on the large benchmark"',
        '"the large benchmark without any tuning"',
        '"on the "',
        '"The proposed widget ... reaches an accuracy of 92.4%"',
        '"The proposed widget […] reaches an accuracy"',
        '"[It] reaches an accuracy of 92.4%"',
        '"We use α = 0.5 for all weights - always"',
        '"Perpinan et al. describe a cross-validated naive approach"',
        '"how far the needle has moved from its resting place"',
        "\n> The proposed widget is efficient and flexible\n",
        '"The **proposed** widget is _efficient_ and flexible"',
    ],
)
def test_true_quotations_pass_in_every_dress(quote: str) -> None:
    assert findings(f"The authors write {quote} there.") == []


@pytest.mark.parametrize(
    "quote",
    [
        '"The proposed widget is inefficient and flexible"',
        "“the proposed widget is not efficient and flexible”",
        "«the proposed gadget is efficient and flexible»",
        '"reaches an accuracy of 94.2% on the large benchmark"',
        '"reaches an accuracy of 924% on the large benchmark"',
        '"reaches an accuracy ... The proposed widget is efficient"',
        '"The proposed widget reaches an accuracy of 92.4%"',
        '"We first rotate the widget needle has moved from its resting place"',
    ],
)
def test_changed_quotations_are_found(quote: str) -> None:
    (found,) = findings(f"The authors write {quote} there.")
    assert found.kind == "quote"
    assert found.certainty == "false"


@pytest.mark.parametrize(
    "statement",
    [
        'This is a "black box" approach with "no free lunch" in it.',
        'See "Attention Is All You Need" for a comparison.',
        'It resembles "A widget for every single household" (Chen et al., 2019).',
        'Chen, Wei, and Jane Lee. "A widget for every single household." In Proc. 2019.',
        'The title should be "widgets that do not break often".',
        'Please rephrase this as "the widget is often quite efficient".',
        'Replace the sentence by "the widget is often quite efficient".',
        'Typo: "The proposed widget is" -> "an efficient widget was used"',
        'I ask: "why is the widget rotated at all?"',
        "Run `python train.py --widget-size 12 --seed 3` to see it.",
        "The authors' claims about the models' outputs in users' homes aren't shown.",
    ],
)
def test_titles_terms_proposals_and_code_are_no_quotations(statement: str) -> None:
    assert findings(statement) == []


def test_debriefs_may_be_quoted() -> None:
    statement = 'A retrieved work says "gadgets are cheaper than widgets by far".'
    assert [one.kind for one in findings(statement)] == ["quote"]
    debrief = {"title": "Gadgets", "summary": "Gadgets are cheaper than widgets, by far."}
    assert findings(statement, debriefs=[debrief]) == []


def test_a_quotation_of_the_paper_has_at_most_twenty_words() -> None:
    start = " ".join(TEXT[TEXT.index("We first") :].split()[:16])
    assert findings(f'It says "{start}".') == []
    long = " ".join(TEXT[TEXT.index("Perpi") : TEXT.index("twenty")].split())
    (found,) = findings(f'It says "{long}".')
    assert (found.kind, found.certainty) == ("long-quote", "false")
    assert str(len(long.split())) in found.message
    assert findings(f'It says "{long}".', most_words=40) == []


def test_the_nearest_place_is_reported() -> None:
    (found,) = findings('It says "the proposed widget is efficient and boring".')
    assert found.place is not None
    assert found.place.section == "1 Introduction"
    assert "proposed widget" in found.place.words


def test_without_a_lead_a_foreign_quotation_is_only_suspect() -> None:
    (found,) = findings('One could think "gadgets are cheaper than widgets by far" here.')
    assert found.certainty == "suspect"


@pytest.mark.parametrize(
    ("statement", "wrong"),
    [
        ("The abstract of it aside, the introduction says “we first rotate the widget”.", True),
        ("“We first rotate the widget by a small angle”, according to the introduction.", True),
        ("In the introduction the authors write “the proposed widget is efficient”.", False),
        ("The abstract says “we first rotate the widget by a small angle”.", False),
        ("The method says “we first rotate the widget by a small angle”.", False),
    ],
)
def test_the_section_that_a_quotation_is_ascribed_to(statement: str, wrong: bool) -> None:
    found = findings(statement)
    assert [one.certainty for one in found] == (["suspect"] if wrong else [])
    if wrong:
        assert found[0].place is not None
        assert found[0].place.section == "2 Method"
