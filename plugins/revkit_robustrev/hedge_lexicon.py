"""The lexicon of hedges: read once; counts hedges in a text and finds the places to edit."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from revkit_robustrev.substitutions import bounded, table_rows, trie_pattern


@dataclass(frozen=True, slots=True)
class Hedge:
    """One row of ``hedges.tsv``."""

    form: str
    kind: str
    action: str
    new: str


@dataclass(frozen=True)
class Lexicon:
    """Hedges to take out (``removal``) and plain forms that can take one (``addition``)."""

    removal: Mapping[str, Hedge]
    addition: Mapping[str, Hedge]
    removal_pattern: re.Pattern[str]
    addition_pattern: re.Pattern[str]
    counting_pattern: re.Pattern[str]


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """Return the lexicon that comes with this package."""
    rows = [
        Hedge(row["form"], row["kind"], row["action"], row["new"])
        for row in table_rows(Path(__file__).parent / "hedges.tsv")
    ]
    hedges = {row.form: row for row in rows if row.kind}
    removal = {form: row for form, row in hedges.items() if row.action != "count"}
    addition = {row.form: row for row in rows if not row.kind}
    return Lexicon(
        removal,
        addition,
        re.compile(bounded(trie_pattern(removal))),
        re.compile(bounded(trie_pattern(addition))),
        re.compile(rf"(?<![\w-])(?:{trie_pattern(hedges)})(?![\w-])"),
    )


def count_hedges(text: str) -> int:
    """Count the hedges of the lexicon in ``text``; of two that overlap, the first and longest.

    "May" with a capital counts at the start of ``text`` only; elsewhere it is a month or a name.
    """
    return sum(
        1
        for match in lexicon().counting_pattern.finditer(text)
        if match.start() == 0 or match[0][:3] not in ("May", "Mig")
    )
