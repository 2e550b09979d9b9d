"""Regular expressions on untrusted text, with limits on time and on the number of matches."""

from __future__ import annotations

from functools import cache
from typing import Any

from revkit.dataclass import dataclass
from revkit_external.parse.trouble import ReadingError, excerpt

SECONDS = 2.0
MOST_MATCHES = 10_000


@dataclass(frozen=True)
class Match:
    """One match: the captured text (None if the group is not part of it) and its position."""

    value: str | None
    start: int
    end: int


@cache
def compile_pattern(pattern: str) -> Any:
    """Compile ``pattern``. Raises `ValueError` with the fault.

    The value is what the one group captures, or the whole match of a pattern without a group. The
    module ``regex`` is used since it can stop: a pattern that backtracks without end would hang
    the one of the standard library.
    """
    import regex

    try:
        compiled = regex.compile(pattern)
    except regex.error as error:
        raise ValueError(f"is not a regular expression: {error}") from None
    if compiled.groups > 1:
        raise ValueError(
            f"has {compiled.groups} groups; put the value in one, and write the others as (?:...)"
        )
    if compiled.fullmatch("") is not None:
        raise ValueError("matches the empty text, and so everywhere")
    return compiled


def matches(pattern: str, text: str) -> list[Match]:
    """Return all matches of ``pattern`` in ``text``. Raises `ReadingError` if this takes too
    long.
    """
    compiled = compile_pattern(pattern)
    group = 1 if compiled.groups else 0
    found: list[Match] = []
    try:
        for match in compiled.finditer(text, timeout=SECONDS):
            if len(found) == MOST_MATCHES:
                raise ReadingError(
                    "unparseable",
                    f"the pattern {excerpt(pattern)} matches over {MOST_MATCHES} times",
                )
            found.append(Match(match.group(group), *match.span(group)))
    except TimeoutError:
        raise ReadingError(
            "unparseable",
            f"the pattern {excerpt(pattern)} was stopped after {SECONDS:g} s of backtracking",
        ) from None
    return found
