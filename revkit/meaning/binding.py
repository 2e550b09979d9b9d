"""Check the neighbours of each number and each name before and after a rewording."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from itertools import combinations, pairwise

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
    same = {item: _alike(*sides) for item, sides in around.items()}
    found = []
    for one, other in combinations(shared, 2):
        if one[:1].isdigit() != other[:1].isdigit() or (one, other) in free:
            continue
        (one_before, one_after), (other_before, other_after) = around[one], around[other]
        crossed = _alike(one_before, other_after) + _alike(other_before, one_after)
        if crossed > same[one] + same[other] + _MARGIN[nouns]:
            found.append(MeaningChange("binding", f"{one} and {other}"))
    return found


def label_changes(old: Words, new: Words) -> list[MeaningChange]:
    """Return pairs of numbers whose order changed and that of their labels did not, or the other
    way round: "50 for training and 10 for testing" became "10 for training and 50 for testing".

    In lists and in clauses of one form, numbers and what they belong to are in one order. The
    labels are two names, or two words joined by "and" or "or" in one of the sentences, near the
    numbers. All four occur once in both sentences.
    """
    places = _once(old, nouns=True), _once(new, nouns=True)
    shared = [item for item in places[0] if item in places[1]][:_MOST]
    numbers = [item for item in shared if item[:1].isdigit()]
    parallel = [pair for words in (old, new) for pair in _parallel(words)]
    found = []
    for x, a, y, b in parallel:
        if not {x, y, a, b} <= set(shared) or len({x, y, a, b}) < 4:
            continue
        if len({(at[x] < at[y]) == (at[a] < at[b]) for at in places}) == 2:
            (x, y), (a, b) = (sorted(pair, key=places[0].__getitem__) for pair in ((x, y), (a, b)))
            found.append(MeaningChange("binding", f"{x} and {y} of {a} and {b}"))
    if len(numbers) < 2:
        return found
    joined = _joins(old) | _joins(new)
    names = {word.family for words in (old, new) for word in words.all if _named(word)}
    labels = [item for item in shared if not item[:1].isdigit()]
    for x, y in pairwise(numbers):
        for a, b in combinations(labels, 2):
            if not ({a, b} <= names or frozenset((a, b)) in joined):
                continue
            turns = [(at[x] < at[y]) == (at[a] < at[b]) for at in places]
            if turns[0] != turns[1] and all(_label(at, x, y, a, b) for at in places):
                found.append(MeaningChange("binding", f"{x} and {y} of {a} and {b}"))
    return found


def _parallel(words: Words) -> list[tuple[str, str, str, str]]:
    """Return x, a, y, b for "x for a and y for b": content words on both sides of a preposition
    that occurs twice.
    """
    found = []
    for preposition in _PAIRING:
        places = [n for n, word in enumerate(words.all) if word.lower == preposition]
        if len(places) == 2:
            sides = [(_next(words, n, -1), _next(words, n, 1)) for n in places]
            (x, a), (y, b) = sides
            between = {word.lower for word in words.all[slice(*places)]}
            if x and a and y and b and between & _JOINS and places[1] - places[0] <= _PAIR_REACH:
                found.append((x, a, y, b))
    return found


_PAIRING = ("for", "on", "in")
_JOINS = frozenset(("and", "but", "while", "whereas"))
_PAIR_REACH = 8  # words between the two prepositions


def _next(words: Words, place: int, step: int) -> str:
    """Return the nearest content word before or after a place, up to three words away."""
    near = (
        words.all[place + 1 : place + 4] if step > 0 else words.all[max(0, place - 3) : place][::-1]
    )
    return next((word.family for word in near if word.content), "")


_LABEL_REACH = 5  # words between a number and its label


def _label(at: Mapping[str, int], x: str, y: str, a: str, b: str) -> bool:
    """Whether two labels are near two numbers, and none is a label of both."""
    first, last = sorted((at[x], at[y]))
    return all(first - _LABEL_REACH <= at[item] <= last + _LABEL_REACH for item in (a, b))


def _joins(words: Words) -> set[frozenset[str]]:
    return {
        frozenset((one.family, other.family))
        for one, join, other in zip(words.all, words.all[1:], words.all[2:], strict=False)
        if join.lower in ("and", "or")
    }


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
    """Return the families of the nearest content words on both sides, with their weights."""
    content = words.content
    weights: dict[str, float] = {}
    before = bisect_left(content, words.all[place].start, key=_start)
    after = before + (before < len(content) and content[before] is words.all[place])
    sides = (content[max(0, before - _REACH) : before][::-1], content[after : after + _REACH])
    for near in sides:
        for step, word in enumerate(near, start=1):
            weights[word.family] = max(weights.get(word.family, 0.0), 1 / step)
    return weights


def _start(word: Word) -> int:
    return word.start


def _alike(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    total = 0.0
    for name, weight in one.items():
        if name in other:
            beside = other[name]
            total += weight if weight < beside else beside
    return total
