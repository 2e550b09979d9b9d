"""Openings: the title and first sentence of each anchor, for questions about the rest of its
text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from revkit.contracts import Context
from revkit.dataclass import dataclass
from revkit.model.paper import Paper, Skipped
from revkit_asc.bank.anchor import Anchor
from revkit_asc.bank.corpus import AnchorBank


def opening_of(anchor: Anchor) -> str:
    """Return the title as a heading, and the first sentence of the text after its headings."""
    paper = Paper(anchor.id, anchor.text, anchor.title)
    first = next((block for block in paper.blocks if block.is_prose), None)
    sentence = ""
    if first is not None:
        body = anchor.text[first.start : first.end]
        inside = [s for s in paper.sentences if first.start <= s.start < first.end]
        sentence = anchor.text[inside[0].start : inside[0].end] if inside else body
    return f"# {anchor.title}\n\n{sentence.strip()}\n"


@dataclass(frozen=True)
class AnchorOpenings(AnchorBank):
    """The title and first sentence of each anchor of a bank, to test whether agents know the rest.

    An agent that only reads what it is shown cannot know how the text goes on. What agents reply is
    searched for the watermarks of the anchors by ``revkit bank probe``. Options and irregular lines
    are those of `anchor-bank`.
    """

    name: ClassVar[str] = "anchor-openings"
    version: ClassVar[str] = "1"

    def papers(self, ctx: Context) -> Iterator[Paper | Skipped]:
        """Yield the openings in the order of the bank, with the labels of their anchors."""
        openings = {anchor.id: opening_of(anchor) for anchor in self.read().bank.anchors}
        for paper in super().papers(ctx):
            if isinstance(paper, Paper):
                yield replace(paper, text=openings[paper.id])
            else:
                yield paper
