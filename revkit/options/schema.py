"""The options of a component as JSON Schema."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from typing import Any, Literal

from revkit.model.values import Json
from revkit.options.declaration import MISSING, AnyJson, fields_of, is_nested
from revkit.options.writer import plain


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
    for name, field, annotation in fields_of(component):
        try:
            schema = _schema(annotation, field.metadata, nested)
        except TypeError as error:
            raise TypeError(f"{name}: {error}") from None
        if field.metadata.get("help"):
            schema["description"] = field.metadata["help"]
        if field.default is not MISSING:
            schema["default"] = plain(field.default)
        elif field.default_factory is MISSING:
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
    """Return a reference to the schema of a nested dataclass, which is added to ``nested``."""
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
    if is_nested(annotation):
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
