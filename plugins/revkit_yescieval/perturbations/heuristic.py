"""Heuristic: what all nine perturbations have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from revkit.contracts import Context, Perturbation
from revkit.model import Check, Edit, Paper, Rejection
from revkit.model.records import Expectation
from revkit.model.sentences import count_words
from revkit.options import option
from revkit_yescieval.perturbations.passage import Level, Passage

_MOST_LOST = 5
_MOST_LOST_SHARE = 0.02


@dataclass(frozen=True)
class Heuristic(Perturbation):
    """The options of all heuristics, and the gate that all of them pass.

    A fair judge's score of the rubric that ``target`` names goes down.
    """

    expect: ClassVar[Expectation] = "decrease"

    level: Level = option(
        "subtle", help="subtle: as little as can be noticed; extreme: plain to see"
    )
    section: str | None = option(
        None, help="a section's heading or role (null: all prose of the text)"
    )

    def gates(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Check]:
        """Check that the text still reads as prose: what judges and metrics look at is the prose of
        the variant, so one that now looks like a table or a heading would be no test of them."""
        text = paper.text
        wanted = paper.words
        for edit in edits:
            wanted += count_words(edit.new, 0, len(edit.new))
            wanted -= count_words(text, edit.start, edit.end)
        lost = max(0, wanted - paper.edited(edits).words)
        most = max(_MOST_LOST, round(_MOST_LOST_SHARE * paper.words))
        return [Check("prose-lost", lost, most, lost <= most, "words")]


def english_passage(paper: Paper, section: str | None) -> Passage | Rejection:
    """The passage to append an English sentence to; a Rejection where it is in another language."""
    passage = Passage.of(paper, section)
    if isinstance(passage, Rejection):
        return passage
    if not passage.english:
        return Rejection("not English: the sentences to append are")
    return passage
