"""Removal of hedges by the parse: sentences edited by hand, and what must be left alone."""

from __future__ import annotations

import importlib.util

import pytest

from revkit import Paper, Rejection
from revkit.grammar import forget_parses, parser_available
from revkit.testing import context
from revkit_robustrev.hedging import Hedging

needs_parser = pytest.mark.skipif(
    importlib.util.find_spec("spacy") is None or not parser_available(),
    reason="needs the extra 'parser'",
)


def paper_of(text: str) -> Paper:
    return Paper(id="p", text=f"# A title\n\n# 1 Introduction\n\n{text}\n")


def removed(text: str) -> str:
    """The text without the hedges that can go; the text itself where none can."""
    paper = paper_of(text)
    edits = Hedging(mode="remove", parser="required").perturb(paper, context())
    if isinstance(edits, Rejection):
        return text
    return paper.edited(edits).text.split("\n\n", 2)[2].rstrip("\n")


CHANGED = [
    # the plain verb, with the number of a subject that words alone leave in doubt
    (
        "The wide masks that the second layer learns may reflect noise in the labels.",
        "The wide masks that the second layer learns reflect noise in the labels.",
    ),
    (
        "The gap that these two masks share may represent a property of the data.",
        "The gap that these two masks share represents a property of the data.",
    ),
    (
        "An additional reason could be the difference in size.",
        "An additional reason is the difference in size.",
    ),
    ("This could also represent a cultural choice.", "This also represents a cultural choice."),
    # an event that a thing can bring about
    (
        "Our findings suggest that pruning could offset the loss.",
        "Our findings show that pruning can offset the loss.",
    ),
    ("This could open new ways to train masks.", "This can open new ways to train masks."),
    (
        "Wide masks blur the image, which could hide small objects.",
        "Wide masks blur the image, which can hide small objects.",
    ),
    (
        "By relaxing this rule, a lower loss may be achieved.",
        "By relaxing this rule, a lower loss can be achieved.",
    ),
    # negations and the past
    (
        "The premise of this work may not hold in practice.",
        "The premise of this work does not hold in practice.",
    ),
    (
        "Models with masks may not be robust to noise.",
        "Models with masks are not always robust to noise.",
    ),
    (
        "Access was poor, which may have meant that key results were overlooked.",
        "Access was poor, which meant that key results were overlooked.",
    ),
    (
        "The weight of large farms might have been underestimated.",
        "The weight of large farms was underestimated.",
    ),
    (
        "The gap may be small.\n\nTo test this, we ran it.",
        "The gap is small.\n\nTo test this, we ran it.",
    ),
    (
        "Based on the form of these sets, we believe that their order is arbitrary.",
        "Based on the form of these sets, their order is arbitrary.",
    ),
    # other words
    (
        "The site of the change is most likely to be near the core.",
        "The site of the change is near the core.",
    ),
    (
        "Although we study masks alone, we believe it is important to vary them.",
        "Although we study masks alone, it is important to vary them.",
    ),
    ("Dogs likely lived near the wells.", "Dogs lived near the wells."),
    ("The new rule possibly implies a wider gap.", "The new rule implies a wider gap."),
    ("The drop seems severe for small masks.", "The drop is severe for small masks."),
    (
        "Accuracy rises again after five rounds, suggesting some recovery.",
        "Accuracy rises again after five rounds, showing some recovery.",
    ),
    (
        "We believe this theorem will be useful for noise.",
        "This theorem will be useful for noise.",
    ),
    (
        "The map shows two possible origins of the first maize.",
        "The map shows two origins of the first maize.",
    ),
    ("The second result is somewhat surprising.", "The second result is surprising."),
    ("It is a somewhat odd choice of masks.", "It is an odd choice of masks."),
    (
        "Fibre tends to lower the need for sugar and tended to please the panel.",
        "Fibre lowers the need for sugar and tended to please the panel.",
    ),
    (
        "The bundles appeared to endure harsh treatment.",
        "The bundles endured harsh treatment.",
    ),
    # the subject is before the relative clause
    (
        "The mask of the layers that see the images may lack noise but contain blur.",
        "The mask of the layers that see the images can lack noise but contain blur.",
    ),
    (
        "The mask that the models use may depend on noise.",
        "The mask that the models use can depend on noise.",
    ),
    (
        "The noise which the masks see may reflect the layer.",
        "The noise which the masks see reflects the layer.",
    ),
    (
        "The layer that the masks form may be learning noise.",
        "The layer that the masks form is learning noise.",
    ),
    (
        "Masks may not help, and gates may not either.",
        "Masks do not help, and gates may not either.",
    ),
]

