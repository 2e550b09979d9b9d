"""Find sentences that a later sentence needs, because they introduce a term."""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from functools import cache, lru_cache

from revkit.english import stop_words
from revkit.model.paper import Paper
from revkit_robustrev.citation_phrases import TOKEN, is_name, stem

_NEAR = 5  # sentences: a term that returns later than this has been introduced again, or is common
_MOST_USES = 12
_CAPITAL = re.compile(r"[A-Z][a-z]{2,}")

Term = str | tuple[str, str]


class Links:
    """For each sentence the terms that it introduces, and the sentences that use them after it.

    A term is a name ("BERT", "Rewarded"), a pair of words of content ("input cue") or a rare word
    that occurs in few sentences. What occurs in a heading or the abstract is known to all.
    """

    def __init__(self, paper: Paper) -> None:
        uses: dict[Term, list[int]] = {}
        for index, sentence in enumerate(paper.sentences):
            for term in set(_terms(paper.text, sentence.start, sentence.end)):
                uses.setdefault(term, []).append(index)
        known = set(_known(paper))
        self._uses = {
            term: places
            for term, places in uses.items()
            if 1 < len(places) <= _MOST_USES and term not in known
        }
        self._introduces: dict[int, list[Term]] = {}
        for term, places in self._uses.items():
            if places[1] - places[0] <= _NEAR:
                self._introduces.setdefault(places[0], []).append(term)

    def missed(self, gone: Set[int], new: Iterable[int], written: str = "") -> bool:
        """Whether a sentence that stays uses what only sentences that go introduce.

        Terms of ``written``, which takes the place of those that go, are not missed.
        """
        kept = terms_of(written)
        for index in new:
            for term in self._introduces.get(index, ()):
                if term in kept:
                    continue
                places = self._uses[term]
                if any(place not in gone for place in places if index < place <= index + _NEAR):
                    return True
        return False

    def names(self, index: int) -> list[str]:
        """The names and acronyms that a sentence introduces, and one near it uses."""
        return [
            term
            for term in self._introduces.get(index, ())
            if isinstance(term, str)
            and any(index < place <= index + _NEAR for place in self._uses[term])
        ]


def terms_of(text: str) -> frozenset[Term]:
    """The terms of a text by whole words; any of its words can be a name."""
    words = (_read(match[0])[0] for match in TOKEN.finditer(text))
    return frozenset(words).union(_terms(text, 0, len(text)))


def _known(paper: Paper) -> Iterable[Term]:
    """The terms of the title, the headings and the abstract."""
    for block in paper.blocks:
        if block.kind == "heading" or block.role == "abstract":
            yield from _terms(paper.text, block.start, block.end)


def _terms(text: str, start: int, end: int) -> Iterable[Term]:
    before, at = "", -1  # the word of content before, and where the next one has to start
    for place, match in enumerate(TOKEN.finditer(text, start, end)):
        word, content, name, capital = _read(match[0])
        if name or (capital and place):
            yield word
        if before and content and match.start() == at:
            yield (before, word)
        before, at = word if content else "", match.end() + 1


@lru_cache(maxsize=50_000)
def _read(written: str) -> tuple[str, bool, bool, bool]:
    """Return a word as it is compared, and whether it is one of content, is a name by its letters,
    and begins with a capital.
    """
    word = stem(written.lower())
    content = len(word) > 2 and word not in _common()
    return word, content, is_name(written), bool(_CAPITAL.fullmatch(written))


@cache
def _common() -> frozenset[str]:
    return stop_words("search") | stop_words("restatement")
