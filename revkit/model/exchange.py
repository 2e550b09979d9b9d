"""Exchange: one question to a language model, and what came back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from revkit.model.values import Json

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation with a model."""

    role: Role
    content: str


@dataclass(frozen=True)
class ModelRequest:
    """One call of a model: everything that decides its answer, and so the key it is stored under.

    ``model`` is the model's name in litellm ("openai/gpt-4.1", "hosted_vllm/phi-4"). ``schema`` is
    the JSON Schema that the reply must meet, or None for free text. ``parameters`` are sampling
    parameters (temperature, max_tokens, top_p, seed, ...); temperature is 0 unless they say
    otherwise. ``replicate`` numbers repeated calls, so that k replicates are k calls.
    """

    model: str
    messages: tuple[Message, ...]
    schema: Mapping[str, Json] | None = None
    parameters: Mapping[str, Json] = field(default_factory=dict)
    replicate: int = 0

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
    """What one answer cost: tokens, calls made for it, US dollars (None: unknown, never 0)."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    calls: int = 1
    usd: float | None = None


@dataclass(frozen=True)
class ModelReply:
    """One valid answer. ``data`` is the object that met the request's schema, None without one.

    ``steps`` names what was done to read it, in order ("fenced", "prose around", "repaired:
    trailing comma", "asked again"); it is empty where the reply was strict JSON at once.
    """

    text: str
    data: Json = None
    finish_reason: str = ""
    model: str = ""
    usage: Usage = Usage()
    steps: tuple[str, ...] = ()
