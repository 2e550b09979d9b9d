"""Numbers and names that only one of two sentences has."""

from __future__ import annotations

import re
from collections import Counter

from revkit.meaning.change import MeaningChange, lost_and_gained
from revkit.meaning.words import Word, Words, family

# A number in words that refers to things already named: "the two methods", "A and B, two methods".
_REFERRING = re.compile(
    r"(?:\b(?:the|these|those|both|all|its|their|our)\s+|[,;(]\s*)(?P<number>"
    + "|".join(("two", "three", "four"))
    + r")\b",
    re.IGNORECASE,
)
_PAIR = re.compile(
    r"\b(?:both|either|neither|each other|respective|respectively|pair"
    r"|double|twice|the other|former|latter)\b",
    re.I,
)
_MAGNITUDES = ("dozen", "hundred", "thousand", "million", "billion", "trillion")
_ORDINALS = ("zeroth", "second", "third", "fourth", "fifth", "sixth")


def number_changes(old: Words, new: Words) -> list[MeaningChange]:
    """Return added or lost numbers; a number in words equals its figure. "The two methods" may
    become "both methods" or "the methods".
    """
    before, after = (Counter(w.family for w in words.all if w.number) for words in (old, new))
    for these, those, words, other in ((before, after, old, new), (after, before, new, old)):
        for match in _REFERRING.finditer(words.text):
            number = family(match["number"].lower())
            others = (these - those).keys() | (those - these).keys()
            if these[number] > those[number] and others == {number}:
                these[number] -= 1
        for part in {part for word in other.lowers for part in word.split("-")[1:]}:
            if part.isdigit() and these[part] > those[part]:
                these[part] -= 1  # "of depth 2" and "depth-2"
        pairs = len(_PAIR.findall(other.text)) - len(_PAIR.findall(words.text))
        if these["2"] == those["2"] + 1 and pairs > 0:
            these["2"] -= 1
    return [*lost_and_gained("number", before, after), *_magnitude_changes(old, new)]


def _magnitude_changes(old: Words, new: Words) -> list[MeaningChange]:
    """Return a magnitude or an ordinal that another one replaced: "two million" became "two
    thousand", "second order" became "third order". One that only one sentence has may be
    written in figures in the other.
    """
    found = []
    for forms in (_MAGNITUDES, _ORDINALS):
        before, after = (
            {part for each in words.lowers if (part := _counted(each)) in forms}
            for words in (old, new)
        )
        lost, gained = sorted(before - after), sorted(after - before)
        if lost and gained:
            found.append(MeaningChange("number", f"{lost[0]} became {gained[0]}"))
    return found


def _counted(word: str) -> str:
    """Return "second" for "second-order", "million" for "millions"."""
    return word.partition("-")[0].removesuffix("s")


def name_changes(old: Words, new: Words) -> list[MeaningChange]:
    """Return added or lost names and acronyms."""
    known, left = _known(old), _known(new)
    gained = {w.family for w in new.all if _is_name(w) and not _names(w) & known}
    lost = {w.family for w in old.all if _is_name(w) and not _names(w) & left}
    return [MeaningChange("name", f"gained {name}", gained=name) for name in sorted(gained)] + [
        MeaningChange("name", f"lost {name}", lost=name) for name in sorted(lost)
    ]


def _known(words: Words) -> frozenset[str]:
    return frozenset(part for word in words.all for part in _names(word) | {word.family})


def _names(word: Word) -> set[str]:
    """Return a word and, of a compound, the parts that are names: "ISP" of "ISP-supporting"."""
    parts = [part for part in re.split(r"[-/]", word.text) if part]
    if len(parts) == 1:
        return {word.family}
    named = {family(part.lower()) for part in parts if any(letter.isupper() for letter in part)}
    return named | {word.family}


def _is_name(word: Word) -> bool:
    """Return whether a capital indicates a name: not a capital that only opens the sentence."""
    return (
        word.named
        and (word.content or word.text.isupper())
        and (word.start > 1 or any(letter.isupper() for letter in word.text[1:]))
    )
