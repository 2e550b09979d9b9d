"""Language: whether a text is English."""

from __future__ import annotations

import re

# Frequent words of English; text in other languages with Latin script contains few of them.
_ENGLISH = frozenset(
    str.split(
        "the of and to in a is are was were that for with as by on this these it be has have been"
        " from which an or can not but may their its at between also such more than through"
    )
)
_WORDS = re.compile(r"[^\W\d_]+")
_ASCII = re.compile(r"[\x00-\x7f]+")
_LEAST_SHARE = 0.14


def is_english(text: str, least: float = _LEAST_SHARE, fewest: int = 8) -> bool:
    """Return whether ``text`` is English: Latin letters, and at least a share ``least`` of frequent
    English words. In texts of fewer than ``fewest`` words, only letters are examined.
    """
    sample = text[:4_000]
    if not sample.isascii():
        foreign = sum(map(str.isalpha, _ASCII.sub("", sample)))
        if foreign > 0.15 * sum(map(str.isalpha, sample)):
            return False
    words = _WORDS.findall(sample.lower())
    if len(words) < fewest:
        return bool(words)
    return sum(word in _ENGLISH for word in words) >= least * len(words)
