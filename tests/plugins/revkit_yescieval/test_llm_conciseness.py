"""A model's redundant sentences pass the same gate as those made by rules, or they are left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from revkit.contracts import Context, Services
from revkit.errors import OptionError
from revkit.model import Failure, Paper, Rejection
from revkit.model.exchange import ModelReply, ModelRequest
from revkit_yescieval.perturbations import LlmConciseness

PAPER = Paper("x", "The drug lowers pain in most men (1). However, it is not cheap at all (2).")


def model(
    replies: list[Mapping[int, str] | Failure], asked: list[ModelRequest]
) -> Callable[[ModelRequest], ModelReply | Failure]:
    def complete(request: ModelRequest) -> ModelReply | Failure:
        reply = replies[len(asked)]
        asked.append(request)
        if isinstance(reply, Failure):
            return reply
        data: Any = {"sentences": [{"number": n, "text": t} for n, t in reply.items()]}
        return ModelReply("", data)

    return complete


def run(
    replies: list[Mapping[int, str] | Failure], **options: Any
) -> tuple[Any, list[ModelRequest]]:
    asked: list[ModelRequest] = []
    ctx = Context(1, Services(complete=model(replies, asked)), ("llm",))
    made = LlmConciseness(model="openai/none", **options).perturb(PAPER, ctx)
    return made, asked


def test_a_version_that_restates_is_appended() -> None:
    made, asked = run([{1: "To repeat, it is not at all cheap (2)."}])
    assert PAPER.edited(made).text == f"{PAPER.text} To repeat, it is not at all cheap (2)."
    assert len(asked) == 1
    assert "[1] However, it is not cheap at all (2)." in asked[0].messages[1].content


def test_a_version_that_adds_is_asked_for_again_with_its_fault() -> None:
    made, asked = run(
        [
            {1: "The drug strongly lowers pain in most men.", 2: "Again, it is not cheap at all."},
            {1: "To repeat, the drug lowers pain in most men."},
        ],
        level="extreme",
    )
    assert [(edit.start, edit.new) for edit in made] == [
        (37, " To repeat, the drug lowers pain in most men."),
        (len(PAPER.text), " Again, it is not cheap at all."),
    ]
    assert len(asked) == 2
    assert asked[1].messages[-1].content.endswith("- 1: content-words-added strong")


def test_what_never_passes_is_a_rejection() -> None:
    made, asked = run([{1: "It is safe."}, Failure("refusal", "no"), {}], attempts=3)
    assert made == Rejection("no version passed the gate in 3 attempts")
    assert len(asked) == 3


def test_a_model_that_cannot_be_asked_is_no_rejection() -> None:
    with pytest.raises(RuntimeError, match="provider: down"):
        run([Failure("provider", "down")])


def test_the_model_is_required() -> None:
    with pytest.raises(OptionError, match="model"):
        LlmConciseness()
