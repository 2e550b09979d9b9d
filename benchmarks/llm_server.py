"""A language model's server that costs next to nothing, so that what is measured is the client.

It speaks as much of HTTP and of the OpenAI protocol as its measurements need: each request is
answered after a latency with a filled-in form of other words. On each line of its input it prints
what it counted so far, as JSON. As a program: ``python -m benchmarks.llm_server LATENCY [TEXT]``,
where TEXT is a file whose words it speaks; without one it draws from a few.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
import zlib
from pathlib import Path

_LIST = b'{"object": "list", "data": []}'
_WORDS = [
    "the", "paper", "reads", "well", "but", "tests", "few", "cases", "and", "says", "little", "of",
    "what", "a", "sparse", "gate", "learns", "from", "long", "documents", "while", "results", "on",
    "data", "with", "noise", "depend", "upon", "how", "often", "samples", "were", "drawn",
]  # fmt: skip
_ASPECTS = ("soundness", "presentation", "contribution")
_RATINGS = (1, 3, 5, 6, 8, 10)
_TEXT = random.Random(1).choices(_WORDS, k=20_000)


class Counters:
    """What all connections saw together."""

    def __init__(self) -> None:
        self.requests = self.flying = self.peak = 0
        self.first = self.last = 0.0

    def counts(self) -> dict[str, float]:
        """The counts since the last time, which begin anew.

        ``first`` and ``last`` are the times of the first request and the last answer.
        """
        found = {
            "requests": self.requests,
            "peak": self.peak,
            "first": self.first,
            "last": self.last,
        }
        self.requests = self.peak = 0
        self.first = 0.0
        return found


class Connection(asyncio.Protocol):
    """One connection: requests one after another, each answered ``latency`` seconds later."""

    def __init__(self, latency: float, counters: Counters) -> None:
        self._latency = latency
        self._counters = counters
        self._parts: list[bytes] = []
        self._missing = 0
        self._head = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Collect one request; the next comes only after the answer."""
        if not self._head:
            data = b"".join([*self._parts, data])
            head, blank, rest = data.partition(b"\r\n\r\n")
            if not blank:
                self._parts = [data]
                return
            self._head, self._parts, data = head, [], rest
            length = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
            self._missing = int(length or 0)
        self._parts.append(data)
        self._missing -= len(data)
        if self._missing <= 0:
            self._asked(self._head, b"".join(self._parts))
            self._head, self._parts = b"", []

    def _asked(self, head: bytes, body: bytes) -> None:
        if head.startswith(b"GET"):
            self._transport.write(_answer(_LIST))
            return
        counters = self._counters
        counters.requests += 1
        counters.flying += 1
        counters.peak = max(counters.peak, counters.flying)
        counters.first = counters.first or time.time()
        number = zlib.crc32(body)
        asyncio.get_running_loop().call_later(self._latency, self._reply, number, len(body))

    def _reply(self, number: int, size: int) -> None:
        counters = self._counters
        counters.flying -= 1
        if self._transport.is_closing():
            return
        counters.last = time.time()
        self._transport.write(_answer(reply_to(number, size)))


def reply_to(number: int, size: int) -> bytes:
    """A chat completion that fills in the form `iclr` with about 300 words.

    ``number`` stands for what was asked and decides all of it; ``size`` is the size in bytes.
    """

    def words(place: int, count: int) -> str:
        start = (number >> place) % (len(_TEXT) - count)
        return " ".join(_TEXT[start : start + count]) + f" ({number >> place:x})."

    grades = {name: 1 + (number >> place) % 4 for place, name in enumerate(_ASPECTS)}
    form = {
        "summary": words(0, 100),
        "strengths": [words(1, 35), words(3, 35)],
        "weaknesses": [words(5, 35), words(7, 35)],
        "questions": [words(9, 30), words(11, 30)],
        **grades,
        "rating": _RATINGS[number % len(_RATINGS)],
        "confidence": 1 + number % 5,
    }
    content = json.dumps(form)
    return json.dumps(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": "mock",
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": content},
                    "finish_reason": "stop",
                }
            ],
            "usage": {
                "prompt_tokens": size // 4,
                "completion_tokens": len(content) // 4,
                "total_tokens": (size + len(content)) // 4,
            },
        }
    ).encode()


def _answer(body: bytes) -> bytes:
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    return head.encode() + b"\r\n\r\n" + body


async def serve(latency: float) -> None:
    """Serve on a free port, which is printed, until the input ends."""
    loop = asyncio.get_running_loop()
    counters = Counters()
    server = await loop.create_server(
        lambda: Connection(latency, counters), "127.0.0.1", 0, backlog=1024
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    while await loop.run_in_executor(None, sys.stdin.readline):
        print(json.dumps(counters.counts()), flush=True)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        _TEXT[:] = Path(sys.argv[2]).read_text(encoding="utf-8").split()
    asyncio.run(serve(float(sys.argv[1])))
