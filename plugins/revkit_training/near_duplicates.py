"""Near duplicates: the exact overlap of one text with each of thousands of other texts.

A text is the set of its runs of five words, in which letters count, and case, punctuation, spacing,
accents, invisible characters and compatibility forms (ligatures, full-width letters) do not. The
similarity of two texts is their *containment*: the number of runs that both have, divided by the
number of runs of the one that has fewer. It is 1 for a text and a part of it, and never below the
Jaccard index of the two, so one limit finds edited versions, truncated versions and copies with
another title page.

Nothing is sampled: each run is a number of 64 bits, and all runs of all known texts are in one
sorted array. Two different runs share a number with a probability of about 2 to the power of -64,
which could only make two texts look more similar than they are.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from revkit.dataclass import dataclass

if TYPE_CHECKING:
    import numpy

    Runs = numpy.ndarray[Any, numpy.dtype[numpy.uint64]]

RUN = 5
_WORD = re.compile(r"[^\W_]+")
# Combining accents, soft hyphens, and signs without a width: text from a PDF has or lacks them.
_UNSEEN = re.compile("[\u0300-\u036f\u00ad\u200b-\u200f\u2060-\u2064\ufeff]")
_MOST_KNOWN = 1 << 20  # words whose numbers are kept


def words_of(text: str) -> list[str]:
    """Return the folded words of ``text``: only letters and digits count."""
    if not text.isascii():
        text = _UNSEEN.sub("", unicodedata.normalize("NFKD", text))
    return _WORD.findall(text.casefold())


class _Numbers(dict[str, int]):
    """Maps each word to a number of 64 bits, which is the same in every process."""

    def __missing__(self, word: str) -> int:
        if len(self) >= _MOST_KNOWN:
            self.clear()
        digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        number = self[word] = int.from_bytes(digest, "big")
        return number


class RunsOf:
    """Converts texts to their runs, and caches the numbers of words."""

    def __init__(self) -> None:
        self._numbers = _Numbers()

    def of(self, words: list[str]) -> Runs:
        """Return the runs of ``words``: sorted, each once. Fewer than five words are one run."""
        import numpy

        if not words:
            return numpy.empty(0, numpy.uint64)
        length = min(RUN, len(words))
        numbers = numpy.fromiter(
            map(self._numbers.__getitem__, words), numpy.uint64, count=len(words)
        )
        factor = numpy.uint64(0x9E3779B97F4A7C15)
        count = len(words) - length + 1
        runs = numpy.zeros(count, numpy.uint64)
        for place in range(length):
            runs = runs * factor + numbers[place : place + count]
        return numpy.unique(runs)


@dataclass(frozen=True, slots=True)
class Nearest:
    """The known text that is most similar to another text: its index, and the similarity."""

    place: int
    similarity: float


class KnownTexts:
    """Texts to compare with, indexed by their runs."""

    def __init__(self, texts: Iterable[Runs]) -> None:
        """Index the runs of each text, as returned by `RunsOf.of`."""
        import numpy

        parts = list(texts)
        self._sizes = numpy.array([len(part) for part in parts], numpy.int64)
        owners = numpy.repeat(numpy.arange(len(parts), dtype=numpy.int32), self._sizes)
        runs = numpy.concatenate(parts) if parts else numpy.empty(0, numpy.uint64)
        order = numpy.argsort(runs, kind="stable")
        self._runs, self._owners = runs[order], owners[order]

    def nearest(self, runs: Runs) -> Nearest | None:
        """Return the most similar known text, the first one in a tie; None if there is nothing to
        compare.

        Exact: every known text is counted.
        """
        import numpy

        if not len(self._sizes) or not len(runs):
            return None
        left = numpy.searchsorted(self._runs, runs, "left")
        counts = numpy.searchsorted(self._runs, runs, "right") - left
        hit = counts > 0
        left, counts = left[hit], counts[hit]
        # The places left, left+1, ... left+count-1 of every run that was found, one after another.
        ends = numpy.cumsum(counts)
        total = int(ends[-1]) if len(ends) else 0
        places = numpy.arange(total) + numpy.repeat(left - (ends - counts), counts)
        shared = numpy.bincount(self._owners[places], minlength=len(self._sizes))
        smaller = numpy.minimum(self._sizes, len(runs))
        share = numpy.divide(shared, smaller, out=numpy.zeros(len(smaller)), where=smaller > 0)
        place = int(numpy.argmax(share))
        return Nearest(place, float(share[place]))
