"""The files of a run folder, read with bounds: a folder may come from somebody else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from revkit.errors import RunError

MOST_BYTES = 512_000_000


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
