"""Compare which part of a sentence causes, precedes or exceeds the other, before and after."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from revkit import english
from revkit.dataclass import dataclass
from revkit.meaning.change import MeaningChange
from revkit.meaning.words import SPEAKERS, Word, Words

_REACH = 8  # content words on each side that are compared
_NEAR = 3  # words to the right of a form that can name its other part
_MARGIN = 0.25  # by how much more alike the crossed sides must be than the straight ones


@dataclass(frozen=True)
class _Sides:
    """The words of the two parts: of the cause, the earlier or greater part, and of the other;
    with the nearest words to the right of the form, and the words of the form.
    """

    first: Mapping[str, float]
    second: Mapping[str, float]
    right: tuple[str, ...]
    form: frozenset[str]

    def side(self, word: str) -> int:
        """Return 1 for a word of the first part only, -1 for one of the second only, else 0."""
        return (word in self.first) - (word in self.second)


@dataclass(frozen=True)
class Directions:
    """The classes whose two parts changed places, and the words of comparison of each sentence
    that say the same, because the parts stayed where they were.
    """

    changes: tuple[MeaningChange, ...]
    agreeing: tuple[frozenset[str], frozenset[str]]


def direction_changes(old: Words, new: Words) -> Directions:
    """Return the classes of relations whose two parts changed places: "X leads to Y" became "Y
    leads to X", or "X because of Y" became "Y because of X".

    A class is compared if both sentences express it exactly once.
    """
    before, after = _relations(old), _relations(new)
    found = []
    agreeing: list[tuple[frozenset[str], frozenset[str]]] = []
    for name in sorted(before.keys() & after.keys()):
        one, other = before[name], after[name]
        straight = _alike(one.first, other.first) + _alike(one.second, other.second)
        crossed = _alike(one.first, other.second) + _alike(one.second, other.first)
        turned = _votes(one, other)
        if turned < 0 or (turned == 0 and crossed > straight + _MARGIN):
            found.append(MeaningChange("role", f"{name}: the two parts changed places"))
        elif turned > 0 or straight > crossed:
            agreeing.append((one.form, other.form))
    return Directions(
        tuple(found),
        (
            frozenset(word for form, _ in agreeing for word in form),
            frozenset(word for _, form in agreeing for word in form),
        ),
    )


def _votes(one: _Sides, other: _Sides) -> int:
    """Return whether the nearest words to the right of both forms stayed in their part (above 0)
    or changed it (below 0); 0 if that is not clear.
    """
    votes = []
    for these, those in ((one, other), (other, one)):
        word = next((word for word in these.right if these.side(word) * those.side(word)), "")
        votes.append(these.side(word) * those.side(word) if word else 0)
    return sum(votes) if votes[0] * votes[1] >= 0 else 0


# "After this conversion": the other part is not in the sentence.
_NUMBER = re.compile(r"\s+(?:\d|half|one|two|three|a )", re.IGNORECASE)
_ELSEWHERE = re.compile(
    r"\s+(?:(?:this|that|these|those)\b(?!\s+(?:with|of|from|in|by|on|for|that|which)\b)"
    r"|(?:which|doing so|then)\b)",
    re.IGNORECASE,
)


# What may replace "than": "larger width compared to the others".
_THAN = r"(?:than|(?:as |when )?compared (?:to|with)|relative to|in comparison (?:to|with))"


@cache
def _forms() -> tuple[str, ...]:
    return tuple(sorted(english.directions(), key=len, reverse=True))


@cache
def _pattern() -> re.Pattern[str]:
    """Matches a form; "better than" and "gain over" may have others between them."""
    parts = [re.escape(form).replace(r"\ ", r"\s+") for form in _forms()]
    spread = [
        rf"{re.escape(form.rsplit(' ', 1)[0])}(?P<gap{number}>[^.,;:]{{0,120}}?)\s+{_last(form)}"
        for number, form in enumerate(_forms())
        if form.endswith((" than", " over", " into", " to", " from")) and _splits(form)
    ]
    return re.compile(rf"\b(?:{'|'.join([*parts, *spread])})\b", re.IGNORECASE)


@cache
def _openers() -> frozenset[str]:
    return frozenset(form.split(" ", 1)[0] for form in _forms())


def _matches(words: Words) -> Iterator[re.Match[str]]:
    """Yield the forms in a sentence, without overlaps; only words that open a form are tried."""
    end = 0
    for word in words.all:
        if word.start >= end and word.lower in _openers():
            match = _pattern().match(words.text, word.start)
            if match:
                end = match.end()
                yield match


def _splits(form: str) -> bool:
    """Whether other words may be between the words of a form: "maps A to B"."""
    name, _ = english.directions()[form]
    return name == "mapping" or (name == "comparison" and form.endswith((" than", " over")))


def _last(form: str) -> str:
    last = form.rsplit(" ", 1)[1]
    return _THAN if last == "than" else last


def _form(match: re.Match[str]) -> str:
    """Return the form of the table that a match is; words in its gap do not count."""
    number = next((name[3:] for name, gap in match.groupdict().items() if gap is not None), "")
    return _forms()[int(number)] if number else " ".join(match[0].lower().split())


def _relations(words: Words) -> dict[str, _Sides]:
    """Return the two parts for each class that the sentence expresses exactly once."""
    table = english.directions()
    found: dict[str, list[re.Match[str]]] = {}
    for match in _matches(words):
        name, _ = table[_form(match)]
        if _ELSEWHERE.match(words.text, match.end()):
            continue
        if name == "comparison" and _NUMBER.match(words.text, match.end()):
            continue
        found.setdefault(name, []).append(match)
    result = {}
    for name, [match, *more] in found.items():
        first_sides = {table[_form(each)][1] for each in (match, *more)}
        if name == "none" or (more and (name != "comparison" or len(first_sides) > 1)):
            continue
        left, right = _parts(words, match)
        if left and right:
            _, first = table[_form(match)]
            sides = (left, right) if first == "left" else (right, left)
            words_of_form = frozenset(_form(match).split(" "))
            result[name] = _Sides(*sides, tuple(right)[:_NEAR], words_of_form)
    return result


def _parts(words: Words, match: re.Match[str]) -> tuple[dict[str, float], dict[str, float]]:
    """Return the content words before and after a form, closer ones with more weight; for a form
    that opens the sentence, those after the first comma are before it.
    """
    start, end = match.span()
    named = next((name for name, text in match.groupdict().items() if text), "")
    form, start = (match.span(named)[0], match.span(named)[1]) if named else (start, start)
    known = (word for word in words.all if word.content or word.lower in SPEAKERS)
    content = [word for word in known if not match.start() <= word.start < form]
    comma = words.text.find(",", end)
    if match.start() < 2 and comma > 0:
        left = [_named(word) for word in content if word.start > comma]
        right = [_named(word) for word in content if end <= word.start < comma]
        return _weighted(left), _weighted(right)
    left = [_named(word) for word in content if word.start < start]
    right = [_named(word) for word in content if word.start >= end]
    return _weighted(left[::-1]), _weighted(right)


def _named(word: Word) -> str:
    return "we" if word.lower in SPEAKERS else word.family


def _weighted(near: Sequence[str]) -> dict[str, float]:
    weights: dict[str, float] = {}
    for step, word in enumerate(near[:_REACH], start=2):
        weights.setdefault(word, 2 / step)
    return weights


def _alike(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    return sum(min(weight, other[word]) for word, weight in one.items() if word in other)
