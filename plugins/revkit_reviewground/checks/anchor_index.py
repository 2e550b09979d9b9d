"""AnchorIndex: the sections, tables, figures, equations and other numbered parts of a paper."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import Literal

from revkit.model.sections import read_title
from revkit_reviewground.checks.anchor_mentions import KINDS, mentions, normal_number, roman_value
from revkit_reviewground.checks.paper_text import PaperText

Answer = Literal["there", "absent", "unclear"]

_BARE = re.compile(
    r"^[ \t#*_]{0,8}(?P<number>\d{1,2}(?:\.\d{1,2}){0,3}|[A-Z](?:\.\d{1,2}){0,3})[.:]?[*_ \t]{1,6}"
    r"(?=[A-Z*_])",
    re.MULTILINE,
)
_LETTERED = re.compile(r"[A-Z][.:]?\s+\S")
_TEX_HEADING = re.compile(r"\\(?P<level>(?:sub){0,2}section)\s*\{|(?P<appendix>\\appendix\b)")
_TEX_FLOAT = re.compile(r"\\begin\{(?P<kind>figure|table|algorithm)\*?\}")
_TAG = re.compile(r"\\tag\s?\{\s?\(?(?P<tag>[A-Z]?\.?\d{1,3})\)?\s?\}")
_LINE_TAG = re.compile(r"\((?P<tag>\d{1,3}|[A-Z]\.?\d{1,2})\)[ \t.,;*_$]*$", re.MULTILINE)
_TEX_EQUATION = re.compile(r"\\begin\{(?:equation|align|gather|multline|eqnarray)\}")
_MARGIN = re.compile(r"^[ \t]*(\d{3})(?=[ \t]+\S|[ \t]*$)", re.MULTILINE)
# Below this a text is an abstract or an excerpt, which does not show what the paper holds.
FEWEST_WORDS = 1500
_THEOREM_LIKE = ("theorem", "lemma", "proposition", "corollary", "definition", "assumption")


class AnchorIndex:
    """The numbered parts that a paper's text contains.

    A part is there if a heading, a caption, a tag or any sentence of the paper names its number.
    It is absent only where the text would have shown it: the paper numbers parts of this kind
    and this number is beyond the last. A number missing within the count may be a caption lost
    on the way from PDF to text, and is unclear; so is all that an appendix may hold which the text
    speaks of but does not have.
    """

    def __init__(self, paper: PaperText) -> None:
        self.paper = paper
        self.known: dict[str, set[str]] = {kind: set() for kind in KINDS}
        for mention in mentions(paper.text, foreign=True):
            if mention.kind != "line":
                self._add(mention.kind, mention.number)
        self.headed: set[str] = set(self._headed())
        for number in self.headed:
            self._add("section", number)
        self.tags = self._tags()
        self.known["equation"] |= self.tags
        if paper.text.count("\\begin{") > 3:
            self._add_tex()

    def _add(self, kind: str, number: str) -> None:
        if kind == "section" and number[:1].isalpha():
            kind = "appendix" if roman_value(number) is None else kind
        if kind == "appendix" and number[:1].isdigit() and "." in number:
            kind = "section"
        self.known[kind].add(number)
        value = roman_value(number)
        if value is not None:
            self.known[kind].add(str(value))
            self.known["appendix"].add(number)
        while "." in number:
            number = number.rpartition(".")[0]
            self.known[kind].add(number)

    def _headed(self) -> Iterator[str]:
        """Return the numbers of headings; for unmarked lines that look like headings, only the
        number counts.
        """
        for block, raw in self.paper.headings:
            title = read_title(raw)
            if title.number:
                yield normal_number(title.number)
            elif block.role == "appendix" and _LETTERED.match(raw):
                yield raw[0]
        for match in _BARE.finditer(self.paper.text):
            number = match["number"]
            if "." in number or (number.isalpha() and number not in "AI"):
                yield normal_number(number)

    def _tags(self) -> set[str]:
        text = self.paper.text
        tags = {normal_number(match["tag"]) for match in _TAG.finditer(text)}
        for match in _LINE_TAG.finditer(text):
            # Years and items of lists are in brackets, too, at line ends.
            if match["tag"][0].isalpha() or int(match["tag"]) < 200:
                tags.add(normal_number(match["tag"]))
        return tags

    def _add_tex(self) -> None:
        """Count the parts that LaTeX would number in a source text."""
        text = self.paper.text
        counts = [0, 0, 0]
        lettered = False
        for match in _TEX_HEADING.finditer(text):
            if match["appendix"]:
                counts, lettered = [0, 0, 0], True
                continue
            depth = match["level"].count("sub")
            counts[depth] += 1
            counts[depth + 1 :] = [0] * (2 - depth)
            first = chr(64 + min(counts[0], 26)) if lettered else str(counts[0])
            number = ".".join([first, *map(str, counts[1 : depth + 1])])
            self.headed.add(number)
            self._add("appendix" if lettered else "section", number)
        for kind in ("figure", "table", "algorithm"):
            floats = sum(match["kind"] == kind for match in _TEX_FLOAT.finditer(text))
            self.known[kind] |= {str(number) for number in range(1, floats + 1)}
        equations = len(_TEX_EQUATION.findall(text))
        self.known["equation"] |= {str(number) for number in range(1, equations + 1)}

    @cached_property
    def short(self) -> bool:
        """Whether the text is too short to be a complete paper."""
        return self.paper.paper.words < FEWEST_WORDS

    @cached_property
    def cut(self) -> bool:
        """Whether the paper mentions an appendix that its text does not contain."""
        text = self.paper.text
        if any(block.role == "appendix" for block in self.paper.paper.blocks):
            return False
        return "ppendi" in text or "PPENDI" in text or "upplement" in text

    def has(self, kind: str, number: str, *, roman: bool = False) -> Answer:
        """Return whether the paper has part ``number`` of ``kind``.

        ``roman`` says that the number was written as a Roman numeral.
        """
        if kind == "line":
            return self._line(number)
        value = roman_value(number) if roman else None
        if kind == "section" and number[:1].isalpha():
            if value is not None and str(value) in self.known["section"]:
                return "there"
            kind = "appendix"
        if kind == "appendix" and number[:1].isdigit():
            return (
                "there" if number in self.known["appendix"] | self.known["section"] else "unclear"
            )
        known = self.known[kind]
        if number in known or (value is not None and str(value) in known):
            return "there"
        if kind == "section":
            return self._section(number)
        if kind == "appendix":
            return self._appendix(number)
        if value is not None and len(number) == 1 and kind not in ("table", "figure"):
            return "unclear"
        return self._counted(kind, str(value) if value is not None else number)

    def _section(self, number: str) -> Answer:
        last = _last_counted({int(n) for n in self.headed if n.isdigit()})
        first, *rest = number.split(".")
        if last < 3:
            return "unclear"
        if int(first) > last:
            return "absent"
        if not rest:
            return "unclear"
        above = ".".join([first, *rest[:-1]])
        siblings = _below(self.headed, above)
        if siblings:
            # Nobody numbers a lone subsection: after 2.1 a 2.2 has been lost.
            return "absent" if int(rest[-1]) > max(siblings) > 1 else "unclear"
        deep = any(n[:1].isdigit() and n.count(".") == len(rest) for n in self.headed)
        return "absent" if deep else "unclear"

    def _appendix(self, number: str) -> Answer:
        letters = {n for n in self.headed if len(n) == 1 and n.isalpha()}
        if not letters and not self.short and "ppendi" not in self.paper.text:
            return "unclear" if "upplement" in self.paper.text else "absent"
        first, *rest = number.split(".")
        last = _last_counted({ord(letter) - 64 for letter in letters})
        if not last:
            return "unclear"
        if ord(first) - 64 > last:
            return "absent"
        siblings = _below(self.headed, ".".join([first, *rest[:-1]])) if rest else set()
        return "absent" if siblings and int(rest[-1]) > max(siblings) else "unclear"

    def _counted(self, kind: str, number: str) -> Answer:
        """Return whether a part of a numbered kind (table, figure, equation, theorem) exists."""
        known = self.known[kind]
        if self.cut:
            return "unclear"
        if not known:
            return self._never_named(kind)
        prefix, _, last = number.rpartition(".")
        siblings = _below(known, prefix) if prefix else {int(n) for n in known if n.isdigit()}
        if not siblings:
            # Numbered by section here, counted through there, or another section's.
            return "unclear"
        if not last.isdigit() or int(last) <= max(siblings):
            return "unclear"
        if kind == "equation":
            tagged = {int(n) for n in self.tags if n.isdigit()}
            top = max(siblings)
            whole = len(tagged & set(range(1, top + 1))) >= 0.8 * top
            return "absent" if whole and top >= 2 else "unclear"
        return "absent"

    def _never_named(self, kind: str) -> Answer:
        if self.short or kind == "equation":
            return "unclear"
        word = re.compile(rf"\b{kind[:-1]}", re.IGNORECASE)
        if kind in _THEOREM_LIKE:
            # The words are in running text, too; a numbered one would have been found.
            word = re.compile(rf"^[ \t#*_]{{0,6}}{kind}\b", re.IGNORECASE | re.MULTILINE)
        return "unclear" if word.search(self.paper.text) else "absent"

    def _line(self, number: str) -> Answer:
        """Return whether a line number exists; it counts only if the text has line numbers in its
        margin.
        """
        if not number.isdigit():
            return "unclear"
        margin = [int(match[1]) for match in _MARGIN.finditer(self.paper.text)]
        rising = sum(b == a + 1 for a, b in pairwise(margin))
        if rising < 30:
            return "unclear"
        return "there" if int(number) <= max(margin) else "absent"


def _last_counted(numbers: set[int]) -> int:
    """Return the last number of a sequence from 1 in which up to two numbers are missing; table
    rows that look like headings have larger gaps. Return 0 if there is no first number.
    """
    last = 0
    while any(last + step in numbers for step in (1, 2, 3)) and 1 in numbers:
        last = min(number for number in numbers if number > last)
    return last


def _below(numbers: set[str], above: str) -> set[int]:
    """Return the last parts of the numbers directly below ``above``."""
    found = set()
    for number in numbers:
        head, _, last = number.rpartition(".")
        if head == above and last.isdigit():
            found.add(int(last))
    return found
