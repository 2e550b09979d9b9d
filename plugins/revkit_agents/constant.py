"""The agent `constant`."""

from __future__ import annotations

from typing import ClassVar

from revkit.contracts import Agent, Context
from revkit.dataclass import dataclass
from revkit.model.paper import Paper
from revkit.model.review import Review, Scale
from revkit.options import option
from revkit_agents.scorecard import ten_points


@dataclass(frozen=True)
class Constant(Agent):
    """Gives every paper the same score without reading it.

    No edit can move it, so its flip rate is 0; its accuracy is the share of its one answer among
    the decisions. It shows why robustness must be read beside accuracy.
    """

    name: ClassVar[str] = "constant"
    version: ClassVar[str] = "1"
    deterministic: ClassVar[bool] = True
    control: ClassVar[bool] = True
    score: int = option(8, help="The score of every paper.", minimum=1, maximum=10)
    accept_at: int = option(6, help="Accept from this score on.", minimum=1, maximum=10)

    @property
    def scale(self) -> Scale:
        """Whole numbers from 1 to 10, higher is better."""
        return ten_points(self.accept_at)

    def review(self, paper: Paper, ctx: Context) -> Review:
        """Return the configured score."""
        return Review(
            accept=self.score >= self.accept_at,
            score=float(self.score),
            text=f"Score {self.score} of 10, whatever the paper says.",
            details={"scorecard": [], "accept-at": self.accept_at},
        )
