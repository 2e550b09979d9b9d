"""A local server that speaks the OpenAI protocol and misbehaves on request.

What it does to a request follows from (seed, body, attempt) alone, so a test can be repeated. As a
program it serves until it is killed::

    python tests/llm_server/server.py --latency 0.2
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import json
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.llm_server.batches import BatchRoutes

# Faults that pass: the same request is answered well when it comes again.
PASSING = (
    "rate", "rate-short", "error", "unavailable", "reset", "not-json", "cut-json", "no-choices",
    "hang", "drip", "disconnect",
)  # fmt: skip
# Faults of the reply itself, which a reader must survive or refuse.
READABLE = (
    "late", "fenced", "thinking", "prose-around", "single-quotes", "trailing-comma", "wrong-finish",
)  # fmt: skip
UNREADABLE = ("prose", "empty", "open-object", "schema-ignored", "two-objects", "refusal-text")
FINAL = ("cut-reply", "refusal", "filtered")
# Faults that stay, whatever is sent.
LASTING = ("rate-day", "key", "no-model", "context")


_WORDS = ("it", "reads", "well", "but", "tests", "few", "cases")


@dataclass
class Faults:
    """Which requests meet which fault: a share of them at random, or what ``choose`` says.

    ``choose`` gets the body and how often it came before, and returns the name of a fault or "".
    """

    share: float = 0.0
    kinds: Sequence[str] = ()
    seed: int = 0
    choose: Callable[[dict[str, Any], int], str] | None = None

    def of(self, body: dict[str, Any], digest: str, attempt: int) -> str:
        if self.choose is not None:
            return self.choose(body, attempt)
        if not self.share:
            return ""
        draw = random.Random(f"{self.seed}/{digest}/{attempt}")
        return draw.choice(list(self.kinds)) if draw.random() < self.share else ""


@dataclass
class LlmServer:
    """The server, in a thread of its own. Use it as a context manager."""

    latency: float = 0.0
    faults: Faults = field(default_factory=Faults)
    key: str = ""
    models: Sequence[str] = ()
    reply: Callable[[dict[str, Any]], str] | None = None
    refuse_parameters: Sequence[str] = ()
    tokens: bool = True
    keep: int = 200
    port: int = 0
    requests: int = 0
    in_flight: int = 0
    peak: int = 0
    answered: int = 0
    met: Counter[str] = field(default_factory=Counter)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    first: float = 0.0
    last: float = 0.0
    batches: BatchRoutes = field(default_factory=BatchRoutes)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> LlmServer:
        self._seen: Counter[str] = Counter()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._start(), self._loop).result(10)
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _start(self) -> None:
        app = web.Application(client_max_size=256 * 1024 * 1024)
        app.router.add_post("/v1/chat/completions", self._completions)
        app.router.add_get("/v1/models", self._models)
        self.batches.add(app, self._completion, self._denied)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self.port, backlog=1024)
        await site.start()
        self.port = site._server.sockets[0].getsockname()[1]  # type: ignore[union-attr]

    async def _end(self) -> None:
        hanging = asyncio.all_tasks() - {asyncio.current_task()}
        for task in hanging:
            task.cancel()
        await asyncio.gather(*hanging, return_exceptions=True)
        await self._runner.cleanup()

    def _denied(self, request: web.Request) -> web.Response | None:
        given = request.headers.get("Authorization", "")
        self.keys.append(given)
        if self.key and given != f"Bearer {self.key}":
            return _error(401, f"Incorrect API key provided: {given.removeprefix('Bearer ')}")
        return None

    async def _models(self, request: web.Request) -> web.Response:
        listed = [{"id": name, "object": "model"} for name in self.models]
        return self._denied(request) or web.json_response({"object": "list", "data": listed})

    async def _completions(self, request: web.Request) -> web.StreamResponse:
        self.requests += 1
        self.first = self.first or time.monotonic()
        self.in_flight += 1
        self.peak = max(self.peak, self.in_flight)
        try:
            raw = await request.read()
            denied = self._denied(request)
            if denied is not None:
                return denied
            body = json.loads(raw)
            if len(self.bodies) < self.keep:
                self.bodies.append(body)
            digest = hashlib.sha256(raw).hexdigest()
            attempt = self._seen[digest]
            self._seen[digest] += 1
            fault = self.faults.of(body, digest, attempt)
            self.met[fault] += 1
            if self.latency:
                await asyncio.sleep(self.latency)
            return await self._answer(request, body, fault)
        finally:
            self.in_flight -= 1
            self.last = time.monotonic()

    async def _answer(
        self, request: web.Request, body: dict[str, Any], fault: str
    ) -> web.StreamResponse:
        for name in self.refuse_parameters:
            if name in body:
                return _error(400, f"Unsupported parameter: '{name}' is not supported.", name)
        if self.models and body["model"] not in self.models:
            return _error(404, f"The model `{body['model']}` does not exist")
        whole = json.dumps(self._completion(body, fault))
        if fault in _REFUSALS:
            return _REFUSALS[fault]()
        if fault == "late":
            await asyncio.sleep(0.3)
        if fault == "hang":
            await asyncio.sleep(60)
        if fault == "disconnect":
            assert request.transport is not None
            request.transport.abort()
            return web.Response()
        if fault in ("reset", "drip"):
            return await _slowly(request, whole.encode(), reset=fault == "reset")
        if fault == "not-json":
            return web.Response(text="<html><body>Bad gateway</body></html>")
        if fault == "cut-json":
            return web.Response(text=whole[: len(whole) // 2], content_type="application/json")
        if fault == "no-choices":
            return web.json_response({"error": {"message": "upstream is not there"}})
        self.answered += 1
        return web.Response(text=whole, content_type="application/json")

    def _completion(self, body: dict[str, Any], fault: str) -> dict[str, Any]:
        content = self.reply(body) if self.reply else object_for(body)
        finish, message = "stop", {"role": "assistant"}
        shaped: str | None = _SHAPES.get(fault, lambda text: text)(content)
        if fault == "cut-reply":
            shaped, finish = content[: len(content) // 2], "length"
        elif fault == "wrong-finish":
            finish = "length"
        elif fault == "refusal":
            shaped, message["refusal"] = None, "I cannot help with that."
        elif fault == "filtered":
            shaped, finish = None, "content_filter"
        answer: dict[str, Any] = {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": body["model"],
            "choices": [
                {"index": 0, "message": {**message, "content": shaped}, "finish_reason": finish}
            ],
        }
        if self.tokens:
            contents = [each["content"] for each in body["messages"]]
            # No tokenizer joins words over a blank.
            prompt = max(sum(map(len, contents)) // 4, sum(len(c.split()) for c in contents))
            reply = len(shaped or "") // 4
            answer["usage"] = {
                "prompt_tokens": prompt,
                "completion_tokens": reply,
                "total_tokens": prompt + reply,
            }
        return answer


def _error(status: int, message: str, param: str | None = None, **headers: str) -> web.Response:
    body = {"error": {"message": message, "type": "error", "param": param, "code": None}}
    return web.json_response(body, status=status, headers=headers)


_REFUSALS: dict[str, Callable[[], web.Response]] = {
    "rate": lambda: _error(429, "Rate limit reached"),
    "rate-short": lambda: _error(429, "Rate limit reached", **{"Retry-After": "0.05"}),
    "rate-day": lambda: _error(429, "Daily quota reached", **{"Retry-After": "86400"}),
    "error": lambda: _error(500, "The server had an error"),
    "unavailable": lambda: _error(503, "Overloaded"),
    "key": lambda: _error(401, "Incorrect API key provided"),
    "no-model": lambda: _error(404, "The model does not exist"),
    "context": lambda: _error(400, "This model's maximum context length is 4096 tokens."),
}
_SHAPES: dict[str, Callable[[str], str]] = {
    "fenced": lambda text: f"```json\n{text}\n```",
    "thinking": lambda text: f'<think>Maybe {{"score": 1}}? No.</think>\n{text}',
    "prose-around": lambda text: f"Here is my review of $\\mathbb{{R}}$:\n{text}\nDone.",
    "single-quotes": lambda text: repr(json.loads(text)),
    "trailing-comma": lambda text: text[:-1] + ",}",
    "prose": lambda text: "I think that this is a fine paper. Rating: 10.",
    "empty": lambda text: "",
    "open-object": lambda text: text[:-2],
    "schema-ignored": lambda text: json.dumps({"verdict": "fine", "rating": "10"}),
    "two-objects": lambda text: f'{{"first": 1}}\n{text}',
    "refusal-text": lambda text: "I'm sorry, but I can't review this paper.",
}


async def _slowly(request: web.Request, whole: bytes, *, reset: bool) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    response.content_length = len(whole)
    await response.prepare(request)
    if reset:
        await response.write(whole[: len(whole) // 2])
        await asyncio.sleep(0.01)
        assert request.transport is not None
        request.transport.abort()
        return response
    with contextlib.suppress(ConnectionError):  # the client gave up
        for index in range(len(whole)):
            await response.write(whole[index : index + 1])
            await asyncio.sleep(0.05)
    return response


def object_for(body: dict[str, Any]) -> str:
    """A JSON object that meets the request's schema, drawn from its first user message alone."""
    text = next(m["content"] for m in body["messages"] if m["role"] == "user")
    draw = random.Random(hashlib.sha256(text.encode()).digest())
    form = body.get("response_format") or {}
    schema = form.get("json_schema", {}).get("schema")
    return json.dumps(instance(schema, draw)) if schema else "A plain answer."


