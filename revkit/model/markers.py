"""Markers: words that are inserted into a paper to measure how far a model reads."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property

from revkit.dataclass import dataclass
from revkit.model.paper import Paper

PLACES = ("start", "middle", "end")
_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"


@dataclass(frozen=True)
class MarkedPaper:
    """A paper with three invented words at its start, middle and end, each on its own line.

    The words and their places follow from the paper alone, and no word is in its text.
    """

    original: Paper

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words, in the order of `PLACES`."""
        return tuple(_word(self.original, place) for place in PLACES)

    @cached_property
    def middle(self) -> int:
        """The position in the original text of the second word: after half of the text, at the end
        of the paragraph, else of the line, else of the word.
        """
        text = self.original.text
        half = len(text) // 2
        for mark in ("\n\n", "\n", " "):
            found = text.find(mark, half)
            if half <= found < half + len(text) // 4:
                return found + len(mark)
        return half

    @cached_property
    def paper(self) -> Paper:
        """The paper with the inserted words."""
        text = self.original.text
        start, middle, end = (f"Marker word: {word}" for word in self.words)
        first, rest = text[: self.middle], text[self.middle :]
        marked = f"{start}\n\n{first}\n\n{middle}\n\n{rest}\n\n{end}\n"
        return replace(self.original, text=marked)

    def places_of(self, repeated: Iterable[str]) -> tuple[str, ...]:
        """Return the places whose words are among those that a model ``repeated``."""
        said = " ".join(repeated).lower().split()
        plain = {word.strip(".,;:!?\"'`*()[]") for word in said}
        pairs = zip(PLACES, self.words, strict=True)
        return tuple(place for place, word in pairs if word in plain)


def _word(paper: Paper, place: str) -> str:
    """Return four syllables drawn from the paper and the place; the first such word that is not in
    the text.
    """
    number = 0
    text = paper.text.lower()
    while True:
        drawn = hashlib.sha256(f"{paper.digest}/{place}/{number}".encode()).digest()
        word = "".join(
            _CONSONANTS[drawn[i] % len(_CONSONANTS)] + _VOWELS[drawn[i + 1] % len(_VOWELS)]
            for i in range(0, 8, 2)
        )
        if word not in text:
            return word
        number += 1
