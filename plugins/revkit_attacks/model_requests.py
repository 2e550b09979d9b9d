"""Ask a language model for something to plant, and again with the faults of its last reply."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from revkit.contracts import Context
from revkit.dataclass import dataclass
from revkit.files import digest
from revkit.model import Failure
from revkit.model.exchange import Message
from revkit.model.values import Json
from revkit.prompting import (
    Sampling,
    ask,
    assistant_turn,
    fence_data,
    mark_for,
    paper_data,
    unanswerable,
)

T = TypeVar("T")
_SHOWN = 12_000  # characters of what the model sees


@dataclass(frozen=True)
class Unusable:
    """Why a reply cannot be used, and what the model is asked for next."""

    reason: str
    request: str


def ask_until_usable(
    ctx: Context,
    sampling: Sampling,
    attempts: int,
    instructions: str,
    title: str,
    data: str,
    schema: Mapping[str, Json],
    read: Callable[[Mapping[str, Any]], T | Unusable],
) -> T | Unusable:
    """Return what ``read`` makes of the first reply that it can use, else the last `Unusable`.

    ``data`` is text of the paper, of which the model sees the first 12,000 characters as data. A
    reply that cannot be used is sent back with the request of its `Unusable`. Raises
    `NoAnswerError` where a call fails for a reason that is not in its reply.
    """
    fenced = paper_data(title, data[:_SHOWN])
    mark = mark_for(digest(instructions), fenced.text)
    turns: tuple[Message, ...] = (
        Message("system", instructions),
        Message("user", fence_data((fenced,), mark)),
    )
    last = Unusable("", "")
    for attempt in range(attempts):
        answer = ask(ctx.complete, sampling, turns, schema, replicate=attempt, role="writer")
        if isinstance(answer, Failure):
            unanswerable(answer)
            last = Unusable(f"the model gave no usable reply ({answer.kind})", "")
            continue
        found = read(answer.data)
        if not isinstance(found, Unusable):
            return found
        last = found
        turns = (*turns[:2], assistant_turn(answer.text), Message("user", found.request))
    return last
