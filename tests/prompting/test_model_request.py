"""Asking: options, requests, answers, failures, usage by role."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import pytest

from revkit.errors import OptionError
from revkit.model.exchange import Message, ModelReply, ModelRequest, Usage
from revkit.model.paper import Paper
from revkit.model.review import Failure
from revkit.prompting import (
    FORBIDDEN,
    Answer,
    NoAnswerError,
    RoleUsage,
    Sampling,
    SamplingOptions,
    UsageByRole,
    ask,
    ask_shortened,
    digests,
    numbered_data,
    sentences_schema,
    texts_by_number,
    total_usage,
    unanswerable,
)

TURNS = (Message("user", "Q"),)


@dataclass(frozen=True)
class Options(SamplingOptions):
    name: ClassVar[str] = "options"


def test_options_become_parameters() -> None:
    options = Options("m", temperature=0.5, max_tokens=9, parameters={"top_p": 0.3})
    assert options.models() == ("m",)
    assert options.sampling.parameters == {"temperature": 0.5, "max_tokens": 9, "top_p": 0.3}
    assert Sampling("m", top_p=0.9, seed=4).parameters == {
        "temperature": 0.0, "max_tokens": 4096, "top_p": 0.9, "seed": 4,
    }  # fmt: skip


def test_one_list_of_forbidden_parameters() -> None:
    with pytest.raises(OptionError) as caught:
        Options(" ", parameters=dict.fromkeys(FORBIDDEN, 1))
    assert caught.value.problems[0] == ("model", "is empty")
    assert [text for _, text in caught.value.problems[1:]] == [
        f"{name!r} must not be set here" for name in sorted(FORBIDDEN)
    ]


def answering(reply: ModelReply | Failure) -> Callable[[ModelRequest], ModelReply | Failure]:
    return lambda request: reply


def test_a_request_names_role_and_replicate() -> None:
    seen: list[ModelRequest] = []

    def complete(request: ModelRequest) -> ModelReply:
        seen.append(request)
        return ModelReply("text", steps=("fenced",))

    found = ask(complete, Sampling("m"), TURNS, replicate=7, role="reader")
    assert found == Answer("text", {}, TURNS, ("fenced",))
    assert seen == [
        ModelRequest("m", TURNS, None, {"temperature": 0.0, "max_tokens": 4096}, 7, "reader")
    ]
    assert seen[0].role == "reader"


def test_a_reply_without_the_object_is_a_failure() -> None:
    found = ask(answering(ModelReply("x", [1])), Sampling("m"), TURNS, {}, replicate=0)
    assert isinstance(found, Failure)
    assert (found.kind, found.raw) == ("schema", "x")


def test_usage_by_role() -> None:
    usage = UsageByRole()
    paid = ModelReply("x", usage=Usage(10, 2, 2, 0.5), steps=("repaired", "asked again"))
    free = ModelReply("x", usage=Usage(5, 1, 1, None), steps=("repaired",))
    for role, reply in (("b", paid), ("a", free), ("b", paid), ("b", Failure("timeout", "t"))):
        ask(answering(reply), Sampling("m"), TURNS, replicate=0, role=role, usage=usage)
    assert usage.to_json() == {
        "b": {
            "model": "m", "calls": 4, "failed-calls": 1, "prompt-tokens": 20,
            "completion-tokens": 4, "usd": 1.0, "steps": ["repaired", "asked again"],
        },
        "a": {
            "model": "m", "calls": 1, "failed-calls": 0, "prompt-tokens": 5,
            "completion-tokens": 1, "usd": None, "steps": ["repaired"],
        },
    }  # fmt: skip
    more = UsageByRole({"a": RoleUsage("a", "m", 1, 0, None, 2, 0.5)})
    usage.merge(more)
    assert total_usage(usage.roles) == {
        "calls": 6, "failed-calls": 1, "prompt-tokens": None, "completion-tokens": 7, "usd": None,
    }  # fmt: skip
    assert more.roles["a"].calls == 1


@pytest.mark.parametrize("kind", ["provider", "timeout", "budget", "context", "rejected"])
def test_failures_without_a_reply_are_no_rejection(kind: str) -> None:
    with pytest.raises(NoAnswerError, match=f"^{kind}: why$"):
        unanswerable(Failure(kind, "why"))  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["schema", "unparseable", "refusal", "truncated"])
def test_failures_of_a_reply_can_be_answered(kind: str) -> None:
    unanswerable(Failure(kind, "why"))  # type: ignore[arg-type]


def test_numbered_sentences() -> None:
    content = numbered_data({1: "One.", 3: "Three <s>."}, "secret", "Reword 1.")
    lines = content.splitlines()
    assert lines[2:4] == ["[1] One.", "[3] Three < s>."]
    assert lines[-1] == "Reword 1."
    rows = [(1, " a\n b "), (1, "a b"), (2, "x"), (2, "y"), (3, "c")]
    data = {"sentences": [{"number": number, "text": text} for number, text in rows]}
    assert texts_by_number(data) == {1: "a b", 3: "c"}
    array = sentences_schema(5, 2)["properties"]["sentences"]  # type: ignore[index,call-overload]
    assert array["maxItems"] == 2  # type: ignore[index,call-overload]


TEXT = "# T\n\n## Abstract\n\nShort.\n\n## 1 Method\n\n{}\n\n## Appendix\n\n{}\n"
PAPER = Paper("p", TEXT.format("We count. " * 20, "More. " * 20))


def fitting(window: int) -> Callable[[str], str | Failure]:
    return lambda text: text if len(text) <= window else Failure("context", "too long")


def test_a_paper_is_shortened_until_it_fits() -> None:
    whole, cut = ask_shortened(PAPER, fitting(1000))
    assert (whole, cut) == (PAPER.text, None)
    text, cut = ask_shortened(PAPER, fitting(300))
    assert cut is not None
    assert cut.left_out == ("Appendix",)
    assert isinstance(text, str)
    assert text.endswith("[Section left out: Appendix]\n\n")
    found, cut = ask_shortened(PAPER, fitting(10))
    assert isinstance(found, Failure)
    assert (found.kind, cut) == ("context", None)


def test_other_failures_are_not_tried_shorter() -> None:
    asked: list[str] = []

    def refuse(text: str) -> Failure:
        asked.append(text)
        return Failure("refusal", "no")

    assert ask_shortened(PAPER, refuse) == (Failure("refusal", "no"), None)
    assert len(asked) == 1


def test_quotes_of_neutralized_text_are_found() -> None:
    """The model reads ``< s>`` where the paper has ``<s>``: its quote is no invention."""
    paper = Paper("p", "# T\n\nWe use <s> and </s> here.\n\n# U\n\nNo more is said of it.\n")
    claim = {"claim": "c", "evidence": "", "quotes": ["use < s> and", "</s> here", "use b"]}

    def answer(turns: tuple[Message, ...], schema: object) -> Answer:
        return Answer("", {"summary": "s", "claims": [claim]}, turns)

    def gather(calls: object) -> list[Answer | Failure]:
        return [call() for call in calls]  # type: ignore[attr-defined]

    first = digests(paper, answer, gather)
    assert not isinstance(first, Failure)
    assert (first[0].quotes, first[0].invented) == (2, 1)
