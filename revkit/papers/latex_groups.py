"""LaTeX groups: where a group ends, what it says in plain words, and the options of a command."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache

from revkit.papers.orders import addresses_reviewer
from revkit.papers.prose import is_prose

READ = 2_000
"""The most characters of a group that are read."""
GROUP_SIGN = re.compile(r"\\.|[{}]", re.DOTALL)
"""A brace, or a sign behind a backslash."""
_COMMAND = re.compile(r"\\[A-Za-z@]+\*?|[{}]")
_COLOR = re.compile(r"\\(?:normalcolor(?![A-Za-z])|color\s?[\[{])")
_OPTION_SIGN = re.compile(r"\\.|[{}\[\],]", re.DOTALL)
ANY_SIGN = re.compile(r"\\.|[{}\[\]]", re.DOTALL)
"""A brace or bracket, or a sign behind a backslash."""
# A shorter text is read from its place on: to match all of its signs would take longer.
_SHORT = 400


class WorkSpentError(Exception):
    """A scan has done as much as its bound permits; ``place`` is how far it came."""

    def __init__(self, place: int) -> None:
        super().__init__(place)
        self.place = place


class Work:
    """What a scan of one text may still do, in characters and keys that it reads again."""

    def __init__(self, most: int) -> None:
        self._left = most
        self.place = 0
        """The place of the text that is read, for the message."""

    def spend(self, amount: int) -> None:
        """Count ``amount``. Raises `WorkSpentError` once the bound is passed."""
        self._left -= amount
        if self._left < 0:
            raise WorkSpentError(self.place)


class Needles:
    """Where texts occur in ``text``. A part of the text is not searched twice for one of them."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._known: dict[str, tuple[int, int]] = {}

    def find(self, needle: str, position: int) -> int:
        """The first place of ``needle`` from ``position`` on, or -1."""
        first, place = self._known.get(needle, (0, -2))
        if place == -2 or position < first or -1 < place < position:
            place = self._text.find(needle, position)
            self._known[needle] = position, place
        return place


class Nesting:
    """The ``signs`` of a text, matched in one pass: where the group ends that holds a place.

    Without ``end``, braces and brackets nest, and each closes a group. With ``end``, only braces
    nest, and the group ends at ``end`` outside inner braces, if no brace closes it before.
    """

    def __init__(self, text: str, signs: re.Pattern[str], *, end: str = "") -> None:
        self._places = array("q")
        kinds: list[str] = []
        for match in signs.finditer(text):
            if text[match.start()] != "\\":
                self._places.append(match.start())
                kinds.append(match[0])
        opening = "{" if end else "{["
        count = len(kinds)
        closes = array("q", [-1]) * count
        self._depths = array("q", [0]) * (count + 1)
        open_: list[int] = []
        depth = 0
        for number, kind in enumerate(kinds):
            self._depths[number] = depth
            if kind in opening:
                open_.append(number)
                depth += 1
            elif kind == "}" or not end:
                depth -= 1
                if open_:
                    closes[open_.pop()] = number
        self._depths[count] = depth
        # For the group that holds the place before each sign.
        self._ends = array("q", [-1]) * (count + 1)
        for number in range(count - 1, -1, -1):
            kind = kinds[number]
            if kind not in opening:
                is_end = not end or kind == end
                self._ends[number] = self._places[number] if is_end else -1
            elif closes[number] >= 0:
                self._ends[number] = self._ends[closes[number] + 1]

    def end(self, position: int) -> int:
        """The place of the sign that ends the group that holds ``position``, or -1."""
        return self._ends[bisect_left(self._places, position)]

    def depth(self, position: int) -> int:
        """The number of groups that are open at ``position``."""
        return self._depths[bisect_left(self._places, position)]


@lru_cache(maxsize=4)
def _braces(text: str) -> Nesting:
    return Nesting(text, GROUP_SIGN)


@lru_cache(maxsize=4)
def _brackets(text: str) -> Nesting:
    return Nesting(text, ANY_SIGN)


@lru_cache(maxsize=4)
def _colors(text: str) -> dict[int, array[int]]:
    """The places of the commands for a colour, by depth."""
    found: dict[int, array[int]] = {}
    braces = _braces(text)
    for match in _COLOR.finditer(text):
        found.setdefault(braces.depth(match.start()), array("q")).append(match.start())
    return found


def brace_end(text: str, position: int) -> int:
    """The place of the brace that closes the group that holds ``position``, or -1."""
    if len(text) <= _SHORT:
        return first_end(text, position, GROUP_SIGN)
    return _braces(text).end(position)


def first_end(text: str, position: int, signs: re.Pattern[str] = GROUP_SIGN) -> int:
    """The place of the sign that ends the group that holds ``position``, or -1, read from there:
    for short texts, and for groups that are read one after the other."""
    depth = 0
    for sign in signs.finditer(text, position):
        if sign[0] in "{[":
            depth += 1
        elif sign[0] in "}]":
            depth -= 1
            if depth < 0:
                return sign.start()
    return -1


def group_close(text: str, position: int, *, is_color: bool = False) -> int:
    """Where the group that holds ``position`` closes, or the paragraph ends, in at most 2,000
    characters. ``is_color`` states that the next colour ends it too. Blank lines before any text,
    and between the paragraphs of a group that closes, do not end it.
    """
    limit = min(len(text), position + READ)
    first = position
    while first < limit and text[first].isspace():
        first += 1
    blank = text.find("\n\n", first, limit)
    close = brace_end(text, position)
    if 0 <= close < limit:
        limit, blank = close, -1
    end = blank if blank >= 0 else limit
    if is_color:
        same = _colors(text).get(_braces(text).depth(position))
        place = bisect_left(same, position) if same else 0
        if same and place < len(same) and same[place] < end:
            return same[place]
    return end


def plain_words(text: str) -> str:
    """``text`` without commands and braces, on one line."""
    return " ".join(_COMMAND.sub(" ", text).split())


def says_something(says: str) -> bool:
    """Whether ``says`` is prose, or an order to a reviewer."""
    return is_prose(says) or addresses_reviewer(says)


def split_options(options: str) -> Iterator[tuple[str, str]]:
    """The keys of ``options`` and their values, "" for a key without one."""
    depth = position = 0
    for sign in _OPTION_SIGN.finditer(options + ","):
        if sign[0] in "{[":
            depth += 1
        elif sign[0] in "}]":
            depth -= 1
        elif sign[0] == "," and depth <= 0:
            key, _, value = options[position : sign.start()].partition("=")
            position = sign.end()
            value = value.strip()
            if value.startswith("{") and value.endswith("}"):
                value = value[1:-1].strip()
            if key.strip():
                yield key.strip(), value


def bracket_close(text: str, position: int) -> int:
    """Where the bracket closes that is open at ``position``, or -1 if none does."""
    short = len(text) <= _SHORT
    end = first_end(text, position, ANY_SIGN) if short else _brackets(text).end(position)
    return end if end >= 0 and text[end] == "]" else -1
