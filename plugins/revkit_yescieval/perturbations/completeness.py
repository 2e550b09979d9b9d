"""Completeness: the last sentence is removed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar

from revkit.contracts import Context
from revkit.dataclass import dataclass
from revkit.model import Edit, Paper, Rejection
from revkit_yescieval.perturbations.donors import draw
from revkit_yescieval.perturbations.heuristic import Heuristic
from revkit_yescieval.perturbations.passage import Passage, Piece
from revkit_yescieval.perturbations.restatement_gate import content

_SUMMARY = " (a summary: its loss may not be noticeable)"
_CLOSING = re.compile(
    r"(?:together|taken together|overall|collectively|altogether|ultimately"
    r"|in (?:summary|conclusion|short|sum)|to (?:conclude|summari[sz]e|sum up)"
    r"|these (?:findings|results|studies) (?:together |collectively )?"
    r"(?:underscore|highlight|underline|emphasi[sz]e))\b",
    re.I,
)


@dataclass(frozen=True)
class Completeness(Heuristic):
    """Remove the last sentence, and at the extreme level replace it by sports news.

    YESciEval, rubric 8. Subtle: "Remove the last sentence from the synthesis". Extreme: "Remove the
    last sentence and append a sentence from an unrelated sports news article". The last sentence is
    that of the prose: a list of references, a table or a formula after it stays. A text of one
    sentence, or with an unfinished end, is rejected. Extreme needs an English text.

    A text may lose no information by this: the edit has a note if its last sentence only summarises
    ("Together, these studies underscore ..."), or if all its content words occur before it.
    """

    name: ClassVar[str] = "completeness"
    version: ClassVar[str] = "3"
    data: ClassVar[tuple[str, ...]] = ("donors/*.tsv", "connectors.tsv", "restatements.tsv")
    target: ClassVar[str] = "completeness"

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return the removal of the last sentence, or its replacement."""
        passage = Passage.of(paper, self.section)
        if isinstance(passage, Rejection):
            return passage
        last = passage.last(1)
        if isinstance(last, Rejection):
            return last
        summary = _SUMMARY if _only_summarises(passage, last[0]) else ""
        if self.level == "subtle":
            edit = passage.remove(last[0], f"last sentence removed{summary}")
            return edit if isinstance(edit, Rejection) else [edit]
        if not passage.english:
            return Rejection("not English, but the sentence to append is English")
        sports = draw("sports", paper, self.name, ctx.rng)
        note = f"last sentence removed{summary}, sports news appended"
        return [Edit(last[0].start, last[0].end, sports, note)]


def _only_summarises(passage: Passage, last: Piece) -> bool:
    """Return whether a sentence opens as a summary, or all its content words occur before it."""
    if not passage.english:
        return False
    sentence = passage.text(last)
    before = passage.paper.text[passage.pieces[0].start : last.start]
    return bool(_CLOSING.match(sentence)) or set(content(sentence)) <= set(content(before))
