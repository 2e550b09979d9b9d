"""Options of a component: dataclass fields to JSON Schema, to values, and back.

A component is a frozen dataclass. Its fields are its options: in YAML they are written in
kebab-case (``max_distance`` is ``max-distance``), their annotations become a JSON Schema, and their
values are part of the key under which results are stored. Supported annotations are ``bool``,
``int``, ``float``, ``str``, ``Literal[...]``, ``tuple[T, ...]``, ``tuple[A, B]``,
``Mapping[str, T]`` or ``dict[str, T]``, ``T | None``, ``A | B``, `AnyJson` for JSON of any form,
and another frozen dataclass, whose fields are the keys of a mapping in YAML::

    @dataclass(frozen=True)
    class Retry:
        most: int = option(2, help="Further tries.", minimum=0)

    @dataclass(frozen=True)
    class Mine(Agent):
        retry: Retry | None = option(None, help="When to try again.")

Such a nested value is read, checked and completed by editors like the options themselves; each of
its problems has its place (``retry.most``), and `as_written` gives it back as the JSON that it was
read from. A check that concerns several keys belongs into ``__post_init__`` of the nested dataclass
or of the component, and raises `OptionError`. (``Any`` is an option without any check.)
"""

from __future__ import annotations

import dataclasses
import math
import types
import typing
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final, Literal

from revkit.errors import OptionError, UnknownOption
from revkit.errors import unknown_name as unknown_name
from revkit.model.values import Json

if typing.TYPE_CHECKING:
    AnyJson = Json
else:

    class AnyJson:
        """JSON of any form, as the type of an option."""

        # `Json` refers to itself by name, and the module of a component need not know that name.


_MISSING = dataclasses.MISSING
_WRONG: Final = object()
_GIVEN = "_as_written"


def option(
    default: Any = _MISSING,
    *,
    help: str = "",
    minimum: float | None = None,
    maximum: float | None = None,
    nonempty: bool = False,
    formerly: str = "",
    later: bool = False,
) -> Any:
    """Declare one option of a component, with its bounds (inclusive) and what it means.

    ``x: float = option(0.05, help="...", minimum=0)`` is ``x: float = 0.05`` with more to say.
    Bounds hold for numbers, and for each number of a sequence; ``nonempty`` refuses the empty text.
    ``formerly`` is the name in YAML
    that the option had in an earlier release: specs with it are accepted and reported, and seeds
    are derived under it, so a renamed option draws the same numbers. ``later`` marks an option that
    came after a component was in use: at its default it is left out of the options of an instance,
    so that finished runs, stored answers and random draws of before stay those of the component.
    """
    metadata = {
        "help": help,
        "minimum": minimum,
        "maximum": maximum,
        "nonempty": nonempty,
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
    return _fields_once(component)


@cache
def _fields_once(component: type) -> tuple[tuple[str, dataclasses.Field[Any], Any], ...]:
    if not dataclasses.is_dataclass(component):
        raise TypeError(f"{component.__qualname__} must be a frozen dataclass")
    hints = typing.get_type_hints(component)
    return tuple(
        (yaml_name(field.name), field, hints[field.name])
        for field in dataclasses.fields(component)
        if field.init
    )


def schema_of(component: type) -> dict[str, Json]:
    """Return the JSON Schema (draft 2020-12) of the options of ``component``, with the nested
    dataclasses under ``$defs``.

    Raises `TypeError` for an annotation that has no schema: a plugin's fault, found when it
    registers.
    """
    nested: dict[str, Json] = {}
    schema = _object_schema(component, nested)
    return {**schema, "$defs": nested} if nested else schema


def _object_schema(component: type, nested: dict[str, Json]) -> dict[str, Json]:
    properties: dict[str, Json] = {}
    required: list[Json] = []
    for name, field, annotation in _fields(component):
        schema = _schema(annotation, field.metadata, nested)
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


def _nested_schema(cls: type, nested: dict[str, Json]) -> dict[str, Json]:
    """A reference to the schema of a nested dataclass, which is added to ``nested``."""
    name = f"{cls.__module__}.{cls.__qualname__}"
    if name not in nested:
        nested[name] = {}  # a dataclass may hold itself
        nested[name] = _object_schema(cls, nested)
    return {"$ref": f"#/$defs/{name}"}


def _schema(
    annotation: Any, metadata: Mapping[str, Any], nested: dict[str, Json]
) -> dict[str, Json]:
    origin = typing.get_origin(annotation)
    arguments = typing.get_args(annotation)
    if annotation is Any or annotation is AnyJson:
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
        return {"type": "string", **({"minLength": 1} if metadata.get("nonempty") else {})}
    if _is_nested(annotation):
        return _nested_schema(annotation, nested)
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        return {"type": "array", "items": _schema(arguments[0], metadata, nested)}
    if origin is tuple and arguments:
        return {
            "type": "array",
            "prefixItems": [_schema(a, metadata, nested) for a in arguments],
            "items": False,
            "minItems": len(arguments),
        }
    if origin in (dict, Mapping) and arguments[0] is str:
        return {"type": "object", "additionalProperties": _schema(arguments[1], metadata, nested)}
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [_schema(a, metadata, nested) for a in arguments]}
    if annotation is type(None):
        return {"type": "null"}
    raise TypeError(f"an option cannot be of type {annotation!r}")


