"""Rules on single words: numbers, names, negations, opposites and quantities before and after."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import cache, lru_cache

from revkit import english
from revkit.meaning.change import ChangeKind, MeaningChange
from revkit.meaning.words import Word, Words

_DENIALS = frozenset(
    ("not", "no", "never", "none", "nothing", "neither", "without", "cannot", "absent", "absence")
)
_DENYING = re.compile(r"(?:fail|lack)(?:s|ed|ing|ure|ures)?\Z|unable\Z|unsuccessful")
_WEAK_DENIALS = frozenset(("hardly", "barely", "scarcely", "rarely", "seldom"))
_PREFIXES = ("un", "in", "im", "ir", "il", "non", "dis", "mis")
# Classes of quantities that a rewording neither adds nor drops.
_STRICT = ("only", "few", "at most", "at least", "almost", "exactly", "one", "either", "neither")


def number_changes(old: Words, new: Words) -> list[MeaningChange]:
    """Return added or lost numbers; a number in words equals its figure."""
    before, after = (Counter(w.family for w in words.all if w.number) for words in (old, new))
    return _differences("number", before, after)


def name_changes(old: Words, new: Words) -> list[MeaningChange]:
    """Return added or lost names and acronyms."""
    known, left = (frozenset(w.family for w in words.all) for words in (old, new))
    gained = {w.family for w in new.all if _is_name(w) and w.family not in known}
    lost = {w.family for w in old.all if _is_name(w) and w.family not in left}
    return [MeaningChange("name", f"gained {name}") for name in sorted(gained)] + [
        MeaningChange("name", f"lost {name}") for name in sorted(lost)
    ]


def _is_name(word: Word) -> bool:
    """Return whether a capital indicates a name: not a capital that only opens the sentence."""
    return (
        word.named
        and (word.content or word.text.isupper())
        and (word.start > 1 or any(letter.isupper() for letter in word.text[1:]))
    )


def denials(words: Words) -> int:
    """Count the negations of a sentence; "neither ... nor" counts once."""
    return sum(
        word.lower in _DENIALS or bool(_DENYING.match(word.lower)) or word.lower in _WEAK_DENIALS
        for word in words.all
    ) - words.text.lower().count("not only")


def denial_changes(old: Words, new: Words) -> list[MeaningChange]:
    """Return added or lost negations, and words that gain or lose a negative prefix."""
    found = []
    before, after = denials(old), denials(new)
    if before != after:
        found.append(MeaningChange("negation", f"{before} before, {after} after"))
    for these, those in ((old, new), (new, old)):
        gained = set(those.lowers) - set(these.lowers)
        bases = {word.lower for word in these.all} - set(those.lowers)
        for word in sorted(gained):
            base = next(
                (word[len(p) :].lstrip("-") for p in _PREFIXES if _opposes(word, p, bases)), ""
            )
            if base:
                found.append(MeaningChange("negation", f"{base} and {word}"))
    return found


def _opposes(word: str, prefix: str, bases: set[str]) -> bool:
    rest = word.removeprefix(prefix).lstrip("-")
    return rest != word and len(rest) > 3 and rest in bases


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
            found.append(MeaningChange("opposite", f"{one} became {other}"))
    return found


def _count_sides(words: Words) -> Counter[Side]:
    parts = (part for word in words.lowers for part in (word, *_first(word)))
    return Counter(side for part in parts for side in _sides(part))


def _first(word: str) -> list[str]:
    """Return the first part of a compound: "low" of "low-dimensional"."""
    part, hyphen, _ = word.partition("-")
    return [part] if hyphen else []


def _example(words: Words, others: Words, side: Side) -> str:
    extra = Counter(words.lowers) - Counter(others.lowers)
    return next((word for word in extra if side in _sides(word)), "?")


@cache
def _quantity() -> re.Pattern[str]:
    return english.compile_words(frozenset(english.quantities()), ignore_case=True)


def quantity_changes(old: Words, new: Words) -> list[MeaningChange]:
    """Return quantities that changed their class: "all" became "some", "only" was added, "up to"
    became "at least".
    """
    before, after = _classes(old.text), _classes(new.text)
    found = _differences(
        "quantity",
        Counter({name: n for name, n in before.items() if name in _STRICT}),
        Counter({name: n for name, n in after.items() if name in _STRICT}),
    )
    lost, gained = before - after, after - before
    ranks = ("all", "most", "some", "both")
    if not found and any(lost[name] for name in ranks) and any(gained[name] for name in ranks):
        found.append(MeaningChange("quantity", f"{_join_words(lost)} became {_join_words(gained)}"))
    if not found and lost["all"] and new.lowers.count("one") > old.lowers.count("one"):
        found.append(MeaningChange("quantity", "all became one"))
    if not found and gained["all"] and not before["all"] and "each" not in new.lowers:
        found.append(MeaningChange("quantity", "gained all"))
    return found


def _classes(text: str) -> Counter[str]:
    classes = english.quantities()
    found = Counter(
        classes[" ".join(match[0].lower().split())] for match in _quantity().finditer(text)
    )
    del found["no quantity"]
    return found


def _differences(
    kind: ChangeKind, before: Counter[str], after: Counter[str]
) -> list[MeaningChange]:
    return [MeaningChange(kind, f"lost {item}") for item in sorted(before - after)] + [
        MeaningChange(kind, f"gained {item}") for item in sorted(after - before)
    ]


def _join_words(counted: Counter[str]) -> str:
    return ", ".join(sorted(counted))
