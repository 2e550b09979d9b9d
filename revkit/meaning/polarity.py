"""Rules on negations and opposites before and after."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache

from revkit import english
from revkit.meaning.change import ChangeKind, MeaningChange
from revkit.meaning.denials import (
    base_of,
    count_denials,
    denial_range,
    denies,
    denies_next,
    idle_denial,
    is_few,
    plainly_denies,
)
from revkit.meaning.quantity import RANKS, classes
from revkit.meaning.words import Words, family, related, small_edit

Agreeing = tuple[AbstractSet[str], AbstractSet[str]]


def polarity_changes(
    old: Words, new: Words, agreeing: Agreeing = (frozenset(), frozenset())
) -> list[MeaningChange]:
    """Return added or lost negations and opposites that replaced each other.

    ``agreeing`` are words of comparison of each sentence that say the same from two sides, as in
    "A is better than B" and "B is worse than A".

    A word with a negative prefix denies ("is unstable" equals "is not stable"), and a negation
    with an opposite cancel each other ("not well" equals "badly").
    """
    if not small_edit(old, new):
        return _free_polarity_changes(old, new, agreeing)
    before, after = count_denials(old, new), count_denials(new, old)
    flips = opposite_changes(old, new)
    if flips and abs(before - after) == len({flip.detail.split(" became ")[0] for flip in flips}):
        return []
    found = flips
    if before != after:
        few = [sum(is_few(word) for word in words.lowers) for words in (old, new)]
        exchanged = before - few[0] == after - few[1] and any(
            set(RANKS) & (classes(one.text) - classes(other.text)).keys()
            for one, other in ((old, new), (new, old))
        )
        kind: ChangeKind = "quantity" if exchanged else "negation"
        found = [MeaningChange(kind, f"{before} before, {after} after"), *flips]
    return found


def _free_polarity_changes(old: Words, new: Words, agreeing: Agreeing) -> list[MeaningChange]:
    """The changes of polarity of a free rewording, which may express a negation by another word:
    "not change over time" by "time-invariant".

    Each sentence has a range of negations: those by a word of negation, and those together with
    words that may express one. Ranges that overlap mean that nothing changed. Opposites are left
    out too if the ranges allow a difference of that many negations.
    """
    (fewest, most), (least, greatest) = denial_range(old, new), denial_range(new, old)
    flips = [flip for flip in opposite_changes(old, new) if not _agrees(flip, agreeing)]
    gap = max(fewest - greatest, least - most, 0)
    open_flips = [flip for flip in flips if not _denied_once(flip, old, new)]
    if gap > len(flips) - len(open_flips):
        return [
            MeaningChange("negation", f"{fewest} to {most} before, {least} to {greatest} after"),
            *open_flips,
        ]
    return open_flips


def _agrees(flip: MeaningChange, agreeing: Agreeing) -> bool:
    one, other = flip.detail.split(" became ")
    return one in agreeing[0] and other in agreeing[1]


_REACH = 6  # words before an opposite in which a word of negation denies it
_CLOSE = 2  # the same for words that may deny: "few", "avoids"


def _denied_once(flip: MeaningChange, old: Words, new: Words) -> bool:
    """Whether exactly one of two opposites is denied: "badly" became "not well"."""
    one, other = flip.detail.split(" became ")
    return _denied(one, old) != _denied(other, new)


def _denied(word: str, words: Words) -> bool:
    """Whether a negation is close before ``word``, or the word is in a phrase of negation."""
    first = word.split(" ")[0]
    place = next((n for n, each in enumerate(words.all) if each.lower == first), -1)
    near = words.all[max(0, place - _REACH) : place]
    return place >= 0 and any(
        plainly_denies(each.lower) or (len(near) - step <= _CLOSE and denies_next(each.lower))
        for step, each in enumerate(near)
        if not idle_denial(words, each)
    )


Side = tuple[int, int]  # an axis, and which side of it


@lru_cache(maxsize=50_000)
def _sides(word: str) -> tuple[Side, ...]:
    """Return the sides of all axes on which a word is."""
    return tuple(side for side, matches in _matchers() if matches(word))


@cache
def _matchers() -> tuple[tuple[Side, Callable[[str], object]], ...]:
    return tuple(
        ((axis, side), english.compile_words(forms).fullmatch)
        for axis, pair in enumerate(english.opposites())
        for side, forms in enumerate(pair)
    )


def opposite_changes(old: Words, new: Words) -> list[MeaningChange]:
    """Return opposites that replaced each other: one side of an axis is lost, the other is
    added.
    """
    before, after = _count_sides(old), _count_sides(new)
    lost, gained = before - after, after - before
    found = []
    for axis, side in sorted(lost):
        if (axis, 1 - side) in gained:
            one = _example(old, new, (axis, side))
            other = _example(new, old, (axis, 1 - side))
            small = small_edit(old, new)
            if _opposed(one, other, small) or (small and denies(one) != denies(other)):
                continue  # it counts as a negation
            found.append(MeaningChange("opposite", f"{one} became {other}"))
    return found


def _opposed(one: str, other: str, exactly: bool) -> bool:
    """Whether one word is the other with a negative prefix: "stable" and "unstable"; if not
    ``exactly``, a relative of it: "independent" and "depends".
    """
    pairs = ((base_of(one), other), (base_of(other), one))
    if exactly:
        return any(base == word for base, word in pairs)
    return any(len(base) > 3 and related(family(base), family(word)) for base, word in pairs)


def _count_sides(words: Words) -> Counter[Side]:
    lowers = Counter(words.lowers)
    lowers["end"] -= len(_PURPOSE.findall(words.text))
    parts = (part for word in lowers.elements() for part in (word, *_first(word)))
    counted = Counter(side for part in parts for side in _sides(part))
    counted.update(side for phrase in _phrases(words) for side in _phrase_sides()[phrase])
    return counted


@cache
def _phrase_sides() -> dict[str, list[Side]]:
    """Return the phrases of the table of opposites with their sides."""
    found: dict[str, list[Side]] = {}
    for axis, pair in enumerate(english.opposites()):
        for side, forms in enumerate(pair):
            for form in forms:
                if " " in form:
                    found.setdefault(form, []).append((axis, side))
    return found


@cache
def _phrase() -> re.Pattern[str]:
    return english.compile_words(frozenset(_phrase_sides()), ignore_case=True)


def _phrases(words: Words) -> list[str]:
    return [" ".join(match[0].lower().split()) for match in _phrase().finditer(words.text)]


_PURPOSE = re.compile(r"\bto (?:this|that|which) end\b", re.IGNORECASE)


def _first(word: str) -> list[str]:
    """Return the first part of a compound: "low" of "low-dimensional"."""
    part, hyphen, _ = word.partition("-")
    return [part] if hyphen else []


def _example(words: Words, others: Words, side: Side) -> str:
    extra = Counter(words.lowers) - Counter(others.lowers)
    phrases = Counter(_phrases(words)) - Counter(_phrases(others))
    return next(
        (word for word in extra if any(side in _sides(part) for part in (word, *_first(word)))),
        next((phrase for phrase in phrases if side in _phrase_sides()[phrase]), "?"),
    )