def from_options(component: type, options: Mapping[str, Any]) -> Any:
    """Build ``component`` from options as YAML gives them; `OptionError` lists all problems.

    If only nested keys are wrong, the component is also built without them, so that the problems
    of its checks are included.
    """
    problems: list[tuple[str, str]] = []
    values = _values(component, options, problems, "option")
    if not problems:
        return component(**values)
    wrong = [place for place, _ in problems]
    if values is not _WRONG and all("." in place for place in wrong):
        problems += _problems_beside(component, values, wrong)
    raise OptionError(_name(component), problems)


def _problems_beside(
    component: type, values: Mapping[str, Any], wrong: Sequence[str]
) -> list[tuple[str, str]]:
    """What the checks of ``component`` find at places that do not hold a ``wrong`` one."""
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


def _values(
    component: type, options: Mapping[str, Any], problems: list[tuple[str, str]], what: str
) -> Any:
    """The arguments of ``component``, without those that are wrong; `_WRONG` where one that it
    needs is missing."""
    fields = {name: (field, annotation) for name, field, annotation in _fields(component)}
    values: dict[str, Any] = {}
    renamed = renamed_options(component, options)
    for old, new in renamed.items():
        if new in options:
            problems.append((old, f"is the former name of {new}, which is given as well"))
    for key, value in options.items():
        name = renamed.get(key, key)
        if name not in fields:
            message = UnknownOption(unknown_name(what, str(key), fields))
            problems.append((str(key), message))
            continue
        field, annotation = fields[name]
        read = _value(annotation, value, field.metadata, key, problems)
        if read is not _WRONG:
            values[field.name] = read
    given = {*options, *renamed.values()}
    needed = {
        name: field.name
        for name, (field, _) in fields.items()
        if field.default is _MISSING and field.default_factory is _MISSING
    }
    problems += [(name, "is required and missing") for name in needed if name not in given]
    return values if all(each in values for each in needed.values()) else _WRONG


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
        value = _value(annotation, given, field.metadata, name, problems)
        if value is not given and value is not _WRONG:
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


def as_written(nested: Any) -> Mapping[str, Json]:
    """A nested value as the JSON that it was read from, with the keys that were given and no
    others; of one that was built in Python, the keys that differ from their defaults."""
    given: Mapping[str, Json] | None = vars(nested).get(_GIVEN)
    if given is not None:
        return given
    return {
        name: _plain(value)
        for name, field, _ in _fields(type(nested))
        if (value := getattr(nested, field.name)) != field.default
    }


def _plain(value: Any) -> Json:
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if value is None or isinstance(value, bool | int | float | str):
        return typing.cast(Json, value)
    if _is_nested(type(value)):
        return as_written(value)
    raise TypeError(f"an option cannot hold {value!r}")


def _is_nested(annotation: Any) -> bool:
    return isinstance(annotation, type) and dataclasses.is_dataclass(annotation)


def _value(
    annotation: Any,
    value: Any,
    metadata: Mapping[str, Any],
    place: str,
    problems: list[tuple[str, str]],
) -> Any:
    """Return ``value`` as ``annotation`` wants it, without the inner parts that are wrong, or
    `_WRONG`; each problem is added with its place."""
    origin = typing.get_origin(annotation)
    arguments = typing.get_args(annotation)
    try:
        if _is_nested(annotation):
            return _nested(annotation, value, place, problems)
        if origin is tuple:
            return _tuple(arguments, value, metadata, place, problems)
        if origin in (dict, Mapping):
            return _mapping(arguments[1], value, metadata, place, problems)
        if origin in (typing.Union, types.UnionType):
            return _one_of(arguments, value, metadata, place, problems)
        return _scalar(annotation, value, metadata)
    except OptionError as error:
        problems += [(_inside(place, key), text) for key, text in error.problems]
        return _WRONG
    except ValueError as error:
        problems.append((place, str(error)))
        return _WRONG


def _nested(cls: type, value: Any, place: str, problems: list[tuple[str, str]]) -> Any:
    inner: list[tuple[str, str]] = []
    built: Any = _WRONG
    try:
        if isinstance(value, cls):
            check_options(value)
            return value
        if not isinstance(value, Mapping):
            raise ValueError(f"expected a mapping, not {value!r}")
        values = _values(cls, value, inner, "key")
        if values is not _WRONG:
            built = cls(**values)
            object.__setattr__(built, _GIVEN, _written(cls, value, values))
    except OptionError as error:
        inner += error.problems
    problems += [(_inside(place, key), text) for key, text in inner]
    return built


