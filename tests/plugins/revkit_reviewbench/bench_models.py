"""A stand-in for language models: answers as a test asks, and keeps what it was asked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import jsonschema

from revkit.contracts import Context, Services
from revkit.model.exchange import ModelReply, ModelRequest
from revkit.model.review import Failure


class Script:
    """Answers in the order of ``replies``; objects must meet the schema of the request."""

    def __init__(self, replies: Sequence[Any]) -> None:
        self.replies = list(replies)
        self.asked: list[ModelRequest] = []

    def __call__(self, request: ModelRequest) -> ModelReply | Failure:
        self.asked.append(request)
        reply = self.replies.pop(0)
        if isinstance(reply, Failure):
            return reply
        assert request.schema is not None
        jsonschema.Draft202012Validator.check_schema(request.schema)
        jsonschema.validate(reply, dict(request.schema))
        return ModelReply(json.dumps(reply), reply)

    def context(self) -> Context:
        return Context(services=Services(complete=self), uses=("llm",))

    def last(self, number: int = -1) -> str:
        """All that was said in one request."""
        return "\n".join(message.content for message in self.asked[number].messages)
