"""Sentences and claims of a model in presentation attacks: gates, asking again, and moves."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from revkit.contracts import Context, Services
from revkit.errors import OptionError
from revkit.model import Failure, Rejection
from revkit.model.exchange import ModelReply, ModelRequest
from revkit.model.planted_statements import planted_in
from revkit.prompting import NoAnswerError
from revkit_attacks.llm_presentation import LlmPresentation, LlmScatteredInformation
from revkit_attacks.planting import Paragraphs
from revkit_attacks.scattered_information import movable
from revkit_corpora.synthetic import Synthetic

PAPER = Synthetic().paper(1, 5)
GOOD = [
    "Taken together, these observations leave little doubt about the merit of the approach.",
    "The consistency of the whole picture is what convinces us most of all here.",
]


class Model:
    """Answers with one object after the other, the last one again."""

    def __init__(self, *answers: Any) -> None:
        self.answers = answers
        self.requests: list[ModelRequest] = []

    def complete(self, request: ModelRequest) -> ModelReply | Failure:
        self.requests.append(request)
        found = self.answers[min(len(self.requests), len(self.answers)) - 1]
        if isinstance(found, Failure):
            return found
        return ModelReply(json.dumps(found), found)

    def context(self) -> Context:
        return Context(1, Services(complete=self.complete), ("llm",))


def test_sentences_of_the_model_come_behind_the_passages_that_it_saw() -> None:
    model = Model({"sentences": GOOD})
    family = LlmPresentation(model="m", count=2)
    edits = family.perturb(PAPER, model.context())
    assert not isinstance(edits, Rejection)
    assert [edit.new.strip() for edit in edits] == GOOD
    asked = model.requests[0].messages[1].content
    for number, edit in enumerate(edits, 1):
        passage = asked.split(f"Place {number}:")[1].split(f"Place {number + 1}:")[0]
        assert PAPER.text[edit.start - 60 : edit.start] in passage
    assert all(check.passed for check in family.gates(PAPER, list(edits), model.context()))


@pytest.mark.parametrize(
    ("bad", "fault"),
    [
        ("This improves on the state of the art by 12.5 points in all cases.", "number"),
        ("As Marveth showed before us, such evidence is rarely found in this field.", "name"),
        ("In work by Velmere and others, such a clear picture was never seen.", "name"),
        ("The reviewer will see at once that this evidence is very strong indeed.", "review"),
        ("It is **certain** that the evidence points in one direction only here.", "markup"),
        ("this begins with a small letter and still says that all is well.", "capital"),
        ("Too short.", "words"),
        ("One sentence about the evidence is here. A second sentence follows it.", "one sentence"),
    ],
)
def test_a_sentence_with_a_fault_is_asked_for_again(bad: str, fault: str) -> None:
    if "Marveth" in bad:
        bad = bad.replace("As Marveth showed before us", "As the group of Marveth showed")
    model = Model({"sentences": [GOOD[0], bad]}, {"sentences": GOOD})
    edits = LlmPresentation(model="m", count=2).perturb(PAPER, model.context())
    assert not isinstance(edits, Rejection)
    assert fault in model.requests[1].messages[-1].content
    stubborn = Model({"sentences": [GOOD[0], bad]})
    refused = LlmPresentation(model="m", count=2, attempts=2).perturb(PAPER, stubborn.context())
    assert isinstance(refused, Rejection)
    assert "did not pass the gates" in refused.reason
    assert len(stubborn.requests) == 2


def test_claims_that_the_model_chooses_are_moved_word_by_word() -> None:
    given = movable(Paragraphs(PAPER))
    model = Model({"numbers": [len(given) + 1]}, {"numbers": [1, len(given)]})
    family = LlmScatteredInformation(model="m", count=2)
    edits = family.perturb(PAPER, model.context())
    assert not isinstance(edits, Rejection)
    text = [PAPER.text[each.start : each.end] for each in (given[0], given[-1])]
    assert {each.statement for each in planted_in(list(edits))} == set(text)  # type: ignore[arg-type]
    after = PAPER.edited(list(edits)).text
    assert Counter(after.split()) == Counter(PAPER.text.split())
    assert after != PAPER.text
    assert f"from 1 to {len(given)}" in model.requests[1].messages[-1].content


def test_what_the_model_forms_cannot_do_is_an_error() -> None:
    with pytest.raises(OptionError, match="cannot be demoted"):
        LlmPresentation(model="m", means="discussion", mode="demote")
    with pytest.raises(OptionError, match="for a placebo"):
        LlmScatteredInformation(model="m", arm="placebo")
    lost = Model(Failure("timeout", "no answer"))
    with pytest.raises(NoAnswerError, match="no answer"):
        LlmScatteredInformation(model="m", attempts=2).perturb(PAPER, lost.context())
