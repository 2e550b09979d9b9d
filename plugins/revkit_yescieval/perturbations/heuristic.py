"""The options and the gate that all nine perturbations share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from revkit.contracts import Context, Perturbation
from revkit.dataclass import dataclass
from revkit.model import Check, Edit, Paper, Rejection
from revkit.model.records import Expectation
from revkit.model.words import count_words
from revkit.options import option
from revkit_yescieval.perturbations.passage import Level, Passage

_LOST_WORDS = 5
_LOST_SHARE = 0.02


@dataclass(frozen=True)
class Heuristic(Perturbation):
    """The options of all heuristics, and the gate that all of them must pass.

    A fair judge lowers its score on the rubric that ``target`` names.
    """

    expect: ClassVar[Expectation] = "decrease"

    level: Level = option("subtle", help="subtle: barely noticeable; extreme: obvious")
    section: str | None = option(
        None, help="heading or role of a section (null: all prose of the text)"
    )

    def gates(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Check]:
        """Check that the text is still parsed as prose. Judges and metrics read the prose of a
        variant, so text that is now parsed as a table or a heading would not test them."""
        text = paper.text
        expected = paper.words
        for edit in edits:
            expected += count_words(edit.new, 0, len(edit.new))
            expected -= count_words(text, edit.start, edit.end)
        lost = max(0, expected - paper.edited(edits).words)
        limit = max(_LOST_WORDS, round(_LOST_SHARE * paper.words))
        return [Check("prose-lost", lost, limit, lost <= limit, "words")]


def english_passage(paper: Paper, section: str | None) -> Passage | Rejection:
    """Return the passage to which an English sentence is appended; a Rejection if it is in another
    language.
    """
    passage = Passage.of(paper, section)
    if isinstance(passage, Rejection):
        return passage
    if not passage.english:
        return Rejection("not English, but the sentences to append are English")
    return passage
