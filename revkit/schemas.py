"""The JSON Schemas of revkit, read from the installed package or from a checkout."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from revkit.errors import RevkitError


def read_schema(name: str) -> dict[str, Any]:
    """Return the schema called ``name`` ("experiment", "paper", ...)."""
    here = Path(__file__).parent
    for folder in (here / "_schemas", here.parent / "schemas"):
        path = folder / f"{name}.schema.json"
        if path.is_file():
            schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            return schema
    raise RevkitError(
        f"the schema {name!r} is missing from this installation; install revkit again"
    )
