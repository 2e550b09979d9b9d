"""Files that change while a reviewer works: whether they count as input, even if an option names
them.

A log that a tool writes would otherwise enter the key of every review, and each run would pay for
all of them again. A prompt that a person edits during a run must enter the key, or later edits
would give the old reviews. A change alone does not show which of the two a file is, so the store
keeps what was seen of it. At the start of a run, a file is an output of the reviewer if `_OUTPUT`
reviews changed it; or if it has the content that was seen last, or this content and more behind
it, and its changes only appended to it or are at least half as many as the reviews. The run then
uses the digest before the first change, so the keys stay the same. Every other file was changed
from outside: it is an input again, under keys that no earlier review has, since the reviews under
its first digest come from more than one content.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from revkit.cache import Store
from revkit.contracts import Agent
from revkit.dataclass import dataclass
from revkit.identity import kind_of
from revkit.model.values import Json, canonical_json
from revkit.options import options_of

_OUTPUT = 3  # reviews that changed a file; a person who edits it changes it once or twice
_LARGEST = 50_000_000  # bytes; of a larger file, size and time are compared


@dataclass(frozen=True)
class _Seen:
    """What is known of one file.

    ``mixed`` counts how often reviews under one digest came from more than one content, ``changes``
    the reviews that changed the file since then, of ``reviews`` in this run. ``before`` is its
    digest before the first of these changes, ``appended`` whether all of them appended to it, and
    ``size`` and ``content`` are its size and the digest of its content after the last one.
    """

    before: Json
    mixed: int = 0
    changes: int = 0
    reviews: int = 0
    appended: bool = True
    size: int = 0
    content: str = ""

    @property
    def output(self) -> bool:
        """Whether the reviewer writes the file, whatever its content is now."""
        return self.changes >= _OUTPUT

    @property
    def edited(self) -> bool:
        """Whether the changes look like an edit, and not like those of a reviewer."""
        return not self.appended and 0 < self.changes * 2 < self.reviews


class ChangedFiles:
    """The watched files of the agents of one run, and which of them changed during a review."""

    def __init__(self, agents: Iterable[Agent], store: Store) -> None:
        self._entries = _Entries(store)
        self._lock = threading.Lock()
        self._changed: dict[str, None] = {}
        self._watched: dict[int, dict[str, tuple[_Seen, Json]]] = {}
        for agent in agents:
            if id(agent) not in self._watched:
                self._watched[id(agent)] = self._watch(agent)

    @property
    def names(self) -> tuple[str, ...]:
        """The files that changed during a review, in this run or an earlier one."""
        with self._lock:
            return tuple(self._changed)

    def _watch(self, agent: Agent) -> dict[str, tuple[_Seen, Json]]:
        watched: dict[str, tuple[_Seen, Json]] = {}
        pinned: dict[str, Json] = {}
        for path, digest in agent.watched_files().items():
            seen, edited = self._entries.read(agent, path)
            if seen.changes and not seen.output and (edited or not _continues(path, seen)):
                seen = _Seen(None, seen.mixed + 1)
                self._entries.add_mixed(agent, path, seen.mixed)
            if seen.changes:
                self._changed[path] = None
            else:
                before: Json = [digest, f"change {seen.mixed}"] if seen.mixed else digest
                seen = _noted(path, _Seen(before, seen.mixed))
            if seen.before != digest:
                pinned[path] = seen.before
            watched[path] = seen, _state(path)
        if pinned:
            agent.pin_files(pinned)
        return watched

    def compare(self, agent: Agent) -> None:
        """Check after a review whether a watched file changed; pin its earlier digest if so."""
        watched = self._watched.get(id(agent))
        if not watched:
            return
        with self._lock:
            pinned: dict[str, Json] = {}
            for path, (seen, state) in watched.items():
                if seen.output:
                    continue
                now = _state(path)
                after = replace(seen, reviews=seen.reviews + 1)
                if now != state:
                    appended = seen.appended and _continues(path, seen)
                    after = replace(after, changes=seen.changes + 1, appended=appended)
                    after = _noted(path, after)
                    self._entries.add_change(agent, path, after)
                    self._changed[path] = None
                    pinned[path] = after.before
                if after.edited and (now != state or not seen.edited):
                    self._entries.add_edited(agent, path, after)
                watched[path] = after, now
            if pinned:
                agent.pin_files(pinned)


class _Entries:
    """What the store keeps of changed files. An entry of the store never changes, so each change
    is an entry.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def read(self, agent: Agent, path: str) -> tuple[_Seen, bool]:
        """Return what is known of a file, and whether its last change looks like an edit."""
        mixed = 0
        while self._entry(agent, path, "mixed", mixed + 1) is not None:
            mixed += 1
        seen = _Seen(None, mixed)
        while seen.changes < _OUTPUT:
            entry = self._entry(agent, path, "change", mixed, seen.changes + 1)
            if entry is None:
                break
            match entry:
                case {
                    "before": before,
                    "appended": bool(appended),
                    "size": int(size),
                    "content": str(content),
                }:
                    seen = _Seen(before, mixed, seen.changes + 1, 0, appended, size, content)
                case _:
                    break
        edited = self._entry(agent, path, "edited", mixed, seen.changes) is not None
        return seen, edited

    def add_change(self, agent: Agent, path: str, seen: _Seen) -> None:
        """Keep what was seen when a review changed the file."""
        value: Json = {
            "before": seen.before,
            "appended": seen.appended,
            "size": seen.size,
            "content": seen.content,
        }
        self._add(agent, path, value, "change", seen.mixed, seen.changes)

    def add_edited(self, agent: Agent, path: str, seen: _Seen) -> None:
        """Keep that the changes so far look like an edit."""
        self._add(agent, path, {"edited": True}, "edited", seen.mixed, seen.changes)

    def add_mixed(self, agent: Agent, path: str, mixed: int) -> None:
        """Keep that reviews under one digest came from more than one content."""
        self._add(agent, path, {"mixed": mixed}, "mixed", mixed)

    def _entry(self, agent: Agent, path: str, *what: Json) -> Json:
        return self._store.get_json(_key(agent, path, *what))

    def _add(self, agent: Agent, path: str, value: Json, *what: Json) -> None:
        self._store.put_json(_key(agent, path, *what), value)


def _continues(path: str, seen: _Seen) -> bool:
    """Whether a file has the content that was seen last, or this content and more behind it."""
    return _content(path, seen.size) == seen.content


def _noted(path: str, seen: _Seen) -> _Seen:
    """Return ``seen`` with the size and the digest of the content that the file has now."""
    try:
        size = Path(path).stat().st_size
    except OSError:
        size = 0
    return replace(seen, size=size, content=_content(path, size))


def _content(path: str, size: int) -> str:
    """Return the digest of the first ``size`` bytes of a file, "" where it has fewer; of a large
    file, of its size and time."""
    if size > _LARGEST:
        return canonical_json(_state(path))
    try:
        with Path(path).open("rb") as file:
            begin = file.read(size)
    except OSError:
        begin = b""
    return hashlib.sha256(begin).hexdigest() if len(begin) == size else ""


def _key(agent: Agent, path: str, *what: Json) -> bytes:
    named: Json = [kind_of(agent), agent.name, options_of(agent), path]
    return hashlib.sha256(canonical_json(["changed file", named, *what]).encode()).digest()


def _state(path: str) -> Json:
    try:
        state = Path(path).stat()
    except OSError:
        return "absent"
    return [state.st_size, state.st_mtime_ns]
