"""Readability: informal writing after an academic text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from revkit.contracts import Context
from revkit.dataclass import dataclass
from revkit.model import Edit, Paper, Rejection
from revkit_yescieval.perturbations.donors import draw
from revkit_yescieval.perturbations.heuristic import Heuristic, english_passage


@dataclass(frozen=True)
class Readability(Heuristic):
    """Append informal writing that breaks the conventions of academic style.

    YESciEval, rubric 3. Subtle: "Append a snippet from a casual blog post". Extreme: "Append a
    sentence from an informal tweet". A snippet is one sentence and has fewer words than any
    tweet, so that the subtle edit is the smaller one. Both were written for this project and have
    slots that are filled at random (see `revkit_yescieval.perturbations.donors`). A text that is
    not English is rejected.
    """

    name: ClassVar[str] = "readability"
    version: ClassVar[str] = "3"
    data: ClassVar[tuple[str, ...]] = ("donors/*.tsv",)
    target: ClassVar[str] = "readability"

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return one insertion after the last sentence."""
        passage = english_passage(paper, self.section)
        if isinstance(passage, Rejection):
            return passage
        if self.level == "subtle":
            return [passage.append(draw("blog", paper, self.name, ctx.rng), "casual blog appended")]
        return [
            passage.append(draw("tweets", paper, self.name, ctx.rng), "informal tweet appended")
        ]
