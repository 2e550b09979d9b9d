"""Repair a JSON reply that does not match its schema, if this needs no guess.

Texts become lists of their points, lists and objects become text, missing texts and lists become
empty, long ones are cut, and "3 good" is 3. A number that is missing, off its scale or uncertain is
never invented: then there is no repair.

This is a step after the gateway's own reading, which changes no value;
docs/decisions/0016-second-repair.md gives the reason for two steps.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from revkit.model.values import is_number
from revkit.venues import read_rating

_LONGEST = 400_000
_POINT = re.compile(r"^\s{0,8}(?:[-*•]|\d{1,2}[.)])\s+", re.MULTILINE)
_DEEPEST = 12


class _NoRepairError(ValueError):
    pass


def repaired(
    raw: str, schema: Mapping[str, Any]
) -> tuple[Mapping[str, Any], tuple[str, ...]] | None:
    """Return the object in ``raw`` in the layout of ``schema``, and a note for each repair."""
    start, end = raw.find("{"), raw.rfind("}")
    if start < 0 or end < start or len(raw) > _LONGEST:
        return None
    try:
        value = json.loads(raw[start : end + 1])
        notes: list[str] = []
        made = _repair(value, schema, "", notes, 0)
    except (ValueError, RecursionError, OverflowError):  # such as a whole number of 400 digits
        return None
    return made, tuple(dict.fromkeys(notes))


def _repair(value: Any, schema: Mapping[str, Any], path: str, notes: list[str], depth: int) -> Any:
    if depth > _DEEPEST:
        raise _NoRepairError
    kind = schema.get("type")
    if kind == "object":
        return _object(value, schema, path, notes, depth)
    if kind == "array":
        return _array(value, schema, path, notes, depth)
    if kind == "string":
        return _string(value, schema, path, notes)
    if kind in ("integer", "number"):
        return _number(value, schema, path, notes)
    raise _NoRepairError


def _object(
    value: Any, schema: Mapping[str, Any], path: str, notes: list[str], depth: int
) -> dict[str, Any]:
    properties: Mapping[str, Any] = schema["properties"]
    if value is None:
        value = {}
    if isinstance(value, str):  # a plain text is used as the first text field
        name = next((name for name, each in properties.items() if each.get("type") == "string"), "")
        if not name:
            raise _NoRepairError
        notes.append(f"{path or 'reply'}: text instead of an object")
        value = {name: value}
    if not isinstance(value, Mapping):
        raise _NoRepairError
    named = {re.sub(r"[\s-]+", "_", str(key)).lower(): key for key in value}
    extra = [key for key in named if key not in properties]
    if depth == 0 and len(extra) == len(named):
        raise _NoRepairError  # another object altogether
    if extra:
        notes.append(f"{path or 'reply'}: {len(extra)} unknown fields dropped")
    found = {}
    for name, each in properties.items():
        key = named.get(name)
        if key is None:
            notes.append(f"{_below(path, name)}: missing, taken as empty")
        found[name] = _repair(
            None if key is None else value[key], each, _below(path, name), notes, depth + 1
        )
    return found


def _array(
    value: Any, schema: Mapping[str, Any], path: str, notes: list[str], depth: int
) -> list[Any]:
    item: Mapping[str, Any] = schema["items"]
    if value is None:
        value = []
    elif isinstance(value, str):
        notes.append(f"{path}: text instead of a list")
        value = points(value)
    elif isinstance(value, Mapping):
        notes.append(f"{path}: an object instead of a list")
        value = (
            [value]
            if item.get("type") == "object"
            else [f"{k}: {_text(v)}" for k, v in value.items()]
        )
    if not isinstance(value, Sequence) or isinstance(value, bytes):
        raise _NoRepairError
    most = schema.get("maxItems", len(value))
    if len(value) > most:
        notes.append(f"{path}: {len(value) - most} items over {most} dropped")
    found = []
    for each in value[:most]:
        try:
            found.append(_repair(each, item, f"{path}[]", notes, depth + 1))
        except _NoRepairError:
            if item.get("type") != "object":
                raise
            notes.append(f"{path}: an item that cannot be read dropped")
    if len(found) < schema.get("minItems", 0):
        raise _NoRepairError
    return found


def points(text: str) -> list[str]:
    """Return the points of a text: its numbered or bulleted items, else its paragraphs."""
    marks = list(_POINT.finditer(text))
    if len(marks) > 1:
        starts = [mark.end() for mark in marks]
        ends = [*(mark.start() for mark in marks[1:]), len(text)]
        parts = [text[: marks[0].start()], *(text[a:b] for a, b in zip(starts, ends, strict=True))]
    else:
        parts = text.split("\n\n")
    return [part.strip() for part in parts if part.strip()]


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {_text(each)}" for key, each in value.items())
    if isinstance(value, Sequence):
        return "\n".join(_text(each) for each in value)
    return "" if value is None else json.dumps(value)


def _string(value: Any, schema: Mapping[str, Any], path: str, notes: list[str]) -> str:
    if "enum" in schema:
        return _choice(value, schema["enum"], path, notes)
    if not isinstance(value, str):
        if value is not None:
            notes.append(f"{path}: {type(value).__name__} instead of text")
        value = _text(value)
    most = schema.get("maxLength", len(value))
    if len(value) > most:
        notes.append(f"{path}: cut to {most} characters")
    return str(value[:most])


def _choice(value: Any, allowed: Sequence[str], path: str, notes: list[str]) -> str:
    if not isinstance(value, str):
        raise _NoRepairError
    plain = value.strip().lower()
    named = [each for each in allowed if re.search(r"\b" + re.escape(each.lower()), plain)]
    fitting = [each for each in named if plain.startswith(each.lower())]
    if len(named) != 1 or not fitting:  # "accept or reject" and "not accept" say neither
        raise _NoRepairError
    if fitting[0] != value:
        notes.append(f"{path}: {value.strip()[:40]!r} read as {fitting[0]!r}")
    return fitting[0]


def _number(value: Any, schema: Mapping[str, Any], path: str, notes: list[str]) -> int | float:
    if isinstance(value, str):
        read = read_rating(value)
        if read.value is None or read.most not in (None, schema.get("maximum")):
            raise _NoRepairError
        notes.append(f"{path}: {value.strip()[:40]!r} read as {read.value:g}")
        value = read.value
    if not is_number(value) or not isfinite(value):
        raise _NoRepairError
    if schema["type"] == "integer":
        if value != int(value):
            raise _NoRepairError
        value = int(value)
    low, high = schema.get("minimum", value), schema.get("maximum", value)
    if not low <= value <= high or value not in schema.get("enum", (value,)):
        raise _NoRepairError
    return float(value) if schema["type"] == "number" else int(value)


def _below(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
