"""Divide the lines of a list of references into entries."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from revkit.documents.pdf_lines import Line
from revkit.documents.pdf_text.prose import Prose
from revkit.documents.pdf_text.signs import BULLET, SENTENCE_END, Measures, adjacent
from revkit.model.reference_list import looks_like_entry, year_behind_names

_LABEL = re.compile(r"\[[^\[\]\s]{1,14}\]\s?|\(\d{1,3}\)\s|\d{1,3}\.\s")
_CLOSE_LABEL = re.compile(r"\A(\[\d{1,3}\])(?=[^\s\[])")
_LINES_AN_ENTRY = 8  # a list with fewer signs of entries than this has none that are drawn


class References:
    """Divides a list of references."""

    def __init__(self, measures: Measures, prose: Prose) -> None:
        self._measures = measures
        self._prose = prose

    def entries(self, lines: Sequence[Line]) -> list[str]:
        """Return the entries, each with its label or as an item of a list."""
        groups: list[list[Line]] = []
        begins = self._starts(lines)
        for line in lines:
            if not groups or id(line) in begins:
                groups.append([line])
            else:
                groups[-1].append(line)
        texts = [BULLET.sub("", self._prose.join(group), count=1) for group in groups]
        texts = [_CLOSE_LABEL.sub(r"\1 ", text, count=1) for text in texts]
        return [text if _LABEL.match(text) else f"- {text}" for text in texts if text]

    def _starts(self, lines: Sequence[Line]) -> set[int]:
        lefts: dict[tuple[int, int], float] = {}
        for line in lines:
            key = line.page, line.column
            lefts[key] = min(lefts.get(key, line.x0), line.x0)
        indents = [line.x0 - lefts[line.page, line.column] for line in lines]
        labelled = [line for line in lines if _LABEL.match(line.text)]
        if _are_labels([line.text for line in labelled], len(lines)):
            return {id(line) for line in labelled}
        bulleted = [line for line in lines if BULLET.match(line.text)]
        if bulleted and bulleted[0] is lines[0] and len(bulleted) >= 0.2 * len(lines):
            return {id(line) for line in bulleted}
        inner = [indent for indent in indents if indent > 0.4 * self._measures.body]
        if 0.2 * len(lines) <= len(inner) < len(lines):
            outer = {
                id(line)
                for line, indent in zip(lines, indents, strict=True)
                if indent <= 0.4 * self._measures.body
            }
            return _as_first_lines(lines, outer)
        gaps = [a.y - b.y for a, b in pairwise(lines) if adjacent(a, b)]
        # Entries of one line have the gaps between entries only.
        usual = min(median(gaps), 1.1 * self._measures.leading) if gaps else self._measures.leading
        whole = [line for line in lines if SENTENCE_END.search(line.text.strip())]
        if len(whole) >= 0.8 * len(lines):  # an entry a line
            return {id(b) for a, b in pairwise(lines) if a in whole}
        starts = {
            id(b)
            for a, b in pairwise(lines)
            if (adjacent(a, b) and a.y - b.y > 1.2 * usual)
            or (not adjacent(a, b) and SENTENCE_END.search(a.text.strip()))
        }
        if len(starts) < len(lines) / _LINES_AN_ENTRY:
            starts |= {id(lines[n]) for n in range(1, len(lines)) if self._reads_as_entry(lines, n)}
        return starts

    def _reads_as_entry(self, lines: Sequence[Line], place: int) -> bool:
        """Return whether the words of a line, and of the next ones, begin an entry."""
        last, line = lines[place - 1], lines[place]
        if not SENTENCE_END.search(last.text.strip()) or line.text[:1].islower():
            return False
        text = self._prose.join(lines[place : place + 6])
        short = last.x1 < last.right - 0.12 * (last.right - last.left)
        return year_behind_names(text) is not None or (short and looks_like_entry(text))


def _as_first_lines(lines: Sequence[Line], outer: set[int]) -> set[int]:
    """Return the lines that begin entries: ``outer``, those at the left edge, or the indented ones
    where an entry is a paragraph whose first line is indented."""
    at_edge = [line.text[:1].isupper() for line in lines if id(line) in outer]
    inside = [line.text[:1].isupper() for line in lines if id(line) not in outer]
    if sum(at_edge) <= 0.8 * len(at_edge) and sum(inside) >= 0.9 * len(inside):
        return {id(line) for line in lines if id(line) not in outer}
    return outer


def _are_labels(texts: Sequence[str], lines: int) -> bool:
    """Whether what looks like labels of entries are such: bracketed, or numbers that count."""
    if len(texts) < max(2, 0.1 * lines):
        return False
    bracketed = sum(text.startswith("[") for text in texts)
    numbers = [int(found[0]) for text in texts if (found := re.search(r"\d{1,3}", text[:6]))]
    counting = sum(b - a == 1 for a, b in pairwise(numbers))
    return bracketed >= 0.8 * len(texts) or counting >= 0.7 * (len(texts) - 1)
