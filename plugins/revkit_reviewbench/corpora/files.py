"""Files: found, bounded, and known by their content instead of their place."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from revkit.errors import RunError

_MOST_FILES = 100_000


class Unreadable(Exception):
    """One file or record cannot be read; the text says why."""


@dataclass(frozen=True, slots=True)
class Found:
    """A file, and its ``name`` below the corpus, with "/"."""

    path: Path
    name: str


def find_files(corpus: str, path: str, suffixes: Sequence[str]) -> list[Found]:
    """Return the file at ``path``, or those below it that end in ``suffixes``, sorted by name.

    Raises `RunError` where there is none. Names that begin with "." are left out.
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
            if name.casefold().endswith(tuple(suffixes)) and not name.startswith("."):
                place = Path(folder) / name
                found.append(Found(place, place.relative_to(root).as_posix()))
    if not found:
        raise RunError(f"{corpus}: {root} holds no file that ends in {', '.join(suffixes)}")
    if len(found) > _MOST_FILES:
        raise RunError(f"{corpus}: {root} holds more than {_MOST_FILES} files")
    return sorted(found, key=lambda file: file.name)


def digest_of_files(files: Iterable[Found]) -> str:
    """A digest of names and contents, which stands for where the files lie."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(f"{file.name}\n{digest_of_file(file.path)}\n".encode())
    return digest.hexdigest()


def digest_of_file(path: Path) -> str:
    """The SHA-256 of a file's content; a word where it is no readable file."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            return "no regular file"
        return _digest_of(str(path), status.st_size, status.st_mtime_ns, status.st_ino)
    except OSError:
        return "unreadable"


@lru_cache(maxsize=65_536)
def _digest_of(path: str, size: int, modified: int, inode: int) -> str:  # noqa: ARG001
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def json_values(file: Found, max_bytes: int) -> Iterator[tuple[str, Any]]:
    """Yield the JSON values of a file, each with its place ("papers.jsonl:3", "a.json[0]").

    A .jsonl file has one value a line; any other holds one value, or a list of them. NaN and
    infinities are no JSON. A value that cannot be read comes as an `Unreadable`; a file that
    cannot be read, or that is longer than ``max_bytes``, raises one.
    """
    try:
        status = file.path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise Unreadable("no regular file")
        with file.path.open("rb") as opened:
            if file.name.casefold().endswith((".jsonl", ".ndjson")):
                yield from _lines(opened, file.name, max_bytes)
                return
            data = opened.read(min(max_bytes, status.st_size) + 1)
    except OSError as error:
        raise Unreadable(f"cannot be read: {error.strerror}") from None
    if len(data) > max_bytes:
        raise Unreadable(f"larger than max-bytes ({max_bytes})")
    value = parsed(data)
    if isinstance(value, list):
        yield from ((f"{file.name}[{number}]", item) for number, item in enumerate(value))
    else:
        yield file.name, value


def _lines(opened: Iterable[bytes], name: str, max_bytes: int) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(opened, 1):
        place = f"{name}:{number}"
        if not line.strip():
            continue
        if len(line) > max_bytes:
            yield place, Unreadable(f"larger than max-bytes ({max_bytes})")
            continue
        try:
            yield place, parsed(line)
        except Unreadable as error:
            yield place, error


def parsed(data: bytes) -> Any:
    """The JSON value of ``data`` in UTF-8. Raises `Unreadable` with the place of the fault."""
    try:
        return json.loads(data.decode("utf-8-sig"), parse_constant=_refused)
    except UnicodeDecodeError as error:
        raise Unreadable(f"not UTF-8: byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise Unreadable(
            f"malformed JSON at line {error.lineno}, column {error.colno}: {error.msg}"
        ) from None
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"malformed JSON: {error}") from None


def _refused(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")
