"""Conversation: a request as it is sent and keyed, and the turn that asks for a better reply."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence

from revkit.model.exchange import Message, ModelRequest
from revkit.model.review import Failure
from revkit.model.values import Json, canonical_json
from revkit.prompting import neutralize
from revkit.services.llm.reply import CUT, FILTERED
from revkit.services.llm.sending import Sent

_SURROGATE = re.compile("[\ud800-\udfff]")
# A bad reply goes back to the model with what is wrong with it; no more of it than this.
_LONGEST_QUOTE = 6000


def parameters_of(request: ModelRequest) -> dict[str, Json]:
    """The sampling parameters, temperature 0 by default; 1.0 and 1 are the same number."""
    parameters = {"temperature": 0, **request.parameters}
    return {
        name: int(value) if isinstance(value, float) and value.is_integer() else value
        for name, value in parameters.items()
    }


def digest_of_text(text: str) -> str:
    """SHA-256 of ``text``, lone surrogates included, as 64 hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def messages_of(messages: Sequence[Message]) -> list[dict[str, str]]:
    """Messages as the protocol writes them."""
    return [{"role": message.role, "content": _sendable(message.content)} for message in messages]


def _sendable(text: str) -> str:
    """``text`` with U+FFFD for each lone surrogate, which no JSON in UTF-8 can carry."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text)
    return text


def worth_asking_again(failure: Failure, sent: Sent) -> bool:
    """Whether the model may do better if informed of the problem: not where it was cut off, refused
    by the provider's own means, or never read the whole prompt."""
    if sent.answer.refusal or sent.answer.finish_reason in (*CUT, *FILTERED):
        return False
    return failure.kind in ("unparseable", "schema", "truncated", "refusal")


def correction(
    text: str, failure: Failure, schema: Mapping[str, Json] | None
) -> list[dict[str, str]]:
    """The turn that gives a reply back with what is wrong with it. Either may quote the paper, so
    control tokens are made plain text."""
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
