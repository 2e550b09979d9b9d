"""Files of a corpus: found, bounded, known by their content; and their texts, repaired."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from revkit.errors import RunError
from revkit.model.intake import clean_text

_MOST_FILES = 10_000
# Excel writes "_x000D_" for a character that XML cannot hold, and "_x005F_" for the "_" of it.
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_ENCODED_TWICE = re.compile("[\u00c2-\u00df][\u0080-\u00bf]|[\u00e0-\u00ef][\u0080-\u00bf]{2}")
_WINDOWS_FORM = re.compile("â€[\u0153\u009d˜™¦“”\u02dc]|Ã[©¨¼¶¤±³¡]")


class Unreadable(Exception):
    """A file or record cannot be read; the text says why."""


@dataclass(frozen=True, slots=True)
class Found:
    """A file, and its ``name`` below the corpus, with "/"."""

    path: Path
    name: str


def find_files(corpus: str, path: str, suffixes: Sequence[str]) -> list[Found]:
    """Return the file at ``path``, or those below it that end in ``suffixes``, sorted by name.

    Raises `RunError` where nothing is there. Names that begin with "." or "~$" are left out.
    """
    root = Path(path).expanduser()
    if not path or not root.exists():
        raise RunError(f"{corpus}: {path or 'an empty path'} does not exist; correct the path")
    if not root.is_dir():
        return [Found(root, root.name)]
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if name.casefold().endswith(tuple(suffixes)) and not name.startswith((".", "~$")):
                place = Path(folder) / name
                found.append(Found(place, place.relative_to(root).as_posix()))
    if not found:
        raise RunError(f"{corpus}: {root} holds no file that ends in {', '.join(suffixes)}")
    if len(found) > _MOST_FILES:
        raise RunError(f"{corpus}: {root} holds more than {_MOST_FILES} files")
    return sorted(found, key=lambda file: file.name)


def read_bytes(path: Path, max_bytes: int) -> bytes:
    """Return the content of a regular file of at most ``max_bytes``; else raise `Unreadable`."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise Unreadable("no regular file")
        with path.open("rb") as file:
            data = file.read(max_bytes + 1)
    except OSError as error:
        raise Unreadable(f"cannot be read: {error.strerror}") from None
    if len(data) > max_bytes:
        raise Unreadable(f"larger than max-bytes ({max_bytes})")
    return data


def content_of(files: Iterable[Found]) -> str:
    """A digest of names and contents, which stands for where the files lie."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{file.name}\n{_digest(file.path)}\n".encode())
    return digest.hexdigest()


def _digest(path: Path) -> str:
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            return "no regular file"
        return _digest_of(str(path), status.st_size, status.st_mtime_ns, status.st_ino)
    except OSError:
        return "unreadable"


@lru_cache(maxsize=4_096)
def _digest_of(path: str, size: int, modified: int, inode: int) -> str:  # noqa: ARG001
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def repaired(raw: str) -> tuple[str, tuple[str, ...]]:
    """Return a cell's text as a paper can hold it, and a note for each kind of repair.

    What cannot be told for sure (text that may be encoded twice) stays, with a note.
    """
    text = raw
    notes: list[str] = []
    if "_x" in text:
        text, count = _ESCAPED.subn(lambda match: chr(int(match[1], 16)), text)
        if count:
            notes.append(f"read {count} escaped character{'s' * (count > 1)} of the sheet")
    text, repairs = clean_text(text)
    notes += repairs
    if not text.isascii():
        left = len(_WINDOWS_FORM.findall(text)) + len(_ENCODED_TWICE.findall(text))
        if left:
            notes.append(f"{left} place{'s' * (left > 1)} may be encoded twice: left as written")
    return text, tuple(notes)
