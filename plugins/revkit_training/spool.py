"""Spool: conversations kept on disk until their order is known, so that memory does not grow."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from revkit.errors import RunError
from revkit.model.exchange import Message
from revkit.model.values import Json, canonical_bytes
from revkit_training.trainers import COMPLETION, MESSAGES

Turns = list[dict[str, str]]


@dataclass(frozen=True, slots=True)
class Kept:
    """One conversation in the spool: where it is, and its SHA-256."""

    start: int
    size: int
    digest: str


class Spool:
    """A file of conversations, one a line, that are read again by their places."""

    def __init__(self, path: Path) -> None:
        self._file: IO[bytes] = path.open("w+b")
        self._end = 0

    def __enter__(self) -> Spool:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def put(self, messages: Iterable[Message]) -> Kept:
        """Keep a conversation."""
        turns: list[Json] = [{"role": each.role, "content": each.content} for each in messages]
        line = canonical_bytes(turns)
        self._file.write(line)
        start, self._end = self._end, self._end + len(line)
        return Kept(start, len(line), hashlib.sha256(line).hexdigest())

    def get(self, kept: Kept) -> Turns:
        """The turns of a conversation."""
        self._file.seek(kept.start)
        turns: Turns = json.loads(self._file.read(kept.size))
        self._file.seek(0, 2)
        return turns


@dataclass(slots=True)
class Written:
    """One file that was written."""

    lines: int = 0
    bytes: int = 0
    sha256: str = ""

    def to_json(self) -> dict[str, Json]:
        return {"lines": self.lines, "bytes": self.bytes, "sha256": self.sha256}


def write_lines(path: Path, lines: Iterable[bytes]) -> Written:
    """Write ``lines`` to a new file, each with its end."""
    written, digest = Written(), hashlib.sha256()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            for line in lines:
                file.write(line + b"\n")
                digest.update(line + b"\n")
                written.lines += 1
                written.bytes += len(line) + 1
    except OSError as error:
        raise RunError(f"{path} cannot be written: {error.strerror or error}") from error
    written.sha256 = digest.hexdigest()
    return written


def write_conversations(
    folder: Path, split: str, kept: list[Kept], spool: Spool
) -> dict[str, Written]:
    """Write conversations in both forms that trainers read: whole, and as prompt and completion."""
    forms: dict[str, Callable[[Turns], Json]] = {
        f"{MESSAGES}/{split}.jsonl": lambda turns: {"messages": turns},
        f"{COMPLETION}/{split}.jsonl": lambda turns: {
            "prompt": turns[:-1],
            "completion": turns[-1:],
        },
    }
    return {
        name: write_lines(folder / name, (canonical_bytes(form(spool.get(each))) for each in kept))
        for name, form in forms.items()
    }
