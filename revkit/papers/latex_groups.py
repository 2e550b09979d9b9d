"""LaTeX groups: where a group ends, what it says in plain words, and the options of a command."""

from __future__ import annotations

import re
from collections.abc import Iterator

from revkit.papers.orders import addresses_reviewer
from revkit.papers.prose import is_prose

READ = 2_000
"""The most characters of a group that are read."""
GROUP_SIGN = re.compile(r"\\.|[{}]", re.DOTALL)
"""A brace, or a sign behind a backslash."""
_COMMAND = re.compile(r"\\[A-Za-z@]+\*?|[{}]")
_COLOR = re.compile(r"\\(?:normalcolor(?![A-Za-z])|color\s?[\[{])")
_OPTION_SIGN = re.compile(r"\\.|[{}\[\],]", re.DOTALL)
_MOST_OPTIONS = 200


def group_close(text: str, position: int, *, is_color: bool = False) -> int:
    """Where the group that holds ``position`` closes, or the paragraph ends, in at most 2,000
    characters. ``is_color`` states that the next colour ends it too. Blank lines before any text,
    and between the paragraphs of a group that closes, do not end it.
    """
    limit = min(len(text), position + READ)
    depth = 0
    first = position
    while first < limit and text[first].isspace():
        first += 1
    blank = text.find("\n\n", first, limit)
    for sign in GROUP_SIGN.finditer(text, position, limit):
        depth += {"{": 1, "}": -1}.get(sign[0], 0)
        if depth < 0:
            limit = sign.start()
            blank = -1
            break
    end = blank if blank >= 0 else limit
    if is_color:
        for color in _COLOR.finditer(text, position, end):
            before = GROUP_SIGN.findall(text, position, color.start())
            if before.count("{") == before.count("}"):
                return color.start()
    return end


def plain_words(text: str) -> str:
    """``text`` without commands and braces, on one line."""
    return " ".join(_COMMAND.sub(" ", text).split())


def says_something(says: str) -> bool:
    """Whether ``says`` is prose, or an order to a reviewer."""
    return is_prose(says) or addresses_reviewer(says)


def split_options(options: str) -> Iterator[tuple[str, str]]:
    """The keys of ``options`` and their values, "" for a key without one."""
    depth = position = count = 0
    for sign in _OPTION_SIGN.finditer(options + ","):
        if sign[0] in "{[":
            depth += 1
        elif sign[0] in "}]":
            depth -= 1
        elif sign[0] == "," and depth <= 0:
            key, _, value = options[position : sign.start()].partition("=")
            position = sign.end()
            count += 1
            if count > _MOST_OPTIONS:
                return
            value = value.strip()
            if value.startswith("{") and value.endswith("}"):
                value = value[1:-1].strip()
            if key.strip():
                yield key.strip(), value


def bracket_close(text: str, position: int) -> int:
    """Where the bracket closes that is open at ``position``, or -1 if none does in 2,000
    characters."""
    depth = 0
    for sign in _OPTION_SIGN.finditer(text, position, position + READ):
        if sign[0] in "{[":
            depth += 1
        elif sign[0] in "}]":
            depth -= 1
            if depth < 0:
                return sign.start() if sign[0] == "]" else -1
    return -1
