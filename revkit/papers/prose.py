"""Prose: whether a text beside a paper says something, and whether the paper says it too."""

from __future__ import annotations

import re

_KNOWN_SHARE = 0.5
SPACELESS = re.compile(r"[\u2e80-\uffef]")
"""Letters of scripts without blanks between words."""
FEWEST_SPACELESS = 8
"""The fewest such letters that say something."""
WORD = re.compile(r"[^\W\d_]{2,}|\d{2,}")
"""Words of two letters or digits and more."""


def is_prose(text: str, fewest_words: int = 8) -> bool:
    """Whether ``text`` has at least ``fewest_words`` words and is mostly letters. Of a script
    without blanks, eight signs suffice."""
    letters = sum(map(str.isalpha, text))
    words = [word for word in WORD.findall(text) if word.isalpha()]
    spaceless = letters >= 12 and len(SPACELESS.findall(text)) >= FEWEST_SPACELESS
    return spaceless or (len(words) >= fewest_words and letters >= 0.6 * len(text))


class Body:
    """The words of a paper, to compare text beside it with."""

    def __init__(self, text: str) -> None:
        self.words = words = _words(text)
        self._runs = set(zip(words, words[1:], words[2:], strict=False))

    def holds(self, text: str) -> bool:
        """Whether half of the runs of three words of ``text`` are in the paper."""
        words = _words(text)
        runs = list(zip(words, words[1:], words[2:], strict=False))
        known = sum(run in self._runs for run in runs)
        return known >= _KNOWN_SHARE * max(1, len(runs))


def _words(text: str) -> list[str]:
    return [word.casefold() for word in WORD.findall(text)]
