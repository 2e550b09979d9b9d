"""Read a reply: from the model's text to the one object that matches the schema, in stated steps.

1. Strict JSON is taken as it is.
2. Else thinking is cut off, and the one object is extracted from prose or a fence. Several
   different objects are a fault: none of them is chosen.
3. Else, unless the reply was cut off, the notation of that object is repaired.
4. The schema is checked in every case. No value is changed, converted or filled in.
"""

from __future__ import annotations

import functools
import json
import math
import re
from collections.abc import Mapping
from typing import Any

from revkit.dataclass import dataclass
from revkit.model.review import Failure
from revkit.model.values import Json, canonical_json
from revkit.plain_schema import surely_meets
from revkit.services.llm.repair import repaired
from revkit.services.llm.scan import find_objects, without_thinking

_LONGEST = 1_000_000
CUT = ("length", "max_tokens")
FILTERED = ("content_filter", "safety", "refusal")
_INK = re.compile(r"\S")
_CLOSING_FENCE = re.compile(r"\s*```\s*\Z")
_ENDS = re.compile(r"\s*(?:```\s*)?\Z")
_SURROGATE = re.compile("[\ud800-\udfff]")
_REFUSAL = re.compile(
    r"\s*(?:i['’]?m sorry|i am sorry|sorry\b|i apologi[sz]e|i (?:can['’]?t|cannot|can not|won['’]?t"
    r"|will not|am unable|am not able)|i['’]m (?:unable|not able)|unfortunately,? i (?:can|am|will)"
    r"|as an ai\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Reading:
    """A reply that was read: text, object (None without a schema), and the steps needed."""

    text: str
    data: Json
    steps: tuple[str, ...] = ()


class _NotJsonError(ValueError):
    """A text that is not acceptable JSON, with the reason."""


def read_reply(
    text: str, finish_reason: str, schema: Mapping[str, Json] | None, *, refusal: str = ""
) -> Reading | Failure:
    """Read one reply; a `Failure` describes its problem for readers and for the model."""
    if refusal:
        return Failure("refusal", f"the model refused: {_clip(refusal)}", text or refusal)
    if finish_reason in FILTERED:
        return Failure("refusal", "the provider's content filter stopped the reply", text)
    if len(text) > _LONGEST:
        return Failure(
            "unparseable", f"the reply is longer than {_LONGEST} characters", text[:4000]
        )
    cut = finish_reason in CUT
    if not text.strip():
        if cut:
            return Failure("truncated", "the reply was cut off before it began", text)
        return Failure("unparseable", "the reply is empty", text)
    found = _free_text(text, cut) if schema is None else _object(text, cut, schema)
    return _without_surrogates(found) if isinstance(found, Reading) else found


def _free_text(text: str, cut: bool) -> Reading | Failure:
    rest, thought, is_open = without_thinking(text)
    if cut:
        return Failure("truncated", "the reply was cut off at its longest length", text)
    if is_open or not rest.strip():
        return Failure("unparseable", "the reply holds thinking and no answer", text)
    return Reading(rest.strip() if thought else text, None, ("thinking cut",) if thought else ())


def _object(text: str, cut: bool, schema: Mapping[str, Json]) -> Reading | Failure:
    whole = text.strip()
    if whole[0] == "{" and whole[-1] == "}":
        try:
            return _valid(text, parsed(whole), (), schema)
        except _NotJsonError:
            pass
    rest, thought, is_open = without_thinking(text)
    if is_open or not rest.strip():
        if cut:
            return Failure("truncated", "the reply was cut off within its thinking", text)
        return Failure("unparseable", "the reply holds thinking and no answer", text)
    extracted = _extracted(rest, cut)
    if isinstance(extracted, Failure):
        return Failure(extracted.kind, extracted.detail, text)
    data, steps = extracted
    return _valid(text, data, ("thinking cut", *steps) if thought else steps, schema)


def _extracted(rest: str, cut: bool) -> tuple[Json, tuple[str, ...]] | Failure:
    """Return the one object in ``rest`` and the steps that led to it."""
    found = find_objects(rest)
    objects: dict[str, tuple[Json, tuple[str, ...]]] = {}
    reason = ""
    around = _Around(rest)
    for start, end in found.spans:
        try:
            data, steps = _lenient(rest[start:end], repair=not cut)
        except _NotJsonError as error:
            reason = reason or str(error)
            continue
        if data:
            steps = (*around.steps(start, end), *steps)
            if cut and not _ENDS.match(rest, end):
                break  # the text went on after the object, and nobody knows how
            objects.setdefault(canonical_json(data), (data, steps))
    if cut and (len(objects) != 1 or found.is_open):
        return Failure("truncated", "the reply was cut off at its longest length")
    if len(objects) > 1:
        return Failure("unparseable", f"the reply holds {len(objects)} different JSON objects")
    if found.is_open:
        return Failure("truncated", "the reply ends within an object")
    if objects:
        return next(iter(objects.values()))
    if _REFUSAL.match(rest) and not found.spans:
        return Failure("refusal", f"the model refused: {_clip(rest.strip())}")
    return Failure("unparseable", reason or "the reply holds no JSON object")


class _Around:
    """The text around an object. Each text is searched once, not for each object: a reply may
    contain thousands.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._first = len(text) - len(text.lstrip())
        self._last = len(text.rstrip())
        line_end = text.find("\n", self._first)
        # An object is fenced if nothing but the fence's own line is before it.
        self._fenced_until = -1
        if text.startswith("```", self._first):
            rest = _INK.search(text, line_end) if line_end >= 0 else None
            self._fenced_until = rest.start() if rest else len(text)

    def steps(self, start: int, end: int) -> tuple[str, ...]:
        """Return what was removed around the object from ``start`` to ``end``."""
        if start <= self._first and end >= self._last:
            return ()
        if start <= self._fenced_until and _CLOSING_FENCE.match(self._text, end):
            return ("fence removed",)
        return ("prose removed",)


def _lenient(text: str, *, repair: bool) -> tuple[Json, tuple[str, ...]]:
    try:
        return parsed(text), ()
    except _NotJsonError:
        fixed = repaired(text) if repair else None
        if fixed is None:
            raise
        return parsed(fixed[0]), tuple(f"repaired: {step}" for step in fixed[1])


def parsed(text: str) -> Json:
    """Parse strict JSON: no NaN, no number beyond floats, no duplicate key with different
    values.
    """
    try:
        value: Json = _DECODER.decode(text)
    except _NotJsonError:
        raise
    except RecursionError:
        raise _NotJsonError("the object is nested too deeply") from None
    except ValueError as error:
        raise _NotJsonError(f"the object is no JSON: {error}") from None
    return value


def _constant(name: str) -> Json:
    raise _NotJsonError(f"{name} is no JSON number")


def _float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise _NotJsonError(f"the number {text[:40]} is too large")
    return number


def _pairs(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    values = dict(pairs)
    if len(values) < len(pairs):
        for key, value in pairs:
            if values[key] != value or type(values[key]) is not type(value):
                raise _NotJsonError(f"the key {key!r} stands twice with different values")
    return values


# Made once, as json would make one for each reply.
_DECODER = json.JSONDecoder(parse_constant=_constant, parse_float=_float, object_pairs_hook=_pairs)


def _valid(
    text: str, data: Json, steps: tuple[str, ...], schema: Mapping[str, Json]
) -> Reading | Failure:
    problems = schema_problems(data, schema)
    if problems:
        return Failure("schema", problems, text)
    return Reading(text, data, steps)


def schema_problems(data: Json, schema: Mapping[str, Json]) -> str:
    """Return where ``data`` violates ``schema``: "" or up to three problems with their places."""
    try:
        if surely_meets(data, schema):
            return ""
        validator = _validator(canonical_json(schema))
        errors = sorted(validator.iter_errors(data), key=lambda error: list(map(str, error.path)))
        problems = [
            f"{'.'.join(map(str, e.path)) or 'the object'}: {_clip(e.message)}" for e in errors
        ]
    except RecursionError:
        return "the object is nested too deeply"
    return "; ".join(problems[:3]) + (
        f"; and {len(problems) - 3} more" if len(problems) > 3 else ""
    )


@functools.lru_cache(maxsize=64)
def _validator(schema: str) -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(json.loads(schema))


def _without_surrogates(reading: Reading) -> Reading:
    """Replace lone surrogates, which no file can contain, by U+FFFD."""
    text = reading.text
    if "\\u" not in text.lower() and (text.isascii() or not _SURROGATE.search(text)):
        return reading  # there is no surrogate, literal or escaped
    data = canonical_json(reading.data)
    if not _SURROGATE.search(reading.text) and not _SURROGATE.search(data):
        return reading
    return Reading(
        _SURROGATE.sub("\ufffd", reading.text),
        json.loads(_SURROGATE.sub("\ufffd", data)),
        (*reading.steps, "lone surrogate replaced"),
    )


def _clip(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 200 else text[:200] + "..."
