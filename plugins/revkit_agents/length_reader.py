"""The agent `length-reader`."""

from __future__ import annotations

from typing import ClassVar

from revkit.contracts import Agent, Context
from revkit.dataclass import dataclass
from revkit.model.paper import Paper
from revkit.model.review import Review, Scale
from revkit.options import option
from revkit_agents.evidence import evidence_rows
from revkit_agents.scorecard import MOST_POINTS, Row, doublings, graded, ten_points, weighted


@dataclass(frozen=True)
class LengthReader(Agent):
    """Rates the evidence of a paper, plus a bonus for long paragraphs: a change of length changes
    its score.

    Of its 9 points, a share ``weight`` goes to the mean length of a paragraph: half of it at
    ``typical`` words, none and all of it 0.8 doublings below and above. Paragraphs and not papers
    are measured, so that short and full papers share one scale. The rest is the scorecard of
    `evidence-weigher`.
    """

    name: ClassVar[str] = "length-reader"
    version: ClassVar[str] = "1"
    deterministic: ClassVar[bool] = True
    control: ClassVar[bool] = True
    weight: float = option(
        0.45,
        help="Share of the points for length; the rest is for evidence.",
        minimum=0,
        maximum=1,
    )
    typical: float = option(
        65.0, help="Words of a paragraph that earn half of the points for length.", minimum=1
    )
    accept_at: int = option(6, help="Accept from this score on.", minimum=1, maximum=10)

    @property
    def scale(self) -> Scale:
        """Whole numbers from 1 to 10, higher is better."""
        return ten_points(self.accept_at)

    def review(self, paper: Paper, ctx: Context) -> Review:
        """Return 1 plus the points for evidence and for length."""
        paragraphs = sum(b.is_prose and b.kind == "paragraph" for b in paper.blocks)
        words = paper.words / max(1, paragraphs)
        habit = Row(
            "words per paragraph",
            words,
            doublings(words, self.typical, 1.6),
            MOST_POINTS * self.weight,
        )
        evidence = weighted(evidence_rows(paper), MOST_POINTS - habit.most)
        return graded([habit, *evidence], self.accept_at)
