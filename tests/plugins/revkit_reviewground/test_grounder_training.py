"""Training examples of `review-grounder`: the drafter's own question, and a human review."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from revkit.contracts import Context
from revkit.model.exchange import Message
from revkit.model.paper import Paper
from revkit.model.training import TrainingExample
from revkit.model.variant import Rejection
from revkit.schemas import read_packaged_schema
from revkit_reviewground.agent import ReviewGrounder
from tests.plugins.revkit_reviewground.scripted import PAPER, Model

REVIEW: dict[str, Any] = {
    "summary": "It skips tokens.",
    "strengths": "- A small gate.\n- Clear.",
    "weaknesses": "One corpus only.",
    "questions": "Why?",
    "soundness": 3.0,
    "presentation": 3.0,
    "contribution": 2.0,
    "rating": 5.0,
    "confidence": 4.0,
    "decision": "reject",
}
NOBODY = Context(seed=1, uses=())


def example(agent: ReviewGrounder, paper: Paper = PAPER) -> TrainingExample:
    made = agent.training_example(paper, REVIEW, NOBODY)
    assert isinstance(made, TrainingExample)
    return made


def asked_in_a_review(agent: ReviewGrounder, paper: Paper = PAPER) -> tuple[Message, ...]:
    model = Model()
    agent.review(paper, model.context())
    return next(request.messages for role, request in model.asked if role == "drafter")


def long_paper() -> Paper:
    parts = [
        f"## {n} Part\n\n" + f"Sentence {n} of many words stands here. " * 60 for n in range(9)
    ]
    return Paper("long", "# Long\n\n" + "\n\n".join(parts), "Long")


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"without": ("searcher", "miner")},
        {"roles": {"drafter": {"model": "openai/d", "input-tokens": 1500}}},
    ],
)
@pytest.mark.parametrize("paper", [PAPER, long_paper()], ids=["short", "long"])
def test_the_question_is_that_of_a_review(options: dict[str, Any], paper: Paper) -> None:
    agent = ReviewGrounder(model="openai/m", **options)
    messages = example(agent, paper).messages
    assert messages[:-1] == asked_in_a_review(agent, paper)
    assert [each.role for each in messages] == ["system", "user", "assistant"]


def test_own_templates_are_used(tmp_path: Path) -> None:
    prompt, system = tmp_path / "drafter.md", tmp_path / "system.md"
    prompt.write_text("{{paper}}\n\nFill in:\n{{form}}\n", encoding="utf-8")
    system.write_text("Be brief.\n", encoding="utf-8")
    roles = {"drafter": {"prompt": str(prompt)}}
    agent = ReviewGrounder(model="openai/m", system=str(system), roles=roles)
    messages = example(agent).messages
    assert messages[0].content == "Be brief."
    assert messages[:-1] == asked_in_a_review(agent)


def test_the_reply_meets_the_schema_of_drafts() -> None:
    reply = json.loads(example(ReviewGrounder(model="openai/m")).messages[-1].content)
    jsonschema.validate(reply, read_packaged_schema("revkit_reviewground", "review"))
    assert reply == {
        "summary": "It skips tokens.",
        "strengths": ["A small gate.", "Clear."],
        "weaknesses": ["One corpus only."],
        "questions": ["Why?"],
        "soundness": 3,
        "presentation": 3,
        "contribution": 2,
        "rating": 5,
        "confidence": 4,
        "decision": "reject",
    }


def test_a_cut_is_noted() -> None:
    roles = {"drafter": {"input-tokens": 1500}}
    agent = ReviewGrounder(model="openai/m", roles=roles)
    assert example(agent, long_paper()).notes == ("paper cut to fit",)
    assert example(agent).notes == ()


def test_what_gives_no_example() -> None:
    agent = ReviewGrounder(model="openai/m")
    for name, value in (("soundness", None), ("rating", "5: weak"), ("decision", None)):
        made = agent.training_example(PAPER, {**REVIEW, name: value}, NOBODY)
        assert isinstance(made, Rejection)
        assert made.reason.startswith(f"{name}: ")
    small = ReviewGrounder(model="openai/m", roles={"drafter": {"input-tokens": 256}})
    made = small.training_example(PAPER, REVIEW, NOBODY)
    assert isinstance(made, Rejection)
    assert made.reason.startswith("no question to the drafter: ")
