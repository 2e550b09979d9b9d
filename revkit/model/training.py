"""Training examples: conversations for a model to learn from, and human reviews in the fields of a
form.

Nothing is made up on the way: `fitted` gives a reply only where the review holds every field that
the form asks for, within its bounds.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from revkit.dataclass import dataclass
from revkit.model.exchange import Message
from revkit.model.values import Json, is_number
from revkit.model.variant import Rejection

_POINT = re.compile(r"^[ \t]{0,8}(?:[-*•]|\d{1,2}[.)])[ \t]+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class TrainingExample:
    """One conversation for training: the turns that an agent sends, and the wanted reply at the
    end.

    ``notes`` name in a few words what was done to the paper before it was handed over ("paper cut
    to fit"), the same words for the same thing, so that they can be counted.
    """

    messages: tuple[Message, ...]
    notes: tuple[str, ...] = ()


def fitted(
    review: Mapping[str, Json], schema: Mapping[str, Any], decision: str = ""
) -> str | Rejection:
    """Return a reply with the content of a human ``review``, as JSON in the order of ``schema``.

    ``schema`` is the JSON Schema of an object whose properties are texts, lists of texts, numbers,
    words of a list, or true and false; all are taken to be required. ``decision`` names the one
    that asks for the verdict, if any: it gets what the review holds under "decision" ("accept" or
    "reject"), as a word or as true and false. A text where a list is wanted becomes its points
    (numbered or bulleted items, else paragraphs); blanks at its ends go. A field that is missing,
    empty, too long, of another type or outside its scale is a `Rejection` that names it: no number
    is read out of a text, none is rounded, nothing is cut.
    """
    values = dict(review)
    if decision:
        verdict = values.get("decision")
        boolean = schema["properties"][decision]["type"] == "boolean"
        known = verdict in ("accept", "reject")
        values[decision] = verdict == "accept" if boolean and known else verdict
    found: dict[str, Json] = {}
    for name, field in schema["properties"].items():
        try:
            found[name] = _value(values.get(name), field)
        except _Unfit as error:
            return Rejection(f"{name}: {error}")
    return json.dumps(found, ensure_ascii=False)


class _Unfit(ValueError):
    pass


def _value(value: Any, field: Mapping[str, Any]) -> Json:
    if value is None:
        raise _Unfit("missing")
    kind = field["type"]
    if kind == "boolean":
        if not isinstance(value, bool):
            raise _Unfit("neither true nor false")
        return value
    if kind in ("integer", "number"):
        return _number(value, field)
    if kind == "array":
        return _points(value, field)
    if "enum" in field:
        if not isinstance(value, str) or value not in field["enum"]:
            raise _Unfit("none of its words")
        return value
    return _text(value, field)


def _number(value: Any, field: Mapping[str, Any]) -> int | float:
    if not is_number(value) or not math.isfinite(value):
        raise _Unfit("no number")
    number: int | float = value
    if value == int(value):
        number = int(value)
    elif field["type"] == "integer":
        raise _Unfit("not a whole number")
    low, high = field.get("minimum", value), field.get("maximum", value)
    if not low <= value <= high or value not in field.get("enum", (value,)):
        raise _Unfit("outside its scale")
    return number


def _text(value: Any, field: Mapping[str, Any]) -> str:
    if not isinstance(value, str):
        raise _Unfit("no text")
    text = value.strip()
    if not text:
        raise _Unfit("empty")
    if len(text) > field.get("maxLength", len(text)):
        raise _Unfit("too long")
    return text


def _points(value: Any, field: Mapping[str, Any]) -> list[Json]:
    if isinstance(value, str):
        value = points_of(value)
    if not isinstance(value, Sequence) or isinstance(value, bytes):
        raise _Unfit("not a list of texts")
    if not value:
        raise _Unfit("empty")
    if len(value) > field.get("maxItems", len(value)):
        raise _Unfit("too many points")
    return [_text(each, field["items"]) for each in value]


def points_of(text: str) -> list[str]:
    """Return the points of a text, in order: its numbered or bulleted items with the text before
    the first, or its paragraphs if it has fewer than two items.
    """
    starts = [mark.start() for mark in _POINT.finditer(text)]
    if len(starts) < 2:
        parts = re.split(r"\n[ \t]*\n", text)
    else:
        bounds = [0, *starts, len(text)]
        parts = [_POINT.sub("", text[a:b], count=1) for a, b in pairwise(bounds)]
    return [part.strip() for part in parts if part.strip()]
