"""Repair the notation of a complete object that is not strict JSON, without changing a value.

Known are: strings in single quotes, a comma before a closing bracket, comments, Python's True,
False and None, and line breaks and tabs within strings. Nothing is ever evaluated or closed.
"""

from __future__ import annotations

import re

from revkit.services.llm.scan import skipped

_LITERALS = {"True": "true", "False": "false", "None": "null"}
_WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_CONTROL = re.compile(r"[\x00-\x1f]")


def repaired(text: str) -> tuple[str, tuple[str, ...]] | None:
    """Return ``text`` in strict notation and the names of the repairs made, in order of first use;
    None if a string or comment has no end.
    """
    parts: list[str] = []
    steps: list[str] = []
    position = 0
    last = ""
    while position < len(text):
        mark = text[position]
        comment = mark == "#" or text.startswith(("//", "/*"), position)
        if mark in "\"'" or comment:
            end = skipped(text, position, last)
            if end is None:
                return None
            if comment:
                steps.append("comment")
            else:
                parts.append(_string(text[position:end], steps))
                last = mark
            position = end
            continue
        word = _WORD.match(text, position)
        if word:
            if word.group() in _LITERALS:
                steps.append("Python literal")
            parts.append(_LITERALS.get(word.group(), word.group()))
            position = word.end()
            last = "a"
            continue
        if mark in "}]":
            _drop_comma(parts, steps)
        parts.append(mark)
        last = mark if not mark.isspace() else last
        position += 1
    return "".join(parts), tuple(dict.fromkeys(steps))


def _string(raw: str, steps: list[str]) -> str:
    """Return a string in double quotes, with control characters escaped."""
    if raw[0] == "'" and len(raw) > 1:
        steps.append("single quotes")
        inner = raw[1:-1].replace("\\'", "'")
        raw = '"' + re.sub(r'(\\.)|"', lambda m: m.group(1) or '\\"', inner, flags=re.DOTALL) + '"'
    if _CONTROL.search(raw):
        steps.append("line break in a string")
        raw = _CONTROL.sub(lambda m: f"\\u{ord(m.group()):04x}", raw)
    return raw


def _drop_comma(parts: list[str], steps: list[str]) -> None:
    index = len(parts) - 1
    while index >= 0 and parts[index].isspace():
        index -= 1
    if index >= 0 and parts[index] == ",":
        steps.append("trailing comma")
        parts[index] = ""
