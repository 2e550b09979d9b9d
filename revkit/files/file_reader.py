"""Read one file with a limit on its size, as bytes or as text, or state why it cannot be read."""

from __future__ import annotations

import functools
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from revkit.errors import PaperError
from revkit.files.resources import PREFIX, located
from revkit.model.intake import decode

MOST_BYTES = 4_000_000


_BUFFER = 1 << 16  # bytes; a line of a paper spans several of the usual buffers


class Unreadable(ValueError):
    """A file, or one record of it, cannot be read; the text states why."""


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Open a file of a corpus for reading bytes.

    Raises `Unreadable` with the reason alone, since the corpus knows the file's name: for what
    cannot be opened or read, and for a pipe or device, whose reading would perhaps not end.
    """
    try:
        with _open(path) as file:
            yield file
    except OSError as error:
        raise Unreadable(f"cannot be read: {error.strerror or error}") from None


def read_bytes(path: Path, max_bytes: int) -> bytes:
    """Return the content of a file of a corpus, whose size the option ``max-bytes`` limits; see
    `opened`.
    """
    with opened(path) as file:
        return _bounded(file, max_bytes, f"max-bytes ({max_bytes})")


def read_text(path: str | Path, most_bytes: int = MOST_BYTES) -> str:
    """Return the text of the file that an option names; it is read again only after a change.

    UTF-8, without the byte order mark; every line ends in ``\\n``. Raises `Unreadable` with the
    path and the reason.
    """
    name = str(path)
    try:
        if name.startswith(PREFIX):
            name = str(located(name))
        found = os.stat(name)  # for each review: `Path` would take five times as long
        return _text(name, found.st_mtime_ns, found.st_size, most_bytes)
    except OSError as error:
        raise Unreadable(f"{name} cannot be read: {error.strerror}") from None
    except Unreadable as error:
        raise Unreadable(f"{name} is {error}") from None
    except ValueError as error:  # a path that holds a NUL, a package that is not installed
        raise Unreadable(f"{name!r} cannot be read: {error}") from None


@functools.lru_cache(maxsize=64)
def _text(name: str, _changed: int, _size: int, most_bytes: int) -> str:
    with _open(name) as file:
        text = decoded(_bounded(file, most_bytes, f"{most_bytes} bytes")).removeprefix("\ufeff")
    if "\0" in text:
        raise Unreadable("not text: it contains a NUL character")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _open(path: str | Path) -> BinaryIO:
    mode = os.stat(path).st_mode
    if stat.S_ISDIR(mode):
        os.listdir(path)  # if the folder cannot be listed, report that
    elif not stat.S_ISREG(mode):
        raise Unreadable("not a regular file")
    return open(path, "rb", buffering=_BUFFER)


def _bounded(file: BinaryIO, most: int, limit: str) -> bytes:
    data = file.read(most + 1)
    if len(data) > most:
        raise Unreadable(f"larger than {limit}")
    return data


def decoded(data: bytes) -> str:
    """Return ``data`` as unchanged text, a byte order mark included.

    Raises `Unreadable` with the place of the first byte that is not UTF-8.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        try:
            return decode(data)[0]
        except PaperError as error:
            raise Unreadable(str(error)) from None
