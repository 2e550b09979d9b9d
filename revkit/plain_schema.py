"""Fast checks whether a value certainly matches a JSON Schema.

Most replies and most specs do, and jsonschema takes a third of a call's processor time to say so,
and a sixth of the start of a command to be loaded. A no here means only that jsonschema must be
asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from revkit.model.values import is_number

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


def surely_conforms(value: Any, schema: Mapping[str, Any]) -> bool:
    """Return whether ``value`` matches ``schema``, a whole document whose parts may refer to one
    another; False if in doubt. This knows more keywords than `surely_meets` and is slower; 5.0 is
    not a whole number.
    """
    return _conforms(value, schema, schema)


_NOTES = {"$schema", "$id", "$defs", "$comment", "title", "description", "default", "examples"}
_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
_HERE = "#/$defs/"


def _conforms(value: Any, schema: Any, root: Mapping[str, Any]) -> bool:
    if not isinstance(schema, dict):
        return schema is True
    for name, wanted in schema.items():
        if name in _NOTES:
            continue
        check = _CHECKS.get(name)
        if check is None or not check(value, wanted, schema, root):
            return False
    return True


def _has_type(value: Any, wanted: Any, _schema: Any, _root: Any) -> bool:
    names = [wanted] if isinstance(wanted, str) else wanted
    if isinstance(value, bool):
        return "boolean" in names
    return any(isinstance(value, _TYPES[name]) for name in names if name != "boolean")


def _is_equal(value: Any, other: Any) -> bool:
    return type(value) is type(other) and isinstance(value, str | int) and bool(value == other)


def _refers(value: Any, wanted: str, _schema: Any, root: Mapping[str, Any]) -> bool:
    name = wanted.removeprefix(_HERE)
    known = root.get("$defs", {})
    return wanted.startswith(_HERE) and name in known and _conforms(value, known[name], root)


def _members(value: Any, _wanted: Any, schema: Mapping[str, Any], root: Mapping[str, Any]) -> bool:
    """Check the members of an object by all three keywords for them, under each of these."""
    if not isinstance(value, dict):
        return True
    named = schema.get("properties", {})
    patterns = schema.get("patternProperties", {})
    for key, each in value.items():
        if not isinstance(key, str):
            return False
        rules = [rule for pattern, rule in patterns.items() if re.search(pattern, key)]
        if key in named:
            rules.append(named[key])
        if not rules:
            rules.append(schema.get("additionalProperties", True))
        if not all(_conforms(each, rule, root) for rule in rules):
            return False
    return True


_Check = Callable[[Any, Any, Mapping[str, Any], Mapping[str, Any]], bool]
_CHECKS: Mapping[str, _Check] = {
    "type": _has_type,
    "enum": lambda value, wanted, *_: any(_is_equal(value, each) for each in wanted),
    "const": lambda value, wanted, *_: _is_equal(value, wanted),
    "$ref": _refers,
    "anyOf": lambda value, wanted, _, root: any(_conforms(value, each, root) for each in wanted),
    "properties": _members,
    "patternProperties": _members,
    "additionalProperties": _members,
    "required": lambda value, wanted, *_: (
        not isinstance(value, dict) or all(name in value for name in wanted)
    ),
    "propertyNames": lambda value, wanted, _, root: (
        not isinstance(value, dict)
        or all(isinstance(key, str) and _conforms(key, wanted, root) for key in value)
    ),
    "minProperties": lambda value, wanted, *_: not isinstance(value, dict) or len(value) >= wanted,
    "items": lambda value, wanted, _, root: (
        not isinstance(value, list) or all(_conforms(each, wanted, root) for each in value)
    ),
    "minItems": lambda value, wanted, *_: not isinstance(value, list) or len(value) >= wanted,
    "maxItems": lambda value, wanted, *_: not isinstance(value, list) or len(value) <= wanted,
    "minLength": lambda value, wanted, *_: not isinstance(value, str) or len(value) >= wanted,
    "maxLength": lambda value, wanted, *_: not isinstance(value, str) or len(value) <= wanted,
    "pattern": lambda value, wanted, *_: (
        not isinstance(value, str) or re.search(wanted, value) is not None
    ),
    "minimum": lambda value, wanted, *_: not is_number(value) or bool(value >= wanted),
    "maximum": lambda value, wanted, *_: not is_number(value) or bool(value <= wanted),
    "exclusiveMinimum": lambda value, wanted, *_: not is_number(value) or bool(value > wanted),
    "exclusiveMaximum": lambda value, wanted, *_: not is_number(value) or bool(value < wanted),
}
