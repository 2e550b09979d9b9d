"""Where connectors and markers of provenance go, and that each sentence stays one."""

from __future__ import annotations

import pytest

from revkit.model import Paper, Rejection
from revkit.testing import context
from revkit_yescieval.perturbations import Integration
from revkit_yescieval.perturbations.connectors import connectors, without_connectors

# A second sentence, so that the text reads as English whatever the first one is.
REST = " It is one of the oldest drugs in use and the cost of it is low."


def extreme(text: str, **options: object) -> str:
    paper = Paper("x", text + REST)
    made = Integration(level="extreme", **options).perturb(paper, context())  # type: ignore[arg-type]
    if isinstance(made, Rejection):
        return text
    return paper.edited(made).text.removesuffix(REST)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("However, the drug failed.", "The drug failed."),
        ("The drug, however, failed.", "The drug failed."),
        ("In mice, however, the drug failed.", "In mice, the drug failed."),
        ("The drug, an old one, however, failed.", "The drug, an old one, failed."),
        ("The drug is old; therefore, it is cheap.", "The drug is old; it is cheap."),
        ("The drug can therefore be given.", "The drug can be given."),
        ("Thus the drug is safe.", "The drug is safe."),
        ("It binds the receptor, thereby reducing pain.", "It binds the receptor, reducing pain."),
        ("The toxin cuts genes, which in turn grow.", "The toxin cuts genes, which grow."),
        ("A fell in men, whereas B rose in women.", "A fell in men; B rose in women."),
        ("It was slow, but it was cheap.", "It was slow; it was cheap."),
        ("Moreover, mRNA levels rose.", "mRNA levels rose."),
        ("Additionally, IL-35 is made by cells.", "IL-35 is made by cells."),
        ("Studies have shown that statins help.", "Statins help."),
        ("Furthermore, studies have shown that statins help.", "Statins help."),
        ("According to Lee et al. (2019), statins help.", "Statins help."),
        ("Statins help, as reported by Lee et al. (2019).", "Statins help."),
        ("Lee and Park (2019) found that statins help.", "Statins help."),
        ("Paper 3 found that statins help.", "Statins help."),
        ("However, according to Paper 3, statins help.", "Statins help."),
        ("It has been shown that statins help [2].", "Statins help [2]."),
        ("Statins, as described in the literature, help.", "Statins help."),
        ("Statins also help, and thus pain is rare.", "Statins help, and pain is rare."),
        ("First, we ask the men; second, we ask the women.", "We ask the men; we ask the women."),
    ],
)
def test_repairs(before: str, after: str) -> None:
    assert extreme(before) == after


@pytest.mark.parametrize(
    "text",
    [
        "The effect, while small in men, was seen in all of them.",
        "Because it is old, the drug is cheap.",
        "It is not only cheap but also safe.",
        "It has been safe so far and thus far cheap.",
        "While it is old, the drug is cheap.",
        "It lowers pain, while reducing the cost.",
        "First, second and third visits were free.",
        "In contrast to the old drug, it is cheap.",
        "He said “However, it failed” and left.",
        "Studies suggest that statins help.",
        "Our experiments show that statins help.",
        "Two trials found that statins help and that they are safe.",
        "It is cheap (however, it is old).",
        "As a result of the delay, it failed.",
        "The disease has, for example, lupus as a form.",
    ],
)
def test_what_stays(text: str) -> None:
    assert extreme(text) == text


def test_the_first_marker_goes_alone_in_the_subtle_version() -> None:
    paper = Paper("x", "It is old. Moreover, studies have shown that it helps. Thus, it is used.")
    made = Integration().perturb(paper, context())
    assert not isinstance(made, Rejection)
    assert paper.edited(made).text == (
        "It is old. Studies have shown that it helps. Thus, it is used."
    )


def test_citation_marks_stay_unless_asked_for() -> None:
    text = "Statins help (1, 4). They are cheap [3, 7]. They are safe (Paper 2), too (Lee, 2019)."
    assert extreme(text) == text
    assert extreme(text, citations=True) == ("Statins help. They are cheap. They are safe, too.")


def test_mathematics_and_names_keep_their_form() -> None:
    assert extreme("However, $x$ is small.") == "$x$ is small."
    assert extreme("Thus, pH is low.") == "pH is low."


@pytest.mark.parametrize(
    "text",
    [
        "Das Medikament senkt das Risiko. Also, es wird oft verwendet, however, selten.",
        "これは最初の文です。However, これは二番目の文です。最後の文はここです。",
    ],
)
def test_other_languages_are_rejected(text: str) -> None:
    made = Integration(level="extreme").perturb(Paper("x", text), context())
    assert isinstance(made, Rejection)
    assert "not English" in made.reason


def test_no_connector_is_a_rejection() -> None:
    made = Integration().perturb(Paper("x", "It is the oldest drug of all in use."), context())
    assert made == Rejection("no connector or marker of provenance that can be removed")


def test_lexicon() -> None:
    assert len(connectors()) > 60
    assert "however" in connectors()
    for left_out in ("because", "since", "so", "and", "or", "if", "for"):
        assert left_out not in connectors()


def test_heads_go_and_sources_stay_in_restatements() -> None:
    assert without_connectors("However, in men, it fell.") == "In men, it fell."
    assert without_connectors("Overall, studies show that it fell.") == "Studies show that it fell."
    assert without_connectors("eRNAs are short.") == "eRNAs are short."
