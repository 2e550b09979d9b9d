"""Single values of options: numbers, strings, choices, and JSON of any form."""

from __future__ import annotations

import json
import math
import typing
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from revkit.errors import OptionError, unknown_name
from revkit.model.values import Json
from revkit.options.declaration import AnyJson, inside, is_nested
from revkit.options.writer import as_written


def scalar(annotation: Any, value: Any, metadata: Mapping[str, Any]) -> Any:
    """Return ``value`` as an option of this type. Raises `TypeError` and `ValueError` with the
    reason.
    """
    if annotation is Any:
        return value
    if annotation is AnyJson:
        return _plain_json(value)
    if annotation is bool:
        if isinstance(value, bool):
            return value
        raise ValueError(f"expected true or false, not {spell_value(value)}")
    if annotation in (int, float):
        return _number(annotation, value, metadata)
    if annotation is str:
        if not isinstance(value, str):
            raise ValueError(f"expected text, not {spell_value(value)}{quote_hint(value)}")
        if not value and metadata.get("nonempty"):
            raise ValueError("expected text, not ''")
        return value
    if annotation is type(None):
        if value is None:
            return None
        raise ValueError(f"expected nothing, not {spell_value(value)}")
    if typing.get_origin(annotation) is Literal:
        return _choice(typing.get_args(annotation), value)
    raise TypeError(f"an option cannot be of type {annotation!r}")


def _choice(known: Sequence[Any], value: Any) -> Any:
    if any(value == each and type(value) is type(each) for each in known):
        return value
    if isinstance(value, str):
        raise ValueError(unknown_name("value", value, map(str, known)))
    raise ValueError(f"expected one of {', '.join(map(repr, known))}, not {spell_value(value)}")


def _number(annotation: Any, value: Any, metadata: Mapping[str, Any]) -> int | float:
    if annotation is int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValueError(f"expected a whole number, not {spell_value(value)}")
        number: int | float = value
    else:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(f"expected a number, not {spell_value(value)}" + _float_hint(value))
        try:
            number = float(value)
        except OverflowError:
            raise ValueError(
                "expected a finite number, not one with more than 300 digits"
            ) from None
        if not math.isfinite(number):
            raise ValueError(f"expected a finite number, not {value!r}")
    minimum, maximum = metadata.get("minimum"), metadata.get("maximum")
    if minimum is not None and number < minimum:
        raise ValueError(f"{value!r} is below the minimum of {minimum}")
    if maximum is not None and number > maximum:
        raise ValueError(f"{value!r} is above the maximum of {maximum}")
    return number


def _plain_json(value: Any) -> Json:
    """Return a copy of ``value``. Raises `OptionError`, which names each place that is not JSON."""
    problems: list[tuple[str, str]] = []
    copy = json_copy(value, "", problems)
    if problems:
        raise OptionError("", problems)
    return copy


def json_copy(value: Any, place: str, problems: list[tuple[str, str]]) -> Json:
    """Return a copy of a JSON value; other values become ``problems`` with their places."""
    if isinstance(value, Mapping):
        odd = [key for key in value if not isinstance(key, str)]
        problems += [(place, f"the key {key!r} is not text; put it in quotes") for key in odd]
        return {
            str(key): json_copy(item, inside(place, str(key)) if place else str(key), problems)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [json_copy(item, f"{place}[{index}]", problems) for index, item in enumerate(value)]
    if is_nested(type(value)):
        return as_written(value)
    if isinstance(value, float) and not math.isfinite(value):
        problems.append((place, f"expected a finite number, not {value!r}"))
    elif value is not None and not isinstance(value, bool | int | float | str):
        problems.append((place, f"{value!r} is not JSON; put it in quotes"))
    return typing.cast(Json, value)


def spell_value(value: Any) -> str:
    """``value`` as YAML spells it, where Python spells it otherwise: true, false and null."""
    return json.dumps(value) if value is None or isinstance(value, bool) else repr(value)


def quote_hint(value: Any) -> str:
    """Return a hint to quote a value that YAML did not read as text; empty for others."""
    if value is None or isinstance(value, bool | int | float):
        return "; put it in quotes if it is text"
    return ""


def _float_hint(value: Any) -> str:
    """Return a hint that YAML 1.1 reads 1e-3 as text: only 1.0e-3 is a number there."""
    if isinstance(value, str):
        try:
            return f"; write {float(value)!r}" if math.isfinite(float(value)) else ""
        except ValueError:
            return ""
    return ""
