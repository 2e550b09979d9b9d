"""Exchange: one request to a language model, and its reply."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from revkit.dataclass import dataclass
from revkit.model.values import Json

Role = Literal["system", "user", "assistant"]
_ROLE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation with a model.

    The first ``stable`` characters, and all turns before them, also begin other requests; providers
    that cache marked prefixes are informed. They change no answer and are in no key.
    """

    role: Role
    content: str
    stable: int = 0


@dataclass(frozen=True)
class ModelRequest:
    """One call of a model: everything that decides its answer, and so the key of the stored reply.

    ``model`` is the model's name in litellm ("openai/gpt-4.1", "hosted_vllm/phi-4"). ``schema`` is
    the JSON Schema that the reply must meet, or None for free text. ``parameters`` are sampling
    parameters (temperature, max_tokens, top_p, seed, ...); temperature is 0 unless they say
    otherwise. ``replicate`` numbers repeated calls, so that k replicates are k calls. ``role`` says
    for which part of an agent it asks (kebab-case; "" where there are no parts): usage is reported
    by it. It decides no answer and is in no key. Raises `ValueError` for a role of another form.
    """

    model: str
    messages: tuple[Message, ...]
    schema: Mapping[str, Json] | None = None
    parameters: Mapping[str, Json] = field(default_factory=dict)
    replicate: int = 0
    role: str = ""

    def __post_init__(self) -> None:
        if self.role and not (len(self.role) <= 64 and _ROLE.fullmatch(self.role)):
            raise ValueError(f"the role of a request must be in kebab-case, not {self.role[:80]!r}")

    def to_json(self) -> dict[str, Json]:
        return {
            "model": self.model,
            "messages": [{"role": m.role, "content": m.content} for m in self.messages],
            "schema": None if self.schema is None else dict(self.schema),
            "parameters": dict(self.parameters),
            "replicate": self.replicate,
        }


@dataclass(frozen=True, slots=True)
class Usage:
    """The usage of one answer: tokens, calls made for it, US dollars (None: unknown, never 0).

    ``cached_tokens`` of the prompt the provider read from its cache; None where it does not tell.
    """

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    calls: int = 1
    usd: float | None = None
    cached_tokens: int | None = None


@dataclass(frozen=True)
class ModelReply:
    """One valid answer. ``data`` is the object that matches the request's schema, None without a
    schema.

    ``steps`` names what was done to read it, in order ("fenced", "prose around", "repaired:
    trailing comma", "asked again"); it is empty where the reply was strict JSON at once.
    """

    text: str
    data: Json = None
    finish_reason: str = ""
    model: str = ""
    usage: Usage = Usage()
    steps: tuple[str, ...] = ()
