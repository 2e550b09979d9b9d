"""The word lists, read once, and patterns of their forms."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Literal, TypeAlias

HedgeUse: TypeAlias = Literal["text", "word", "claim"]
NegationUse: TypeAlias = Literal[
    "count", "place", "clause", "restatement", "review", "statement", "result", "prefix"
]
ImplicitKind: TypeAlias = Literal["word", "governing", "phrase"]
StopUse: TypeAlias = Literal["title", "search", "claim", "quote", "point", "restatement"]


def hedges(use: HedgeUse) -> MappingProxyType[str, str]:
    """Return the hedges for one use, each with its kind ("modal verb", "adverb", ...), in file
    order.

    ``text``: what the perturbations of hedging count, with phrases; ``word``: single words, as the
    planted agent reads them; ``claim``: doubt of a reviewer in the own claim.
    """
    return _rows_for("hedges.tsv", use)


@cache
def negations(use: NegationUse) -> frozenset[str]:
    """Return the negations for one use; the header of ``negations.tsv`` describes the uses."""
    return frozenset(_rows_for("negations.tsv", use))


@cache
def comparisons() -> frozenset[str]:
    """Return words of comparison and direction: "more", "than", "outperforms"."""
    return frozenset(_rows_for("comparisons.tsv", "count"))


@cache
def stop_words(use: StopUse) -> frozenset[str]:
    """Return words without content, for one use; the header of ``stop-words.tsv`` describes the
    uses.
    """
    return frozenset(_rows_for("stop-words.tsv", use))


@cache
def compile_words(forms: frozenset[str], *, ignore_case: bool = False) -> re.Pattern[str]:
    """Return a pattern, without groups, that matches any of ``forms`` as whole words, the longest
    first.

    "*" at the end of a form is any ending; at its start, the form is the end of any word. A blank
    is any white space, an apostrophe any of the two. The pattern takes linear time. Raises
    `ValueError` without a form: a pattern of nothing would match everywhere.
    """
    ordered = sorted(forms, key=lambda form: (-len(form), form))
    whole = "|".join(_branch(form) for form in ordered if not form.startswith("*"))
    endings = "|".join(_branch(form[1:]) for form in ordered if form.startswith("*"))
    parts = [rf"\b(?:{whole})\b"] * bool(whole) + [rf"(?:{endings})\b"] * bool(endings)
    if not parts:
        raise ValueError("no forms to match")
    return re.compile("|".join(parts), re.IGNORECASE if ignore_case else 0)


def _branch(form: str) -> str:
    ending = r"\w*" if form.endswith("*") else ""
    escaped = re.escape(form.removesuffix("*"))
    return escaped.replace(r"\ ", r"\s+").replace("'", "['’]") + ending


def table_rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a tab-separated table with a header; lines with "#" are comments.

    A row may leave out its last cells; they are "". Raises `ValueError` for a row with more cells
    than the header.
    """
    lines = [
        line
        for line in path.read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    names = lines[0].split("\t")
    rows = []
    for line in lines[1:]:
        cells = line.split("\t")
        if len(cells) > len(names):
            raise ValueError(f"{path.name}: {cells[0]!r} has more cells than the header")
        cells += [""] * (len(names) - len(cells))
        rows.append(dict(zip(names, cells, strict=True)))
    return rows


@cache
def _rows_for(name: str, use: str) -> MappingProxyType[str, str]:
    rows = table_rows(Path(__file__).parent / name)
    return MappingProxyType(
        {row["form"]: row.get("kind", "") for row in rows if use in row["uses"].split()}
    )


@cache
def opposites() -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """Return pairs of sides with opposite meanings, as forms; "*" at the end of a form matches any
    ending.
    """
    rows = table_rows(Path(__file__).parent / "opposites.tsv")
    return tuple(
        (frozenset(row["one"].split("/")), frozenset(row["other"].split("/"))) for row in rows
    )


@cache
def quantities() -> MappingProxyType[str, str]:
    """Return words for how many, how often or within which bounds, each with its class."""
    rows = table_rows(Path(__file__).parent / "quantities.tsv")
    return MappingProxyType({row["form"]: row["class"] for row in rows})


@cache
def function_words() -> frozenset[str]:
    """Return words with a grammatical role and no content; a rewording may add, drop or move
    them.
    """
    return frozenset(
        row["form"] for row in table_rows(Path(__file__).parent / "function-words.tsv")
    )


@cache
def generic_nouns() -> frozenset[str]:
    """Return nouns that do not depend on the subject, such as "ability", "case" and "reason"."""
    return frozenset(row["form"] for row in table_rows(Path(__file__).parent / "generic-nouns.tsv"))


@cache
def negative_words() -> frozenset[str]:
    """Return forms of words that say the opposite of their base: "unstable", "insufficien*"."""
    return frozenset(
        row["form"] for row in table_rows(Path(__file__).parent / "negative-words.tsv")
    )


@cache
def implicit_negations(*kinds: ImplicitKind) -> frozenset[str]:
    """Return words, words that deny what follows, or phrases, that may express a negation without
    a word of negation.
    """
    rows = table_rows(Path(__file__).parent / "implicit-negations.tsv")
    return frozenset(row["form"] for row in rows if row["class"] in kinds)


@cache
def directions() -> MappingProxyType[str, tuple[str, str]]:
    """Return words between two parts of a sentence, each with its class ("cause", "order",
    "comparison") and the side ("left", "right") of the cause, the earlier or the greater part.
    """
    rows = table_rows(Path(__file__).parent / "directions.tsv")
    return MappingProxyType({row["form"]: (row["class"], row["first"]) for row in rows})


@cache
def synonyms() -> tuple[frozenset[str], ...]:
    """Return groups of words that may replace each other, whatever the subject."""
    rows = table_rows(Path(__file__).parent / "synonyms.tsv")
    return tuple(frozenset(row["forms"].split("/")) for row in rows)
