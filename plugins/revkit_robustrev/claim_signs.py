"""Signs that a changed sentence has another meaning, given the table of substitutions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from revkit.meaning import MeaningChange, Synonyms, family, meaning_changes
from revkit_robustrev.restructuring.equivalents import equivalents
from revkit_robustrev.substitutions import synonyms

_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")


@cache
def table_synonyms() -> Synonyms:
    """The pairs of families that mean the same: of the table of `Paraphrase`, and of the operations
    on the parse."""
    pairs: set[tuple[str, str]] = set()
    for one, other in equivalents():
        pairs |= {(family(one), family(other)), (family(other), family(one))}
    for old, new in synonyms():
        for one in _families(old):
            for other in _families(new):
                pairs |= {(one, other), (other, one)}
    return frozenset(pairs)


def _families(phrase: str) -> Iterable[str]:
    return {family(word) for word in _WORD.findall(phrase)}


def claim_changes(old: str, new: str, *, parser: bool | None = None) -> list[MeaningChange]:
    """Return the signs that ``new`` differs in meaning from ``old``, given the table of
    substitutions.
    """
    return meaning_changes(old, new, synonyms=table_synonyms(), parser=parser)


@lru_cache(maxsize=5_000)
def sign_count(old: str, new: str, parser: bool) -> int:
    """Return how many signs there are; `SameClaim.check` asks for the pairs that `prune` has
    judged."""
    return len(claim_changes(old, new, parser=parser))
