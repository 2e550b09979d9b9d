"""Normalise texts so that a quotation is found despite different typesetting."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from revkit.works import fold_words

_HYPHENATED = re.compile(r"(?<=[^\W\d_])[-\u00ad]\s{0,2}\n\s{0,4}(?=[^\W\d_])")
_ELLIPSIS = re.compile(r"\s?(?:\.{3,6}|\u2026|\[\s?(?:\.{3}|\u2026)\s?\])\s?")


def words(text: str) -> list[str]:
    """Return the words of a text without case and typography: accents, ligatures, quotes, hyphens.

    A word broken over two lines is one word; a hyphenated one is two.
    """
    return fold_words(_HYPHENATED.sub("", text))


def fold(text: str) -> str:
    """Return the words of ``text`` between single blanks, with one blank before and one after.

    If words are broken over lines, a second line has the text with their halves separated: "self-"
    and "training" on two lines may be one word or a compound, and either may be quoted.
    """
    forms = [words(text)]
    if _HYPHENATED.search(text):
        forms.append(words(_HYPHENATED.sub(" ", text)))
    return "\n".join(f" {' '.join(form)} " for form in forms)


def quoted_in(quote: str, text: str, least: int = 1) -> bool:
    """Return whether every part of ``quote`` between ellipses is in ``text``, a result of `fold`.

    A quotation of fewer than ``least`` words does not count, nor does one whose parts are single
    words, because these occur in any text.
    """
    parts = [each for part in _ELLIPSIS.split(quote) if (each := words(part))]
    if sum(map(len, parts)) < max(1, least):
        return False
    if len(parts) > 1 and any(len(part) < 2 for part in parts):
        return False
    return all(f" {' '.join(part)} " in text for part in parts)


def ngrams(tokens: Sequence[str], n: int) -> list[tuple[str, ...]]:
    """Return the runs of ``n`` words, in order; empty if there are fewer words."""
    return [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]


def copyable(sources: Iterable[str], paper: str, n: int) -> frozenset[tuple[str, ...]]:
    """Return the word ``n``-grams that are in a source and not in the paper.

    Phrases of the paper do not count: using them is not copying from a source.
    """
    grams = {gram for source in sources for gram in ngrams(words(source), n)}
    return frozenset(grams.difference(ngrams(words(paper), n)))


def copied_share(point: str, known: frozenset[tuple[str, ...]], n: int) -> float:
    """Return the share of the word ``n``-grams of ``point`` that are in ``known``, from `copyable`.

    0 for a point of fewer than ``n`` words.
    """
    own = ngrams(words(point), n)
    return sum(gram in known for gram in own) / len(own) if own else 0.0
