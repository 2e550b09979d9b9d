"""Count words: runs of non-blanks, all of them or those of prose."""

from __future__ import annotations

# Of an ASCII text without its signs, as many runs are left as hold a letter or a digit. They begin
# where "a" follows a blank, once all letters and digits are "a"; no word has to be looked at.
_SIGNS = bytes(code for code in range(128) if not (chr(code).isalnum() or chr(code).isspace()))
_LIKE = bytes(0x61 if chr(code).isalnum() else 0x20 for code in range(256))
_BLANK = bytes(0x20 if chr(code).isspace() else 0x61 for code in range(256))


def count_words(text: str, start: int, end: int) -> int:
    """Return the number of runs of non-blanks in ``text[start:end]`` with a letter or a digit."""
    part = text[start:end]
    if part.isascii():
        return (b" " + part.encode().translate(_LIKE, _SIGNS)).count(b" a")
    return sum(1 for word in part.split() if word[0].isalnum() or any(map(str.isalnum, word)))


def count_runs(text: str) -> int:
    """Return the number of runs of non-blanks in ``text``: that of ``text.split()``, which makes
    each of them.
    """
    if text.isascii():
        return (b" " + text.encode().translate(_BLANK)).count(b" a")
    return len(text.split())
