"""Options of a component: dataclass fields to JSON Schema, to values, and back.

A component is a frozen dataclass. Its fields are its options: in YAML they are written in
kebab-case (``max_distance`` is ``max-distance``), their annotations become a JSON Schema, and their
values are part of the key under which results are stored. Supported annotations are ``bool``,
``int``, ``float``, ``str``, ``Literal[...]``, ``tuple[T, ...]``, ``tuple[A, B]``,
``Mapping[str, T]`` or ``dict[str, T]``, ``T | None``, and ``Any`` for JSON whose grammar the
component checks itself (in ``__post_init__``, with `OptionError`).
"""

from __future__ import annotations

import dataclasses
import math
import types
import typing
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from revkit.errors import OptionError, UnknownOption
from revkit.errors import unknown_name as unknown_name
from revkit.model.values import Json

_MISSING = dataclasses.MISSING


def option(
    default: Any = _MISSING,
    *,
    help: str = "",
    minimum: float | None = None,
    maximum: float | None = None,
    formerly: str = "",
    later: bool = False,
) -> Any:
    """Declare one option of a component, with its bounds (inclusive) and what it means.

    ``x: float = option(0.05, help="...", minimum=0)`` is ``x: float = 0.05`` with more to say.
    Bounds hold for numbers, and for each number of a sequence. ``formerly`` is the name in YAML
    that the option had in an earlier release: specs with it are accepted and reported, and seeds
    are derived under it, so a renamed option draws the same numbers. ``later`` marks an option that
    came after a component was in use: at its default it is left out of the options of an instance,
    so that finished runs, stored answers and random draws of before stay those of the component.
    """
    metadata = {
        "help": help,
        "minimum": minimum,
        "maximum": maximum,
        "formerly": formerly,
        "later": later,
    }
    if default is _MISSING:
        return dataclasses.field(metadata=metadata)
    if isinstance(default, list | dict | set):
        raise TypeError("a mutable default would be shared; use a tuple or None")
    return dataclasses.field(default=default, metadata=metadata)


def yaml_name(field_name: str) -> str:
    """The name of an option in YAML: ``max_distance`` -> ``max-distance``."""
    return field_name.rstrip("_").replace("_", "-")


def _fields(component: type) -> tuple[tuple[str, dataclasses.Field[Any], Any], ...]:
    if not dataclasses.is_dataclass(component):
        raise TypeError(f"{component.__qualname__} must be a frozen dataclass")
    hints = typing.get_type_hints(component)
    return tuple(
        (yaml_name(field.name), field, hints[field.name])
        for field in dataclasses.fields(component)
        if field.init
    )


def schema_of(component: type) -> dict[str, Json]:
    """Return the JSON Schema (draft 2020-12) of the options of ``component``.

    Raises `TypeError` for an annotation that has no schema: a plugin's fault, found when it
    registers.
    """
    properties: dict[str, Json] = {}
    required: list[Json] = []
    for name, field, annotation in _fields(component):
        schema = _schema(annotation, field.metadata)
        if field.metadata.get("help"):
            schema["description"] = field.metadata["help"]
        if field.default is not _MISSING:
            schema["default"] = _plain(field.default)
        elif field.default_factory is _MISSING:
            required.append(name)
        properties[name] = schema
    result: dict[str, Json] = {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }
    if required:
        result["required"] = required
    return result


def _schema(annotation: Any, metadata: Mapping[str, Any]) -> dict[str, Json]:
    origin = typing.get_origin(annotation)
    arguments = typing.get_args(annotation)
    if annotation is Any:
        return {}
    if annotation in (int, float):
        schema: dict[str, Json] = {"type": "integer" if annotation is int else "number"}
        for bound in ("minimum", "maximum"):
            if metadata.get(bound) is not None:
                schema[bound] = metadata[bound]
        return schema
    if annotation is bool:
        return {"type": "boolean"}
    if annotation is str:
        return {"type": "string"}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        return {"type": "array", "items": _schema(arguments[0], metadata)}
    if origin is tuple and arguments:
        return {
            "type": "array",
            "prefixItems": [_schema(a, metadata) for a in arguments],
            "items": False,
            "minItems": len(arguments),
        }
    if origin in (dict, Mapping) and arguments[0] is str:
        return {"type": "object", "additionalProperties": _schema(arguments[1], metadata)}
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [_schema(a, metadata) for a in arguments]}
    if annotation is type(None):
        return {"type": "null"}
    raise TypeError(f"an option cannot be of type {annotation!r}")


def from_options(component: type, options: Mapping[str, Any]) -> Any:
    """Build ``component`` from options as YAML gives them; `OptionError` tells all problems."""
    problems: list[tuple[str, str]] = []
    fields = {name: (field, annotation) for name, field, annotation in _fields(component)}
    values: dict[str, Any] = {}
    renamed = renamed_options(component, options)
    for old, new in renamed.items():
        if new in options:
            problems.append((old, f"is the former name of {new}, which is given as well"))
    for key, value in options.items():
        name = renamed.get(key, key)
        if name not in fields:
            message = unknown_name("option", str(key), fields)
            problems.append((str(key), UnknownOption(message)))
            continue
        field, annotation = fields[name]
        try:
            values[field.name] = _value(annotation, value, field.metadata)
        except ValueError as error:
            problems.append((key, str(error)))
    given = {*options, *renamed.values()}
    for name, (field, _) in fields.items():
        if name not in given and field.default is _MISSING and field.default_factory is _MISSING:
            problems.append((name, "is required and missing"))
    if problems:
        raise OptionError(_name(component), problems)
    return component(**values)


