"""PaperText: a paper's text as the checks read it, each view made once when first asked for."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property

from revkit.model.paper import Paper
from revkit.model.structure import Block, SectionRole
from revkit_reviewground.checks.finding import FindingPlace
from revkit_reviewground.checks.folding import Folded, fold
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
    """The text of one paper, folded, without citation marks, and by section."""

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
        """The text without what interrupts its sentences: page breaks, line numbers, citations."""
        cuts = [match.span() for match in _PAGE.finditer(self.text)]
        margin = [match.span() for match in _MARGIN.finditer(self.text)]
        if len(margin) > max(30, self.text.count("\n") // 4):
            cuts += margin
        cuts += [(citation.start, citation.end) for citation in self.paper.citations]
        return self.folded.without(cuts)

    @cached_property
    def word_positions(self) -> dict[str, list[int]]:
        """The places of the words of `running` among its pieces, but for the most frequent."""
        return word_positions(self.running)

    @cached_property
    def words_only(self) -> Folded:
        """The words of three letters or more outside mathematics."""
        return self.folded.without(
            match.span() for match in MATHEMATICS.finditer(self.text)
        ).words()

    @cached_property
    def lower(self) -> str:
        """The text in small letters, character for character."""
        low = self.text.lower()
        if len(low) == len(self.text):
            return low
        return "".join(c if len(c.lower()) != 1 else c.lower() for c in self.text)

    @cached_property
    def initials(self) -> tuple[str, list[tuple[int, int]]]:
        """The first letters of the words of three letters or more, in a row, and where each word
        is. Small linking words are left out; other short words and numbers are a "."."""
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
        """The first lines of captions, as characters of the text."""
        found = []
        for match in _CAPTION.finditer(self.text):
            end = self.text.find("\n\n", match.start(), match.start() + 400)
            found.append(
                (match.start(), end if end > 0 else min(len(self.text), match.end() + 300))
            )
        return tuple(found)

    def block_at(self, position: int) -> Block | None:
        """The block that holds ``position``, or the one before it."""
        index = bisect_right(self._starts, position) - 1
        return self.paper.blocks[index] if index >= 0 else None

    def role_at(self, position: int) -> SectionRole:
        """What the section at ``position`` is for."""
        block = self.block_at(position)
        return block.role if block else "front"

    def sentence_at(self, start: int, end: int) -> tuple[int, int]:
        """A stretch around ``start:end`` about as long as its sentence, within 400 characters."""
        low = max(0, start - 400)
        first = low
        for match in _STOP.finditer(self.text, low, start):
            first = match.end()
        stop = _STOP.search(self.text, end, min(len(self.text), end + 400))
        return first, stop.start() + 1 if stop else min(len(self.text), end + 400)

    def place(self, start: int, end: int) -> FindingPlace:
        """Describe ``text[start:end]`` as a place."""
        block = self.block_at(start)
        words = " ".join(self.text[start : min(end, start + 300)].split())
        section = block.section if block else ""
        if block and block.kind == "heading":
            section = self.text[block.start : block.end]
        return FindingPlace(start, end, section[:200], words[:200])

    def finds(self, pattern: re.Pattern[str], cues: Sequence[str]) -> Iterator[re.Match[str]]:
        """Search the text outside its reference list around each of the words ``cues``, of which a
        match holds one: a plain search for them first is many times faster."""
        for low, high in self._around(cues):
            for match in pattern.finditer(self.text, low, high):
                if self.role_at(match.start()) != "references":
                    yield match

    def _around(self, cues: Sequence[str], reach: int = 160) -> Iterator[tuple[int, int]]:
        """Stretches of the text, apart and in order, that hold a cue with ``reach`` around it."""
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
