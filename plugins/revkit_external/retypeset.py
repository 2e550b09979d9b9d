"""Re-typeset: the same text in a file with another layout."""

from __future__ import annotations

from typing import ClassVar, Literal

from revkit.contracts import Context, Perturbation
from revkit.dataclass import dataclass
from revkit.model.paper import Paper
from revkit.model.paper_file import ORIGINAL
from revkit.model.variant import Layout, Rejection
from revkit.options import option


@dataclass(frozen=True)
class ReTypeset(Perturbation):
    """Writes the file of a paper in another layout and edits nothing, to measure the effect of
    layout alone.

    It acts on agents that get the paper as a PDF, Word or TeX file. To every other agent the
    variant is the same text; a warning of the run names these agents.

    ``layout``: "two-columns" is a page of two columns in a small serif font, "large-print" one
    column of 14 points with wide lines. The unchanged side of each pair is the usual layout of the
    same writer: one column of 10 points without serifs. "original" is the file that the paper was
    read from, so the pair measures what the conversion to text and back does: layout, pictures and
    everything that was read wrongly. It needs a corpus that keeps its files, such as `pdf` with
    ``authors: true``; a paper without such a file gives no variant.
    """

    name: ClassVar[str] = "re-typeset"
    version: ClassVar[str] = "1"
    layout: Literal["two-columns", "large-print", "original"] = option(
        "two-columns", help="The layout of the variant."
    )

    def perturb(self, paper: Paper, ctx: Context) -> Layout | Rejection:
        """Return the layout; no random number is drawn."""
        if self.layout == ORIGINAL and paper.file is None:
            return Rejection(
                "the corpus keeps no file of this paper that shows the same text "
                "(pdf and word: authors: true)"
            )
        return Layout(self.layout)
