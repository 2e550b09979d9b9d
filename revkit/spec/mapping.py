"""Specs that are mappings with values of Python programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from numbers import Integral, Real
from pathlib import PurePath
from typing import Any

from revkit.errors import Problem
from revkit.files.yaml_source import Path_


def plain_copy(value: Any) -> Any:
    """Return a copy of a spec as a mapping with the values that a file can contain: numbers of
    other libraries as numbers, paths as text.
    """
    if isinstance(value, Mapping):
        return {str(key): plain_copy(item) for key, item in value.items()}
    if isinstance(value, list | tuple | range):
        return [plain_copy(item) for item in value]
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value)
    return str(value) if isinstance(value, PurePath) else value


def unwritable(value: Any, path: Path_ = ()) -> Iterator[Problem]:
    """Return values that a file cannot contain, so that the spec of a sweep could not be saved."""
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from unwritable(item, (*path, key))
    elif value is not None and not isinstance(value, bool | int | float | str):
        message = f"a spec cannot contain a value of type {type(value).__name__}"
        yield Problem(message, path=".".join(map(str, path)), source="spec")
