"""Asking: one request to a language model, its reply as data, and its usage by role."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, TypeVar, cast

from revkit.dataclass import dataclass
from revkit.model.exchange import Message, ModelReply, ModelRequest
from revkit.model.review import Failure
from revkit.model.values import Json
from revkit.prompting.control_tokens import neutralize
from revkit.prompting.sampling import Sampling
from revkit.prompting.usage import UsageByRole

T = TypeVar("T")
# What a context offers, passed in: `Context.complete` and `Context.gather`.
Complete = Callable[[ModelRequest], ModelReply | Failure]
Gather = Callable[[Sequence[Callable[[], T]]], list[T]]

# Failures of the reply itself; all other kinds mean that there was no reply.
_OF_THE_REPLY = ("unparseable", "schema", "refusal", "truncated")


class NoAnswerError(RuntimeError):
    """A model could not be called: no connection, no budget, or a prompt that exceeds its window.

    The paper is not the cause, so raise this instead of returning a `Rejection`, which the store
    would keep: the variant counts as crashed, and the next run asks again.
    """


@dataclass(frozen=True)
class Answer:
    """One valid reply: its text, its object (empty for free text), the turns that it answers, and
    the steps needed to read it.
    """

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
    """Call the model once for ``role``, and add the usage to ``usage``.

    ``complete`` is `Context.complete`. It asks once more if a reply does not match ``schema``,
    stores the answer, respects the budget, and returns a `Failure` without an answer.
    ``replicate`` numbers repeated calls of the same request: pass ``ctx.repeat``, so that each
    repeat of a review is a call, or a different number for each of several calls.
    """
    reply = complete(sampling.request(turns, schema, replicate=replicate, role=role))
    if usage is not None:
        usage.of(role, sampling.model).add(reply)
    if isinstance(reply, Failure):
        return reply
    return answer_of(reply, turns, schema)


def answer_requests(
    conversation: Generator[ModelRequest, ModelReply | Failure, T], complete: Complete
) -> T:
    """Answer each request of ``conversation`` by ``complete`` in turn, and return its result."""
    try:
        request = next(conversation)
        while True:
            request = conversation.send(complete(request))
    except StopIteration as ended:
        return cast(T, ended.value)


def answer_of(
    reply: ModelReply, turns: tuple[Message, ...], schema: Mapping[str, Json] | None
) -> Answer | Failure:
    """Return ``reply`` as an answer to ``turns``; a `Failure` if it lacks the requested object."""
    if schema is None:
        return Answer(reply.text, {}, turns, reply.steps)
    if not isinstance(reply.data, Mapping):
        return Failure("schema", "the gateway returned a reply without the object", reply.text)
    return Answer(reply.text, reply.data, turns, reply.steps)


def unanswerable(failure: Failure) -> None:
    """Raise `NoAnswerError` for a failure that is not in the reply: for components whose answers
    are stored even if a reply was unusable, such as edits of a paper."""
    if failure.kind not in _OF_THE_REPLY:
        raise NoAnswerError(f"{failure.kind}: {failure.detail}")


def assistant_turn(text: str) -> Message:
    """Return an earlier reply of a model as a turn, with control tokens in its quotes of a paper
    neutralised.
    """
    return Message("assistant", neutralize(text))


def name_failure(who: str, failure: Failure) -> Failure:
    """Return ``failure`` with the part of an agent in which it occurred."""
    return Failure(failure.kind, f"{who}: {failure.detail}", failure.raw)
