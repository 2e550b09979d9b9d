"""A stand-in for language models that notes the key of each request and answers by its schema."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from revkit.cache import Store
from revkit.contracts import Context, Services
from revkit.model.exchange import ModelReply, ModelRequest
from revkit.model.review import Failure
from revkit.model.work import Work
from revkit.model_settings import LlmServices
from revkit.services.llm import ModelGateway
from revkit.testing import embed

Reply = Callable[[ModelRequest], str]
_MARK = re.compile(r"^----- [^\n]+ ([0-9a-f]{16}) begins -----$", re.MULTILINE)
_NUMBERED = re.compile(r"^\[(\d+)\] (.+)$", re.MULTILINE)
WORKS = (
    Work("Token Dropping at Scale", year=2024, abstract="We drop tokens by score.", score=3.0),
    Work("Heads that Matter", year=2025, abstract="We prune heads of attention.", score=2.0),
)


def example_of(schema: Any, bound: str = "minimum") -> Any:
    """The plainest value that meets ``schema``; numbers are at their ``bound``."""
    if "enum" in schema:
        return schema["enum"][0 if bound == "minimum" else -1]
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = kind[0]
    if kind == "object":
        properties = schema.get("properties", {})
        return {name: example_of(each, bound) for name, each in properties.items()}
    if kind == "array":
        count = max(1, schema.get("minItems", 1))
        return [example_of(schema["items"], bound) for _ in range(count)]
    if kind in ("integer", "number"):
        return schema.get(bound, 1)
    if kind == "boolean":
        return False
    return "Plain words of one sentence."


class Recorder:
    """Answers every request and notes (role, key) of each, in order.

    ``window`` is the longest prompt in characters; a longer one is a `Failure` of kind "context".
    ``free`` answers requests without a schema.
    """

    def __init__(self, folder: Path, window: int | None = None, free: Reply | None = None) -> None:
        self._gateway = ModelGateway(LlmServices(), Store(folder / "prompts.sqlite"))
        self.window = window
        self.free = free
        self.requests: list[ModelRequest] = []

    def complete(self, request: ModelRequest) -> ModelReply | Failure:
        self.requests.append(request)
        size = sum(len(message.content) for message in request.messages)
        if self.window is not None and size > self.window:
            return Failure("context", f"{size} characters do not fit")
        if request.schema is None:
            assert self.free is not None
            return ModelReply(self.free(request))
        # An aggregator whose numbers leave the draft's is corrected.
        bound = "maximum" if request.role == "aggregator" else "minimum"
        data = _rewritten(request) or example_of(request.schema, bound)
        return ModelReply(json.dumps(data), data)

    def context(self, repeat: int = 0, seed: int = 1) -> Context:
        """A context with this model, an embedder and a searcher."""

        def search(query: str, limit: int) -> Sequence[Work]:
            return WORKS[:limit]

        services = Services(complete=self.complete, search=search, embed=embed)
        return Context(seed, services, ("llm", "searcher", "embedder"), repeat)

    def keys(self) -> list[list[str]]:
        """The role and the key of each request, as the gateway stores its answer."""
        return [[each.role, self._gateway.key(each).hex()] for each in self.requests]

    def marks(self) -> set[str]:
        """The marks of all fences so far: what a hostile author would learn."""
        contents = (turn.content for each in self.requests for turn in each.messages)
        return {mark for content in contents for mark in _MARK.findall(content)}


def _rewritten(request: ModelRequest) -> Mapping[str, Any] | None:
    """Numbered sentences, unchanged: an answer that no family of edits accepts at once."""
    properties: Any = (request.schema or {}).get("properties", {})
    items = properties.get("sentences", {}).get("items", {}).get("properties", {})
    if set(items) != {"number", "text"}:
        return None
    first = next(each.content for each in request.messages if each.role == "user")
    rows = [{"number": int(n), "text": text} for n, text in _NUMBERED.findall(first)]
    return {"sentences": rows}
