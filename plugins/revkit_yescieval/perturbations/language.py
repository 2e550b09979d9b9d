"""Language: whether a sentence is English, like the donors, rules and lexicons of this package."""

from __future__ import annotations

import re

from revkit.english import is_english

WORDS = re.compile(r"[^\W\d_]+")


def is_english_sentence(sentence: str) -> bool:
    """Return whether a sentence of an English text is English; it may contain few frequent
    words.
    """
    return is_english(sentence, 0.05)
