"""Completeness: the last sentence is removed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from revkit.contracts import Context
from revkit.model import Edit, Paper, Rejection
from revkit_yescieval.perturbations.donors import draw
from revkit_yescieval.perturbations.heuristic import Heuristic
from revkit_yescieval.perturbations.passage import Passage


@dataclass(frozen=True)
class Completeness(Heuristic):
    """Remove the last sentence, and at the extreme level put sports news in its place.

    YESciEval, rubric 8. Subtle: "Remove the last sentence from the synthesis". Extreme: "Remove the
    last sentence and append a sentence from an unrelated sports news article". The last sentence is
    that of the prose: a list of references, a table or a formula after it stays. A text of one
    sentence, or with an unfinished end, is rejected. Extreme needs an English text.
    """

    name: ClassVar[str] = "completeness"
    version: ClassVar[str] = "2"
    data: ClassVar[tuple[str, ...]] = ("donors/*.tsv",)
    target: ClassVar[str] = "completeness"

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return the removal of the last sentence, or its replacement."""
        passage = Passage.of(paper, self.section)
        if isinstance(passage, Rejection):
            return passage
        last = passage.last(1)
        if isinstance(last, Rejection):
            return last
        if self.level == "subtle":
            edit = passage.remove(last[0], "last sentence removed")
            return edit if isinstance(edit, Rejection) else [edit]
        if not passage.english:
            return Rejection("not English, but the sentence to append is English")
        sports = draw("sports", paper, self.name, ctx.rng)
        note = "last sentence removed, sports news appended"
        return [Edit(last[0].start, last[0].end, sports, note)]