def renamed_options(component: type, options: Mapping[str, Any]) -> dict[str, str]:
    """The keys of ``options`` that are former names of options, each with the name of today."""
    return {old: name for name, old in _former_names(component).items() if old in options}


def under_former_names(component: type, options: Json) -> Json:
    """``options`` with renamed options under their first names, as seeds are derived from them."""
    if not isinstance(options, dict) or not dataclasses.is_dataclass(component):
        return options
    former = _former_names(component)
    return {str(former.get(name, name)): each for name, each in options.items()}


def _former_names(component: type) -> dict[str, str]:
    """The options that had another name, with that; a name that is in use again means the new."""
    fields = _fields(component)
    known = {name for name, *_ in fields}
    former = {name: str(field.metadata.get("formerly") or "") for name, field, _ in fields}
    return {name: old for name, old in former.items() if old and old not in known}


def check_options(instance: Any) -> None:
    """Bring the options of a component built in Python into the form that YAML gives them.

    So ``X(ratio=1)`` and ``X(count=[3, 5])`` are the same as their twins from a spec, keys and
    random draws included. Raises `OptionError` where an option forbids its value.
    """
    problems: list[tuple[str, str]] = []
    for name, field, annotation in _fields(type(instance)):
        given = getattr(instance, field.name)
        try:
            value = _value(annotation, given, field.metadata)
        except ValueError as error:
            problems.append((name, str(error)))
        else:
            if value is not given:
                object.__setattr__(instance, field.name, value)
    if problems:
        raise OptionError(_name(type(instance)), problems)


def options_of(instance: Any) -> dict[str, Json]:
    """Return the options of ``instance`` under their YAML names, defaults included (but those of
    options that came later)."""
    return {
        name: _plain(value)
        for name, field, _ in _fields(type(instance))
        if (value := getattr(instance, field.name)) != field.default
        or not field.metadata.get("later")
    }


def _name(component: type) -> str:
    return str(getattr(component, "name", "") or component.__qualname__)


def _plain(value: Any) -> Json:
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if value is None or isinstance(value, bool | int | float | str):
        return typing.cast(Json, value)
    raise TypeError(f"an option cannot hold {value!r}")


def _value(annotation: Any, value: Any, metadata: Mapping[str, Any]) -> Any:
    """Return ``value`` as ``annotation`` wants it; `ValueError` says what was expected instead."""
    origin = typing.get_origin(annotation)
    arguments = typing.get_args(annotation)
    if annotation is Any:
        return value
    if annotation is bool:
        if isinstance(value, bool):
            return value
        raise ValueError(f"expected true or false, not {value!r}")
    if annotation in (int, float):
        return _number(annotation, value, metadata)
    if annotation is str:
        if isinstance(value, str):
            return value
        raise ValueError(f"expected text, not {value!r}" + _quote_hint(value))
    if annotation is type(None):
        if value is None:
            return None
        raise ValueError(f"expected nothing, not {value!r}")
    if origin is Literal:
        if any(value == a and type(value) is type(a) for a in arguments):
            return value
        text = unknown_name("value", value, map(str, arguments)) if isinstance(value, str) else ""
        raise ValueError(
            text or f"expected one of {', '.join(map(repr, arguments))}, not {value!r}"
        )
    if origin is tuple:
        return _tuple(arguments, value, metadata)
    if origin in (dict, Mapping):
        if not isinstance(value, Mapping):
            raise ValueError(f"expected a mapping, not {value!r}")
        return {_value(str, k, {}): _value(arguments[1], v, metadata) for k, v in value.items()}
    if origin in (typing.Union, types.UnionType):
        reasons = []
        for argument in arguments:
            try:
                return _value(argument, value, metadata)
            except ValueError as error:
                if argument is not type(None):
                    reasons.append(str(error))
        raise ValueError(", or ".join(reasons))
    raise TypeError(f"an option cannot be of type {annotation!r}")


def _number(annotation: Any, value: Any, metadata: Mapping[str, Any]) -> int | float:
    if annotation is int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise ValueError(f"expected a whole number, not {value!r}")
        number: int | float = value
    else:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(f"expected a number, not {value!r}" + _float_hint(value))
        try:
            number = float(value)
        except OverflowError:
            raise ValueError("expected a finite number, not one of over 300 digits") from None
        if not math.isfinite(number):
            raise ValueError(f"expected a finite number, not {value!r}")
    minimum, maximum = metadata.get("minimum"), metadata.get("maximum")
    if minimum is not None and number < minimum:
        raise ValueError(f"{value!r} is below the minimum of {minimum}")
    if maximum is not None and number > maximum:
        raise ValueError(f"{value!r} is above the maximum of {maximum}")
    return number


def _tuple(arguments: tuple[Any, ...], value: Any, metadata: Mapping[str, Any]) -> tuple[Any, ...]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ValueError(f"expected a list, not {value!r}")
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return tuple(_value(arguments[0], item, metadata) for item in value)
    if len(value) != len(arguments):
        raise ValueError(f"expected {len(arguments)} values, not {len(value)}")
    return tuple(_value(a, item, metadata) for a, item in zip(arguments, value, strict=True))


def _quote_hint(value: Any) -> str:
    if value is None or isinstance(value, bool | int | float):
        return "; put it in quotes if it is text"
    return ""


def _float_hint(value: Any) -> str:
    """YAML 1.1 reads 1e-3 as text: only 1.0e-3 is a number there."""
    if isinstance(value, str):
        try:
            return f"; write {float(value)!r}" if math.isfinite(float(value)) else ""
        except ValueError:
            return ""
    return ""
