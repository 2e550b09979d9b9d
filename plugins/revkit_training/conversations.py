"""Store conversations on disk until their order is known, so that memory use stays small."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO

from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.model.exchange import Message
from revkit.model.values import Json, canonical_bytes
from revkit_training.trainers import COMPLETION, MESSAGES

Turns = list[dict[str, str]]


@dataclass(frozen=True, slots=True)
class StoredConversation:
    """One conversation in the file: its position, and its SHA-256."""

    start: int
    size: int
    digest: str


class ConversationFile:
    """A file of conversations, which are read again by position."""

    def __init__(self, path: Path) -> None:
        self._file: IO[bytes] = path.open("w+b")
        self._end = 0

    def __enter__(self) -> ConversationFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def put(self, messages: Iterable[Message]) -> StoredConversation:
        """Append a conversation."""
        turns: list[Json] = [{"role": each.role, "content": each.content} for each in messages]
        line = canonical_bytes(turns)
        self._file.write(line)
        start, self._end = self._end, self._end + len(line)
        return StoredConversation(start, len(line), hashlib.sha256(line).hexdigest())

    def get(self, stored: StoredConversation) -> Turns:
        """Return the turns of a conversation."""
        self._file.seek(stored.start)
        turns: Turns = json.loads(self._file.read(stored.size))
        self._file.seek(0, 2)
        return turns


@dataclass(slots=True)
class WrittenFile:
    """Size and digest of one written file."""

    lines: int = 0
    bytes: int = 0
    sha256: str = ""

    def to_json(self) -> dict[str, Json]:
        return {"lines": self.lines, "bytes": self.bytes, "sha256": self.sha256}


def write_lines(path: Path, lines: Iterable[bytes]) -> WrittenFile:
    """Write ``lines`` to a new file, each with a line feed. Raises `RunError` where the file cannot
    be written.
    """
    written, digest = WrittenFile(), hashlib.sha256()
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
    folder: Path, split: str, chosen: list[StoredConversation], file: ConversationFile
) -> dict[str, WrittenFile]:
    """Write conversations in both forms that trainers read: messages, and prompt with
    completion.
    """
    forms: dict[str, Callable[[Turns], Json]] = {
        f"{MESSAGES}/{split}.jsonl": lambda turns: {"messages": turns},
        f"{COMPLETION}/{split}.jsonl": lambda turns: {
            "prompt": turns[:-1],
            "completion": turns[-1:],
        },
    }
    return {
        name: write_lines(folder / name, (canonical_bytes(form(file.get(each))) for each in chosen))
        for name, form in forms.items()
    }
