"""Write the options of an instance as JSON, for keys and specs."""

from __future__ import annotations

import typing
from collections.abc import Mapping
from typing import Any

from revkit.model.values import Json
from revkit.options.declaration import GIVEN, fields_of, is_nested


def options_of(instance: Any) -> dict[str, Json]:
    """Return the options of ``instance`` under their YAML names, defaults included (except for
    options that were added later).
    """
    return {
        name: plain(value)
        for name, field, _ in fields_of(type(instance))
        if (value := getattr(instance, field.name)) != field.default
        or not field.metadata.get("later")
    }


def as_written(nested: Any) -> Mapping[str, Json]:
    """Return a nested value as the JSON from which it was read, with only the keys that were set;
    for one built in Python, the keys that differ from their defaults.
    """
    given: Mapping[str, Json] | None = vars(nested).get(GIVEN)
    if given is not None:
        return given
    return {
        name: plain(value)
        for name, field, _ in fields_of(type(nested))
        if (value := getattr(nested, field.name)) != field.default
    }


def plain(value: Any) -> Json:
    """Return the value of an option as JSON. Raises `TypeError` for a value that no option has."""
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if value is None or isinstance(value, bool | int | float | str):
        return typing.cast(Json, value)
    if is_nested(type(value)):
        return as_written(value)
    raise TypeError(f"an option cannot contain {value!r}")