KEPT = [
    # two readings of the subject: the agreement is not known
    "The walls hold beads inside the tubes, which may be exosomes.",
    "We use a set of points (that could be real or synthetic).",
    # conditions, questions, wishes and purposes
    "If the mask may shrink, the loss is computed twice.",
    "We ask whether wide masks could hide small objects.",
    "Our hope is that this work might help.",
    "The fear is that noise could spread.",
    # people, abilities in the past, what did not happen
    "Users may pick a wider mask.",
    "The mice could reach the lever after the first week.",
    "The dye could not be detected in the roots.",
    "Even low-skilled forgers could have easily circumvented these tools.",
    "A test of the masks might have helped.",
    "We proposed two models: one where the size was fixed, and one where it could change.",
    "We note that other choices could have been made.",
    "They measured the cultivar again, so they could compare it.",
    "This would cost time, and errors could result in empty masks.",
    "The gap may be small. To test this, we ran it twice.",
    # one of several
    "Each pixel may belong to any of the objects.",
    "The noise may come from the lens or may be added by the film.",
    # "it is that" is no statement
    "It may be that the parents withheld sugar.",
    # comparisons and rates, and what is only named
    "Sharp drops were most likely in small sets.",
    "Children were more likely to be short than adults.",
    "All possible pairs are tested.",
    "We use masks and possibly noise.",
    "As the width tends to infinity, the loss vanishes.",
    # still doubted
    "The drop seems likely to fall.",
    "The paper suggests that masks should be used.",
    "Errors tend to be larger than before.",
    "The net tends to produce noise, and to avoid masks.",
    # a relative clause whose verb looks like a plural noun
    "The wide mask that the second layer learns may reflect noise, cause errors, and hide dots.",
    "The wide mask that the layer learns may need, or at least want, a second test.",
    # no adverb of the plain verb
    "The gap may well reflect noise.",
    # an effect of what stays in doubt
    "Participants may have felt tired, which may have lowered the score.",
    # a second verb of "we", and a second explanation
    "We believe this is a first step and hope that it helps.",
    "The cause may be noise. Or it may be blur.",
    "The mask seems to me wide.",
    "Results that show the masks may need tests.",
    "Ten percent of the masks may need tests.",
]


@needs_parser
@pytest.mark.parametrize(("before", "after"), CHANGED)
def test_hedges_removed_on_a_parse_by_hand(before: str, after: str) -> None:
    assert removed(before) == after


@needs_parser
@pytest.mark.parametrize("sentence", KEPT)
def test_what_a_parse_leaves_in_doubt_stays(sentence: str) -> None:
    assert removed(sentence) == sentence


@needs_parser
def test_words_alone_remove_fewer_hedges() -> None:
    paper = paper_of("This could open new ways. The loss may be low.")
    found = {}
    for use in ("never", "required"):
        family = Hedging(mode="remove", parser=use)  # type: ignore[arg-type]
        edits = family.perturb(paper, context())
        assert not isinstance(edits, Rejection)
        checks = {check.name: check for check in family.gates(paper, edits, context())}
        found[use] = (len(edits), checks["parser"].value, checks["parser"].passed)
    assert found == {"never": (1, 0.0, True), "required": (2, 1.0, True)}


@needs_parser
def test_identity_names_the_parser_that_is_used() -> None:
    assert Hedging().identity() != Hedging(parser="never").identity()
    assert Hedging(parser="never").identity()["parser"] is None  # type: ignore[call-overload,index]


def test_a_parser_that_is_required_and_missing_is_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("revkit_robustrev.parser_use.parser_available", lambda: False)
    assert "parser" in Hedging(parser="required").ready()[0]
    assert Hedging().ready() == []


@needs_parser
def test_only_sentences_in_doubt_are_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_parses()
    seen: list[str] = []

    def counted(texts: list[str]) -> list[object]:
        from revkit.grammar import parsed

        seen.extend(texts)
        return list(parsed(texts))

    monkeypatch.setattr("revkit_robustrev.hedge_sentences.parsed", counted)
    removed("The loss may be low. Masks help. The dye could not be seen. This could open new ways.")
    assert seen == ["This could open new ways."]
