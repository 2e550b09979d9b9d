"""Passage: the sentences of a text that a heuristic may edit, and the edits themselves.

A piece that is not a complete sentence stays where it is; if a heuristic needs it, the text is
rejected.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import Literal

from revkit.dataclass import dataclass
from revkit.english import is_english
from revkit.model import Edit, Paper, Rejection
from revkit.model.structure import Block
from revkit_yescieval.perturbations.complete_sentences import (
    LABEL,
    MARKERS_ALONE,
    is_complete,
    is_finished,
    is_title,
)

Level = Literal["subtle", "extreme"]

_REFERENCES = re.compile(
    r"^[*_ \t]{0,6}(?:references?|bibliography|works cited|sources|literature|citations)"
    r"[*_]{0,3}:?[*_]{0,3}[ \t]*$"
    r"|^[*_ \t]{0,6}(?:references?|bibliography|works cited)[*_]{0,3}:[*_]{0,3}[ \t]*"
    r"(?=[(\[]?1[.)\]])",
    re.I | re.M,
)
_BRACKETS = (("(", ")"), ("[", "]"), ("“", "”"), ("«", "»"), ("「", "」"))
_GAP = re.compile(r"[ \t]*\n\s*(?:>[ \t]*)*(?:[-*+•][ \t]+|\(?\d{1,3}[.)][ \t]+)?\Z")


@dataclass(frozen=True, slots=True)
class Piece:
    """One sentence of a passage: ``text[start:end]``, in the block with that index.

    ``complete`` states whether it may be moved, removed or restated.
    """

    start: int
    end: int
    block: int
    complete: bool


@dataclass(frozen=True)
class Passage:
    """The prose of a paper, or of one of its sections, sentence by sentence."""

    paper: Paper
    pieces: tuple[Piece, ...]
    section: str | None = None

    @classmethod
    def of(cls, paper: Paper, section: str | None = None) -> Passage | Rejection:
        """Return the passage that ``section`` names: a heading as written or a role, in any case.

        None means all prose. A list of references without a heading is not part of it.
        """
        for last in _LAST[-1:]:
            if last.paper is paper and last.section == section:
                return last
        pieces = _pieces(paper, section)
        if not pieces:
            return Rejection(f"no prose in section {section!r}" if section else "no prose")
        passage = cls(paper, pieces, section)
        _LAST[:] = [passage]
        return passage

    @cached_property
    def english(self) -> bool:
        """Whether the passage as a whole is English."""
        return is_english(self.paper.text[self.pieces[0].start : self.pieces[-1].end])

    @property
    def sentences(self) -> tuple[Piece, ...]:
        """The pieces that are complete sentences."""
        return tuple(piece for piece in self.pieces if piece.complete)

    def text(self, piece: Piece) -> str:
        """Return the sentence as written."""
        return self.paper.text[piece.start : piece.end]

    def last(self, count: int) -> tuple[Piece, ...] | Rejection:
        """Return the last ``count`` sentences, which must be complete. At least two must exist, so
        that nothing is removed from a text of one sentence."""
        needed = max(count, 2)
        if len(self.pieces) < needed or len(self.sentences) < needed:
            number = len(self.sentences)
            return Rejection(f"too short: {number} complete sentence{'' if number == 1 else 's'}")
        last = self.pieces[-count:]
        if not all(piece.complete for piece in last):
            which = "the last sentence" if count == 1 else f"one of the last {count} sentences"
            return Rejection(f"{which} is unfinished, or has an open bracket or quotation")
        return last

    def _opens(self, piece: Piece) -> bool:
        return self.paper.blocks[piece.block].start == piece.start

    def append(self, sentence: str, note: str) -> Edit:
        """Return the edit that appends ``sentence`` to the passage.

        It follows the last sentence in its paragraph; after a list or an unfinished sentence it
        gets a separate paragraph.
        """
        last = self.pieces[-1]
        block = self.paper.blocks[last.block]
        within = block.kind == "paragraph" and is_finished(self.text(last))
        return Edit(last.end, last.end, (" " if within else "\n\n") + sentence, note)

    def remove(self, piece: Piece, note: str) -> Edit | Rejection:
        """Return the edit that removes a sentence, with the blank (or the list mark) before it.

        It must not be the first piece of the passage.
        """
        text = self.paper.text
        before = self.pieces[self.pieces.index(piece) - 1]
        if before.block == piece.block:
            if LABEL.match(self.text(before)) and self._opens(before):
                return Rejection("only a label would be left of the last paragraph")
            start = piece.start
            while start > before.end and text[start - 1].isspace():
                start -= 1
            if start > before.end:
                return Rejection("there is markup before the last sentence")
            return Edit(start, piece.end, "", note)
        blocks = self.paper.blocks
        if blocks[piece.block].start < piece.start:
            return Rejection("the last sentence shares its paragraph with a fragment")
        floor = max(blocks[piece.block - 1].end if piece.block else 0, before.end)
        if not _GAP.match(text, floor, piece.start):
            return Rejection("there is markup before the last sentence")
        return Edit(floor, piece.end, "", note)


def _pieces(paper: Paper, section: str | None) -> tuple[Piece, ...]:
    blocks = paper.blocks
    stop = _references_at(paper)
    name = section.strip().casefold() if section is not None else None
    spans: list[tuple[int, int, int]] = []
    for sentence in paper.sentences:
        if sentence.start >= stop:
            break
        if name is not None and not _is_section(blocks[sentence.block], name):
            continue
        if (
            spans
            and spans[-1][2] == sentence.block
            and MARKERS_ALONE.match(paper.text, sentence.start, sentence.end)
        ):
            spans[-1] = (spans[-1][0], sentence.end, sentence.block)
        else:
            end = sentence.end
            if end > stop:
                end = sentence.start + len(paper.text[sentence.start : stop].rstrip())
            spans.append((sentence.start, end, sentence.block))
    opened = _open_marks(paper, {block for _, _, block in spans})
    length = len(paper.text)
    return tuple(
        Piece(
            start,
            end,
            block,
            end <= opened.get(block, length)
            and is_complete(paper, start, end, block)
            and not is_title(paper, start, end, block),
        )
        for start, end, block in spans
    )


def _is_section(block: Block, name: str) -> bool:
    heading = block.section.strip("#* \t").casefold()
    return name in (heading, heading.lstrip("0123456789. \t"), block.role)


def _references_at(paper: Paper) -> int:
    """Return where a list of references without a Markdown heading begins: its label on a line."""
    for match in _REFERENCES.finditer(paper.text):
        at = bisect_right(paper.blocks, match.start(), key=lambda block: block.start) - 1
        inside = at >= 0 and match.start() < paper.blocks[at].end
        if inside and paper.blocks[at].kind == "paragraph" and paper.text[match.end() :].strip():
            return match.start()
    return len(paper.text)


def _open_marks(paper: Paper, blocks: set[int]) -> dict[int, int]:
    """Return the position in each block at which a bracket or quotation opens and never closes, so
    that all text after it may be inside.

    An odd number of straight quotation marks means that one is missing; then the first one counts.
    """
    text = paper.text
    positions: dict[int, int] = {}
    for index in blocks:
        block = paper.blocks[index]
        opened = [
            at
            for opening, closing in _BRACKETS
            if text.count(opening, block.start, block.end)
            > text.count(closing, block.start, block.end)
            and (at := _unclosed(text, block.start, block.end, opening, closing)) >= 0
        ]
        if text.count('"', block.start, block.end) % 2:
            opened.append(text.index('"', block.start, block.end))
        if opened:
            positions[index] = min(opened)
    return positions


def _unclosed(text: str, start: int, end: int, opening: str, closing: str) -> int:
    """Return the first ``opening`` in ``text[start:end]`` without a ``closing``; -1 if there is
    none.
    """
    open_: list[int] = []
    for at in range(start, end):
        if text[at] == opening:
            open_.append(at)
        elif text[at] == closing and open_:
            open_.pop()
    return open_[0] if open_ else -1


# The last passage requested: a run applies many heuristics to one text.
_LAST: list[Passage] = []
