"""The agent `keyword-reader`."""

from __future__ import annotations

from typing import ClassVar

from revkit.contracts import Agent, Context
from revkit.dataclass import dataclass
from revkit.model.paper import Paper
from revkit.model.review import Review, Scale
from revkit.options import option
from revkit_agents.evidence import evidence_rows
from revkit_agents.lexicon import academic, count_in, plain, prose_words
from revkit_agents.scorecard import MOST_POINTS, Row, clipped, graded, ten_points, weighted


@dataclass(frozen=True)
class KeywordReader(Agent):
    """Rates the evidence of a paper, plus a bonus for academic vocabulary: paraphrases change its
    score.

    It counts the words of `revkit_agents.lexicon.academic` and of `revkit_agents.lexicon.plain`. Of
    its 9 points, a share ``weight`` goes to the percentage of academic ones among both: half of it
    at ``typical``, none and all of it ``span / 2`` below and above. A percentage and not a density
    is measured, so that length does not matter. The rest is the scorecard of `evidence-weigher`.
    """

    name: ClassVar[str] = "keyword-reader"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("lexicon.txt",)
    deterministic: ClassVar[bool] = True
    control: ClassVar[bool] = True
    weight: float = option(
        0.5,
        help="Share of the points for vocabulary; the rest is for evidence.",
        minimum=0,
        maximum=1,
    )
    typical: float = option(
        55.0,
        help="Percentage of academic words that earns half of the points.",
        minimum=0,
        maximum=100,
    )
    span: float = option(
        80.0,
        help=(
            "Width of the range, in percentage points, from no points to all points for vocabulary."
        ),
        minimum=1,
    )
    accept_at: int = option(6, help="Accept from this score on.", minimum=1, maximum=10)

    @property
    def scale(self) -> Scale:
        """Whole numbers from 1 to 10, higher is better."""
        return ten_points(self.accept_at)

    def review(self, paper: Paper, ctx: Context) -> Review:
        """Return 1 plus the points for evidence and for vocabulary."""
        words = prose_words(paper)
        elevated = count_in(words, academic())
        percentage = 100.0 * elevated / max(1, elevated + count_in(words, plain()))
        share = clipped(0.5 + (percentage - self.typical) / self.span)
        habit = Row("percentage of academic words", percentage, share, MOST_POINTS * self.weight)
        evidence = weighted(evidence_rows(paper), MOST_POINTS - habit.most)
        return graded([habit, *evidence], self.accept_at)
