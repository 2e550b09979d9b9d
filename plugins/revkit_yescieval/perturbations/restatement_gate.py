"""The gate of a redundant sentence: it must say again what was said, and nothing else.

It judges any restatement, whoever wrote it: no content word that is not in the sentence (by stem, a
table of like wordings aside), no number and no citation mark that is not there, as many negations,
and most of the sentence's own words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from revkit.english import compile_words, negations, stop_words
from revkit.model import Check
from revkit_yescieval.perturbations.connectors import without_connectors
from revkit_yescieval.perturbations.restating import table

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
_LEAST_KEPT = 0.6


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The word without its commonest endings, so that the forms of one word agree."""
    word = word.lower().replace("’", "'").removesuffix("'s")
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def content(text: str) -> list[str]:
    """The stems of the content words of ``text``, citation marks aside, in order."""
    bare = _MARK.sub(" ", text)
    return [
        stem(part)
        for word in _WORD.findall(bare)
        for part in word.split("-")
        if len(part) > 1 and part.lower() not in stop_words("restatement")
    ]


@lru_cache(maxsize=1)
def _partners() -> tuple[tuple[str, frozenset[str]], ...]:
    return tuple((form, frozenset(content(new))) for form, new in table().wordings.items())


def _allowed(old: str) -> set[str]:
    """The stems that the like wordings of the old sentence may bring in."""
    lower = f" {' '.join(old.lower().split())} "
    found: set[str] = set()
    for form, stems in _partners():
        if form in lower:
            found |= stems
    return found


def _negations(text: str) -> int:
    return len(compile_words(negations("restatement"), ignore_case=True).findall(text))


def restatement_checks(pairs: Sequence[tuple[str, str]]) -> list[Check]:
    """Return the checks of pairs of a sentence and its restatement, one for each kind of fault."""
    added = numbers = marks = denied = 0
    kept = 1.0
    foreign: list[str] = []
    for old, new in pairs:
        before, after = content(without_connectors(old)), content(new)
        strange = sorted(set(after) - set(before) - _allowed(old))
        foreign += strange
        added += len(strange)
        numbers += (Counter(_NUMBER.findall(new)) - Counter(_NUMBER.findall(old))).total()
        marks += (Counter(_MARK.findall(new)) - Counter(_MARK.findall(old))).total()
        denied += _negations(new) != _negations(old)
        if before:
            kept = min(kept, len(set(after) & set(before)) / len(set(before)))
    told = ", ".join(foreign[:5])
    return [
        Check("content-words-added", added, 0, added == 0, "words", told),
        Check("numbers-added", numbers, 0, numbers == 0, "numbers"),
        Check("citations-added", marks, 0, marks == 0, "marks"),
        Check("negation-changed", denied, 0, denied == 0, "sentences"),
        Check("content-kept", round(kept, 6), _LEAST_KEPT, kept >= _LEAST_KEPT, "share"),
    ]


def restates(old: str, new: str) -> bool:
    """Whether ``new`` passes the gate as a restatement of ``old``."""
    return new != old and all(check.passed for check in restatement_checks([(old, new)]))
