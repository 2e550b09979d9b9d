"""The JSON files of a run folder, read with bounds: a folder may come from somebody else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from revkit.errors import PaperError, RunError
from revkit.files.file_reader import Unreadable, read_bytes
from revkit.files.json_files import parsed
from revkit.model.strict_json import NotStrictJson, strict_json

REMEDY = "run the experiment again, or get the folder again from whoever made it"
OTHER_FORM: tuple[type[Exception], ...] = (
    LookupError, TypeError, ValueError, AttributeError, OverflowError, PaperError,
)  # fmt: skip
"""What reading a value raises that has another form than a run writes: a text where an object
belongs, an empty list, an infinite count."""
MOST_BYTES = 512_000_000
_LONGEST_LINE = 256_000_000


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Return the rows of a JSON Lines file, one by one.

    Raises `RunError` for a file that cannot be read and for a line that is not an object in the
    JSON of `strict_json`: ``NaN`` and ``1e999`` are refused, and a key that occurs twice.
    """
    try:
        with path.open("rb") as file:
            number = 0
            while line := file.readline(_LONGEST_LINE + 1):
                number += 1
                try:
                    if len(line) > _LONGEST_LINE:
                        raise NotStrictJson(f"longer than {_LONGEST_LINE:,} bytes")
                    row = strict_json(line.decode("utf-8"))
                    if not isinstance(row, dict):
                        raise NotStrictJson("not an object")
                except ValueError as error:
                    raise RunError(
                        f"{path}: line {number} is not a valid record: {error}; {REMEDY}"
                    ) from None
                yield row
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror or error}") from None


def records_folder(run: Path) -> Path:
    """Return the folder of the records in the run folder ``run``."""
    return run / "records"


def records_file(run: Path, name: str) -> Path:
    """Return the file of one kind of record ("papers", "outcomes", ...) in the run folder
    ``run``.
    """
    return records_folder(run) / f"{name}.jsonl"


def read_records(run: Path, name: str) -> Iterator[dict[str, Any]]:
    """Return the rows of one kind of record, one by one. Raises `RunError` where ``run`` has no
    such file, and as `read_rows`.
    """
    path = records_file(run, name)
    if not path.is_file():
        raise RunError(f"this run has no records {name!r}")
    return read_rows(path)


def rows_if_any(path: Path) -> Iterator[dict[str, Any]]:
    """Return the rows of a file that a run need not have: none without it. Raises as
    `read_rows`.
    """
    return read_rows(path) if path.is_file() else iter(())


def read_object(path: Path) -> dict[str, Any]:
    """Return the JSON object in a file. Raises `RunError` for a file that has no such value."""
    value = _value(path)
    if not isinstance(value, dict):
        raise RunError(f"{path} was not written by a run")
    return value


def read_objects(path: Path) -> list[dict[str, Any]]:
    """Return the list of JSON objects in a file; raises as `read_object`."""
    value = _value(path)
    if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
        raise RunError(f"{path} was not written by a run")
    return value


def _value(path: Path) -> Any:
    try:
        data = read_bytes(path, MOST_BYTES)
    except Unreadable as error:
        raise RunError(f"{path}: {error}") from None
    try:
        return parsed(data)
    except Unreadable as error:
        raise RunError(f"{path} cannot be read: {error}; {REMEDY}") from None
