"""Estimate: what a run would ask and cost, from its real prompts and without a call."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from revkit.model.exchange import ModelReply, ModelRequest
from revkit.model.review import Failure
from revkit.model.values import Json
from revkit.services.llm.prices import ModelFacts, estimate_tokens
from revkit.services.llm.reply import schema_problems


@dataclass
class Estimate:
    """Calls that a run would make beside ``stored`` ones, their estimated prompt tokens, the most
    reply tokens, and the price of both (None: not known for a model)."""

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


class Estimator:
    """Stands in for a gateway: counts each request and answers it with an empty form, so that
    what an agent asks next is counted, too. Its answers must never be kept."""

    def __init__(
        self,
        known: Callable[[ModelRequest], ModelReply | None],
        facts: Callable[[ModelRequest], tuple[ModelFacts, int]],
    ) -> None:
        self.estimate = Estimate()
        self._known = known
        self._facts = facts
        self._lock = threading.Lock()

    def complete(self, request: ModelRequest) -> ModelReply | Failure:
        """Count ``request``; return the stored answer or an empty one."""
        found = self._known(request)
        facts, most = self._facts(request)
        prompt = estimate_tokens(message.content for message in request.messages)
        usd = facts.usd(prompt, most)
        with self._lock:
            estimate = self.estimate
            if found is not None:
                estimate.stored += 1
                return found
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
            return Failure("provider", "no empty form for this schema: only its first call counts")
        return ModelReply(json.dumps(data), data)


def _empty(schema: Mapping[str, Any]) -> Any:
    """A value that meets a plain schema."""
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
    return "-" * schema.get("minLength", 0)
