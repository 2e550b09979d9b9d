"""The agent `citation-counter`."""

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
class CitationCounter(Agent):
    """Rates the evidence of a paper, plus a bonus for many references: citation injection raises
    its score.

    Of its 9 points, a share ``weight`` goes to the number of works cited: half of it at
    ``typical``, none and all of it one and a half doublings below and above. Entries of the
    reference list are counted, or the different works cited in the text if there is no list.
    The rest is the scorecard of `evidence-weigher`.
    """

    name: ClassVar[str] = "citation-counter"
    version: ClassVar[str] = "1"
    deterministic: ClassVar[bool] = True
    control: ClassVar[bool] = True
    weight: float = option(
        0.65,
        help="Share of the points for citations; the rest is for evidence.",
        minimum=0,
        maximum=1,
    )
    typical: float = option(
        13.0, help="Number of cited works that earns half of the points for citations.", minimum=1
    )
    accept_at: int = option(6, help="Accept from this score on.", minimum=1, maximum=10)

    @property
    def scale(self) -> Scale:
        """Whole numbers from 1 to 10, higher is better."""
        return ten_points(self.accept_at)

    def review(self, paper: Paper, ctx: Context) -> Review:
        """Return 1 plus the points for evidence and for citations."""
        works = len(paper.references) or len({key for c in paper.citations for key in c.keys})
        habit = Row(
            "works cited", works, doublings(works, self.typical, 3.0), MOST_POINTS * self.weight
        )
        evidence = weighted(evidence_rows(paper), MOST_POINTS - habit.most)
        return graded([habit, *evidence], self.accept_at)
