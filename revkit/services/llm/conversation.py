"""Conversation: a request in the form for sending and for keys, and the turn that asks for a
correction.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from revkit.model.exchange import Message, ModelRequest
from revkit.model.review import Failure
from revkit.model.values import Json, canonical_json
from revkit.prompting import neutralize
from revkit.services.llm.reply import CUT, FILTERED
from revkit.services.llm.sender import Sent

_SURROGATE = re.compile("[\ud800-\udfff]")
# A bad reply goes back to the model with what is wrong with it; no more of it than this.
_LONGEST_QUOTE = 6000


def parameters_of(request: ModelRequest) -> dict[str, Json]:
    """Return the sampling parameters, temperature 0 by default; 1.0 and 1 are the same number."""
    parameters = {"temperature": 0, **request.parameters}
    return {
        name: int(value) if isinstance(value, float) and value.is_integer() else value
        for name, value in parameters.items()
    }


def messages_of(messages: Sequence[Message]) -> list[dict[str, str]]:
    """Return messages in the form of the protocol."""
    return [{"role": message.role, "content": _sendable(message.content)} for message in messages]


def _sendable(text: str) -> str:
    """Return ``text`` with U+FFFD instead of each lone surrogate, which JSON in UTF-8 cannot
    contain.
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text)
    return text


def worth_asking_again(failure: Failure, sent: Sent) -> bool:
    """Return whether the model may do better if informed of the problem: not if the reply was cut
    off, if the provider refused it, or if the model never read the whole prompt.
    """
    if sent.answer.refusal or sent.answer.finish_reason in (*CUT, *FILTERED):
        return False
    return failure.kind in ("unparseable", "schema", "truncated", "refusal")


def correction(
    text: str, failure: Failure, schema: Mapping[str, Json] | None
) -> list[dict[str, str]]:
    """Return the turn that quotes a reply and states its fault. Both may quote the paper, so
    control tokens are neutralised.
    """
    said = neutralize(text.strip())
    if len(said) > _LONGEST_QUOTE:
        said = said[:_LONGEST_QUOTE] + " [...]"
    wish = (
        "Reply once more, with the answer alone."
        if schema is None
        else "Reply once more, with one JSON object and nothing else. It must meet this JSON "
        f"Schema:\n{canonical_json(schema)}"
    )
    problem = neutralize(failure.detail)
    return [
        {"role": "assistant", "content": _sendable(said) or "(empty)"},
        {"role": "user", "content": f"This reply cannot be used: {problem}. {wish}"},
    ]
