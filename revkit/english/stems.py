"""Stems: words without frequent endings, to compare words of one family."""

from __future__ import annotations

from collections.abc import Sequence

ENDINGS = ("ing", "ed", "es", "s")
_SHORTEST = 4


def cut_ending(word: str, endings: Sequence[str] = ENDINGS) -> str:
    """Return ``word`` without the first of ``endings`` that it has, so that "compared" equals
    "compares".

    At least four letters stay; a word that would become shorter keeps this ending. ``word`` is in
    lower case.
    """
    for ending in endings:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            return word[: -len(ending)]
    return word
