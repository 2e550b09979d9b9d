"""Words that the control agents look for, and a count of them in a paper's prose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from revkit import english
from revkit.model.paper import Paper

_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*")


@cache
def hedges() -> frozenset[str]:
    """Words that weaken a statement: "may", "likely", "suggests"."""
    return frozenset(english.hedges("word"))


@cache
def academic() -> frozenset[str]:
    """Academic words that could be replaced by everyday words."""
    return _words("academic")


@cache
def plain() -> frozenset[str]:
    """Everyday words that could be replaced by academic words: "use", "show", "many"."""
    return _words("plain")


def prose_words(paper: Paper) -> list[str]:
    """Return the words of all prose blocks in lower case; a word is a run of a-z with inner
    hyphens.
    """
    prose = (paper.text[block.start : block.end] for block in paper.blocks if block.is_prose)
    return _WORD.findall("\n".join(prose).lower())


def count_in(words: list[str], lexicon: frozenset[str]) -> int:
    """Count the words in ``words`` that are in ``lexicon``, repetitions included."""
    return sum(word in lexicon for word in words)


def _words(name: str) -> frozenset[str]:
    sections: dict[str, list[str]] = {}
    section: list[str] = []
    text = (Path(__file__).parent / "lexicon.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("["):
            section = sections.setdefault(line[1:-1], [])
        elif not line.startswith("//"):
            section += line.split()
    verbs = sections[f"{name} verbs"]
    return frozenset([*sections[name], *(form for verb in verbs for form in _forms(verb))])


def _forms(verb: str) -> Iterator[str]:
    if verb.endswith("e"):
        yield from (verb, f"{verb}s", f"{verb}d", f"{verb[:-1]}ing")
    else:
        yield from (verb, f"{verb}s", f"{verb}ed", f"{verb}ing")
