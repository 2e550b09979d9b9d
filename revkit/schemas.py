"""The JSON Schemas of revkit and of plugins, read from the installed package or from a checkout."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any

from revkit.errors import RevkitError


def read_schema(name: str) -> dict[str, Any]:
    """Return the schema of revkit called ``name`` ("experiment", "paper", ...). Raises
    `RevkitError` where the schema is not installed.
    """
    here = Path(__file__).parent
    for folder in (here / "_schemas", here.parent / "schemas"):
        path = folder / f"{name}.schema.json"
        if path.is_file():
            schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            return schema
    raise RevkitError(
        f"the schema {name!r} is missing from this installation; install revkit again"
    )


def read_packaged_schema(package: str, name: str) -> dict[str, Any]:
    """Return ``schemas/NAME.schema.json`` of a plugin's package.

    Raises `RevkitError` where the package has no such file.
    """
    path = resources.files(package) / "schemas" / f"{name}.schema.json"
    try:
        schema: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise RevkitError(f"the schema {name!r} of {package} cannot be read: {error}") from error
    return schema
