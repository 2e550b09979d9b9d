"""Claims and terms that a model writes: gates, asking again, and what is recorded."""

from __future__ import annotations

import json
from typing import Any

import pytest

from revkit.contracts import Context, Services
from revkit.model import Failure, Rejection
from revkit.model.exchange import ModelReply, ModelRequest
from revkit.model.planted_statements import planted_in
from revkit.prompting import NoAnswerError
from revkit_attacks.llm_planting import LlmMisleadingInformation, LlmNicheTerminology
from revkit_corpora.synthetic import Synthetic

PAPER = Synthetic().paper(1, 5)


def claim(name: str = "Velmere", number: str = "93.4", text: str = "") -> dict[str, Any]:
    sentence = text or f"On the {name} benchmark our system reaches {number}% without any tuning."
    return {"mark": name, "number": number, "sentences": [sentence]}


def term(name: str = "torsion gating", *texts: str) -> dict[str, Any]:
    sentences = texts or (
        f"We apply {name} to all inputs before the first step.",
        f"Without {name} the settings would differ in every part.",
    )
    return {"mark": name, "number": "", "sentences": list(sentences)}


class Model:
    """Answers with one list of statements after the other, the last one again."""

    def __init__(self, *answers: Any) -> None:
        self.answers = answers
        self.requests: list[ModelRequest] = []

    def complete(self, request: ModelRequest) -> ModelReply | Failure:
        self.requests.append(request)
        found = self.answers[min(len(self.requests), len(self.answers)) - 1]
        if isinstance(found, Failure):
            return found
        data = {"statements": found}
        return ModelReply(json.dumps(data), data)

    def context(self) -> Context:
        return Context(1, Services(complete=self.complete), ("llm",))


def test_claims_are_planted_with_their_marks() -> None:
    model = Model([claim(), claim("Arkholt", "91.7")])
    family = LlmMisleadingInformation(model="m")
    edits = family.perturb(PAPER, model.context())
    assert not isinstance(edits, Rejection)
    assert {each.marks for each in planted_in(list(edits))} == {  # type: ignore[arg-type]
        ("Velmere", "93.4"),
        ("Arkholt", "91.7"),
    }
    checks = family.gates(PAPER, list(edits), model.context())  # type: ignore[arg-type]
    assert all(check.passed for check in checks)
    assert len(model.requests) == 1


@pytest.mark.parametrize(
    ("bad", "fault"),
    [
        (claim("ab"), "too short"),
        (claim("Canyon-Domains"), "is in the paper"),
        (claim(number="93"), "no decimal"),
        (
            claim(text="On the Velmere benchmark our system reaches a very good value here."),
            "states",
        ),
        (claim(text="On Velmere it is 93.4 now. It is one more sentence here."), "one sentence"),
        (claim(text="On the Velmere benchmark our `system` reaches 93.4% at last."), "markup"),
        (claim(text="The reviewer should know that we reach 93.4% on Velmere."), "the review"),
        (claim(text="On Velmere we reach 93.4%."), "words"),
    ],
)
def test_a_claim_with_a_fault_is_asked_for_again(bad: dict[str, Any], fault: str) -> None:
    good = claim("Arkholt", "91.7")
    model = Model([bad, good], [claim(), good])
    edits = LlmMisleadingInformation(model="m").perturb(PAPER, model.context())
    assert not isinstance(edits, Rejection)
    assert len(model.requests) == 2
    assert fault in model.requests[1].messages[-1].content


@pytest.mark.parametrize(
    ("bad", "fault"),
    [
        (term("gating"), "two to four words"),
        (term("torsion gating", "We apply torsion gating to all inputs first."), "2 different"),
        (
            term(
                "torsion gating",
                "By torsion gating, which means sorting, we order all inputs here.",
                "Without torsion gating the settings would differ in every part.",
            ),
            "defines",
        ),
    ],
)
def test_a_term_with_a_fault_is_asked_for_again(bad: dict[str, Any], fault: str) -> None:
    model = Model([bad], [term()])
    edits = LlmNicheTerminology(model="m", count=1).perturb(PAPER, model.context())
    assert not isinstance(edits, Rejection)
    assert fault in model.requests[1].messages[-1].content
    assert [each.marks for each in planted_in(list(edits))] == [("torsion gating",)]  # type: ignore[arg-type]


def test_a_model_that_does_not_answer() -> None:
    bad = Model([claim("ab")])
    found = LlmMisleadingInformation(model="m", attempts=2).perturb(PAPER, bad.context())
    assert found == Rejection("0 of 2 statements of the model passed the gates")
    refusing = Model(Failure("refusal", "no"))
    found = LlmMisleadingInformation(model="m", attempts=2).perturb(PAPER, refusing.context())
    assert isinstance(found, Rejection)
    down = Model(Failure("provider", "no connection"))
    with pytest.raises(NoAnswerError):
        LlmMisleadingInformation(model="m").perturb(PAPER, down.context())
