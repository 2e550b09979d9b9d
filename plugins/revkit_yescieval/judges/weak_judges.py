"""Judges with a planted weakness, which test whether the metrics detect it."""

from __future__ import annotations

from typing import ClassVar

from revkit.contracts import Agent, Context
from revkit.dataclass import dataclass
from revkit.model.criterion import Criterion
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Review, Scale
from revkit.options import option
from revkit_yescieval.judges.control import LEVELS, NO_REVIEW


@dataclass(frozen=True)
class Optimist(Agent):
    """Gives every text the highest level: no drop, full optimism, always a weak order."""

    name: ClassVar[str] = "optimist"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("common_words.txt", "markers.txt")
    deterministic: ClassVar[bool] = True
    scale: ClassVar[Scale] = LEVELS

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        """Refuse to review: this agent only judges by rubrics."""
        return Failure("rejected", NO_REVIEW)

    def judge(self, paper: Paper, criterion: Criterion, ctx: Context) -> Review:
        """Return the highest level."""
        return Review(score=float(criterion.levels[-1][0]), text="Excellent, whatever it says.")


@dataclass(frozen=True)
class LengthJudge(Agent):
    """Treats length as quality on every rubric: one more level for every further ``words`` words.

    Added text raises its score and removed text lowers it, so it detects removed sentences, rewards
    redundant ones, and does not see a changed order.
    """

    name: ClassVar[str] = "length-judge"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("common_words.txt", "markers.txt")
    deterministic: ClassVar[bool] = True
    scale: ClassVar[Scale] = LEVELS
    words: int = option(40, help="Words of prose for one level more.", minimum=1)

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        """Refuse to review: this agent only judges by rubrics."""
        return Failure("rejected", NO_REVIEW)

    def judge(self, paper: Paper, criterion: Criterion, ctx: Context) -> Review:
        """Return the level for the number of words."""
        place = min(paper.words // self.words, len(criterion.levels) - 1)
        return Review(score=float(criterion.levels[place][0]), text=f"{paper.words} words.")
