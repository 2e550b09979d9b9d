"""Conciseness: sentences are restated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from revkit.contracts import Context
from revkit.dataclass import dataclass
from revkit.model import Check, Edit, Paper, Rejection
from revkit_yescieval.perturbations.donors import own_random
from revkit_yescieval.perturbations.heuristic import Heuristic
from revkit_yescieval.perturbations.language import is_english_sentence
from revkit_yescieval.perturbations.passage import Passage, Piece
from revkit_yescieval.perturbations.restatement import Restater
from revkit_yescieval.perturbations.restatement_gate import restatement_checks, restates


@dataclass(frozen=True)
class Conciseness(Heuristic):
    """Restate sentences in other words, which adds no information.

    YESciEval, rubric 2: "adding LLM-generated valid redundant sentences that unnecessarily repeat
    ideas already mentioned". Subtle: "generate a redundant version of the last sentence and append
    it". Extreme: "Append a redundant version after every sentence". Here rules write the
    versions (`revkit_yescieval.perturbations.restatement`), offline and the same for one seed. They
    must pass a gate: no content word, number or citation that the sentence does not contain, and as
    many negations. (The seed's own redundant sentences add content: "an extremely important role".)

    A sentence that cannot be restated under the gate (unfinished, in another language, with an
    open quotation) gets no version; if it is the last one, the subtle level is a rejection.
    """

    name: ClassVar[str] = "conciseness"
    version: ClassVar[str] = "3"
    data: ClassVar[tuple[str, ...]] = (
        "connectors.tsv",
        "donors/*.tsv",
        "restatements.tsv",
        "revkit.english:*.tsv",
    )
    target: ClassVar[str] = "conciseness"

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return one insertion after each sentence that is restated."""
        passage = self.passage(paper)
        if isinstance(passage, Rejection):
            return passage
        restater = Restater(paper.text, own_random(paper, self.name, ctx.rng))
        pieces = self.sentences_of(passage)
        edits = [edit for piece in pieces if (edit := _restate(passage, piece, restater))]
        return edits or Rejection("no complete sentence that can be restated")

    def passage(self, paper: Paper) -> Passage | Rejection:
        """Return the passage whose sentences are restated, or the reason for a rejection."""
        passage = Passage.of(paper, self.section)
        if isinstance(passage, Rejection):
            return passage
        if not passage.english:
            return Rejection("not English, but the gate of restatements is English")
        if self.level == "subtle" and not passage.pieces[-1].complete:
            return Rejection("the last sentence is unfinished, or has an open bracket or quotation")
        return passage

    def sentences_of(self, passage: Passage) -> Sequence[Piece]:
        """Return the sentences to restate: the last one, or all complete ones."""
        return passage.pieces[-1:] if self.level == "subtle" else passage.sentences

    def gates(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Check]:
        """Check that each inserted sentence restates the one before it and adds no content."""
        shared = super().gates(paper, edits, ctx)
        passage = Passage.of(paper, self.section)
        if isinstance(passage, Rejection):
            return shared
        ends = {piece.end: passage.text(piece) for piece in passage.pieces}
        return [
            *shared,
            *restatement_checks([(ends.get(edit.start, ""), edit.new) for edit in edits]),
        ]


def _restate(passage: Passage, piece: Piece, restater: Restater) -> Edit | None:
    sentence = passage.text(piece)
    if "$" in sentence or "`" in sentence or "|" in sentence or not is_english_sentence(sentence):
        return None
    new = restater.restate(sentence)
    if not restates(sentence, new):
        return None
    return Edit(piece.end, piece.end, f" {new}", "restated")
