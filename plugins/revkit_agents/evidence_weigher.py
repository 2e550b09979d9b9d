"""The agent `evidence-weigher`."""

from __future__ import annotations

from typing import ClassVar

from revkit.contracts import Agent, Context
from revkit.dataclass import dataclass
from revkit.model.paper import Paper
from revkit.model.review import Review, Scale
from revkit.options import option
from revkit_agents.evidence import evidence_rows
from revkit_agents.scorecard import graded, ten_points


@dataclass(frozen=True)
class EvidenceWeigher(Agent):
    """Rates only the evidence of a paper: the robust reader among the control agents.

    Up to 9 points for methods compared (2), datasets (1.5), the gain over the spread of repeated
    runs (1.5), repeated runs, a reported spread and an ablation (1 each), a limitations section and
    a significance test (0.5 each). Nearly all of it is in tables, captions and headings, so neither
    wording nor length nor citations move it much.
    """

    name: ClassVar[str] = "evidence-weigher"
    version: ClassVar[str] = "1"
    deterministic: ClassVar[bool] = True
    control: ClassVar[bool] = True
    accept_at: int = option(6, help="Accept from this score on.", minimum=1, maximum=10)

    @property
    def scale(self) -> Scale:
        """Whole numbers from 1 to 10, higher is better."""
        return ten_points(self.accept_at)

    def review(self, paper: Paper, ctx: Context) -> Review:
        """Return 1 plus the points for evidence."""
        return graded(evidence_rows(paper), self.accept_at)
