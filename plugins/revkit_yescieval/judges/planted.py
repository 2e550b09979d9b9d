"""Judges with a planted weakness, on which the figures prove that they find one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from revkit.contracts import Agent, Context
from revkit.model.criterion import Criterion
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Review, Scale
from revkit.options import option
from revkit_yescieval.judges.control import LEVELS, NO_REVIEW


@dataclass(frozen=True)
class Optimist(Agent):
    """Gives every text the highest level, unread: no drop, full optimism, a weak order always."""

    name: ClassVar[str] = "optimist"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("common_words.txt", "markers.txt")
    deterministic: ClassVar[bool] = True
    scale: ClassVar[Scale] = LEVELS

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        """Refuse: it knows rubrics only."""
        return Failure("rejected", NO_REVIEW)

    def judge(self, paper: Paper, criterion: Criterion, ctx: Context) -> Review:
        """Return the highest level."""
        return Review(score=float(criterion.levels[-1][0]), text="Excellent, whatever it says.")


@dataclass(frozen=True)
class LengthJudge(Agent):
    """Takes length for quality on every rubric: one level more for each further ``words``.

    What is added to a text raises its score and what is taken away lowers it, so it finds removed
    sentences, rewards redundant ones, and sees nothing in a changed order.
    """

    name: ClassVar[str] = "length-judge"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("common_words.txt", "markers.txt")
    deterministic: ClassVar[bool] = True
    scale: ClassVar[Scale] = LEVELS
    words: int = option(40, help="Words of prose that earn one level more.", minimum=1)

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        """Refuse: it knows rubrics only."""
        return Failure("rejected", NO_REVIEW)

    def judge(self, paper: Paper, criterion: Criterion, ctx: Context) -> Review:
        """Return the level that the number of words reaches."""
        place = min(paper.words // self.words, len(criterion.levels) - 1)
        return Review(score=float(criterion.levels[place][0]), text=f"{paper.words} words.")
