"""A local proxy in front of an endpoint that counts the calls of a reviewer to its model.

It passes each request on to the endpoint and each response back, and keeps method, path and status.
Used for a check of one agent on one paper, never in a run.
"""

from __future__ import annotations

import contextlib
import http.client
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from revkit.model.values import Json

_HOP = ("connection", "keep-alive", "transfer-encoding", "content-length", "te", "upgrade")
_SECONDS = 600.0
_MOST_KEPT = 1000


@dataclass
class Counter:
    """The calls to one endpoint. ``url`` replaces the endpoint's own address."""

    endpoint: str
    url: str = ""
    calls: list[Json] = field(default_factory=list)

    def to_json(self) -> dict[str, Json]:
        """Return the endpoint and its calls as JSON, in the order in which the calls ended."""
        return {"endpoint": self.endpoint, "count": len(self.calls), "calls": self.calls}


@contextmanager
def counting(endpoint: str) -> Iterator[Counter]:
    """Receive the calls to ``endpoint`` and forward them until the block ends."""
    counter = Counter(endpoint)
    parts = urlsplit(endpoint)

    class Handler(BaseHTTPRequestHandler):
        def _pass(self) -> None:
            status = 502
            try:
                status = _relay(self, parts.scheme, parts.netloc)
            except (OSError, http.client.HTTPException):
                with contextlib.suppress(OSError):
                    self.send_error(502)
            if len(counter.calls) < _MOST_KEPT:
                path = self.path.partition("?")[0]
                counter.calls.append({"method": self.command, "path": path, "status": status})

        do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = _pass  # noqa: N815

        def log_message(self, *arguments: Any) -> None:
            """Suppress the log."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    counter.url = f"http://127.0.0.1:{server.server_address[1]}{parts.path}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield counter
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _relay(handler: BaseHTTPRequestHandler, scheme: str, place: str) -> int:
    kind = http.client.HTTPSConnection if scheme == "https" else http.client.HTTPConnection
    connection = kind(place, timeout=_SECONDS)
    try:
        body = handler.rfile.read(int(handler.headers.get("content-length") or 0))
        headers = {
            name: value
            for name, value in handler.headers.items()
            if name.lower() not in (*_HOP, "host")
        }
        connection.request(handler.command, handler.path, body, headers)
        response = connection.getresponse()
        handler.send_response(response.status)
        for name, value in response.getheaders():
            if name.lower() not in (*_HOP, "date", "server"):
                handler.send_header(name, value)
        handler.send_header("Connection", "close")
        handler.end_headers()
        while part := response.read1(65536):
            handler.wfile.write(part)
            handler.wfile.flush()
        return response.status
    finally:
        connection.close()
