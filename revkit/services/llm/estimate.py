"""Estimate the calls and the cost of a run, from its real prompts and without a call."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from revkit.dataclass import dataclass
from revkit.model.exchange import ModelReply, ModelRequest
from revkit.model.review import Failure
from revkit.model.values import Json
from revkit.services.llm.caching import marks_of
from revkit.services.llm.prices import ModelFacts, asked_reply, estimate_tokens
from revkit.services.llm.reply import schema_problems

_AROUND = 24  # characters around an item of JSON: quotes, a comma, a line's indentation


@dataclass
class Estimate:
    """The calls of a run in addition to ``stored`` ones, their estimated prompt tokens, the maximum
    reply tokens, and the price of both (None: unknown for a model).
    """

    calls: int = 0
    stored: int = 0
    prompt_tokens: int = 0
    most_reply_tokens: int = 0
    most_usd: float | None = 0.0

    def to_json(self) -> dict[str, Json]:
        return {
            "calls": self.calls,
            "stored": self.stored,
            "prompt_tokens": self.prompt_tokens,
            "most_reply_tokens": self.most_reply_tokens,
            "most_usd": self.most_usd,
        }


@dataclass(frozen=True, slots=True)
class Asked:
    """One call that would be made: estimated tokens of its prompt, maximum tokens of its reply, how
    many of these a reader of the reply receives (no more than its form allows), the model's facts
    with the prices that will be paid, whether its prompt may be cached, and the facts with the
    prices of batches.
    """

    prompt: int
    most_reply: int
    read: int
    facts: ModelFacts
    marked: bool = False
    in_batches: ModelFacts = field(default_factory=ModelFacts)
    model: str = ""

    def usd(self) -> float | None:
        """Return its maximum cost; None if the price is unknown."""
        written = self.prompt if self.marked else 0
        return self.facts.usd(self.prompt, self.most_reply, 0, written)

    def batch_usd(self) -> float | None:
        """Return its maximum cost in a batch; None if the price is unknown."""
        return self.in_batches.usd(self.prompt, self.most_reply)


class Estimator:
    """A simulated gateway: it counts each request and answers it with an empty form, so that
    follow-up requests of an agent are counted too. Its answers must never be stored.


    ``asked`` holds the calls themselves, by the role that they were made for, and ``stored`` how
    many of each role the store answers.
    """

    def __init__(
        self,
        known: Callable[[ModelRequest], ModelReply | None],
        facts: Callable[[ModelRequest], tuple[ModelFacts, ModelFacts, int]],
    ) -> None:
        self.estimate = Estimate()
        self.asked: dict[str, list[Asked]] = {}
        self.stored: Counter[str] = Counter()
        self._known = known
        self._facts = facts
        self._lock = threading.Lock()

    def complete(self, request: ModelRequest) -> ModelReply | Failure:
        """Count ``request``; return the stored answer or an empty one, or the Failure of a prompt
        that does not fit, which costs nothing.
        """
        found = self._known(request)
        facts, in_batches, most = self._facts(request)
        prompt = estimate_tokens(message.content for message in request.messages)
        if found is None:
            overflow = facts.overflow(prompt, asked_reply(request.parameters) or 0)
            if overflow:
                return Failure("context", overflow)
        marked = facts.knows_writing and bool(marks_of(request.model, request.messages))
        call = Asked(
            prompt,
            most,
            longest_reply(request.schema, most),
            facts,
            marked,
            in_batches,
            request.model,
        )
        usd = call.usd()
        with self._lock:
            estimate = self.estimate
            if found is not None:
                estimate.stored += 1
                self.stored[request.role] += 1
                return found
            self.asked.setdefault(request.role, []).append(call)
            estimate.calls += 1
            estimate.prompt_tokens += prompt
            estimate.most_reply_tokens += most
            if usd is None or estimate.most_usd is None:
                estimate.most_usd = None
            else:
                estimate.most_usd += usd
        if request.schema is None:
            return ModelReply("(estimate)")
        data = _empty(request.schema)
        if schema_problems(data, request.schema):
            return Failure(
                "provider", "this schema has no empty form, so only the first call is counted"
            )
        return ModelReply(json.dumps(data), data)


def _empty(schema: Mapping[str, Any]) -> Any:
    """Return a value that matches a plain schema."""
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type")
    if kind == "object":
        properties = schema.get("properties", {})
        return {name: _empty(properties[name]) for name in schema.get("required", properties)}
    if kind == "array":
        return [_empty(schema["items"]) for _ in range(schema.get("minItems", 0))]
    if kind in ("integer", "number"):
        return schema.get("minimum", schema.get("maximum", 0))
    if kind == "boolean":
        return False
    return "x" * schema.get("minLength", 0)


def longest_reply(schema: Mapping[str, Any] | None, most: int) -> int:
    """Return the longest reply in estimated tokens that matches ``schema`` within ``most``
    tokens.
    """
    size = None if schema is None else _longest(schema)
    return most if size is None else min(most, estimate_tokens(["x" * size]))


def _longest(schema: Mapping[str, Any]) -> int | None:
    """Return the maximum number of characters of a value that matches a plain schema, written with
    some white space; None if there is no maximum.
    """
    if "enum" in schema:
        return max((len(json.dumps(value)) for value in schema["enum"]), default=0)
    kind = schema.get("type")
    if kind == "object":
        properties = schema.get("properties", {})
        sizes = {name: _longest(each) for name, each in properties.items()}
        if schema.get("additionalProperties") is not False or None in sizes.values():
            return None
        return 4 + sum(len(name) + _AROUND + (size or 0) for name, size in sizes.items())
    if kind == "array":
        item = _longest(schema["items"]) if "items" in schema else None
        if item is None or "maxItems" not in schema:
            return None
        return 4 + int(schema["maxItems"]) * (item + _AROUND)
    if kind == "string":
        return int(schema["maxLength"]) + 2 if "maxLength" in schema else None
    return 24 if kind in ("integer", "number", "boolean") else None
