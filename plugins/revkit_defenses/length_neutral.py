"""The defense `length-neutral`: as many words of prose of every paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from revkit.contracts import Context, Defense
from revkit.dataclass import dataclass
from revkit.model import Edit, Paper
from revkit.model.words import count_words
from revkit.options import option


@dataclass(frozen=True)
class LengthNeutral(Defense):
    """Show the agent about ``words`` words of prose, spread evenly over the paper.

    Sentences are left out at equal distances, so each part of the paper loses the same share.
    Headings, lists, tables, figures and the reference list stay; lists count as words. A
    paper with fewer words stays as it is, so the view is neutral only among papers that are longer
    than ``words`` before and after an attack. What the lost sentences said is lost.
    """

    name: ClassVar[str] = "length-neutral"
    version: ClassVar[str] = "1"

    words: int = option(1500, help="Words of prose that the agent sees.", minimum=50)

    def screen(self, paper: Paper, ctx: Context) -> Sequence[Edit]:
        """Return one deletion for each sentence beyond the number of words."""
        blocks = paper.blocks
        sentences = [each for each in paper.sentences if blocks[each.block].kind == "paragraph"]
        counts = [count_words(paper.text, each.start, each.end) for each in sentences]
        total = sum(counts)
        due = self.words - (paper.words - total)
        if total <= due:
            return []
        edits, before, shown = [], 0, 0
        for sentence, count in zip(sentences, counts, strict=True):
            before += count
            # A sentence is shown while its middle lies within the share that is due by its end.
            if (shown + count / 2) * total <= before * due:
                shown += count
            else:
                edits.append(_deletion(paper.text, sentence.start, sentence.end))
        return edits


def _deletion(text: str, start: int, end: int) -> Edit:
    while end < len(text) and text[end] == " ":
        end += 1
    return Edit(start, end, "", "beyond the number of words", "length")
