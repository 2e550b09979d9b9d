"""The agent `confidence-reader`."""

from __future__ import annotations

from typing import ClassVar

from revkit.contracts import Agent, Context
from revkit.dataclass import dataclass
from revkit.model.paper import Paper
from revkit.model.review import Review, Scale
from revkit.options import option
from revkit_agents.evidence import evidence_rows
from revkit_agents.lexicon import count_in, hedges, prose_words
from revkit_agents.scorecard import MOST_POINTS, Row, clipped, graded, ten_points, weighted


@dataclass(frozen=True)
class ConfidenceReader(Agent):
    """Rates the evidence of a paper, plus a bonus for assertive wording: hedging changes its score.

    Of its 9 points, a share ``weight`` goes to confidence: all of it without a hedge, none from
    ``most_hedges`` hedges a sentence on, in between in proportion. Hedges are the words of
    `revkit.english.hedges` for single words. The rest is the scorecard of `evidence-weigher`.
    """

    name: ClassVar[str] = "confidence-reader"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("lexicon.txt", "revkit.english:hedges.tsv")
    deterministic: ClassVar[bool] = True
    control: ClassVar[bool] = True
    weight: float = option(
        0.45,
        help="Share of the points for confidence; the rest is for evidence.",
        minimum=0,
        maximum=1,
    )
    most_hedges: float = option(
        0.35, help="Hedges per sentence from which confidence earns no points.", minimum=0.01
    )
    accept_at: int = option(6, help="Accept from this score on.", minimum=1, maximum=10)

    @property
    def scale(self) -> Scale:
        """Whole numbers from 1 to 10, higher is better."""
        return ten_points(self.accept_at)

    def review(self, paper: Paper, ctx: Context) -> Review:
        """Return 1 plus the points for evidence and for confidence."""
        density = count_in(prose_words(paper), hedges()) / max(1, len(paper.sentences))
        habit = Row(
            "hedges per sentence",
            density,
            clipped(1.0 - density / self.most_hedges),
            MOST_POINTS * self.weight,
        )
        evidence = weighted(evidence_rows(paper), MOST_POINTS - habit.most)
        return graded([habit, *evidence], self.accept_at)
