"""The child process: it computes one item after another until the run closes its input."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import IO, TYPE_CHECKING, Any, cast

from revkit.errors import describe_error
from revkit.execution.processes.frames import receive, send
from revkit.papers import read_facts

if TYPE_CHECKING:
    from revkit.contracts import Component, Peer, Services
    from revkit.execution.work import ItemWorker
    from revkit.grammar import Parse
    from revkit.planning import Graph


def main() -> None:
    """Serve the run that started this process, through its standard input and output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the run decides what Ctrl-C stops
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a component prints does not belong among the messages
    try:
        _serve(output)
    except BrokenPipeError:
        os._exit(0)  # the run has ended


def _serve(output: IO[bytes]) -> None:
    messages: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_read, args=(sys.stdin.buffer, messages), daemon=True).start()
    try:
        setup = messages.get()
        # Without an experiment it only reads facts, and loads no more than that needs.
        server = None if setup is None else _Server(setup, messages, output)
    except BaseException as error:
        send(output, ("broken", describe_error(error)))
        return
    send(output, ("ready",))
    while True:
        what, given = messages.get()
        if what == "item" and server is not None:
            answer = server.compute(*given)
        else:
            answer = list(map(read_facts, *given))
        send(output, ("answer", answer))


def _read(stream: IO[bytes], messages: SimpleQueue[Any]) -> None:
    """Pass messages on, and end the process when the run has ended, even if an item never does."""
    try:
        while True:
            messages.put(receive(stream))
    except (EOFError, OSError):
        os._exit(0)


class _Server:
    def __init__(self, setup: Any, messages: SimpleQueue[Any], output: IO[bytes]) -> None:
        files, experiment = setup
        from revkit.registry import load_registry

        if files:
            load_registry([Path(file) for file in files])
        self._messages = messages
        self._output = output
        self._peers: Sequence[Peer] | None = None
        self._worker, self._graph = _worker_of(pickle.loads(experiment), self)

    def ask(self, service: str, *arguments: object) -> Any:
        """Ask the run for a service, and return its result or raise its error."""
        send(self._output, ("ask", service, arguments))
        error, result = self._messages.get()
        if error is not None:
            raise error
        return result

    def embed(self, texts: Sequence[str]) -> Any:
        return self.ask("embed", list(texts))

    def known(self, texts: Sequence[str]) -> Mapping[str, Parse]:
        return cast("Mapping[str, Parse]", self.ask("known", list(texts)))

    def keep(self, parses: Sequence[Parse]) -> None:
        self.ask("keep", list(parses))

    def peers(self) -> Sequence[Peer]:
        if self._peers is None:
            self._peers = self.ask("peers")
        return cast("Sequence[Peer]", self._peers)

    def compute(self, node: str, subject: Any, index: int, repeat: int, written: Any) -> Any:
        from revkit.execution.processes.children import compute_item

        return compute_item(self._worker, self._graph.by_id[node], subject, index, repeat, written)


def _worker_of(experiment: Any, server: _Server) -> tuple[ItemWorker, Graph]:
    from revkit.cache import Store
    from revkit.contracts import Services
    from revkit.execution.work import ItemWorker
    from revkit.planning import build_graph

    remote = Services(
        embed=server.embed if experiment.embedder is not None else None, peers=server.peers
    )

    class ChildWorker(ItemWorker):
        """Computes items with the services of the run that started the process."""

        def services_of(self, component: Component) -> Services:
            return remote

    worker = ChildWorker(experiment, Store(None), serve=False)
    worker.parses = server
    return worker, build_graph(experiment)
