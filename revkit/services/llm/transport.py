"""Transport: one request to one endpoint, and the possible errors.

A transport sends once and never repeats: waiting, repeating and counting are the gateway's. Each
passes the same tests.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

from revkit.dataclass import dataclass
from revkit.http import read_count
from revkit.model.values import Json

Trouble = Literal[
    "rate",  # 429: too much asked; try again later
    "server",  # 5xx, or an answer that is none: try again
    "connection",  # no connection, or it broke: try again
    "timeout",  # no complete answer in time: try again
    "key",  # 401, 403: the key is missing, wrong or not allowed
    "account",  # 402, or the account behind the key has no credit or is closed
    "missing",  # 404: no such model or address
    "context",  # the prompt is longer than the model's window
    "refusal",  # the provider's filter refused
    "size",  # an answer above the largest size: it was made, and the next will be as large
    "request",  # any other 4xx: this request will never do
]
REPEATABLE: frozenset[Trouble] = frozenset({"rate", "server", "connection", "timeout"})
Structure = Literal["strict", "schema", "object", "none"]


@dataclass(frozen=True)
class Call:
    """One request in the form in which it is sent.

    ``structure`` states how the schema is asked for: "strict" or plain JSON Schema, any JSON
    object, or not at all, for providers that know no such parameter. ``marks`` are the places to
    mark for the provider's cache (see `revkit.services.llm.caching`).
    """

    model: str
    messages: Sequence[Mapping[str, str]]
    parameters: Mapping[str, Json]
    schema: Mapping[str, Json] | None
    structure: Structure
    timeout: float
    marks: tuple[tuple[int, int], ...] = ()

    def response_format(self) -> dict[str, Json] | None:
        """Return the ``response_format`` of the OpenAI protocol, or None."""
        if self.schema is None or self.structure == "none":
            return None
        if self.structure == "object":
            return {"type": "json_object"}
        inner: dict[str, Json] = {"name": "reply", "schema": self.schema}
        if self.structure == "strict":
            inner["strict"] = True
        return {"type": "json_schema", "json_schema": inner}


@dataclass(frozen=True, slots=True)
class Answer:
    """The response: unchanged text, why it ended, tokens (None: not reported; ``cached_tokens``
    were read from the provider's cache, ``written_tokens`` written to it). A count of 0 for a
    prompt, or for a text that is not empty, is none: servers that count nothing return it.

    ``refusal`` holds the provider's own refusal message, ``dropped`` the names of parameters that
    were left out because the provider does not take them.
    """

    text: str
    finish_reason: str = ""
    refusal: str = ""
    model: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    written_tokens: int = 0
    dropped: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.prompt_tokens == 0 and not (self.cached_tokens or self.written_tokens):
            object.__setattr__(self, "prompt_tokens", None)
        if self.completion_tokens == 0 and (self.text or self.refusal):
            object.__setattr__(self, "completion_tokens", None)


class TransportError(Exception):
    """A request without an answer.

    ``retry_after`` is what the server asked for, in seconds. ``unsupported`` names a parameter that
    the provider does not take, where its message says so. ``unreachable`` is True where no
    connection was made at all, so that nothing can have been paid.
    """

    def __init__(
        self,
        trouble: Trouble,
        message: str,
        *,
        status: int | None = None,
        retry_after: float | None = None,
        unsupported: str = "",
        unreachable: bool = False,
        raw: str = "",
    ) -> None:
        super().__init__(message)
        self.trouble = trouble
        self.message = message
        self.status = status
        self.retry_after = retry_after
        self.unsupported = unsupported
        self.unreachable = unreachable
        self.raw = raw


class Transport(Protocol):
    """A method of sending one `Call`. It runs in the gateway's event loop."""

    async def send(self, call: Call) -> Answer:
        """Send once. Raises `TransportError` if there is no answer."""
        ...

    async def probe(self, model: str) -> str:
        """Check, without cost, whether endpoint, key and model exist: return "" or the problem."""
        ...

    async def close(self) -> None:
        """Close all connections."""
        ...


def answer_of(body: Any) -> Answer:
    """Read a chat completion of the OpenAI protocol.

    Raises `TransportError` ("server") where the body is none.
    """
    if isinstance(body, Mapping) and body.get("error") and not body.get("choices"):
        raise TransportError("server", f"the server answered with an error: {_short(body)}")
    choices = body.get("choices") if isinstance(body, Mapping) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, Mapping) else None
    if not isinstance(body, Mapping) or not isinstance(first, Mapping):
        raise TransportError("server", f"the answer is not a chat completion: {_short(body)}")
    if not isinstance(message, Mapping):
        raise TransportError("server", f"the answer contains no message: {_short(body)}")
    usage = body.get("usage")
    usage = usage if isinstance(usage, Mapping) else {}
    details = usage.get("prompt_tokens_details")
    details = details if isinstance(details, Mapping) else {}
    written = details.get("cache_write_tokens", usage.get("cache_creation_input_tokens"))
    return Answer(
        text=_text(message.get("content")),
        finish_reason=_word(first.get("finish_reason")),
        refusal=_word(message.get("refusal")),
        model=_word(body.get("model")),
        prompt_tokens=read_count(usage.get("prompt_tokens")),
        completion_tokens=read_count(usage.get("completion_tokens")),
        cached_tokens=read_count(details.get("cached_tokens")),
        written_tokens=read_count(written) or 0,
    )


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):  # a list of parts
        parts = [part.get("text") for part in content if isinstance(part, Mapping)]
        return "".join(part for part in parts if isinstance(part, str))
    return ""


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _short(body: Any) -> str:
    text = repr(body)
    return text if len(text) <= 300 else text[:300] + "..."
