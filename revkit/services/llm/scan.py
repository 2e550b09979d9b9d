"""Find JSON objects in a text: braces are matched outside of strings and comments."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from revkit.dataclass import dataclass

# Each loose brace costs a look at the rest of the text: this many characters in all, and the search
# of a hostile text ends. A usual reply of 4,000 characters may hold 250 of them.
_MOST_LOOKED_AT = 1_000_000
_MARKS = re.compile(r"[{}\"']|//|/\*|#")
_DOUBLE = re.compile(r'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_SINGLE = re.compile(r"'(?:[^'\\]|\\.)*+'", re.DOTALL)
_LOOKS_OPEN = re.compile(r"\{\s*[\"'}]")
_NAMES = "think|thinking|thought|thoughts|reasoning|reflection|analysis|scratchpad"
_OPEN = re.compile(rf"\s*(?:<({_NAMES})>|\[(THINK)\])", re.IGNORECASE)
_CLOSE = re.compile(rf"</(?:{_NAMES})>|\[/THINK\]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ObjectSpans:
    """The spans of objects at the top level of a text, and whether one is unclosed at its end."""

    spans: tuple[tuple[int, int], ...]
    is_open: bool


def find_objects(text: str) -> ObjectSpans:
    """Return the spans of all balanced braces at the top level of ``text``.

    A brace that is never closed is passed over, so that a loose one in prose hides nothing after
    it; if it looks like the start of an object, the text counts as open.
    """
    spans = []
    is_open = False
    looked_at = 0
    start = text.find("{")
    while start >= 0 and looked_at < _MOST_LOOKED_AT:
        end = closing(text, start)
        if end is None:
            looked_at += len(text) - start
            is_open = is_open or _LOOKS_OPEN.match(text, start) is not None
            start = text.find("{", start + 1)
        else:
            spans.append((start, end))
            start = text.find("{", end)
    return ObjectSpans(tuple(spans), is_open)


def closing(text: str, start: int) -> int | None:
    """Return the end of the object that opens at ``start``; None if it is never closed."""
    depth = 0
    position = start
    last = ""
    while (match := _MARKS.search(text, position)) is not None:
        mark = match.group()
        last = last_of(text[position : match.start()]) or last
        position = match.end()
        if mark == "{":
            depth += 1
        elif mark == "}":
            depth -= 1
            if depth == 0:
                return position
        else:
            after = skipped(text, match.start(), last)
            if after is None:
                return None
            position = after
        if mark in "{}\"'":
            last = mark
    return None


def last_of(text: str) -> str:
    """Return the last character of ``text`` that is not a blank, or ""."""
    return text.rstrip()[-1:]


def skipped(text: str, position: int, last: str) -> int | None:
    """Return the end of the string or comment that starts at ``position``; None if it has no end.

    A single quote opens a string only where a value or key may be, as ``last`` shows, the
    last character before it that is neither blank nor comment; else it is an apostrophe.
    """
    mark = text[position]
    if mark == '"':
        match = _DOUBLE.match(text, position)
        return match.end() if match else None
    if mark == "'":
        if last not in ("{", "[", ",", ":"):
            return position + 1
        match = _SINGLE.match(text, position)
        return match.end() if match else None
    if text.startswith("/*", position):
        end = text.find("*/", position + 2)
        return None if end < 0 else end + 2
    end = text.find("\n", position)  # "//" and "#": to the end of the line
    return None if end < 0 else end + 1


def without_thinking(text: str) -> tuple[str, bool, bool]:
    """Return ``text`` after the model's thinking, whether there was any, and whether it never
    ended.

    Some servers swallow the opening tag, so an end without a start counts as well, unless it
    is within an object: there it is part of a value.
    """
    thought = False
    while _OPEN.match(text):
        thought = True
        end = _CLOSE.search(text)
        if end is None:
            return "", True, True
        text = text[end.end() :]
    ends = list(_CLOSE.finditer(text))
    if ends:
        spans = find_objects(text).spans
        starts = [start for start, _ in spans]
        outside = [end for end in ends if not _within(end.start(), starts, spans)]
        if outside:
            return text[outside[-1].end() :], True, False
    return text, thought, False


def _within(position: int, starts: Sequence[int], spans: Sequence[tuple[int, int]]) -> bool:
    """Return whether ``position`` is in one of ``spans``, which are in order and do not overlap."""
    index = bisect_right(starts, position) - 1
    return index >= 0 and position < spans[index][1]
