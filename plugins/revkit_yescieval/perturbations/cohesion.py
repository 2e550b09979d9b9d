"""Cohesion: sentences are reordered."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import ClassVar

from revkit.contracts import Context
from revkit.dataclass import dataclass
from revkit.model import Edit, Paper, Rejection
from revkit_yescieval.perturbations.heuristic import Heuristic
from revkit_yescieval.perturbations.passage import Passage, Piece


@dataclass(frozen=True)
class Cohesion(Heuristic):
    """Reorder sentences, so that they no longer follow from one another.

    YESciEval, rubric 1. Subtle: "Swap the positions of the last two sentences". Extreme: "Randomly
    shuffle all sentences". Text between sentences (blanks, paragraph breaks, list marks) keeps its
    position. The shuffle is drawn evenly from all orders that change the text and, from three
    sentences on, differ from the subtle swap; with two, both are the same text. Unfinished
    sentences, and sentences with an open quotation or bracket, are not moved.
    """

    name: ClassVar[str] = "cohesion"
    version: ClassVar[str] = "2"
    target: ClassVar[str] = "cohesion"

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return one replacement for each position whose sentence changes."""
        passage = Passage.of(paper, self.section)
        if isinstance(passage, Rejection):
            return passage
        if self.level == "subtle":
            return _swap(passage)
        return _shuffle(passage, ctx.rng)


def _swap(passage: Passage) -> Sequence[Edit] | Rejection:
    last = passage.last(2)
    if isinstance(last, Rejection):
        return last
    first, second = last
    if passage.text(first) == passage.text(second):
        return Rejection("the last two sentences are the same")
    return _reorder(passage, last, [second, first], "last two sentences swapped")


def _shuffle(passage: Passage, rng: random.Random) -> Sequence[Edit] | Rejection:
    places = passage.sentences
    texts = [passage.text(piece) for piece in places]
    if len(texts) < 2:
        return Rejection(f"too short: {len(texts)} complete sentence{'s' * (not texts)}")
    if len(set(texts)) < 2:
        return Rejection("all sentences are the same")
    # Three sentences have at least three orders, even if two of them are the same.
    refused = [texts] if len(texts) == 2 else [texts, [*texts[:-2], texts[-1], texts[-2]]]
    order = list(places)
    while [passage.text(piece) for piece in order] in refused:
        rng.shuffle(order)
    return _reorder(passage, places, order, "sentences shuffled")


def _reorder(
    passage: Passage, places: Sequence[Piece], order: Sequence[Piece], note: str
) -> list[Edit]:
    """Return the edits that put the sentences of ``order`` at ``places``."""
    return [
        Edit(place.start, place.end, new, note)
        for place, piece in zip(places, order, strict=True)
        if (new := passage.text(piece)) != passage.text(place)
    ]
