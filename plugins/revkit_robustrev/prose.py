"""The parts of a paper's prose that a rewording may change."""

from __future__ import annotations

import re
from bisect import bisect_right

from revkit import Paper, Rejection, Sentence, Span
from revkit.english import is_english

_QUOTED = re.compile(r"“[^”]{1,600}”|\"[^\"]{1,600}\"|``[^`']{1,600}''|‘[^’\n]{1,200}’(?!\w)")
_MARK = re.compile(r"[\"“”‘]|``|''")
# No sentence is longer: what looks like one is a list or a table without its marks. The bound also
# keeps the work on a hostile paper linear.
_LONGEST = 3_000
_LONE_MARK = re.compile(r"[\"“”]|``|''")


def quotations(text: str) -> tuple[Span, ...]:
    """The quotations in ``text``, with their marks."""
    return tuple(Span(*match.span()) for match in _QUOTED.finditer(text))


FEWEST_WORDS = 30  # in fewer, the share of frequent words varies too much


def refuse_other_language(paper: Paper) -> Rejection | None:
    """Return a `Rejection` of a paper that is not English, which the rules of all families are for;
    else `None`. Of a text of fewer than ``FEWEST_WORDS`` words, only the letters are examined."""
    blocks = [block for block in paper.blocks if block.is_prose]
    # Papers in other languages often have an abstract in English.
    body = [block for block in blocks if block.role != "abstract"] or blocks
    text = " ".join(paper.text[block.start : block.end] for block in body)
    if not text or is_english(text, fewest=FEWEST_WORDS):
        return None
    return Rejection("the text is not English")


class Prose:
    """The prose of one paper, with its protected and quoted spans looked up once for each block."""

    def __init__(self, paper: Paper) -> None:
        self.paper = paper
        self.text = paper.text
        self._blocks: dict[int, tuple[list[int], list[int]]] = {}
        self._quotes: tuple[int, tuple[Span, ...]] = (-1, ())

    def editable(self, sentence: Sentence) -> bool:
        """Whether words of ``sentence`` may change.

        They may not where a quotation begins or ends within it, or where it is too long to be one.
        """
        if sentence.end - sentence.start > _LONGEST:
            return False
        spans: tuple[Span, ...] = ()
        if _MARK.search(self.text, sentence.start, sentence.end):
            text = self.text[sentence.start : sentence.end]
            spans = tuple(
                Span(sentence.start + span.start, sentence.start + span.end)
                for span in quotations(text)
            )
            if _LONE_MARK.search(_QUOTED.sub("", text)):
                return False
        self._quotes = (sentence.start, spans)
        return True

    def masked(self, sentence: Sentence) -> str:
        """The sentence with nouns of equal length for mathematics, links and code, and blanks for
        citation marks, so that a parser sees words and every place stays."""
        text = self.text[sentence.start : sentence.end]
        marks = {(mark.start, mark.end) for mark in self.paper.citations}
        for span in self.paper.protected(sentence.start, sentence.end):
            start, end = max(span.start, sentence.start), min(span.end, sentence.end)
            within = text[start - sentence.start : end - sentence.start]
            blank = (span.start, span.end) in marks and not within[:1].isalpha()
            mask = " " * len(within) if blank else ("X" + "x" * (len(within) - 1))
            text = text[: start - sentence.start] + mask + text[end - sentence.start :]
        return text.replace("\n", " ")

    def blocked(self, sentence: Sentence, start: int, end: int) -> bool:
        """Whether ``start:end`` of ``sentence`` touches a protected or a quoted span."""
        if self._quotes[0] != sentence.start and not self.editable(sentence):
            return True
        quotes = self._quotes[1]
        if quotes and any(span.start < end and start < span.end for span in quotes):
            return True
        starts, ends = self._protected(sentence.block)
        index = bisect_right(starts, start)
        if index < len(starts) and starts[index] < end:
            return True
        return index > 0 and ends[index - 1] > start

    def _protected(self, index: int) -> tuple[list[int], list[int]]:
        if index not in self._blocks:
            block = self.paper.blocks[index]
            spans = self.paper.protected(block.start, block.end)
            self._blocks[index] = ([span.start for span in spans], [span.end for span in spans])
        return self._blocks[index]
