"""Rows of JSON Lines that a run wrote, read with bounds: a folder may come from somebody else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from revkit.errors import RunError

_LONGEST_LINE = 256_000_000


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Return the rows of a JSON Lines file, one by one.

    Raises `RunError` for a file that cannot be read and for a line that is not an object of
    standard JSON (``NaN`` and ``Infinity`` are not).
    """
    try:
        with path.open("rb") as file:
            number = 0
            while line := file.readline(_LONGEST_LINE + 1):
                number += 1
                try:
                    row = json.loads(line, parse_constant=_refused)
                except (ValueError, RecursionError):
                    row = None
                if not isinstance(row, dict) or len(line) > _LONGEST_LINE:
                    raise RunError(f"{path}: line {number} is not a valid record")
                yield row
    except OSError as error:
        raise RunError(f"{path} cannot be read: {error.strerror or error}") from None


def _refused(name: str) -> None:
    raise ValueError(name)
