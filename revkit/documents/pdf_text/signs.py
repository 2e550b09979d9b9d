"""What the place and the first words of a line say about it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from revkit.dataclass import dataclass
from revkit.documents.pdf_lines import Line, join_words
from revkit.documents.pdf_words import SOFT_HYPHEN

NUMBER = re.compile(
    r"(?:(?:Appendix\s)?(?P<number>\d{1,2}(?:\.\d{1,2}){0,3}|[A-Z](?:\.\d{1,2}){0,3}|[IVX]{1,5})[.:]?\s+"
    r"(?=[\"“'‘(]?[A-Z0-9]))"
)
REFERENCES = re.compile(
    r"(?:(?:\d{1,2}|[A-Z]|[IVX]{1,5})\.?\s+)?(?:references|bibliography|literature cited)\W*", re.I
)
CAPTION = re.compile(
    r"(?P<table>Table|Tab\.|TABLE)?(?(table)|(?:Figure|Fig\.|FIGURE|FIG\.|Algorithm|Listing))"
    r"\s?[A-Z]?\d{1,3}(?:\.\d{1,2})?[a-z]?\s?(?:[:.|]|[–—-]\s)"
)
BULLET = re.compile(r"[•◦▪·∙●■‣–—*]\s+(?=\S)")
ITEM = re.compile(r"(?:\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]|[•◦▪·∙●■‣–—*])\s+(?=\S)")
SENTENCE_END = re.compile(r"[.!?:][\"”’)\]]*\Z")
MARK = re.compile(r"(?:\d{1,2}|[*∗†‡§¶])\s?(?=\S)")
_FORMULA_NUMBER = re.compile(r"\(\d{1,2}[a-z]?\)\Z")
LARGER = 1.06


@dataclass(frozen=True, slots=True)
class Measures:
    """The usual size of letters and the usual distance of lines, in points."""

    body: float
    leading: float

    @classmethod
    def of(cls, lines: Sequence[Line]) -> Measures:
        """Return the measures of the lines of a document."""
        body = _most(round(line.size, 1) for line in lines for _ in line.text.split())
        gaps = [
            a.y - b.y
            for a, b in pairwise(lines)
            if a.page == b.page and a.column == b.column and 0.8 < (a.y - b.y) / body < 2.2
        ]
        return cls(body, median(gaps) if gaps else 1.2 * body)


def _most(values: Iterator[float]) -> float:
    counts = Counter(values)
    return max(counts, key=lambda each: (counts[each], each)) if counts else 10.0


def adjacent(above: Line | None, below: Line) -> bool:
    """Return whether two lines follow one another in one column."""
    return (
        above is not None
        and above.page == below.page
        and above.column == below.column
        and above.y > below.y
    )


def is_apart(above: Line | None, line: Line, measures: Measures) -> bool:
    """Return whether the space above a line is wider than between lines of a paragraph."""
    if above is None or not adjacent(above, line):
        return True
    return above.y - line.y > 1.25 * measures.leading


def alike(one: float, other: float) -> bool:
    """Return whether two sizes of letters are equal but for rounding."""
    return abs(one - other) <= 0.06 * other


def is_strong(line: Line, measures: Measures) -> bool:
    """Return whether a line is large or bold enough for a heading."""
    return line.size >= LARGER * measures.body or line.bold


def has_cells(line: Line) -> bool:
    """Whether a line has cells as a row of a table has."""
    if len(line.cells) < 2:
        return False
    first = join_words(line.cells[0])
    if len(line.cells) == 2:
        wide = line.cells[1][-1].x1 - line.cells[1][0].x0 > 0.5 * (line.right - line.left)
        if wide or NUMBER.match(f"{first} A") or BULLET.match(f"{first} a"):
            return False
    return True


def is_formula(line: Line) -> bool:
    """Return whether a line is a formula."""
    text = line.text.strip()
    words = text.split()
    long = sum(len(word) >= 3 and word.strip(",.;:()").isalpha() for word in words)
    if text.endswith((SOFT_HYPHEN, "-")):
        return False
    indented = line.x0 - line.left > 1.5 * line.size
    few = long <= 0.25 * len(words)
    if _FORMULA_NUMBER.search(text) and indented and few:
        return True
    return indented and few and any(sign in text for sign in "=∑∫≤≥∈∏√≈∝→←|+") and len(text) < 120


def is_aside(line: Line, measures: Measures) -> bool:
    """Return whether a line belongs to a table, a figure or a formula."""
    if has_cells(line):
        return True
    if line.size < 0.88 * measures.body and not CAPTION.match(line.text):
        return True
    return is_formula(line)
