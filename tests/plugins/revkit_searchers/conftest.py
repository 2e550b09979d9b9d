"""A service on loopback that answers as it is reported."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

REPLIES = Path(__file__).parent / "replies"


@dataclass
class Reply:
    status: int = 200
    body: bytes = b"{}"
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drip: float = 0.0


class Service:
    """Gives its replies one by one, the last one again and again; keeps what it was asked."""

    Reply = Reply

    def __init__(self) -> None:
        self.replies: list[Reply] = [Reply()]
        self.paths: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.times: list[float] = []
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                service.times.append(time.monotonic())
                number = len(service.paths)
                service.paths.append(self.path)
                service.headers.append({k.lower(): v for k, v in self.headers.items()})
                reply = service.replies[min(number, len(service.replies) - 1)]
                time.sleep(reply.delay)
                try:
                    self.send_response(reply.status)
                    for name, value in reply.headers.items():
                        self.send_header(name, value)
                    self.end_headers()
                    if not reply.drip:
                        self.wfile.write(reply.body)
                        return
                    for byte in reply.body:
                        self.wfile.write(bytes([byte]))
                        self.wfile.flush()
                        time.sleep(reply.drip)
                except OSError:
                    pass

            def log_message(self, *arguments: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def parameters(self, number: int = -1) -> dict[str, str]:
        query = parse_qs(urlsplit(self.paths[number]).query, keep_blank_values=True)
        assert all(len(values) == 1 for values in query.values())
        return {name: values[0] for name, values in query.items()}

    def says(self, name: str) -> None:
        self.replies = [Reply(body=(REPLIES / name).read_bytes())]


@pytest.fixture
def service() -> Iterator[Service]:
    running = Service()
    yield running
    running.close()


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key of the developer's gets into a test, and no proxy between test and service."""
    for name in ("SEMANTIC_SCHOLAR_API_KEY", "OPENALEX_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
