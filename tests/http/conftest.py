"""Servers on loopback that answer as they are asked to, at two addresses of this machine."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

Answer = tuple[int, dict[str, str], bytes]


class Server:
    """Answers by ``answer(path)``; ``seen`` holds method, path, headers and body of requests."""

    def __init__(self, host: str) -> None:
        self.seen: list[tuple[str, str, dict[str, str], bytes]] = []
        self.answer: Callable[[str], Answer] = lambda path: (200, {}, b"ok")
        self.drip = 0.0
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                server.seen.append((self.command, self.path, headers, body))
                status, more, data = server.answer(self.path)
                try:
                    self.send_response(status)
                    for name, value in {"Content-Length": str(len(data)), **more}.items():
                        self.send_header(name, value)
                    self.end_headers()
                    for byte in [data[i : i + 1] for i in range(len(data))] if server.drip else []:
                        self.wfile.write(byte)
                        time.sleep(server.drip)
                    self.wfile.write(b"" if server.drip else data)
                except OSError:
                    pass

            do_POST = do_GET  # noqa: N815

            def log_message(self, *arguments: Any) -> None:
                pass

        self._server = ThreadingHTTPServer((host, 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://{host}:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server("127.0.0.1")
    yield running
    running.close()


@pytest.fixture
def other() -> Iterator[Server]:
    running = Server("127.0.0.2")
    yield running
    running.close()
