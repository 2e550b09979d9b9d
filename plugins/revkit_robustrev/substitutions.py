"""The table of substitutions: read once, turned into one pattern and a dictionary of rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Literal

from revkit.dataclass import dataclass
from revkit.english import table_rows
from revkit_robustrev.guards import (
    DETERMINERS,
    Guard,
    Side,
    is_base_verb,
    is_participle,
    is_past,
    is_third_person_verb,
)

Need = Literal["", "base", "third", "past", "participle", "gerund"]
_ANY = Guard.of("")
_TABLE = Path(__file__).parent / "substitutions.tsv"


@dataclass(frozen=True, slots=True)
class SubstitutionRule:
    """One directed substitution: what comes in place of a form, and where it may.

    ``need`` names the reading of the form that its context must show.
    """

    old: str
    new: str
    before: Guard = _ANY
    after: Guard = _ANY
    need: Need = ""

    def applies(self, before: Side, after: Side) -> bool:
        """Whether the rule may be used between ``before`` and ``after``."""
        if not (self.before.allows(before) and self.after.allows(after)):
            return False
        if self.need == "base":
            return is_base_verb(before, after)
        if self.need == "third":
            return is_third_person_verb(before, after)
        if self.need == "past":
            return is_past(before)
        if self.need == "participle":
            return is_participle(before)
        if self.need == "gerund":
            return before.word not in DETERMINERS
        return True


@dataclass(frozen=True)
class Substitutions:
    """A pattern that finds every form of the table, longest first, and the rules for each."""

    pattern: re.Pattern[str]
    rules: Mapping[str, tuple[SubstitutionRule, ...]]

    def shorter(self, form: str) -> Iterator[str]:
        """``form``, and then the forms of the table that are its first words, longest first."""
        yield form
        blank = form.rfind(" ")
        while blank > 0:
            first = form[:blank].rstrip(",")
            if first in self.rules:
                yield first
            blank = form.rfind(" ", 0, blank)


def plain_form(written: str) -> str:
    """A form as the table has it, from how a text writes it."""
    return written.lower().replace("\n", " ").replace("’", "'")


@lru_cache(maxsize=1)
def substitutions() -> Substitutions:
    """Return the table that comes with this package."""
    rules: dict[str, list[SubstitutionRule]] = {}
    for row in table_rows(_TABLE):
        if row["way"] == "~":
            continue
        for rule in row_rules(row):
            rules.setdefault(rule.old, []).append(rule)
    return Substitutions(
        re.compile(bounded(trie_pattern(rules))), {form: tuple(r) for form, r in rules.items()}
    )


def synonyms() -> Iterator[tuple[str, str]]:
    """Yield the forms of each row of the table, with those that `Paraphrase` does not write."""
    for row in table_rows(_TABLE):
        for rule in row_rules(row):
            yield rule.old, rule.new


def row_rules(row: Mapping[str, str]) -> Iterator[SubstitutionRule]:
    """Yield the directed rules of one row of the table."""
    before, after = Guard.of(row["before"]), Guard.of(row["after"])
    sides = [(row["from"], row["to"], "left")]
    if row["way"] == "=":
        sides.append((row["to"], row["from"], "right"))
    for old, new, side in sides:
        if row["kind"] == "phrase":
            yield SubstitutionRule(old, new, before, after)
        else:
            nouns = row["nouns"] in (side, "both")
            yield from _verb_rules(old.split("/"), new.split("/"), before, after, nouns)


def _verb_rules(
    old: list[str], new: list[str], before: Guard, after: Guard, nouns: bool
) -> Iterator[SubstitutionRule]:
    needs: tuple[Need, ...] = ("base" if nouns else "", "third" if nouns else "", "", "", "gerund")
    base, third, past, participle, gerund = (
        SubstitutionRule(a, b, before, after, need)
        for a, b, need in zip(old, new, needs, strict=True)
    )
    for rule in (base, third, gerund):
        if rule.old != "-":
            yield rule
    if past.old != participle.old or past.new == participle.new or participle.old == "-":
        yield from (rule for rule in {past, participle} if rule.old != "-")
    else:
        yield SubstitutionRule(past.old, past.new, before, after, "past")
        yield SubstitutionRule(participle.old, participle.new, before, after, "participle")


def trie_pattern(forms: Iterable[str]) -> str:
    """Return a pattern that matches any of ``forms``, the longest where several begin alike.

    It branches letter by letter, so its cost does not grow with the number of forms. The first
    letter may be a capital, a blank may be any one blank, an apostrophe any apostrophe.
    """
    tree: dict[str, dict[str, object]] = {}
    for form in forms:
        node: dict[str, object] = tree  # type: ignore[assignment]
        for letter in form:
            node = node.setdefault(letter, {})  # type: ignore[assignment]
        node[""] = {}
    return "|".join(f"[{letter}{letter.upper()}]{_branch(tree[letter])}" for letter in sorted(tree))


def _branch(node: Mapping[str, object]) -> str:
    letters = sorted(letter for letter in node if letter)
    branches = [_letter(letter) + _branch(node[letter]) for letter in letters]  # type: ignore[arg-type]
    if "" in node:
        branches.append("")
    return branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})"


def _letter(letter: str) -> str:
    return {" ": r"[ \n]", "'": "['’]"}.get(letter, re.escape(letter))


def bounded(pattern: str) -> str:
    """Let ``pattern`` match whole words only, free of hyphens, slashes and marks of emphasis."""
    return rf"(?<=[ \n\t(])(?:{pattern})(?![\w/'’*_`]|-\w)"
