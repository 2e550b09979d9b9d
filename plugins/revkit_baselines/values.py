"""Read a number or a verdict from the body of one section, or state why there is none.

The first line of a body must be the value in one of the known forms; the rest is its justification.
A later line that is a different value makes the body ambiguous.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal, TypeVar

from revkit.dataclass import dataclass
from revkit.model.rating_scale import RatingScale
from revkit.venues import read_rating

T = TypeVar("T")

# Accept | Rejected. | Accept (poster) | Reject (Score = 5) | Accept: oral
_VERDICT = re.compile(
    r"(accept|reject)(?:ed)?\.?(?: ?\(([^()\n]{0,200})\)\.?|: ?([^\n]{1,200}))?", re.IGNORECASE
)
_WORDS = {"accept": re.compile(r"\breject", re.I), "reject": re.compile(r"\baccept", re.I)}


@dataclass(frozen=True)
class Unread:
    """A value that cannot be used: ``kind`` is "schema" for a value outside its scale, else
    "unparseable".
    """

    kind: Literal["unparseable", "schema"]
    why: str


def number(bodies: Sequence[str], low: float, high: float) -> float | Unread:
    """Return the number in ``bodies``, the sections of one name, on the scale from ``low`` to
    ``high``.
    """
    return _one(bodies, lambda line: _number(line, low, high))


def verdict(bodies: Sequence[str]) -> bool | Unread:
    """Return True for accept and False for reject, as stated in ``bodies``."""
    return _one(bodies, _verdict)


def _one(bodies: Sequence[str], read: Callable[[str], T | Unread]) -> T | Unread:
    if not bodies:
        return Unread("unparseable", "the section is missing")
    found: list[T] = []
    for body in bodies:
        lines = [_plain(line) for line in body.splitlines() if line.strip()]
        if not lines:
            return Unread("unparseable", "the section is empty")
        first = read(lines[0])
        if isinstance(first, Unread):
            return first
        found.append(first)
        found.extend(each for each in map(read, lines[1:]) if not isinstance(each, Unread))
    if any(each != found[0] for each in found):
        values = ", ".join(dict.fromkeys(map(_text, found)))
        return Unread("unparseable", f"several values: {values[:200]}")
    return found[0]


def _plain(line: str) -> str:
    """Return ``line`` without emphasis and with single blanks."""
    return " ".join(line.replace("**", "").replace("`", "").split())


def _number(line: str, low: float, high: float) -> float | Unread:
    read = read_rating(line, RatingScale("section", low, high))
    if read.value is not None:
        return read.value
    if read.problem == "other-scale":
        return Unread("schema", f"{line[:40]!r} is on another scale than {low:g} to {high:g}")
    if read.problem == "off-scale":
        return Unread("schema", f"{line[:40]} lies outside {low:g} to {high:g}")
    return Unread("unparseable", f"no number in a known form: {line[:100]!r}")


def _verdict(line: str) -> bool | Unread:
    match = _VERDICT.fullmatch(line)
    if match is None:
        return Unread("unparseable", f"no verdict in a known form: {line[:100]!r}")
    word = match[1].lower()
    if _WORDS[word].search(match[2] or match[3] or ""):
        return Unread("unparseable", f"two verdicts: {line[:100]!r}")
    return word == "accept"


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "accept" if value else "reject"
    return f"{value:g}" if isinstance(value, float) else str(value)
