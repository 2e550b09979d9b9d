"""Convert options in YAML to the values of a component; each problem is reported with its place."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping, Sequence
from typing import Any

from revkit.errors import MissingOption, OptionError, UnknownOption, unknown_name
from revkit.model.values import Json
from revkit.options.declaration import (
    GIVEN,
    MISSING,
    WRONG,
    fields_of,
    inside,
    is_nested,
    name_of,
    renamed_options,
)
from revkit.options.scalars import json_copy, quote_hint, scalar


def from_options(component: type, options: Mapping[str, Any]) -> Any:
    """Build ``component`` from options in YAML. Raises `OptionError`, which lists all problems.

    If only nested keys are wrong, the component is also built without them, so that the problems
    of its checks are included.
    """
    problems: list[tuple[str, str]] = []
    values = _values(component, options, problems, "option")
    if not problems:
        return component(**values)
    wrong = [place for place, _ in problems]
    if values is not WRONG and all("." in place for place in wrong):
        problems += _problems_beside(component, values, wrong)
    raise OptionError(name_of(component), problems)


def _problems_beside(
    component: type, values: Mapping[str, Any], wrong: Sequence[str]
) -> list[tuple[str, str]]:
    """Return the problems that the checks of ``component`` find at places without a ``wrong``
    value.
    """
    try:
        component(**values)
    except OptionError as error:
        return [
            (place, text)
            for place, text in error.problems
            if not any(
                each == place or each.startswith((f"{place}.", f"{place}[")) for each in wrong
            )
        ]
    except Exception:  # what is left of the options need not make sense
        pass
    return []


def check_options(instance: Any) -> None:
    """Convert the options of a component built in Python to the form of options in YAML.

    So ``X(ratio=1)`` and ``X(count=[3, 5])`` are the same as their twins from a spec, keys and
    random draws included. Raises `OptionError` where an option forbids its value.
    """
    problems: list[tuple[str, str]] = []
    for name, field, annotation in fields_of(type(instance)):
        given = getattr(instance, field.name)
        value = _value(annotation, given, field.metadata, name, problems)
        if value is not given and value is not WRONG:
            object.__setattr__(instance, field.name, value)
    if problems:
        raise OptionError(name_of(type(instance)), problems)


def _values(
    component: type, options: Mapping[str, Any], problems: list[tuple[str, str]], what: str
) -> Any:
    """Return the arguments of ``component``, without wrong ones; `WRONG` if a required one is
    missing.
    """
    fields = {name: (field, annotation) for name, field, annotation in fields_of(component)}
    values: dict[str, Any] = {}
    renamed = renamed_options(component, options)
    for old, new in renamed.items():
        if new in options:
            problems.append((old, f"is the former name of {new}, which is also set"))
    named = str(getattr(component, "name", "")) if what == "option" else ""
    remedy = f"`revkit plugins {named}` explains them" if named else ""
    for key, value in options.items():
        name = renamed.get(key, key)
        if name not in fields:
            message = UnknownOption(unknown_name(what, str(key), fields, remedy))
            problems.append((str(key), message))
            continue
        field, annotation = fields[name]
        read = _value(annotation, value, field.metadata, key, problems)
        if read is not WRONG:
            values[field.name] = read
    given = {*options, *renamed.values()}
    needed = {
        name: field.name
        for name, (field, _) in fields.items()
        if field.default is MISSING and field.default_factory is MISSING
    }
    problems += [(name, _missing(fields[name][0].metadata)) for name in needed if name not in given]
    return values if all(each in values for each in needed.values()) else WRONG


def _about(metadata: Mapping[str, Any]) -> str:
    """Return what an option means, in brackets, for a value of another form; "" if unknown."""
    text = str(metadata.get("help") or "").strip().rstrip(".")
    return f" ({text})" if text else ""


def _missing(metadata: Mapping[str, Any]) -> MissingOption:
    message = MissingOption("is required and missing")
    message.help = str(metadata.get("help") or "")
    return message


def _value(
    annotation: Any,
    value: Any,
    metadata: Mapping[str, Any],
    place: str,
    problems: list[tuple[str, str]],
) -> Any:
    """Return ``value`` converted to ``annotation``, without wrong inner parts, or `WRONG`; each
    problem is added with its place.
    """
    origin = typing.get_origin(annotation)
    arguments = typing.get_args(annotation)
    try:
        if is_nested(annotation):
            return _nested(annotation, value, place, problems)
        if origin is tuple:
            return _tuple(arguments, value, metadata, place, problems)
        if origin in (dict, Mapping):
            return _mapping(arguments[1], value, metadata, place, problems)
        if origin in (typing.Union, types.UnionType):
            return _one_of(arguments, value, metadata, place, problems)
        return scalar(annotation, value, metadata)
    except OptionError as error:
        problems += [(inside(place, key), text) for key, text in error.problems]
        return WRONG
    except ValueError as error:
        problems.append((place, str(error)))
        return WRONG


def _nested(cls: type, value: Any, place: str, problems: list[tuple[str, str]]) -> Any:
    inner: list[tuple[str, str]] = []
    built: Any = WRONG
    try:
        if isinstance(value, cls):
            check_options(value)
            return value
        if not isinstance(value, Mapping):
            raise ValueError(f"expected a mapping, not {value!r}")
        values = _values(cls, value, inner, "key")
        if values is not WRONG:
            built = cls(**values)
            object.__setattr__(built, GIVEN, _written(cls, value, values))
    except OptionError as error:
        inner += error.problems
    problems += [(inside(place, key), text) for key, text in inner]
    return built


def _written(cls: type, value: Mapping[str, Any], values: Mapping[str, Any]) -> Json:
    """Return ``value`` without the keys that are wrong."""
    good = {name for name, field, _ in fields_of(cls) if field.name in values}
    former = renamed_options(cls, value)
    return json_copy(
        {key: each for key, each in value.items() if former.get(key, key) in good}, "", []
    )


def _mapping(
    annotation: Any,
    value: Any,
    metadata: Mapping[str, Any],
    place: str,
    problems: list[tuple[str, str]],
) -> Any:
    if not isinstance(value, Mapping):
        raise ValueError(f"expected a mapping, not {value!r}{_about(metadata)}")
    read: dict[str, Any] = {}
    for key, item in value.items():
        if not isinstance(key, str):
            problems.append((place, f"the key: expected text, not {key!r}{quote_hint(key)}"))
            continue
        inner = _value(annotation, item, metadata, f"{place}.{key}", problems)
        if inner is not WRONG:
            read[key] = inner
    return read


def _one_of(
    arguments: Sequence[Any],
    value: Any,
    metadata: Mapping[str, Any],
    place: str,
    problems: list[tuple[str, str]],
) -> Any:
    """Return ``value`` as the first of several types that accepts it.

    If none does, report the problems of the type with the same structure (a mapping or a list).
    Without such a type, raise `ValueError` with what was expected.
    """
    reasons: list[str] = []
    for argument in arguments:
        inner: list[tuple[str, str]] = []
        read = _value(argument, value, metadata, place, inner)
        if not inner:
            return read
        if _has_form(argument, value):
            problems += inner
            return read
        if argument is not type(None):
            reasons += [text for _, text in inner]
    raise ValueError(", or ".join(reasons))


def _has_form(annotation: Any, value: Any) -> bool:
    """Return whether ``value`` is a mapping or list, as ``annotation`` requires."""
    if isinstance(value, Mapping):
        return is_nested(annotation) or typing.get_origin(annotation) in (dict, Mapping)
    return typing.get_origin(annotation) is tuple and isinstance(value, list | tuple)


def _tuple(
    arguments: tuple[Any, ...],
    value: Any,
    metadata: Mapping[str, Any],
    place: str,
    problems: list[tuple[str, str]],
) -> Any:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ValueError(f"expected a list, not {value!r}{_about(metadata)}")
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        arguments = (arguments[0],) * len(value)
    elif len(value) != len(arguments):
        raise ValueError(f"expected {len(arguments)} values, not {len(value)}")
    read = [
        _value(each, item, metadata, f"{place}[{index}]", problems)
        for index, (each, item) in enumerate(zip(arguments, value, strict=True))
    ]
    return WRONG if any(item is WRONG for item in read) else tuple(read)
