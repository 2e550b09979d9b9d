"""PaperText: the views of a paper's text that the checks use, each computed on first use."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property

from revkit.model.paper import Paper
from revkit.model.structure import Block, SectionRole
from revkit_reviewground.checks.finding import FindingPlace
from revkit_reviewground.checks.folded_text import Folded, fold
from revkit_reviewground.checks.quote_matches import word_positions
from revkit_reviewground.checks.runs import bounded

# What a page break leaves between two lines of one sentence.
_PAGE = re.compile(
    r"^[ \t]*(?:\d{1,4}|-{3,}|\*{3,}|#{0,3} ?(?:Published|Under review|Accepted|Preprint|Workshop)"
    r"[^\n]{0,100})[ \t]*$",
    re.MULTILINE,
)
_CAPTION = re.compile(
    r"^[ \t>*_#|]{0,8}(?:Table|Tab\.|Figure|Fig\.|Algorithm)\s{0,3}[A-Z]?\.?\d{1,3}",
    re.MULTILINE,
)
_MARGIN = re.compile(r"^[ \t]*\d{3}(?=[ \t]+\S)", re.MULTILINE)
_LINKS = frozenset(("of", "for", "and", "the", "in", "with", "to"))
MATHEMATICS = re.compile(
    r"\$\$[^$]{1,3000}\$\$|\$[^$\n]{1,500}\$|[^\s=<>^{}\\_]{0,60}[=<>^{}\\_]\S{0,200}"
)
_STOP = re.compile(r"[.!?]['\")\]]*\s+(?=[A-Z\[(])|\n[ \t]*\n|\n(?=[ \t]*(?:#|[-*•] |\|))")


class PaperText:
    """The text of one paper: folded, without citation markers, and by section."""

    def __init__(self, paper: Paper) -> None:
        self.paper = paper
        self.text = bounded(paper.text)
        self._starts = [block.start for block in paper.blocks]

    @cached_property
    def folded(self) -> Folded:
        """The whole text, folded."""
        return fold(self.text)

    @cached_property
    def running(self) -> Folded:
        """The text without interruptions of its sentences: page breaks, line numbers, citations."""
        cuts = [match.span() for match in _PAGE.finditer(self.text)]
        margin = [match.span() for match in _MARGIN.finditer(self.text)]
        if len(margin) > max(30, self.text.count("\n") // 4):
            cuts += margin
        cuts += [(citation.start, citation.end) for citation in self.paper.citations]
        return self.folded.without(cuts)

    @cached_property
    def word_positions(self) -> dict[str, list[int]]:
        """The positions of the words of `running` among its pieces, except the most frequent
        words.
        """
        return word_positions(self.running)

    @cached_property
    def words_only(self) -> Folded:
        """The words of three letters or more outside mathematics."""
        return self.folded.without(
            match.span() for match in MATHEMATICS.finditer(self.text)
        ).words()

    @cached_property
    def lower(self) -> str:
        """The text in lower case, with the same positions of characters."""
        low = self.text.lower()
        if len(low) == len(self.text):
            return low
        return "".join(c if len(c.lower()) != 1 else c.lower() for c in self.text)

    @cached_property
    def initials(self) -> tuple[str, list[tuple[int, int]]]:
        """The first letters of consecutive words of three letters or more, with the position of
        each word. Small linking words are left out; other short words and numbers are a ".".
        """
        kept = [
            (piece[0] if len(piece) > 2 and piece.isalpha() else ".", span)
            for piece, span in zip(self.folded.pieces, self.folded.spans, strict=True)
            if piece not in _LINKS
        ]
        return "".join(letter for letter, _ in kept), [span for _, span in kept]

    @cached_property
    def headings(self) -> tuple[tuple[Block, str], ...]:
        """The headings and their texts, in order."""
        return tuple(
            (block, self.text[block.start : block.end])
            for block in self.paper.blocks
            if block.kind == "heading"
        )

    @cached_property
    def captions(self) -> tuple[tuple[int, int], ...]:
        """The first lines of captions, as spans of the text."""
        found = []
        for match in _CAPTION.finditer(self.text):
            end = self.text.find("\n\n", match.start(), match.start() + 400)
            found.append(
                (match.start(), end if end > 0 else min(len(self.text), match.end() + 300))
            )
        return tuple(found)

    def block_at(self, position: int) -> Block | None:
        """Return the block that contains ``position``, or the block before it."""
        index = bisect_right(self._starts, position) - 1
        return self.paper.blocks[index] if index >= 0 else None

    def role_at(self, position: int) -> SectionRole:
        """Return the role of the section at ``position``."""
        block = self.block_at(position)
        return block.role if block else "front"

    def sentence_at(self, start: int, end: int) -> tuple[int, int]:
        """Return a span around ``start:end`` of about one sentence, within 400 characters."""
        low = max(0, start - 400)
        first = low
        for match in _STOP.finditer(self.text, low, start):
            first = match.end()
        stop = _STOP.search(self.text, end, min(len(self.text), end + 400))
        return first, stop.start() + 1 if stop else min(len(self.text), end + 400)

    def place(self, start: int, end: int) -> FindingPlace:
        """Return ``text[start:end]`` as a place."""
        block = self.block_at(start)
        words = " ".join(self.text[start : min(end, start + 300)].split())
        section = block.section if block else ""
        if block and block.kind == "heading":
            section = self.text[block.start : block.end]
        return FindingPlace(start, end, section[:200], words[:200])

    def finds(self, pattern: re.Pattern[str], cues: Sequence[str]) -> Iterator[re.Match[str]]:
        """Search the text outside its reference list near each of the words ``cues``, one of which
        every match contains; a plain search for the cues first is many times faster.
        """
        for low, high in self._around(cues):
            for match in pattern.finditer(self.text, low, high):
                if self.role_at(match.start()) != "references":
                    yield match

    def _around(self, cues: Sequence[str], reach: int = 160) -> Iterator[tuple[int, int]]:
        """Return spans of the text that contain a cue with ``reach`` around it, in order and
        without overlap.
        """
        places: list[int] = []
        for cue in cues:
            at = self.lower.find(cue)
            while at >= 0:
                places.append(at)
                at = self.lower.find(cue, at + reach // 2)
        low = high = 0
        for at in sorted(places):
            if at - reach > high:
                if high:
                    yield low, high
                low = max(0, at - reach)
            high = min(len(self.text), at + 2 * reach)
        if high:
            yield low, high
