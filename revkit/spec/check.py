"""Check the structure of a spec against its JSON Schema, with messages and locations."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from revkit.errors import Problem, near_names
from revkit.files.yaml_source import Path_, Source
from revkit.options import spell_value, unknown_name
from revkit.plain_schema import surely_conforms
from revkit.schemas import read_schema

_WORDS = {
    "object": "a mapping",
    "array": "a list",
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing",
}


# How an entry of a section with names of the user is written.
_ENTRY = ", as 'NAME: component', one line each"
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,60}")


def _validator() -> Any:
    """Return a validator for which 5.0 is not a whole number, as for options of components."""
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    checker = Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool)
    )
    make: Any = extend
    return make(Draft202012Validator, type_checker=checker)


def shape_problems(source: Source) -> list[Problem]:
    """Return every difference of ``source`` from ``schemas/experiment.schema.json``."""
    schema = read_schema("experiment")
    if surely_conforms(source.value, schema):
        return []
    validator = _validator()(schema)
    return [
        problem
        for error in validator.iter_errors(source.value)
        for problem in _problems_of(source, error)
    ]


def _problems_of(source: Source, error: Any) -> Iterator[Problem]:
    path: Path_ = tuple(error.absolute_path)
    if error.validator == "anyOf":
        yield from _branch(source, error, path)
    elif error.validator == "additionalProperties":
        known = set(error.schema.get("properties", {}))
        for key in error.instance:
            if key not in known and not str(key).startswith("x-"):
                of_component = {"use", "with"} <= known
                remedy = "options of a component belong under its 'with'" if of_component else ""
                message = unknown_name("key", str(key), known, remedy)
                yield source.problem((*path, key), message, at_key=True)
    elif error.validator == "required":
        known = set(error.schema.get("properties", {}))
        others = [
            str(key) for key in error.instance if key not in known and not str(key).startswith("x-")
        ]
        # A misspelt key is reported by its place.
        there = {*error.instance, *(near for key in others for near in near_names(key, known))}
        missing = [key for key in error.validator_value if key not in there]
        for key in missing:
            if repr(key) in error.message:
                yield source.problem(path, f"the key {key!r} is missing{_remedy(error, key)}")
    elif error.validator == "type":
        message = f"expected {_words(error.validator_value)}, {_actual(error)}"
        yield source.problem(path, message + _form(error))
    elif error.validator == "const":
        yield source.problem(path, f"expected {error.validator_value!r}, {_actual(error)}")
    elif error.validator == "enum":
        values = ", ".join(map(repr, error.validator_value))
        yield source.problem(path, f"expected one of {values}, {_actual(error)}")
    elif error.validator in ("minimum", "maximum"):
        side = "below the minimum" if error.validator == "minimum" else "above the maximum"
        yield source.problem(path, f"{error.instance!r} is {side} of {error.validator_value}")
    elif error.validator in ("exclusiveMinimum", "exclusiveMaximum"):
        side = "above" if error.validator == "exclusiveMinimum" else "below"
        limit = error.validator_value
        yield source.problem(path, f"must be {side} {limit}, not {error.instance!r}")
    elif error.validator == "minProperties":
        yield source.problem(path, f"contains no entry; add at least one{_ENTRY}")
    elif error.validator == "pattern":
        of_key = "propertyNames" in error.absolute_schema_path
        given = error.instance
        name = repr(given if len(given) <= 60 else given[:57] + "...")
        yield source.problem(
            (*path, given) if of_key else path,
            f"{name} is not a valid name; use at most {64 if of_key else 100} letters, digits, "
            "'.', '_' and '-', and begin with a letter or digit",
            at_key=of_key,
        )
    else:
        yield source.problem(path, str(error.message))


def _branch(source: Source, error: Any, path: Path_) -> Iterator[Problem]:
    """Report the problems of the form that the kind of the value shows was intended."""
    forms = error.validator_value
    kinds: dict[type, str] = {dict: "object", list: "array", str: "string"}
    kind = kinds.get(type(error.instance), "")
    for place, form in enumerate(forms):
        if form.get("type") == kind:
            for inner in error.context:
                if inner.schema_path[0] == place:
                    yield from _problems_of(source, inner)
            return
    if any("use" in form.get("properties", {}) for form in forms):
        expected = "the name of a component (see `revkit plugins`), or a mapping with 'use'"
    else:
        expected = _words([form["type"] for form in forms if form.get("type") in _WORDS])
    yield source.problem(path, f"expected {expected}, {_actual(error)}")


def _remedy(error: Any, key: str) -> str:
    """Return what to write for a key that is missing: an example, or what the schema says of it."""
    if key == "revkit":
        return "; write 'revkit: 1'"
    if key == "use":
        return "; write 'use: NAME', with the name of a component (see `revkit plugins`)"
    expected = error.schema.get("properties", {}).get(key, {})
    if "propertyNames" in expected:
        return f"; write '{key}: {{NAME: component}}' (see `revkit plugins`)"
    if any("$ref" in form for form in (expected, *expected.get("anyOf", ()))):
        return f"; write '{key}: NAME', with the name of a component (see `revkit plugins`)"
    about = str(expected.get("description", ""))
    return f" ({about.rstrip('.')})" if about else ""


def _form(error: Any) -> str:
    """Return how a value of another type is written as the mapping or list that is expected."""
    value = error.instance
    if error.validator_value == "object" and error.schema.get("propertyNames"):
        return f"; write the entries{_ENTRY[1:]}" if value is not None else ""
    if error.validator_value == "array" and isinstance(value, str) and len(value) <= 60:
        parts = [part.strip() for part in value.split(",")]
        plain = all(map(_PLAIN.fullmatch, parts))
        return f"; write [{', '.join(parts) if plain else json.dumps(value)}]"
    return ""


def _words(kinds: str | list[str]) -> str:
    return " or ".join(_WORDS[kind] for kind in ([kinds] if isinstance(kinds, str) else kinds))


def _actual(error: Any) -> str:
    value = error.instance
    if isinstance(value, dict):
        return "not a mapping"
    if isinstance(value, list):
        return "not a list"
    return f"not {spell_value(value)}"
