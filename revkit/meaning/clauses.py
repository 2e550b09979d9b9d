"""Compare which words are together in one part of a sentence before and after a rewording."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from itertools import combinations

from revkit.meaning.change import MeaningChange
from revkit.meaning.words import SPEAKERS, Word, Words, generic_families, related

# What ends a part of a sentence: marks, conjunctions, words of contrast.
_BOUND = re.compile(
    r"[,;:)]|\b(?:and|but|while|whereas|or|than)\b|(?<=\s)[-–—](?=\s)", re.IGNORECASE
)
_MOST = 20  # words that are compared with one another
# Phrases that are compared like a content word of their part.
_MARKERS = {
    "(like)": re.compile(
        r"\b(?:like|in line with|similar(?:ly)? to|as in|consistent with)\b", re.I
    ),
    "(unlike)": re.compile(
        r"\b(?:unlike|(?:in )?contrast (?:to|with)|as opposed to|contrary to|different from)\b",
        re.I,
    ),
}


def part_changes(old: Words, new: Words) -> list[MeaningChange]:
    """Return pairs of words that exchanged their neighbours between two parts of the sentence:
    "train on A and test on B" became "train on B and test on A".

    Two words, each once in both sentences and in different parts there, are exchanged where a
    neighbour of each, which the other did not have, is a neighbour of the other only.
    """
    before, after = _neighbours(old, {}), _neighbours(new, _same(new, old))
    shared = sorted(before.keys() & after.keys())[:_MOST]
    beside = [*_beside(old), *_beside(new)]
    found = []
    for one, other in combinations(shared, 2):
        if other in before[one] or other in after[one] or {one, other} in beside:
            continue
        mine, others = before[one] - before[other], before[other] - before[one]
        now, then = after[one] - after[other], after[other] - after[one]
        if not (mine & then and others & now):
            continue
        marked = mine & then & _MARKERS.keys() and others & now & _MARKERS.keys()
        straight = mine & now or others & then or {one, other} & generic_families()
        if marked or not straight:
            found.append(MeaningChange("binding", f"{one} and {other}"))
    return found


def _beside(words: Words) -> list[set[str]]:
    """Return words with only "and" or "or" between them: parts of an enumeration."""
    return [
        {one.family, other.family}
        for one, join, other in zip(words.all, words.all[1:], words.all[2:], strict=False)
        if join.lower in ("and", "or")
    ]


def _same(new: Words, old: Words) -> dict[str, str]:
    """Return families of ``new`` with the related family of ``old``."""
    known = {word.family for word in old.content}
    return {
        word.family: mate
        for word in new.content
        if word.family not in known
        for mate in sorted(known)
        if related(word.family, mate)
    }


def _neighbours(words: Words, same: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """Return, for each content word that occurs once, the other content words of its part."""
    bounds = [match.start() for match in _BOUND.finditer(words.text)]
    parts: dict[int, list[str]] = {}
    for word in words.all:
        if word.content or word.lower in SPEAKERS:
            place = sum(bound <= word.start for bound in bounds)
            parts.setdefault(place, []).append(_named(word, same))
    for marker, pattern in _MARKERS.items():
        for match in pattern.finditer(words.text):
            place = sum(bound <= match.start() for bound in bounds)
            parts.setdefault(place, []).append(marker)
    counted = Counter(_named(word, same) for word in words.all)
    return {
        word: frozenset(part) - {word}
        for part in parts.values()
        for word in part
        if counted[word] == 1 and word not in _MARKERS
    }


def _named(word: Word, same: Mapping[str, str]) -> str:
    return "we" if word.lower in SPEAKERS else same.get(word.family, word.family)
