"""Read JSON files: one value, or the values one by one, each with its place; a faulty value does
not affect others.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from revkit.files.file_reader import MOST_BYTES, Unreadable, decoded, opened, read_bytes
from revkit.files.folders import CorpusFile
from revkit.model.strict_json import NotStrictJson, strict_json

LINES = (".jsonl", ".ndjson")


def json_values(file: CorpusFile, max_bytes: int) -> Iterator[tuple[int, str, Any]]:
    """Yield the values of a file: number from 1, place ("papers.jsonl:3", "a.json[0]") and value.

    The number counts lines where the file is JSON Lines, by its name or since its first or
    second line is a whole object; any other file holds one value, or a list of them. ``max_bytes``
    bounds a line, or such a file as a whole. A value that cannot be read comes as an `Unreadable`;
    a file that cannot be read raises one.
    """
    if file.name.casefold().endswith(LINES):
        with opened(file.path) as lines:
            for number, line in lines_of(lines, max_bytes):
                yield number, f"{file.name}:{number}", _value(line, max_bytes)
        return
    data = read_bytes(file.path, max_bytes)
    try:
        value = parsed(data)
    except Unreadable:
        if not holds_json_lines(data):
            raise
        for number, line in enumerate(data.split(b"\n"), 1):
            if line.strip():
                yield number, f"{file.name}:{number}", _value(line, max_bytes)
        return
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield number + 1, f"{file.name}[{number}]", item
    else:
        yield 1, file.name, value


def holds_json_lines(data: bytes) -> bool:
    """Return whether ``data``, which is not one JSON value, has one value in each line: its first
    or second line with text is a whole object, and so may the other be. The file's name does not
    matter.
    """
    lines = [line for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n") if line.strip()]
    if len(lines) < 2 or not all(line.lstrip().startswith(b"{") for line in lines[:2]):
        return False
    return any(map(_is_whole, lines[:2]))


def _is_whole(line: bytes) -> bool:
    try:
        parsed(line)
    except Unreadable:
        return False
    return True


def _value(line: bytes | None, max_bytes: int) -> Any:
    if line is None:
        return Unreadable(f"larger than max-bytes ({max_bytes})")
    try:
        return parsed(line)
    except Unreadable as error:
        return error


def lines_of(file: BinaryIO, max_bytes: int) -> Iterator[tuple[int, bytes | None]]:
    """Yield the lines that are not blank, with their numbers; None for one above ``max_bytes``.

    Of a line that is too long no more than ``max_bytes`` are held at a time. A byte order mark
    before the first line is dropped.
    """
    number = 0
    while data := file.readline(max_bytes + 1):
        number += 1
        whole = len(data) <= max_bytes or data.endswith(b"\n")
        rest = data
        while not rest.endswith(b"\n") and (rest := file.readline(65_536)):
            pass
        if number == 1:
            data = data.removeprefix(b"\xef\xbb\xbf")
        if not whole:
            yield number, None
        elif not data.isspace():
            yield number, data.rstrip(b"\r\n")


def parsed(data: bytes) -> Any:
    """Return the JSON value of ``data`` in UTF-8, as `strict_json` reads it.

    Raises `Unreadable` with the place of the fault.
    """
    try:
        return strict_json(decoded(data))
    except NotStrictJson as error:
        place = f" at {error.place}" if error.place else ""
        raise Unreadable(f"malformed JSON{place}: {error.problem}") from None


def json_in_file(path: Path, max_bytes: int = MOST_BYTES) -> Any:
    """Return the JSON value of the file at ``path``, as `strict_json` reads it.

    Raises `Unreadable` with the reason, without the path: the file cannot be read, has more than
    ``max_bytes``, or is not such JSON.
    """
    return parsed(read_bytes(path, max_bytes))
