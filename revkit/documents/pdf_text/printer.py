"""Print blocks as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from revkit.documents.pdf_lines import Line, join_words
from revkit.documents.pdf_text.blocks import Block
from revkit.documents.pdf_text.front import ABSTRACT_RUN
from revkit.documents.pdf_text.prose import Prose
from revkit.documents.pdf_text.references import References
from revkit.documents.pdf_text.signs import BULLET, MARK, Measures, is_formula
from revkit.documents.pdf_text.tables import rows_of


class Printer:
    """Prints blocks, and counts the words of figures, which are left out."""

    def __init__(self, measures: Measures, prose: Prose) -> None:
        self._measures = measures
        self._prose = prose
        self._references = References(measures, prose)
        self.figure_words = 0

    def print(self, block: Block) -> str:
        """Return the Markdown of a block, empty for the words of a figure."""
        if block.kind == "heading":
            title = " ".join(self._prose.join(block.lines).split())
            return f"{'#' * min(block.level, 5)} {title}"
        if block.kind == "references":
            return "\n\n".join(self._references.entries(block.lines))
        if block.kind == "table":
            return self._table(block.lines)
        if block.kind == "note":
            return "\n\n".join(self._footnotes(block.lines))
        text = self._prose.join(block.lines)
        if ABSTRACT_RUN.match(text):
            return "## Abstract\n\n" + ABSTRACT_RUN.sub("", text, count=1)
        if BULLET.match(text):
            return BULLET.sub("- ", text, count=1)
        return re.sub(r"^(#{1,6}\s|>|[-+]\s|=+$)", r"\\\1", text)

    def _footnotes(self, lines: Sequence[Line]) -> Iterator[str]:
        groups: list[list[Line]] = []
        for line in lines:
            if not groups or (line.begins_small and MARK.match(line.text)):
                groups.append([line])
            else:
                groups[-1].append(line)
        for group in groups:
            text = self._prose.join(group)
            mark = MARK.match(text)
            yield f"> {mark[0].strip()} {text[mark.end() :]}" if mark else f"> {text}"

    def _table(self, lines: Sequence[Line]) -> str:
        formula = [line for line in lines if is_formula(line)]
        small = 0.88 * self._measures.body
        if len(formula) == len(lines) and all(line.size > small for line in lines):
            return self._formula(lines)
        rows = [
            [self._prose.clean(" ".join(map(join_words, cell))).replace("|", "/") for cell in row]
            for row in rows_of(lines)
        ]
        if len(rows) < 2 or sum(len(row) > 1 for row in rows) < 0.6 * len(rows):
            if any(line.size > small for line in formula):
                return self._formula(lines)
            self.figure_words += sum(len(line.text.split()) for line in lines)
            return ""
        wide = max(map(len, rows))
        filled = [row + [""] * (wide - len(row)) for row in rows]
        head, *rest = [f"| {' | '.join(row)} |" for row in filled]
        return "\n".join([head, "|" + " --- |" * wide, *rest])

    def _formula(self, lines: Sequence[Line]) -> str:
        text = " ".join(self._prose.clean(line.text) for line in lines).replace("$", "")
        return f"$$ {text} $$"
