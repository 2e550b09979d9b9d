"""Asking: one request to a language model, its reply as data, and what it used by role."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from revkit.model.exchange import Message, ModelReply, ModelRequest
from revkit.model.review import Failure
from revkit.model.values import Json
from revkit.prompting.control_tokens import neutralized
from revkit.prompting.sampling import Sampling
from revkit.prompting.usage import UsageByRole

T = TypeVar("T")
# What a context offers, passed in: `Context.complete` and `Context.gather`.
Complete = Callable[[ModelRequest], ModelReply | Failure]
Gather = Callable[[Sequence[Callable[[], T]]], list[T]]

# Failures that say something about the reply; all others say only that there was none.
_OF_THE_REPLY = ("unparseable", "schema", "refusal", "truncated")


class NoAnswerError(RuntimeError):
    """A model could not be asked at all: no connection, no budget, no room in its window.

    That says nothing about the paper, so there must be no `Rejection` for it, which the store would
    keep; the variant counts as crashed, and the next run asks again.
    """


@dataclass(frozen=True)
class Answer:
    """One reply that could be read: its text, its object (empty for free text), the turns that it
    answers, and the steps taken to read it."""

    text: str
    data: Mapping[str, Any]
    turns: tuple[Message, ...] = ()
    steps: tuple[str, ...] = ()


def ask(
    complete: Complete,
    sampling: Sampling,
    turns: tuple[Message, ...],
    schema: Mapping[str, Json] | None = None,
    *,
    replicate: int,
    role: str = "",
    usage: UsageByRole | None = None,
) -> Answer | Failure:
    """Ask once, for ``role``, and count what it used in ``usage``.

    ``complete`` is `Context.complete`. It asks once more where a reply does not meet ``schema``,
    stores the answer, keeps to the budget, and gives a `Failure` where there is no answer.
    ``replicate`` numbers repeated calls of the same request: pass ``ctx.repeat``, so that each
    repeat of a review is a call, or a number of your own for each of several calls.
    """
    reply = complete(sampling.request(turns, schema, replicate=replicate, role=role))
    if usage is not None:
        usage.of(role, sampling.model).add(reply)
    if isinstance(reply, Failure):
        return reply
    return answer_of(reply, turns, schema)


def answer_of(
    reply: ModelReply, turns: tuple[Message, ...], schema: Mapping[str, Json] | None
) -> Answer | Failure:
    """``reply`` as an answer to ``turns``; a `Failure` where it lacks the object asked for."""
    if schema is None:
        return Answer(reply.text, {}, turns, reply.steps)
    if not isinstance(reply.data, Mapping):
        return Failure("schema", "the gateway gave a reply without the object", reply.text)
    return Answer(reply.text, reply.data, turns, reply.steps)


def unanswerable(failure: Failure) -> None:
    """Raise `NoAnswerError` for a failure that is not in the reply: for components whose answers
    are stored also where a reply was of no use, as edits of a paper are."""
    if failure.kind not in _OF_THE_REPLY:
        raise NoAnswerError(f"{failure.kind}: {failure.detail}")


def said(text: str) -> Message:
    """A model's earlier reply as a turn: what it quotes of a paper holds no control token."""
    return Message("assistant", neutralized(text))


def named(who: str, failure: Failure) -> Failure:
    """``failure`` with the part of an agent in which it occurred."""
    return Failure(failure.kind, f"{who}: {failure.detail}", failure.raw)
