"""The agent `impressed-reader`."""

from __future__ import annotations

import re
from typing import ClassVar

from revkit.contracts import Agent, Context
from revkit.dataclass import dataclass
from revkit.model.paper import Paper
from revkit.model.review import Review, Scale
from revkit.options import option
from revkit_agents.evidence import evidence_rows
from revkit_agents.scorecard import MOST_POINTS, Row, clipped, graded, ten_points, weighted

_PRAISE = re.compile(
    r"\b(?:clearly|remarkabl[ey]|encouraging|fundamentally|certain|advance|directly|decisive"
    r"|leading|most respected|most selective|world-famous|accepted for publication|new way"
    r"|changes how|departs from|without reservation|little room for doubt|brings together)\b",
    re.IGNORECASE,
)
_MODESTY = re.compile(
    r"\b(?:ordinary|modest|variation on|familiar|rarely|seldom|small venues|small regional"
    r"|previously rejected|one small step|with reservation|in part|share[sd]? their limits)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class ImpressedReader(Agent):
    """Rates the evidence of a paper, plus a bonus for praise and prestige in its words.

    Of its 9 points, a share ``weight`` goes to the tone: half of it for a paper without a phrase of
    praise or modesty, all of it from ``most`` phrases of praise more than of modesty on, and none
    from ``most`` phrases of modesty more. The phrases are those of the perturbations `presentation`
    and `bias-probe`. The rest is the scorecard of `evidence-weigher`.
    """

    name: ClassVar[str] = "impressed-reader"
    version: ClassVar[str] = "1"
    deterministic: ClassVar[bool] = True
    control: ClassVar[bool] = True
    weight: float = option(
        0.45,
        help="Share of the points for the tone; the rest is for evidence.",
        minimum=0,
        maximum=1,
    )
    most: int = option(3, help="Phrases from which the tone has its whole effect.", minimum=1)
    accept_at: int = option(6, help="Accept from this score on.", minimum=1, maximum=10)

    @property
    def scale(self) -> Scale:
        """Whole numbers from 1 to 10, higher is better."""
        return ten_points(self.accept_at)

    def review(self, paper: Paper, ctx: Context) -> Review:
        """Return 1 plus the points for evidence and for tone."""
        text = paper.text
        tone = len(_PRAISE.findall(text)) - len(_MODESTY.findall(text))
        share = clipped(0.5 + 0.5 * tone / self.most)
        habit = Row("praise less modesty", tone, share, MOST_POINTS * self.weight)
        evidence = weighted(evidence_rows(paper), MOST_POINTS - habit.most)
        return graded([habit, *evidence], self.accept_at)
