"""Check the neighbours of each number and each name before and after a rewording."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import combinations

from revkit.meaning.change import MeaningChange
from revkit.meaning.words import Word, Words

Pairs = AbstractSet[tuple[str, str]]
# Lists that refer to one another by the order of their parts.
_REFERS_BACK = re.compile(r"\b(?:respectively|the former\b.*\bthe latter)\b", re.I | re.DOTALL)
_REACH = 5  # words to each side that can say what a number belongs to
_MOST = 24  # numbers and names of one sentence that are compared with one another
_MARGIN = {False: 0.75, True: 0.3}  # by whether all content words are compared


def binding_changes(
    old: Words, new: Words, *, nouns: bool = False, free: Pairs = frozenset()
) -> list[MeaningChange]:
    """Return pairs of numbers, or of names, that exchanged their neighbours; with ``nouns``, also
    of other content words, which is a sign only if all else stayed in place.

    Only what both sentences hold once is compared: its surroundings are a bag of the families of
    the content words near it, closer ones with more weight. Two items are exchanged where each
    one's surroundings are more like those that the other had. Pairs in ``free`` may change places,
    such as two parts of an enumeration.
    """
    if not nouns and _REFERS_BACK.search(old.text) and _REFERS_BACK.search(new.text):
        return _list_changes(old, new)
    before, after = _once(old, nouns), _once(new, nouns)
    shared = [item for item in before if item in after][:_MOST]
    around = {item: (_around(old, before[item]), _around(new, after[item])) for item in shared}
    found = []
    for one, other in combinations(shared, 2):
        if one[:1].isdigit() != other[:1].isdigit() or (one, other) in free:
            continue
        straight = _alike(*around[one]) + _alike(*around[other])
        crossed = _alike(around[one][0], around[other][1]) + _alike(
            around[other][0], around[one][1]
        )
        if crossed > straight + _MARGIN[nouns]:
            found.append(MeaningChange("binding", f"{one} and {other}"))
    return found


def _list_changes(old: Words, new: Words) -> list[MeaningChange]:
    """Return a change if two lists refer to each other by their order ("A and B, 1 and 2
    respectively") and only one of them changed its order.
    """
    moved = []
    for pick in (_named, _number):
        before = [word.family for word in old.all if pick(word)]
        after = [word.family for word in new.all if pick(word)]
        if sorted(before) != sorted(after):
            return []
        moved.append(before != after)
    return [MeaningChange("binding", "the order of one list")] if moved[0] != moved[1] else []


def _named(word: Word) -> bool:
    return word.named and word.content and word.start > 1


def _number(word: Word) -> bool:
    return word.number


def _once(words: Words, nouns: bool) -> dict[str, int]:
    """Return words that occur once and are compared, with their position among all words."""
    counted = Counter(word.family for word in words.all)
    return {
        word.family: place
        for place, word in enumerate(words.all)
        if counted[word.family] == 1 and (word.number or word.named or (nouns and word.content))
    }


def _around(words: Words, place: int) -> dict[str, float]:
    weights: dict[str, float] = {}
    for step, word in _near(words.all, place):
        weights[word.family] = max(weights.get(word.family, 0.0), 1 / step)
    return weights


def _near(words: Sequence[Word], place: int) -> list[tuple[int, Word]]:
    near = []
    for direction in (-1, 1):
        step, at = 0, place + direction
        while 0 <= at < len(words) and step < _REACH:
            if words[at].content:
                step += 1
                near.append((step, words[at]))
            at += direction
    return near


def _alike(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    return sum(min(weight, other[name]) for name, weight in one.items() if name in other)
