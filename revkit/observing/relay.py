"""Events of other processes: each writes a log, and the command that started them reads the logs.

A file in the folder that they share is the one connection that all executors have: it needs no
network, and a process that is killed loses no event that it wrote.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import shutil
import threading
from calendar import timegm
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import strptime
from typing import Any

from revkit.observing.events import Event, Observer

_EVERY = 0.5  # seconds between two looks


def log_in(folder: Path, part: str) -> Path:
    """Return a new path for the log of a process that works on ``part`` of a run."""
    return folder / f"{part}.{secrets.token_hex(4)}.jsonl"


@contextmanager
def relayed(observer: Observer, folder: Path, parent: int) -> Iterator[None]:
    """Give the events that processes log in ``folder`` to ``observer`` while the body runs, as
    parts of what has the number ``parent``. The folder is removed at the end.
    """
    folder.mkdir(parents=True, exist_ok=True)
    logs = _Logs(observer, folder, parent)
    thread = threading.Thread(target=logs.follow, name="revkit-relay", daemon=True)
    thread.start()
    try:
        yield
    finally:
        logs.stop.set()
        thread.join()
        logs.read()
        observer.lose()
        shutil.rmtree(folder, ignore_errors=True)


class _Logs:
    """The logs in a folder, each read as far as it has whole lines."""

    def __init__(self, observer: Observer, folder: Path, parent: int) -> None:
        self.stop = threading.Event()
        self._observer = observer
        self._folder = folder
        self._parent = parent
        self._places: dict[str, int] = {}

    def follow(self) -> None:
        while not self.stop.wait(_EVERY):
            self.read()

    def read(self) -> None:
        """Read what is new in all logs."""
        for path in sorted(self._folder.glob("*.jsonl")):
            # A log that cannot be read now, on a network file system, is read at the next look.
            with contextlib.suppress(OSError):
                self._read(path)

    def _read(self, path: Path) -> None:
        with path.open("rb") as file:
            file.seek(self._places.get(path.name, 0))
            text = file.read()
        whole = text[: text.rfind(b"\n") + 1]
        self._places[path.name] = self._places.get(path.name, 0) + len(whole)
        for line in whole.splitlines():
            event = _event_in(line)
            if event is not None:
                part = path.name.partition(".")[0]
                self._observer.relay(event, path.name, part, self._parent)


def _event_in(line: bytes) -> Event | None:
    """Return the event that a line of a log states; None for a line that is damaged."""
    try:
        value: dict[str, Any] = json.loads(line)
        whole, _, part = str(value.pop("time")).rstrip("Z").partition(".")
        moment = timegm(strptime(whole, "%Y-%m-%dT%H:%M:%S")) + float(f"0.{part or 0}")
        return Event(
            value.pop("event"),
            value.pop("phase"),
            int(value.pop("number", 0)),
            int(value.pop("parent", 0)),
            moment,
            value,
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
