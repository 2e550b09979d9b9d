"""The gate of a redundant sentence: it must repeat the sentence and add no content.

It checks any restatement, whoever wrote it: each content word occurs in the sentence (by stem, or
as a synonym in the table), each number and citation marker as well; it has as many negations, and
most of the sentence's content words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from revkit.english import compile_words, negations, stop_words
from revkit.model import Check
from revkit_yescieval.perturbations.connectors import without_connectors
from revkit_yescieval.perturbations.restatement import table

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W_]+)*")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_MARK = re.compile(r"\([^()\d]*+\d[^()]*+\)|\[[^\[\]\d]*+\d[^\[\]]*+\]")
_ENDINGS = (
    "ations",
    "ation",
    "ingly",
    "edly",
    "ions",
    "ing",
    "ion",
    "ies",
    "ied",
    "ed",
    "es",
    "ly",
    "s",
    "e",
    "y",
)
_LEAST_REPEATED = 0.6


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return the word without frequent endings, so that the forms of one word agree."""
    word = word.lower().replace("’", "'").removesuffix("'s")
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def content(text: str) -> list[str]:
    """Return the stems of the content words of ``text``, in order, without citation markers."""
    bare = _MARK.sub(" ", text)
    return [
        stem(part)
        for word in _WORD.findall(bare)
        for part in word.split("-")
        if len(part) > 1 and part.lower() not in stop_words("restatement")
    ]


@lru_cache(maxsize=1)
def _synonyms() -> tuple[tuple[str, frozenset[str]], ...]:
    return tuple((form, frozenset(content(new))) for form, new in table().wordings.items())


def _allowed(old: str) -> set[str]:
    """Return the stems that synonyms of wordings in the old sentence may add."""
    lower = f" {' '.join(old.lower().split())} "
    allowed: set[str] = set()
    for form, stems in _synonyms():
        if form in lower:
            allowed |= stems
    return allowed


def _negations(text: str) -> int:
    return len(compile_words(negations("restatement"), ignore_case=True).findall(text))


def restatement_checks(pairs: Sequence[tuple[str, str]]) -> list[Check]:
    """Return one check for each kind of fault, over pairs of a sentence and its restatement."""
    added = numbers = markers = negations_changed = 0
    repeated = 1.0
    foreign: list[str] = []
    for old, new in pairs:
        before, after = content(without_connectors(old)), content(new)
        strange = sorted(set(after) - set(before) - _allowed(old))
        foreign += strange
        added += len(strange)
        numbers += (Counter(_NUMBER.findall(new)) - Counter(_NUMBER.findall(old))).total()
        markers += (Counter(_MARK.findall(new)) - Counter(_MARK.findall(old))).total()
        negations_changed += _negations(new) != _negations(old)
        if before:
            repeated = min(repeated, len(set(after) & set(before)) / len(set(before)))
    words = ", ".join(foreign[:5])
    return [
        Check("content-words-added", added, 0, added == 0, "words", words),
        Check("numbers-added", numbers, 0, numbers == 0, "numbers"),
        Check("citations-added", markers, 0, markers == 0, "markers"),
        Check("negation-changed", negations_changed, 0, negations_changed == 0, "sentences"),
        Check(
            "content-kept",
            round(repeated, 6),
            _LEAST_REPEATED,
            repeated >= _LEAST_REPEATED,
            "share",
        ),
    ]


def restates(old: str, new: str) -> bool:
    """Return whether ``new`` passes the gate as a restatement of ``old``."""
    return new != old and all(check.passed for check in restatement_checks([(old, new)]))