def _written(cls: type, value: Mapping[str, Any], values: Mapping[str, Any]) -> Json:
    """``value`` without the keys that are wrong."""
    good = {name for name, field, _ in _fields(cls) if field.name in values}
    former = renamed_options(cls, value)
    return _json({key: each for key, each in value.items() if former.get(key, key) in good}, "", [])


def _inside(place: str, key: str) -> str:
    return f"{place}{key}" if key.startswith("[") or not key else f"{place}.{key}"


def _mapping(
    annotation: Any,
    value: Any,
    metadata: Mapping[str, Any],
    place: str,
    problems: list[tuple[str, str]],
) -> Any:
    if not isinstance(value, Mapping):
        raise ValueError(f"expected a mapping, not {value!r}")
    read: dict[str, Any] = {}
    for key, item in value.items():
        if not isinstance(key, str):
            problems.append((place, f"the key: expected text, not {key!r}{_quote_hint(key)}"))
            continue
        inner = _value(annotation, item, metadata, f"{place}.{key}", problems)
        if inner is not _WRONG:
            read[key] = inner
    return read


def _one_of(
    arguments: Sequence[Any],
    value: Any,
    metadata: Mapping[str, Any],
    place: str,
    problems: list[tuple[str, str]],
) -> Any:
    """``value`` as the first of several types that it fits; else the problems of the one whose form
    it has, or what was expected instead."""
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
    """Whether ``value`` is a mapping or list, as ``annotation`` wants."""
    if isinstance(value, Mapping):
        return _is_nested(annotation) or typing.get_origin(annotation) in (dict, Mapping)
    return typing.get_origin(annotation) is tuple and isinstance(value, list | tuple)


def _scalar(annotation: Any, value: Any, metadata: Mapping[str, Any]) -> Any:
    if annotation is Any:
        return value
    if annotation is AnyJson:
        return _plain_json(value)
    if annotation is bool:
        if isinstance(value, bool):
            return value
        raise ValueError(f"expected true or false, not {value!r}")
    if annotation in (int, float):
        return _number(annotation, value, metadata)
    if annotation is str:
        if not isinstance(value, str):
            raise ValueError(f"expected text, not {value!r}{_quote_hint(value)}")
        if not value and metadata.get("nonempty"):
            raise ValueError("expected text, not ''")
        return value
    if annotation is type(None):
        if value is None:
            return None
        raise ValueError(f"expected nothing, not {value!r}")
    if typing.get_origin(annotation) is Literal:
        return _choice(typing.get_args(annotation), value)
    raise TypeError(f"an option cannot be of type {annotation!r}")


def _choice(known: Sequence[Any], value: Any) -> Any:
    if any(value == each and type(value) is type(each) for each in known):
        return value
    if isinstance(value, str):
        raise ValueError(unknown_name("value", value, map(str, known)))
    raise ValueError(f"expected one of {', '.join(map(repr, known))}, not {value!r}")


def _plain_json(value: Any) -> Json:
    """A copy of ``value``; `OptionError` names each place that is not JSON."""
    problems: list[tuple[str, str]] = []
    copy = _json(value, "", problems)
    if problems:
        raise OptionError("", problems)
    return copy


def _json(value: Any, place: str, problems: list[tuple[str, str]]) -> Json:
    if isinstance(value, Mapping):
        odd = [key for key in value if not isinstance(key, str)]
        problems += [(place, f"the key {key!r} is not text; put it in quotes") for key in odd]
        return {
            str(key): _json(item, _inside(place, str(key)) if place else str(key), problems)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_json(item, f"{place}[{index}]", problems) for index, item in enumerate(value)]
    if _is_nested(type(value)):
        return as_written(value)
    if isinstance(value, float) and not math.isfinite(value):
        problems.append((place, f"expected a finite number, not {value!r}"))
    elif value is not None and not isinstance(value, bool | int | float | str):
        problems.append((place, f"{value!r} is not JSON; put it in quotes"))
    return typing.cast(Json, value)


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


def _tuple(
    arguments: tuple[Any, ...],
    value: Any,
    metadata: Mapping[str, Any],
    place: str,
    problems: list[tuple[str, str]],
) -> Any:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ValueError(f"expected a list, not {value!r}")
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        arguments = (arguments[0],) * len(value)
    elif len(value) != len(arguments):
        raise ValueError(f"expected {len(arguments)} values, not {len(value)}")
    read = [
        _value(each, item, metadata, f"{place}[{index}]", problems)
        for index, (each, item) in enumerate(zip(arguments, value, strict=True))
    ]
    return _WRONG if any(item is _WRONG for item in read) else tuple(read)


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
