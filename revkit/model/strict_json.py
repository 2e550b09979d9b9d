"""Read JSON that somebody else may have written: standard JSON alone, within bounds."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

MOST_LEVELS = 200
"""The levels of nesting that are read; code that walks a value may call itself for each of them."""

_MOST_DIGITS = 308  # of a whole number: larger ones are beyond floats
_LONGEST_SHOWN = 40
_LONGEST_PLACE = 160


class NotStrictJson(ValueError):
    """A text is not standard JSON, or beyond the bounds.

    ``place`` is line and column, or the keys that lead to the value ("scores[3].overall"), or "".
    """

    def __init__(self, problem: str, place: str = "") -> None:
        super().__init__(f"{place}: {problem}" if place else problem)
        self.problem = problem
        self.place = place


def strict_json(text: str) -> Any:
    """Return the value of ``text``. A byte order mark before it is skipped.

    Raises `NotStrictJson` with the place for a text that is not JSON, for NaN, infinities and
    numbers beyond floats (such as ``1e999``), for an object in which a key occurs twice, and for
    more than `MOST_LEVELS` levels of nesting. The caller bounds the size of ``text``.
    """
    text = text.removeprefix("\ufeff")
    try:
        value = _DECODER.decode(text)
        # Brackets within texts count too, so that most values need no look at their levels.
        if text.count("[") + text.count("{") > MOST_LEVELS:
            _check_levels(value)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise NotStrictJson(error.msg, place) from None
    except RecursionError:
        raise NotStrictJson("nested too deeply") from None
    except _RefusedError as error:
        raise _placed(text, str(error)) from None
    return value


class _RefusedError(Exception):
    """A number or an object is refused; the decoder does not know its place."""


class _Fault:
    """Stands for a refused number or object while its place is looked for."""

    def __init__(self, problem: str) -> None:
        self.problem = problem


def _problem_of_float(digits: str) -> str:
    return "" if math.isfinite(float(digits)) else f"{_short(digits)} is too large for a number"


def _problem_of_integer(digits: str) -> str:
    long = len(digits.lstrip("-")) > _MOST_DIGITS
    return f"{_short(digits)} is too large for a number" if long else ""


def _problem_of_pairs(pairs: list[tuple[str, Any]]) -> str:
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            return f"the key {_short(repr(key))} occurs twice in one object"
        seen.add(key)
    return ""


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "..."


def _float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise _RefusedError(_problem_of_float(digits))
    return number


def _integer(digits: str) -> int:
    if len(digits) > _MOST_DIGITS and (problem := _problem_of_integer(digits)):
        raise _RefusedError(problem)
    return int(digits)


def _constant(name: str) -> Any:
    raise _RefusedError(f"{name} is not a JSON number")


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise _RefusedError(_problem_of_pairs(pairs))
    return value


_DECODER = json.JSONDecoder(
    parse_float=_float, parse_int=_integer, parse_constant=_constant, object_pairs_hook=_members
)


def _check_levels(value: Any) -> None:
    """Raise `NotStrictJson` where ``value`` has more than `MOST_LEVELS` levels."""
    level = [value]
    for _ in range(MOST_LEVELS + 1):
        if not level:
            return
        level = [
            inner
            for each in level
            if isinstance(each, dict | list)
            for inner in (each.values() if isinstance(each, dict) else each)
        ]
    raise NotStrictJson(f"nested too deeply: more than {MOST_LEVELS} levels")


def _placed(text: str, problem: str) -> NotStrictJson:
    """The error for the first value of ``text`` that is refused, with its place."""

    def fault_or(problem: str, value: Any) -> Any:
        return _Fault(problem) if problem else value

    decoder = json.JSONDecoder(
        parse_float=lambda digits: fault_or(_problem_of_float(digits), 0.0),
        parse_int=lambda digits: fault_or(_problem_of_integer(digits), 0),
        parse_constant=lambda name: _Fault(f"{name} is not a JSON number"),
        object_pairs_hook=lambda pairs: fault_or(_problem_of_pairs(pairs), dict(pairs)),
    )
    try:
        for place, value in _walk(decoder.decode(text)):
            if isinstance(value, _Fault):
                return NotStrictJson(value.problem, _named(place))
    except (ValueError, RecursionError):  # what follows is faulty too
        pass
    return NotStrictJson(problem)


_Place = tuple[Any, ...]  # the place of what contains it, and a key or number; () at the top


def _walk(value: Any) -> Iterator[tuple[_Place, Any]]:
    """All values in ``value`` with their places, in the order of the text."""
    waiting: list[tuple[_Place, Any]] = [((), value)]
    while waiting:
        place, each = waiting.pop()
        yield place, each
        if isinstance(each, dict | list):
            inner = each.items() if isinstance(each, dict) else enumerate(each)
            waiting += reversed([((place, step), below) for step, below in inner])


def _named(place: _Place) -> str:
    steps: list[str] = []
    while place:
        place, step = place
        if isinstance(step, int):
            steps.append(f"[{step}]")
        else:
            shown = step if step.isidentifier() or step.replace("-", "").isalnum() else repr(step)
            steps.append(f".{_short(shown)}")
    named = "".join(reversed(steps)).removeprefix(".")
    return named if len(named) <= _LONGEST_PLACE else f"{named[:_LONGEST_PLACE]}..."
