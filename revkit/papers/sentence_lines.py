"""The sentences of a paper as lines: what reviewers without a model quote."""

from __future__ import annotations

from collections.abc import Iterator

from revkit.model.paper import Paper
from revkit.model.structure import SectionRole

LONGEST_LINE = 400
"""The longest sentence that is quoted, in characters."""


def sentence_lines(paper: Paper) -> Iterator[tuple[str, SectionRole]]:
    """Yield each sentence of prose on one line, with the role of its section, in order.

    Empty sentences and those longer than `LONGEST_LINE` are left out.
    """
    for sentence in paper.sentences:
        text = " ".join(paper.text[sentence.start : sentence.end].split())
        if 0 < len(text) <= LONGEST_LINE:
            yield text, paper.blocks[sentence.block].role
