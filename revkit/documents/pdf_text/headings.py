"""Which lines are headings, and of which level."""

from __future__ import annotations

import re

from revkit.documents.pdf_lines import Line, join_words
from revkit.documents.pdf_text.prose import Prose
from revkit.documents.pdf_text.signs import (
    CAPTION,
    NUMBER,
    REFERENCES,
    Measures,
    adjacent,
    has_cells,
    is_apart,
    is_strong,
)

NAMED = re.compile(
    r"(?:abstract|introduction|background|related works?|methods?|results|discussion"
    r"|conclusions?|conclusions? and future work|references|bibliography|literature cited"
    r"|acknowledge?ments?|appendix|appendices|limitations|ethics statement|ethical considerations"
    r"|reproducibility statement|broader impact|supplementary materials?|author contributions"
    r"|impact statement|ethics|funding|data availability)[.:]?",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"(?:abstract|acknowledge?ments?|references|bibliography)[.:]?", re.I)
"""Headings that are headings in plain letters too, with space above them."""
WORD = re.compile(r"[A-Za-z]{3,}")
_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII")


class SectionCount:
    """The section numbers so far, which decide which number the next heading may have."""

    def __init__(self) -> None:
        self.last: tuple[int, ...] = ()
        self.lettered = self.roman = self.listed = False

    def continues(self, number: str, text: str) -> bool:
        """Return whether a heading ``text`` with ``number`` may come next."""
        if not any(len(word) >= 3 for word in WORD.findall(text)):
            return False
        first, *rest = number.split(".")
        if first.isdigit():
            place = int(first)
            if self.lettered and not text.startswith("Appendix"):
                return False
        elif self._is_roman(number):
            place = _ROMAN.index(first) + 1
        elif self.listed or text.startswith("Appendix") or self.lettered:
            place = ord(first[0]) - 64 if len(first) == 1 else 99
            if not self.lettered:
                return place == 1
        else:
            return False
        top = self.last[0] if self.last else 0
        if rest:
            return place in (top, top + 1)
        return top < place <= top + 2

    def _is_roman(self, number: str) -> bool:
        return number in _ROMAN and (self.roman or (not self.last and number == "I"))

    def add(self, text: str) -> None:
        """Note the heading ``text``."""
        if REFERENCES.fullmatch(text):
            self.listed = True
        number = NUMBER.match(text)
        if number is None:
            return
        first = number["number"].split(".")[0]
        if first.isdigit():
            self.last = (int(first),)
        elif self._is_roman(number["number"]):
            self.roman, self.last = True, (_ROMAN.index(first) + 1,)
        elif len(first) == 1:
            self.lettered, self.last = True, (ord(first) - 64,)


class Headings:
    """Judges lines one after another: the number of a heading continues those before it."""

    def __init__(self, measures: Measures, prose: Prose) -> None:
        self._measures = measures
        self._prose = prose
        self._count = SectionCount()

    def add(self, line: Line) -> None:
        """Note that ``line`` is a heading."""
        self._count.add(self._prose.clean(line.text).strip())

    def level(self, line: Line, before: Line | None, after: Line | None) -> int:
        """Return the level of a heading, or 0 if the line is not a heading."""
        text = self._prose.clean(line.text).strip()
        if not 3 <= len(text) <= 160 or not any(map(str.isalpha, text)) or CAPTION.match(text):
            return 0
        if len(line.cells) > 2 or line.size < 0.93 * self._measures.body:
            return 0
        number = NUMBER.match(text)
        if len(line.cells) == 2 and not (number and len(join_words(line.cells[0])) < 14):
            return 0
        if NAMED.fullmatch(text[number.end() :] if number else text):
            strong = is_strong(line, self._measures) or text.isupper() or number
            alone = _PLAIN.fullmatch(text) and is_apart(before, line, self._measures)
            return 2 if strong or alone else 0
        counted = number is not None and self._count.continues(number["number"], text)
        if counted and number and (is_strong(line, self._measures) or text.isupper()):
            return 2 + number["number"].count(".")
        if number or not is_strong(line, self._measures) or text.endswith((".", ",", ";")):
            return 0
        return self._unnumbered_level(line, text, before, after)

    def _unnumbered_level(
        self, line: Line, text: str, before: Line | None, after: Line | None
    ) -> int:
        if not text[0].isupper() or not WORD.search(text):
            return 0
        apart = is_apart(before, line, self._measures)
        follows = after is not None and adjacent(line, after) and not has_cells(after)
        prose = follows and after is not None and not after.bold and len(after.text) > 20
        if not apart or not prose:
            return 0
        return 2 if line.size >= 1.15 * self._measures.body else 3
