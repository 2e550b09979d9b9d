"""The files of a run folder, read with bounds: a folder may come from somebody else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from revkit.errors import RunError

MOST_BYTES = 512_000_000
_LONGEST_LINE = 256_000_000


def read_object(path: Path) -> dict[str, Any]:
    """The JSON object in a file. Raises `RunError` for a file that holds no such value."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise RunError(f"{path} is larger than {MOST_BYTES:,} bytes")
        value = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise RunError(f"{path} cannot be read: {error}") from None
    if not isinstance(value, dict):
        raise RunError(f"{path} was not written by a run")
    return value


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a JSON Lines file, one by one. Raises `RunError` for a line that is not one."""
    try:
        with path.open("rb") as file:
            number = 0
            while line := file.readline(_LONGEST_LINE + 1):
                number += 1
                try:
                    row = json.loads(line)
                except (ValueError, RecursionError):
                    row = None
                if not isinstance(row, dict) or len(line) > _LONGEST_LINE:
                    raise RunError(f"{path}: line {number} is not a valid record")
                yield row
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror or error}") from None
