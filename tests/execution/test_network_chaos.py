"""A network that is cut in the middle of a run, and one that is slow: between revkit and the server
there is a relay of connections.

Each test prints a line ``fault: ...`` with what it measured; docs/faults.md shows these lines.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import revkit
from tests.execution.test_machine_chaos import measured
from tests.execution.test_shards import files
from tests.llm_server.server import LlmServer

pytestmark = [pytest.mark.chaos, pytest.mark.slow]
PAPERS, CONNECTIONS = 60, 8


class Network:
    """Relays connections to ``server``; ``rate`` is in bytes a second, None for no limit."""

    def __init__(self, server: LlmServer) -> None:
        self.rate: float | None = None
        self._server = server.port
        self._open: list[socket.socket] = []
        self._lock = threading.Lock()
        self.port = 0
        self.restore()

    def restore(self) -> None:
        """Accept connections, at the same port as before."""
        self._listening = socket.create_server(("127.0.0.1", self.port), backlog=100)
        self.port = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, args=(self._listening,), daemon=True).start()

    def cut(self) -> None:
        """Break all connections, and accept no new ones."""
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        with self._lock:
            ends, self._open = self._open, []
        for each in ends:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self, listening: socket.socket) -> None:
        while True:
            try:
                client, _ = listening.accept()
                server = socket.create_connection(("127.0.0.1", self._server))
            except OSError:
                return
            with self._lock:
                self._open += [client, server]
            for ends in ((client, server), (server, client)):
                threading.Thread(target=self._pass_on, args=ends, daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(1024 if self.rate else 65536):
                if self.rate:
                    time.sleep(len(data) / self.rate)
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)


@dataclass
class Place:
    """Runs of one experiment through a network."""

    folder: Path
    server: LlmServer
    network: Network

    def run(self, out: str, **llm: Any) -> revkit.Run:
        settings = {
            "base-url": f"http://127.0.0.1:{self.network.port}/v1",
            "max-connections": CONNECTIONS,
            "backoff": 0.05,
            "longest-wait": 1,
            "timeout": 20,
            **llm,
        }
        spec = {
            "revkit": 1,
            "name": "network",
            "corpus": {"use": "synthetic", "with": {"papers": PAPERS}},
            "agents": {"model": {"use": "llm", "with": {"model": "openai/mock", "form": "iclr"}}},
            "metrics": ["outcomes"],
            "reports": ["markdown"],
            "services": {"llm": {"default": settings}},
        }
        return revkit.run(spec, out=self.folder / out, store=self.folder / f"{out}.db")

    def same(self, out: str, *besides: str) -> bool:
        """Whether the run has the bytes of the undisturbed one, besides its settings."""
        found, whole = files(self.folder / out), files(self.folder / "whole")
        masked = dict.fromkeys(("spec.yaml", *besides), b"")
        return {**found, **masked} == {**whole, **masked}


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with LlmServer(latency=0.05, keep=0) as server:
        place = Place(tmp_path, server, Network(server))
        assert place.run("whole").exit_code == 0
        server.requests = 0
        yield place
        place.network.cut()


def cut_after(place: Place, requests: int, restored: float | None) -> None:
    """Cut the network after so many requests, and restore it after seconds, if ever."""

    def watch() -> None:
        while place.server.requests < requests:
            time.sleep(0.005)
        place.network.cut()
        if restored is not None:
            time.sleep(restored)
            place.network.restore()

    threading.Thread(target=watch, daemon=True).start()


def test_a_network_that_comes_back_costs_the_calls_in_flight(place: Place) -> None:
    seconds = []
    for number, requests in enumerate((5, 20, 40)):
        place.server.requests = 0
        cut_after(place, requests, restored=1.0)
        started = time.monotonic()
        run = place.run(f"short-{number}", retries=12)
        seconds.append(time.monotonic() - started)
        assert run.exit_code == 0
        assert place.same(f"short-{number}", "ledger.json")  # which counts repetitions
        assert PAPERS <= place.server.requests <= PAPERS + CONNECTIONS
    measured("the network is cut for a second", 3, seconds, "nothing")


def test_a_network_that_stays_away_fails_items_that_the_next_command_requests(
    place: Place,
) -> None:
    cut_after(place, 20, restored=None)
    run = place.run("long", retries=2)
    assert run.exit_code == 1
    failed = [each for each in run.records.verdicts if each.failure]
    answered = PAPERS - len(failed)
    assert 20 - CONNECTIONS <= answered < PAPERS
    assert all(each.score is None and each.accept is None for each in failed)
    before = place.server.requests
    assert before <= answered + CONNECTIONS
    place.network.restore()
    started = time.monotonic()
    again = place.run("long", retries=2)
    seconds = time.monotonic() - started
    assert again.exit_code == 0
    assert place.server.requests == before + len(failed)  # what was answered is not paid again
    assert place.same("long")
    measured("the network is cut until the end", 1, [seconds], "nothing")


def test_a_slow_network_gives_the_same_bytes(place: Place) -> None:
    place.network.rate = 30_000
    started = time.monotonic()
    run = place.run("slow")
    seconds = time.monotonic() - started
    assert run.exit_code == 0
    assert place.server.requests == PAPERS
    assert place.same("slow")
    measured("30 kB a second for each connection", 1, [seconds], "nothing")
