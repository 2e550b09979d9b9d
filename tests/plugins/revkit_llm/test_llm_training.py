"""Training examples of `llm`: its own question, and a human review in its form."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from revkit.contracts import Context, Services
from revkit.model.exchange import ModelRequest
from revkit.model.review import Failure
from revkit.model.training import TrainingExample
from revkit.model.variant import Rejection
from revkit.testing import tiny_papers
from revkit_llm.agent import Llm
from revkit_llm.form import load_form

REVIEW: dict[str, Any] = {
    "summary": "It counts words.",
    "strengths": "Clear.",
    "weaknesses": "1. Small.\n2. One tool.",
    "questions": "Why?",
    "soundness": 3.0,
    "presentation": 2.0,
    "contribution": 1.0,
    "rating": 6.0,
    "confidence": 4.0,
    "decision": "accept",
}
NOBODY = Context(seed=1, uses=())


def test_the_question_is_that_of_a_review_and_the_reply_fits() -> None:
    agent, paper = Llm(model="openai/m"), tiny_papers()[0]
    requests: list[ModelRequest] = []

    def complete(request: ModelRequest) -> Failure:
        requests.append(request)
        return Failure("provider", "nobody")

    agent.review(paper, Context(1, Services(complete=complete), ("llm",)))
    made = agent.training_example(paper, REVIEW, NOBODY)
    assert isinstance(made, TrainingExample)
    assert made.messages[:-1] == requests[0].messages
    reply = json.loads(made.messages[-1].content)
    jsonschema.validate(reply, load_form("iclr").schema)
    assert (reply["rating"], reply["weaknesses"]) == (6, ["Small.", "One tool."])


@pytest.mark.parametrize(
    ("form", "review", "reason"),
    [
        ("iclr", {"rating": 7}, "rating: outside its scale"),  # the form knows 1, 3, 5, 6, 8, 10
        ("iclr", {"soundness": None}, "soundness: missing"),
    ],
)
def test_what_does_not_fit(form: str, review: dict[str, Any], reason: str) -> None:
    made = Llm(model="openai/m", form=form).training_example(
        tiny_papers()[0], {**REVIEW, **review}, NOBODY
    )
    assert made == Rejection(reason)


def test_a_form_that_asks_for_the_verdict_gets_the_decision() -> None:
    fields = {field.name: field.type for field in load_form("accept-score").fields}
    texts = {name: "Some words." for name, kind in fields.items() if kind in ("text", "list")}
    review: dict[str, Any] = {**texts, "score": 2, "decision": "reject"}
    made = Llm(model="openai/m", form="accept-score").training_example(
        tiny_papers()[0], review, NOBODY
    )
    assert isinstance(made, TrainingExample)
    assert json.loads(made.messages[-1].content)["accept"] is False
