"""Compare which part of a sentence causes, precedes or exceeds the other, before and after."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from revkit import english
from revkit.meaning.change import MeaningChange
from revkit.meaning.words import Words

_REACH = 8  # content words on each side that are compared
_MARGIN = 0.25  # by how much more alike the crossed sides must be than the straight ones


@dataclass(frozen=True)
class _Sides:
    """The words of the two parts: of the cause, the earlier or greater part, and of the other."""

    first: Mapping[str, float]
    second: Mapping[str, float]


def direction_changes(old: Words, new: Words) -> list[MeaningChange]:
    """Return the classes of relations whose two parts changed places: "X leads to Y" became "Y
    leads to X", or "X because of Y" became "Y because of X".

    A class is compared if both sentences express it exactly once.
    """
    before, after = _relations(old), _relations(new)
    found = []
    for name in sorted(before.keys() & after.keys()):
        one, other = before[name], after[name]
        straight = _alike(one.first, other.first) + _alike(one.second, other.second)
        crossed = _alike(one.first, other.second) + _alike(one.second, other.first)
        if crossed > straight + _MARGIN:
            found.append(MeaningChange("role", f"{name}: the two parts changed places"))
    return found


# "After this conversion": the other part is not in the sentence.
_ELSEWHERE = re.compile(r"\s+(?:this|that|these|those|which|doing so|then)\b", re.IGNORECASE)


@cache
def _pattern() -> re.Pattern[str]:
    """Matches a form; "better than" and "gain over" may have others between them."""
    forms = sorted(english.directions(), key=len, reverse=True)
    parts = [re.escape(form).replace(r"\ ", r"\s+") for form in forms]
    spread = [
        rf"{re.escape(form[:-5])}(?P<gap{number}>[^.,;:]{{0,120}}?)\s+{form[-4:]}"
        for number, form in enumerate(forms)
        if form.endswith((" than", " over")) and form != "rather than"
    ]
    return re.compile(rf"\b(?:{'|'.join([*parts, *spread])})\b", re.IGNORECASE)


def _form(match: re.Match[str]) -> str:
    """Return the form of the table that a match is; words in its gap do not count."""
    gap = next((text for text in match.groups() if text), "")
    return " ".join(match[0].lower().replace(gap.lower(), " ", 1).split())


def _relations(words: Words) -> dict[str, _Sides]:
    """Return the two parts for each class that the sentence expresses exactly once."""
    table = english.directions()
    found: dict[str, list[re.Match[str]]] = {}
    for match in _pattern().finditer(words.text):
        name, _ = table[_form(match)]
        if _ELSEWHERE.match(words.text, match.end()):
            continue
        found.setdefault(name, []).append(match)
    result = {}
    for name, [match, *more] in found.items():
        if more or name == "none":
            continue
        left, right = _parts(words, match)
        if left and right:
            _, first = table[_form(match)]
            result[name] = _Sides(left, right) if first == "left" else _Sides(right, left)
    return result


def _parts(words: Words, match: re.Match[str]) -> tuple[dict[str, float], dict[str, float]]:
    """Return the content words before and after a form, closer ones with more weight; for a form
    that opens the sentence, those after the first comma are before it.
    """
    start, end = match.span()
    named = next((name for name, text in match.groupdict().items() if text), "")
    form, start = (match.span(named)[0], match.span(named)[1]) if named else (start, start)
    content = [word for word in words.content if not match.start() <= word.start < form]
    comma = words.text.find(",", end)
    if match.start() < 2 and comma > 0:
        left = [word.family for word in content if word.start > comma]
        right = [word.family for word in content if end <= word.start < comma]
        return _weighted(left), _weighted(right)
    left = [word.family for word in content if word.start < start]
    right = [word.family for word in content if word.start >= end]
    return _weighted(left[::-1]), _weighted(right)


def _weighted(near: Sequence[str]) -> dict[str, float]:
    weights: dict[str, float] = {}
    for step, word in enumerate(near[:_REACH], start=2):
        weights.setdefault(word, 2 / step)
    return weights


def _alike(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    return sum(min(weight, other[word]) for word, weight in one.items() if word in other)
