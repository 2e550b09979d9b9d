"""Find mentions of a paper's numbered parts: "Tables 1-3", "Sec. 3.2", "Eqs. (4) and (5)"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from revkit.dataclass import dataclass

KINDS = {
    "section": r"sections?|sect\.|secs?\.?|subsections?|§{1,2}",
    "table": r"tables?|tabs?\.?|tbl\.",
    "figure": r"figures?|figs?\.?",
    "equation": r"equations?|eqn?s?\.?",
    "algorithm": r"algorithms?|alg(?:o|s)?\.",
    "theorem": r"theorems?|thms?\.",
    "lemma": r"lemmas?|lemmata",
    "proposition": r"propositions?|props?\.",
    "corollary": r"corollar(?:y|ies)|cor\.",
    "definition": r"definitions?|defs?\.",
    "assumption": r"assumptions?",
    "appendix": r"appendix|appendices|app\.|supplementary\s+sections?",
    "line": r"lines?|l\.",
}
_NUMBER = (
    r"(?:[A-Z]\.?\d{1,3}(?:\.\d{1,2}){0,2}|\d{1,4}(?:\.\d{1,2}){0,3}|[IVX]{1,5}(?![a-z])|[A-Z])"
)
_ONE = rf"\(?\s?{_NUMBER}\s?(?:\([a-zA-Z]\)|[a-h](?![a-z]))?\s?\)?"
_JOIN = r"\s?(?:,\s?(?:and\s|or\s|&\s?)?|\s(?:and|or|to|through|vs\.?|versus)\s|&|/|-{1,2}|–|—)\s?"
_MENTION = re.compile(
    r"(?<![A-Za-z\d.])(?=[STFEALPCDstfealpcd§])(?i:"
    + "|".join(rf"(?P<{kind}>{form})" for kind, form in KINDS.items())
    + r")"
    rf"(?:[ \t~\u00a0]|\n(?!\n)){{0,3}}(?:#\s?)?(?P<list>{_ONE}(?:{_JOIN}{_ONE}){{0,8}})"
    r"(?![A-Za-z]|\s?[%=<>+]|\.\d)"
)
_PART = re.compile(rf"(?P<join>{_JOIN})?(?P<number>{_NUMBER})\s?(?:\([a-zA-Z]\)|[a-h](?![a-z]))?")
_RANGE = re.compile(r"\s*(?:-{1,2}|–|—|to|through)\s*\Z", re.IGNORECASE)
# "Table 2 of Smith et al." and "Section 3 in [4]" belong to another paper.
_OF_OTHERS = re.compile(
    r"[\s)\]]*,?\s*(?:(?:in|on|at)\s+page\s\d+\s+)?(?:of|in|from)\s+(?:the\s+)?(?:following\s|\[\d"
    r"|\(?[A-Z][\w'’-]+(?:\s+(?:et\s+al|and|&)|,?\s+\(?"
    r"(?:19|20)\d\d)|(?:original|their|that|previous|prior|other|cited|same|reference"
    r"|supplement\w*|appendix"
    r"|rebuttal|revis\w+|arxiv)\b|https?:)"
)
_IN_OTHERS = re.compile(
    r"(?:\[\d{1,3}\]|https?://\S{1,100}|et\s+al\.?,?\s\(?(?:19|20)\d\d\)?)[,:;]?\s*\(?\Z"
)
# "assumption 3 I listed above": these words in small letters are not labels.
_LABELS_ONLY = ("assumption", "definition", "proposition", "corollary")
_LONGEST_RANGE = 40


@dataclass(frozen=True, slots=True)
class Mention:
    """One mentioned part: characters ``start`` to ``end`` of the text name it.

    ``number`` is "3", "3.2", "B", "A.1". ``reads_roman`` says that it was written as a Roman
    numeral or a single letter that could be one.
    """

    kind: str
    number: str
    start: int
    end: int
    reads_roman: bool = False


def mentions(text: str, *, foreign: bool = False) -> Iterator[Mention]:
    """Yield the numbered parts that ``text`` names, in order, with lists and ranges resolved.

    With ``foreign`` also those that are said to be of another work. A word such as "table" in
    small letters counts only before a digit.
    """
    for match in _MENTION.finditer(text):
        kind = next(kind for kind in KINDS if match[kind] is not None)
        if not foreign and (
            _OF_OTHERS.match(text, match.end())
            or _IN_OTHERS.search(text, max(0, match.start() - 120), match.start())
        ):
            continue
        word = match[kind]
        items = list(_items(match["list"]))
        small = word[0].islower()
        if small and (
            (kind != "appendix" and not items[0][0][0].isdigit())
            or (kind in _LABELS_ONLY and not foreign)
        ):
            continue
        if kind == "line" and word.lower().startswith("l.") and word != "L.":
            continue
        for number, roman in items:
            yield Mention(kind, number, match.start(), match.end(), roman)


def _items(listed: str) -> Iterator[tuple[str, bool]]:
    before = ""
    for match in _PART.finditer(listed):
        number = normal_number(match["number"])
        if before and before[0].isdigit() != number[0].isdigit():
            return
        join = match["join"] or ""
        if before and _RANGE.match(join) and before.isdigit() and number.isdigit():
            first, last = int(before), int(number)
            if first < last <= first + _LONGEST_RANGE:
                for between in range(first + 1, last):
                    yield str(between), False
        yield number, bool(re.fullmatch(r"[IVX]+", number))
        before = number


def normal_number(number: str) -> str:
    """Return the number in a normal form: "A1" becomes "A.1", "03" becomes "3"."""
    if number[:1].isalpha() and number[1:2].isdigit():
        number = f"{number[0]}.{number[1:]}"
    return ".".join(part.lstrip("0") or "0" for part in number.split("."))


def roman_value(number: str) -> int | None:
    """Return the value of a Roman numeral up to 39, or `None`."""
    if not re.fullmatch(r"X{0,3}(?:IX|IV|V?I{0,3})", number) or not number:
        return None
    values = [{"I": 1, "V": 5, "X": 10}[letter] for letter in number]
    return sum(
        -value if value < max(values[index:]) else value for index, value in enumerate(values)
    )
