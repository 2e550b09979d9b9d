"""Files that options name: read with bounds, kept until they change, known by their content."""

from __future__ import annotations

import functools
import hashlib
import os
from pathlib import Path

MOST_BYTES = 64_000_000


class FileProblem(ValueError):
    """A file cannot be used; the text says why."""


def read_text(path: str | Path) -> str:
    """The text of the file at ``path``, read again only when it has changed."""
    name = str(path)
    try:
        found = os.stat(name)
    except OSError as error:
        raise FileProblem(f"{name} cannot be read: {error.strerror}") from None
    return _read(name, found.st_mtime_ns, found.st_size)


@functools.lru_cache(maxsize=64)
def _read(path: str, _changed: int, size: int) -> str:
    if size > MOST_BYTES:
        raise FileProblem(f"{path} is larger than {MOST_BYTES} bytes")
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise FileProblem(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise FileProblem(f"{path} is no text in UTF-8") from None


def digest(text: str) -> str:
    """SHA-256 of ``text``, as 64 hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()
