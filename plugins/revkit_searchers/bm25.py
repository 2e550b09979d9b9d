"""BM25 over words (Robertson and Zaragoza, 2009, "The Probabilistic Relevance Framework").

The score of a document d for a query is the sum over its words t of ::

    ln(1 + (N - n + 0.5) / (n + 0.5)) * f * (k1 + 1) / (f + k1 * (1 - b + b * |d| / mean |d|))

with N documents, n of them with t, and f times t in d. The logarithm is that of Lucene, which is
never negative, unlike the original: a word in most documents counts little, and not against them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from revkit.english import stop_words
from revkit.works import fold_words

if TYPE_CHECKING:
    import numpy

# Scripts without blanks between words: each character is its own word.
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")


def tokens(text: str) -> list[str]:
    """Return the words of ``text`` in the form that the index contains.

    Case, accents and punctuation are gone, and so are English function words; plurals are singular
    by the S-stemmer (Harman, 1991, "How effective is suffixing?").
    """
    found: list[str] = []
    for word in fold_words(text):
        if not word.isascii() and _UNSPACED.search(word):
            found.extend(_UNSPACED.findall(word))
        elif word not in stop_words("search"):
            found.append(_singular(word))
    return found


def _singular(word: str) -> str:
    if len(word) < 4 or not word.endswith("s"):
        return word
    if word.endswith("ies") and not word.endswith(("eies", "aies")):
        return word[:-3] + "y"
    if word.endswith("es") and not word.endswith(("aes", "ees", "oes")):
        return word[:-1]
    return word if word.endswith(("us", "ss")) else word[:-1]


class Bm25:
    """An index of documents, each a list of words; `scores` searches it."""

    def __init__(
        self, documents: Iterable[Sequence[str]], *, k1: float = 1.2, b: float = 0.75
    ) -> None:
        import numpy

        words: dict[str, int] = {}
        terms, places, counts, lengths = [], [], [], []
        for place, document in enumerate(documents):
            lengths.append(len(document))
            for word, times in Counter(document).items():
                terms.append(words.setdefault(word, len(words)))
                places.append(place)
                counts.append(times)
        term = numpy.asarray(terms, dtype=numpy.int32)
        order = numpy.argsort(term, kind="stable")
        self._words = words
        self._starts = numpy.searchsorted(term[order], numpy.arange(len(words) + 1))
        self._places = numpy.asarray(places, dtype=numpy.int32)[order]
        self.documents = len(lengths)
        length = numpy.asarray(lengths, dtype=numpy.float64)
        mean = length.mean() if len(lengths) and length.any() else 1.0
        count = numpy.asarray(counts, dtype=numpy.float64)[order]
        spread = k1 * (1 - b + b * length / mean)
        holding = numpy.diff(self._starts)
        rarity = numpy.log1p((self.documents - holding + 0.5) / (holding + 0.5))
        weight = count * (k1 + 1) / (count + spread[self._places]) * numpy.repeat(rarity, holding)
        self._weights = weight.astype(numpy.float32)  # half the memory, ten-millionths of error

    def scores(self, query: Sequence[str]) -> numpy.ndarray[Any, Any]:
        """Return the score of each document, float64, 0 if it shares no word with ``query``."""
        import numpy

        total = numpy.zeros(self.documents, dtype=numpy.float64)
        for word, times in sorted(Counter(query).items()):  # the order decides the last bits
            term = self._words.get(word)
            if term is not None:
                part = slice(self._starts[term], self._starts[term + 1])
                total[self._places[part]] += times * self._weights[part].astype(numpy.float64)
        return total
