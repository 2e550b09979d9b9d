"""Rules for small edits: if most of a sentence is unchanged, the new words must be known to be
harmless.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from difflib import SequenceMatcher
from functools import cache

from revkit.english import generic_nouns
from revkit.grammar import Parse
from revkit.meaning.change import MeaningChange
from revkit.meaning.words import Word, Words, family, related, unmatched

# From this share of common words in one order on, a sentence is the old one with a small edit. Free
# rewordings have 0.2 to 0.7, single changes of meaning 0.85 and more (benchmarks/meaning).
_SMALL = 0.75
Parses = tuple[Parse, Parse]  # of the old sentence and of the new one
Synonyms = AbstractSet[tuple[str, str]]


def similarity(old: Words, new: Words) -> float:
    """Return the share of words that both sentences have in the same order, from 0 to 1."""
    return SequenceMatcher(None, old.lowers, new.lowers, autojunk=False).ratio()


def small_edit(old: Words, new: Words) -> bool:
    """Return whether ``new`` is ``old`` with a small edit, and not a free rewording."""
    return similarity(old, new) >= _SMALL


def word_changes(old: Words, new: Words, synonyms: Synonyms) -> list[MeaningChange]:
    """Return content words that a small edit added or removed and that have no related word or
    synonym on the other side. For a free rewording the list is empty, because other words are
    expected there.
    """
    if not small_edit(old, new):
        return []
    lost, gained = unmatched(old.content, new.content), unmatched(new.content, old.content)
    found = [
        MeaningChange("word", f"lost {word.lower}")
        for word in lost
        if not _explained(word, [*gained, *_fresh(new, old)], synonyms, new)
    ]
    return found + [
        MeaningChange("word", f"gained {word.lower}")
        for word in gained
        if not _explained(word, [*lost, *_fresh(old, new)], synonyms, old)
    ]


def _fresh(words: Words, others: Words) -> list[Word]:
    """The words of one sentence that the other does not have at all, words of grammar too."""
    known = frozenset(word.family for word in others.all)
    return [word for word in words.all if word.family not in known]


def _explained(word: Word, others: list[Word], synonyms: Synonyms, sentence: Words) -> bool:
    """Whether a relative or a synonym came or went for ``word``, or it says nothing by itself (its
    synonym is ""); a form of a word of grammar that
    ``sentence`` has ("take", "taking") is a relative too."""
    if (word.family, "") in synonyms:
        return True
    return any(
        (word.family, other.family) in synonyms or related(word.family, other.family)
        for other in others
    ) or any(word.family == other.family for other in sentence.all if not other.content)


def term_changes(old: Words, new: Words, parses: Parses, synonyms: Synonyms) -> list[MeaningChange]:
    """Return nouns of the subject that replaced a noun or an adjective of the subject: a rewording
    may use other verbs and generic nouns, but must keep the terms.
    """
    before, after = ({family(token.lower): token.pos for token in parse.tokens} for parse in parses)
    lost = {
        word.family
        for word in unmatched(old.content, new.content)
        if before.get(word.family) in ("NOUN", "PROPN", "ADJ") and word.family not in _generic()
    }
    gained = {
        word.family
        for word in unmatched(new.content, old.content)
        if after.get(word.family) in ("NOUN", "PROPN") and word.family not in _generic()
    }
    if not lost:
        return []
    return [
        MeaningChange("word", f"gained {term}")
        for term in sorted(gained)
        if not any((term, word) in synonyms for word in lost)
    ]


@cache
def _generic() -> frozenset[str]:
    return frozenset(family(noun) for noun in generic_nouns())


def content_changes(old: Words, new: Words) -> list[MeaningChange]:
    """Return a change if a rewording has less than half or more than double of the content
    words.
    """
    before, after = len(old.content), len(new.content)
    if before >= 4 and not 0.5 <= after / before <= 2.0:
        return [MeaningChange("content", f"{before} content words before, {after} after")]
    return []
