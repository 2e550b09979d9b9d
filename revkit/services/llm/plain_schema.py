"""A fast check whether a value certainly matches a plain JSON Schema.

Most replies do, and jsonschema takes a third of a call's processor time to say so. A no here means
only that jsonschema must be asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_KNOWN = {
    "object": {"type", "properties", "required", "additionalProperties", "description"},
    "array": {"type", "items", "minItems", "maxItems", "description"},
    "string": {"type", "minLength", "maxLength", "description"},
    "integer": {"type", "minimum", "maximum", "enum", "description"},
    "number": {"type", "minimum", "maximum", "enum", "description"},
    "boolean": {"type", "description"},
}


def surely_meets(value: Any, schema: Mapping[str, Any]) -> bool:
    """Return whether ``value`` matches ``schema`` by the keywords supported here; False if in
    doubt.
    """
    kind = schema.get("type")
    if not isinstance(kind, str) or not _KNOWN.get(kind, set()) >= schema.keys():
        return False
    if kind == "object":
        return isinstance(value, dict) and _object(value, schema)
    if kind == "array":
        return isinstance(value, list) and _array(value, schema)
    if kind == "string":
        if not isinstance(value, str):
            return False
        return bool(schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)))
    if kind == "boolean":
        return isinstance(value, bool)
    if isinstance(value, bool) or not isinstance(value, int if kind == "integer" else int | float):
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    return bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))


def _object(value: dict[str, Any], schema: Mapping[str, Any]) -> bool:
    properties = schema.get("properties", {})
    required: Sequence[str] = schema.get("required", ())
    if schema.get("additionalProperties") is not False or not properties.keys() >= value.keys():
        return False
    return all(name in value for name in required) and all(
        surely_meets(each, properties[name]) for name, each in value.items()
    )


def _array(value: list[Any], schema: Mapping[str, Any]) -> bool:
    if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
        return False
    return "items" in schema and all(surely_meets(each, schema["items"]) for each in value)
