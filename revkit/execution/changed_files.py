"""Files that a reviewer changes while it works: they do not count as input, even if an option names
them.

A log that a tool writes would otherwise enter the key of every review, and each run would pay for
all of them again. The first change during a review is kept in the store with the digest that the
file had before; later runs with this store take that digest, so their keys stay the same.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterable
from pathlib import Path

from revkit.cache import Store
from revkit.contracts import Agent
from revkit.identity import kind_of
from revkit.model.values import Json, canonical_json
from revkit.options import options_of


class ChangedFiles:
    """The watched files of the agents of one run, and which of them changed during a review."""

    def __init__(self, agents: Iterable[Agent], store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._changed: dict[str, None] = {}
        self._watched: dict[int, dict[str, tuple[Json, Json]]] = {}
        for agent in agents:
            if id(agent) not in self._watched:
                self._watched[id(agent)] = self._watch(agent)

    @property
    def names(self) -> tuple[str, ...]:
        """The files that changed during a review, in this run or an earlier one."""
        with self._lock:
            return tuple(self._changed)

    def _watch(self, agent: Agent) -> dict[str, tuple[Json, Json]]:
        watched: dict[str, tuple[Json, Json]] = {}
        pinned: dict[str, Json] = {}
        for path, digest in agent.watched_files().items():
            before = self._store.get_json(_key(agent, path))
            if before is None:
                watched[path] = digest, _state(path)
            else:
                pinned[path] = before
                self._changed[path] = None
        if pinned:
            agent.pin_files(pinned)
        return watched

    def compare(self, agent: Agent) -> None:
        """Check after a review whether a watched file changed; pin its earlier digest if so."""
        watched = self._watched.get(id(agent))
        if not watched:
            return
        with self._lock:
            changed = {
                path: digest for path, (digest, state) in watched.items() if _state(path) != state
            }
            for path, digest in changed.items():
                self._store.put_json(_key(agent, path), digest)
                self._changed[path] = None
                del watched[path]
            if changed:
                agent.pin_files(changed)


def _key(agent: Agent, path: str) -> bytes:
    parts: Json = ["changed file", kind_of(agent), agent.name, options_of(agent), path]
    return hashlib.sha256(canonical_json(parts).encode()).digest()


def _state(path: str) -> Json:
    try:
        state = Path(path).stat()
    except OSError:
        return "absent"
    return [state.st_size, state.st_mtime_ns]
