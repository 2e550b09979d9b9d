"""The lexicon of hedges: read once; counts hedges in a text and finds the places to edit."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from revkit import english
from revkit.dataclass import dataclass
from revkit_robustrev.substitutions import bounded, trie_pattern


@dataclass(frozen=True, slots=True)
class Hedge:
    """One row of ``hedge-edits.tsv``; ``kind`` is "" for a plain form that can take a hedge."""

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
    """Return the lexicon that is included in this package."""
    hedges = english.hedges("text")
    rows = [
        Hedge(row["form"], _kind(row["form"], hedges), row["action"], row["new"])
        for row in english.table_rows(Path(__file__).parent / "hedge-edits.tsv")
    ]
    removal = {row.form: row for row in rows if not row.action.startswith("add-")}
    addition = {row.form: row for row in rows if row.action.startswith("add-")}
    return Lexicon(
        removal,
        addition,
        re.compile(bounded(trie_pattern(removal))),
        re.compile(bounded(trie_pattern(addition))),
        re.compile(rf"(?<![\w-])(?:{trie_pattern(hedges)})(?![\w-])"),
    )


def _kind(form: str, hedges: Mapping[str, str]) -> str:
    """The kind of the hedge that ``form`` is or holds: "suggests the" is one by "suggests",
    "we believe" by "we believe that"."""
    held = (form, form.partition(" ")[2], *form.split(), f"{form} that", f"{form.split()[0]} that")
    return next((hedges[each] for each in held if each in hedges), "")


def count_hedges(text: str) -> int:
    """Count the hedges of the lexicon in ``text``; of two that overlap, the first and longest.

    "May" with a capital counts at the start of ``text`` only; elsewhere it is a month or a name.
    """
    return sum(
        1
        for match in lexicon().counting_pattern.finditer(text)
        if match.start() == 0 or match[0][:3] not in ("May", "Mig")
    )