def instance(schema: dict[str, Any], draw: random.Random) -> Any:
    """A value that meets ``schema``."""
    if "enum" in schema:
        return draw.choice(schema["enum"])
    kind = schema.get("type")
    if kind == "object":
        return {name: instance(each, draw) for name, each in schema["properties"].items()}
    if kind == "array":
        return [instance(schema["items"], draw) for _ in range(2)]
    if kind == "integer":
        return draw.randint(schema.get("minimum", 0), schema.get("maximum", 10))
    if kind == "number":
        return round(draw.uniform(schema.get("minimum", 0), schema.get("maximum", 1)), 2)
    if kind == "boolean":
        return draw.random() < 0.5
    words = " ".join(draw.choice(_WORDS) for _ in range(40))
    return words[: schema.get("maxLength", 1000)]


def main() -> None:
    """Serve until killed; print the port and, on each line read, the counters as JSON."""
    import sys

    parser = argparse.ArgumentParser()
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    with LlmServer(latency=options.latency, port=options.port, keep=0) as server:
        print(server.port, flush=True)  # noqa: T201
        for line in sys.stdin:
            if line.strip() == "reset":
                server.requests = server.peak = 0
            told = {
                "requests": server.requests,
                "peak": server.peak,
                "seconds": server.last - server.first,
            }
            print(json.dumps(told), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
