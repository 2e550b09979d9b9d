"""The log: one JSON object per line for every event."""

from __future__ import annotations

import json
import sys
import threading
import time
from pathlib import Path

from revkit.observing.events import Event, Fact


class Log:
    """Appends events to the file ``path``, or writes them to standard error (None)."""

    def __init__(self, path: Path | None) -> None:
        self._lock = threading.Lock()
        self._file = None
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a", encoding="utf-8", newline="\n")

    def take(self, event: Event) -> None:
        """Write one line, at once: what a killed run wrote is there."""
        whole, part = divmod(event.moment, 1)
        moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(whole)) + f".{int(part * 1e6):06d}Z"
        value: dict[str, Fact] = {"time": moment, "event": event.name, "phase": event.phase}
        if event.number:
            value |= {"number": event.number, "parent": event.parent}
        line = json.dumps({**value, **event.facts}, ensure_ascii=True) + "\n"
        with self._lock:
            file = self._file or sys.stderr
            file.write(line)
            file.flush()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
