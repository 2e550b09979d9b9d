"""The perturbation `volunteered-limitations`: harmless limitations, stated before others ask."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from revkit.contracts import Context, Perturbation
from revkit.dataclass import dataclass
from revkit.model import Check, Edit, Paper, Rejection
from revkit.model.structure import Block
from revkit.options import option

_NOTE = "volunteered limitation"
# True of nearly every paper, and without weight for its results.
SENTENCES = (
    "We have not tried every possible setting of the less important parameters.",
    "We have not measured how long the experiments take on other hardware.",
    "Our implementation was not optimised for speed.",
    "We describe the work in English only.",
    "Some of the figures could be drawn in other ways.",
    "We leave a longer discussion of the history of the subject to others.",
    "We have not asked users of other fields for their opinion.",
    "The names of some variables in our code could be clearer.",
)


@dataclass(frozen=True)
class VolunteeredLimitations(Perturbation):
    """State limitations that do not matter, or leave out those that the authors stated.

    Ye et al. (2024, "Are We There Yet?", arXiv 2412.01708) found that models agree with limitations
    that authors state themselves far more often than people do, so that harmless ones keep a
    reviewer from finding others. ``add`` puts ``count`` sentences of our own behind the last
    paragraph of the section on limitations, or of the conclusion where there is none; each is true
    of nearly every paper. ``remove`` takes the sentences out of the section on limitations. The
    evidence stays as it is. A careful reader may think less of a paper that hides its limits, so a
    fair score stays or falls: a better one is a fault of the reviewer.
    """

    name: ClassVar[str] = "volunteered-limitations"
    version: ClassVar[str] = "1"
    expect: ClassVar[Literal["may-lower"]] = "may-lower"

    mode: Literal["add", "remove"] = option("add", help="Which way it goes.")
    count: int = option(3, help="Sentences to add.", minimum=1, maximum=len(SENTENCES))

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return the insertion, or one deletion for each sentence."""
        own = _paragraphs(paper, "limitations")
        if self.mode == "remove":
            return _removed(paper, own) or Rejection("no section on limitations")
        behind = own or _paragraphs(paper, "conclusion")
        if not behind:
            return Rejection("no section on limitations and no conclusion")
        chosen = [text for text in SENTENCES if text not in paper.text]
        if len(chosen) < self.count:
            return Rejection("too many of the sentences are there already")
        text = " ".join(ctx.rng.sample(chosen, self.count))
        return [Edit(behind[-1].end, behind[-1].end, f" {text}", _NOTE)]

    def direction(self, paper: Paper, edits: Sequence[Edit]) -> str:
        """Return the option ``mode``."""
        return self.mode

    def gates(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Check]:
        """What is added is there once; what is outside the section stays."""
        after = paper.edited(edits)
        same = len(after.references) == len(paper.references)
        headings = sum(block.kind == "heading" for block in after.blocks)
        kept = headings == sum(block.kind == "heading" for block in paper.blocks)
        return [Check("structure-unchanged", float(same and kept), 1.0, same and kept, "count")]


def _paragraphs(paper: Paper, role: str) -> list[Block]:
    return [block for block in paper.blocks if block.kind == "paragraph" and block.role == role]


def _removed(paper: Paper, blocks: Sequence[Block]) -> list[Edit]:
    """One deletion for each sentence of ``blocks``, with the blank after it."""
    found = []
    for sentence in paper.sentences:
        block = paper.blocks[sentence.block]
        if block in blocks:
            end = sentence.end + (paper.text[sentence.end : sentence.end + 1] == " ")
            found.append(Edit(sentence.start, end, "", _NOTE))
    return found
