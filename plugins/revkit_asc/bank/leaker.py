"""The agent `anchor-leaker`: a simulated reviewer with a planted weakness that custody must
find.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import ClassVar

from revkit.contracts import Context
from revkit.dataclass import dataclass
from revkit.model.paper import Paper
from revkit.model.review import Review
from revkit_asc.bank.anchor import Anchor
from revkit_asc.bank.anchor_openings import opening_of
from revkit_asc.bank.corpus import embedded_bank
from revkit_asc.simulation.reviewer import SimulatedReviewer


@cache
def _learnt() -> Mapping[str, Anchor]:
    """Return the anchors of the first quarter, by their text and by their opening."""
    anchors = embedded_bank().bank.anchors
    texts = {anchor.text.strip(): anchor for anchor in anchors}
    return {**{opening_of(anchor).strip(): anchor for anchor in anchors}, **texts}


@dataclass(frozen=True)
class AnchorLeaker(SimulatedReviewer):
    """A simulated reviewer that memorised the first quarter of the embedded bank.

    It gives these anchors the place of their consensus on its own scale, and continues their text
    when it is shown the opening. It reads all other papers as `simulated-reviewer` does. It is a
    planted weakness: `anchor-leakage` and ``revkit bank probe`` must find it.
    """

    name: ClassVar[str] = "anchor-leaker"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = (
        "revkit_asc.simulation:*.toml",
        "synthetic-anchors*.jsonl",
    )

    def review(self, paper: Paper, ctx: Context) -> Review:
        """Return the memorised score and text of a known anchor, else a score of the flaws that it
        reads.
        """
        review = super().review(paper, ctx)
        anchor = _learnt().get(paper.text.strip())
        if anchor is None:
            return review
        low, high = self.response.low, self.response.high
        score = low + (high - low) * anchor.consensus / 100.0
        return replace(
            review, score=score, accept=score <= float(self.response(50.0)), text=anchor.text
        )
