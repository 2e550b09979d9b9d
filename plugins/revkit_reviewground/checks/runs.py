"""Limits on the text that the patterns of the checks read.

Many patterns read over blanks and whole words in several ways, and start at each of them; their
time grows with the square or the cube of a run. No sentence has such runs, but a paper or a reply
that means harm may.
"""

from __future__ import annotations

import re

MOST_BLANKS = 40
MOST_LETTERS = 100
# Neither blank nor part of a word, and nothing to `revkit_reviewground.checks.folded_text`.
_FILL = "·"
_LONG = re.compile(
    rf"(?P<start>\s{{{MOST_BLANKS}}}|\w{{{MOST_LETTERS}}})(?P<rest>(?<=\s)\s++|(?<=\w)\w++)"
)


def bounded(text: str) -> str:
    """Return ``text`` of the same length, in which everything beyond 40 blanks or 100 letters of
    one run is replaced by dots.
    """
    return _LONG.sub(lambda match: match["start"] + _FILL * len(match["rest"]), text)
