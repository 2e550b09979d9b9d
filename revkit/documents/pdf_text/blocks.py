"""Divide the lines of the text into blocks, and join the blocks that something interrupts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from revkit.documents.pdf_lines import Line
from revkit.documents.pdf_text.headings import NAMED, Headings
from revkit.documents.pdf_text.prose import Prose
from revkit.documents.pdf_text.signs import (
    BULLET,
    CAPTION,
    ITEM,
    MARK,
    NUMBER,
    REFERENCES,
    SENTENCE_END,
    Measures,
    adjacent,
    alike,
    has_cells,
    is_apart,
    is_aside,
    is_strong,
)

_COUNTED = re.compile(r"\(?(\d{1,2})[.)]\s")


@dataclass(slots=True)
class Block:
    """A block of the text: lines of one kind."""

    kind: str
    lines: list[Line] = field(default_factory=list)
    level: int = 0


class Blocks:
    """Divides lines into blocks."""

    def __init__(self, measures: Measures, prose: Prose) -> None:
        self._measures = measures
        self._prose = prose
        self._headings = Headings(measures, prose)

    def divide(self, lines: Sequence[Line]) -> Iterator[Block]:
        """Yield the blocks of the text in order."""
        notes = self._notes(lines)
        place, in_references = 0, False
        while place < len(lines):
            line = lines[place]
            before = lines[place - 1] if place else None
            after = lines[place + 1] if place + 1 < len(lines) else None
            level = 0 if id(line) in notes else self._headings.level(line, before, after)
            if id(line) in notes:
                block = self._run(lines, place, "note", lambda each: id(each) in notes)
            elif level:
                block = self._heading(lines, place, level)
                self._headings.add(line)
                in_references = bool(REFERENCES.fullmatch(self._prose.clean(line.text)))
            elif CAPTION.match(line.text):
                block = self._caption(lines, place)
            elif in_references:
                block = self._run(lines, place, "references", self._may_be_entry(lines, notes))
            elif is_aside(line, self._measures) or self._heads_table(before, line, after):
                block = self._run(lines, place, "table", self._in_table(lines))
            else:
                block = self._paragraph(lines, place, notes)
            yield block
            place += len(block.lines)

    def _run(
        self, lines: Sequence[Line], place: int, kind: str, holds: Callable[[Line], bool]
    ) -> Block:
        block = Block(kind, [lines[place]])
        for line in lines[place + 1 :]:
            if not holds(line) or (kind != "references" and not adjacent(block.lines[-1], line)):
                break
            if kind == "table" and (CAPTION.match(line.text)):
                break
            block.lines.append(line)
        return block

    def _in_table(self, lines: Sequence[Line]) -> Callable[[Line], bool]:
        places = {id(line): number for number, line in enumerate(lines)}

        def holds(line: Line) -> bool:
            return is_aside(line, self._measures) or self._wraps_cell(lines, places[id(line)])

        return holds

    def _wraps_cell(self, lines: Sequence[Line], place: int) -> bool:
        """Return whether a short line between two rows of a table continues a cell."""
        if not 0 < place < len(lines) - 1:
            return False
        before, line, after = lines[place - 1 : place + 2]
        return (
            len(line.cells) == 1
            and line.x1 - line.x0 < 0.3 * (line.right - line.left)
            and has_cells(before)
            and has_cells(after)
            and adjacent(before, line)
            and adjacent(line, after)
            and not self._headings.level(line, before, after)
        )

    def _may_be_entry(self, lines: Sequence[Line], notes: set[int]) -> Callable[[Line], bool]:
        places = {id(line): number for number, line in enumerate(lines)}

        def holds(line: Line) -> bool:
            number = places[id(line)]
            after = lines[number + 1] if number + 1 < len(lines) else None
            return (
                id(line) not in notes
                and not self._headings.level(line, lines[number - 1], after)
                and not CAPTION.match(line.text)
            )

        return holds

    def _heading(self, lines: Sequence[Line], place: int, level: int) -> Block:
        block = Block("heading", [lines[place]], level)
        first = lines[place]
        for line in lines[place + 1 : place + 3]:
            last = block.lines[-1]
            if (
                adjacent(last, line)
                and alike(line.size, first.size)
                and line.bold == first.bold
                and is_strong(line, self._measures)
                and last.y - line.y < 1.35 * first.size
                and not NUMBER.match(line.text)
                and not NAMED.fullmatch(line.text.strip())
                and not NAMED.fullmatch(first.text.strip())
            ):
                block.lines.append(line)
            else:
                break
        return block

    def _caption(self, lines: Sequence[Line], place: int) -> Block:
        block = Block("caption", [lines[place]])
        for line in lines[place + 1 :]:
            last = block.lines[-1]
            close = adjacent(last, line) and last.y - line.y < 1.35 * max(line.size, last.size)
            ended = last.x1 < last.right - 0.12 * (last.right - last.left) and SENTENCE_END.search(
                last.text
            )
            if not close or not alike(line.size, last.size) or ended or has_cells(line):
                break
            block.lines.append(line)
        return block

    def _notes(self, lines: Sequence[Line]) -> set[int]:
        """Return the lines of footnotes: small lines at the foot of a column, below a marker."""
        columns: dict[tuple[int, int], list[Line]] = {}
        for line in lines:
            columns.setdefault((line.page, line.column), []).append(line)
        found: set[int] = set()
        for column in columns.values():
            foot: list[Line] = []
            for line in reversed(column):
                large = line.size > 0.95 * self._measures.body
                if large or CAPTION.match(line.text) or has_cells(line):
                    break
                foot.append(line)
            if len(foot) == len(column) or not foot:
                continue
            marked = [
                n
                for n, each in enumerate(foot)
                if MARK.match(each.text) and (each.begins_small or each.text[0] in "*∗†‡§¶")
            ]
            if marked:
                found |= {id(line) for line in foot[: marked[-1] + 1]}
            elif column[0].page == 0:
                found |= {id(line) for line in foot}
        return found

    def _heads_table(self, before: Line | None, line: Line, after: Line | None) -> bool:
        """Return whether a short separate line is the first row of a table."""
        apart = is_apart(before, line, self._measures)
        short = line.x1 - line.x0 < 0.6 * (line.right - line.left)
        rows = after is not None and adjacent(line, after) and has_cells(after)
        return apart and short and rows and not SENTENCE_END.search(line.text.strip())

    def _paragraph(self, lines: Sequence[Line], place: int, notes: set[int]) -> Block:
        block = Block("paragraph", [lines[place]])
        for number in range(place + 1, len(lines)):
            line, last = lines[number], lines[number - 1]
            after = lines[number + 1] if number + 1 < len(lines) else None
            if (
                id(line) in notes
                or CAPTION.match(line.text)
                or is_aside(line, self._measures)
                or self._headings.level(line, last, after)
                or self._begins_paragraph(block.lines[0], last, line)
            ):
                break
            block.lines.append(line)
        return block

    def _begins_paragraph(self, first: Line, last: Line, line: Line) -> bool:
        if not adjacent(last, line):
            return True  # whether it goes on is settled with the text of both
        if BULLET.match(line.text) or _is_next_item(first, line):
            return True
        if last.y - line.y > 1.3 * self._measures.leading:
            return True
        indent, before = line.x0 - line.left, last.x0 - last.left
        em = self._measures.body
        ended = bool(SENTENCE_END.search(last.text.strip()))
        if line.text[:1].islower() and not ended:
            return False
        if 0.6 * em < indent - before < 4 * em and not BULLET.match(last.text):
            return ended or (indent > 0.9 * em and not ITEM.match(last.text))
        short = last.x1 < last.right - 0.15 * (last.right - last.left)
        return short and ended and line.text[:1].isupper()


def _is_next_item(first: Line, line: Line) -> bool:
    """Return whether a line begins the item of a list after the one that ``first`` begins."""
    one, other = (_COUNTED.match(each.text) for each in (first, line))
    if one is None or other is None:
        return False
    place, at = first.x0 - first.left, line.x0 - line.left
    return int(other[1]) == int(one[1]) + 1 and abs(place - at) < 6


def settle(blocks: Sequence[Block]) -> Iterator[Block]:
    """Join paragraphs that a page, a figure or a footnote interrupts."""
    waiting: list[Block] = []
    running: Block | None = None
    for block in blocks:
        if block.kind in ("note", "caption", "table") and running is not None:
            waiting.append(block)
        elif running is not None and _continues(running, block, waiting):
            running.lines.extend(block.lines)
        else:
            if running is not None:
                yield running
            yield from waiting
            waiting = []
            running = block if block.kind in ("paragraph", "references") else None
            if running is None:
                yield block
    if running is not None:
        yield running
    yield from waiting


def _continues(running: Block, block: Block, between: Sequence[Block]) -> bool:
    if block.kind == "paragraph":
        return _goes_on(running, block, between)
    return block.kind == running.kind == "references"


def _goes_on(before: Block, block: Block, between: Sequence[Block]) -> bool:
    last, first = before.lines[-1], block.lines[0]
    if before.kind != "paragraph" or BULLET.match(first.text):
        return False
    if _is_next_item(before.lines[0], first):
        return False
    if adjacent(last, first) and not between:
        return False
    if (
        last.page == first.page
        and last.column == first.column
        and all(each.kind == "table" for each in between)
    ):
        return False
    indented = 0.6 * first.size < first.x0 - first.left < 4 * first.size
    full = last.x1 > last.right - 0.1 * (last.right - last.left)
    if SENTENCE_END.search(last.text.strip()):
        return not indented and (first.text[:1].islower() or (full and not between))
    return not (indented and first.text[:1].isupper() and not full)
