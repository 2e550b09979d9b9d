"""Digests of the files that options name: the key of a stored review depends on them."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from revkit.model.values import Json

_LARGEST = 50_000_000
_MARKS = re.compile(r"[\s\"'`=:,;@()\[\]{}]+")
START = "{start_dir}"


def started(text: str) -> str:
    """Return ``text`` with ``{start_dir}`` replaced by the folder where revkit was started."""
    return text.replace(START, os.getcwd())


def digest_of_file(path: Path) -> Json:
    """Return the digest of the content, or size and modification time of a file above 50 MB, or
    "absent".
    """
    try:
        state = path.stat()
        if state.st_size > _LARGEST:
            return [state.st_size, state.st_mtime_ns]
        return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    except OSError:
        return "absent"


def files_named(texts: Iterable[str]) -> list[Path]:
    """Return the files that ``texts`` name by an absolute path or by a path under ``{start_dir}``.

    A text is looked at as a whole, behind its first "=" (``--config={start_dir}/a b.yaml``) and
    word by word (``sh -c "python3 {start_dir}/a.py"``). Folders do not count. A file that does not
    exist counts if its folder does and its name has an ending, since a reviewer may write it.
    """
    found: dict[Path, None] = {}
    for text in texts:
        for word in _words(text):
            path = Path(started(word))
            if os.sep in word and path.is_absolute() and (is_file(path) or _can_be_made(path)):
                found[path] = None
    return list(found)


def _words(text: str) -> Iterator[str]:
    yield text
    yield text.partition("=")[2]
    marked = text.replace(START, "\0")
    yield from (word.replace("\0", START) for word in _MARKS.split(marked))


def _can_be_made(path: Path) -> bool:
    folder = path.parent
    try:
        return (
            bool(path.suffix) and folder != folder.parent and folder.is_dir() and not path.exists()
        )
    except (OSError, ValueError):
        return False


def is_file(path: Path) -> bool:
    """Return whether ``path`` is a file; False for a path that the system refuses, such as one with
    a NUL.
    """
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
