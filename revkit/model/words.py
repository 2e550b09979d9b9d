"""Count words: runs of non-blanks, all of them or those of prose."""

from __future__ import annotations

from collections.abc import Iterable

# Of an ASCII text without its signs, as many runs are left as hold a letter or a digit. They begin
# where "a" follows a blank, once all letters and digits are "a"; no word has to be looked at.
_SIGNS = bytes(code for code in range(128) if not (chr(code).isalnum() or chr(code).isspace()))
_LIKE = bytes(0x61 if chr(code).isalnum() else 0x20 for code in range(256))
_BLANK = bytes(0x20 if chr(code).isspace() else 0x61 for code in range(256))
_INK = 0x61
# In UTF-8, a blank is one of these bytes or begins with one of them. A list, because looking at all
# characters takes a hundredth of the start of a command.
_BLANKS = b"\t\n\v\f\r\x1c\x1d\x1e\x1f \xc2\xe1\xe2\xe3"


def count_words(text: str, start: int, end: int) -> int:
    """Return the number of runs of non-blanks in ``text[start:end]`` with a letter or a digit."""
    part = text[start:end]
    if part.isascii():
        return (b" " + part.encode().translate(_LIKE, _SIGNS)).count(b" a")
    return sum(1 for word in part.split() if word[0].isalnum() or any(map(str.isalnum, word)))


def count_runs_in(text: str, spans: Iterable[tuple[int, int]]) -> list[int]:
    """Return `count_runs` of each part of ``text`` from a start to an end."""
    if not text.isascii():
        return [count_runs(text[start:end]) for start, end in spans]
    data = b" " + text.encode().translate(_BLANK)
    # Behind the blank that is added, a part begins one later: what precedes it is not of it.
    return [
        data.count(b" a", start + 1, end + 1) + (data[start + 1] == _INK) if start < end else 0
        for start, end in spans
    ]


def count_runs(text: str) -> int:
    """Return the number of runs of non-blanks in ``text``: that of ``text.split()``, which makes
    each of them.
    """
    if text.isascii():
        return (b" " + text.encode().translate(_BLANK)).count(b" a")
    return len(text.split())


def most_runs(text: str) -> int:
    """Return an upper bound of `count_runs` in less time: all that may be a blank, and one."""
    data = text.encode("utf-8", "surrogatepass")
    return len(data) - len(data.translate(None, _BLANKS)) + 1
