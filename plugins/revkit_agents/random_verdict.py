"""The agent `random`."""

from __future__ import annotations

from typing import ClassVar

from revkit.contracts import Agent, Context
from revkit.dataclass import dataclass
from revkit.model.paper import Paper
from revkit.model.review import Review, Scale
from revkit.options import option
from revkit_agents.scorecard import ten_points


@dataclass(frozen=True)
class RandomVerdict(Agent):
    """Draws each score uniformly from 1 to 10 with ``ctx.rng``.

    The draw is seeded by the item, so a run gives the same answers again, while a changed paper
    and every repeat are drawn anew: half of all pairs flip at the default threshold of 6, as many
    as in the noise floor, and accuracy is chance.
    """

    name: ClassVar[str] = "random"
    version: ClassVar[str] = "1"
    deterministic: ClassVar[bool] = False
    control: ClassVar[bool] = True
    accept_at: int = option(6, help="Accept from this score on.", minimum=1, maximum=10)

    @property
    def scale(self) -> Scale:
        """Whole numbers from 1 to 10, higher is better."""
        return ten_points(self.accept_at)

    def review(self, paper: Paper, ctx: Context) -> Review:
        """Return a random score."""
        score = 1 + int(ctx.rng.random() * 10)
        return Review(
            accept=score >= self.accept_at,
            score=float(score),
            text=f"Score {score} of 10, drawn at random.",
            details={"scorecard": [], "accept-at": self.accept_at},
        )
