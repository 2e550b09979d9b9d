"""The corpus `synthetic-bench`: a small ReviewBench of invented papers, ready to be reviewed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from revkit.contracts import Context, Corpus
from revkit.model.paper import Paper
from revkit.options import option

MOST = 12


@dataclass(frozen=True)
class SyntheticBench(Corpus):
    """Twelve short invented papers with human-like reviews, a reference review and rubrics.

    Each paper has some 250 words in eight sections; half of them have an ablation, several seeds
    and two data sets, the others lack these, and their ratings (1 to 10) and decisions follow
    from that. ``labels.extra`` holds what `review-bench` would derive: three normalised reviews,
    the reference, and a checklist for each of the eight dimensions, every key point with its
    place and a quotation from the paper. Systems, data sets, baselines and figures are invented.
    It serves to try the pipeline without a model or data, and no figure on it tells anything about
    a reviewer of real papers.
    """

    name: ClassVar[str] = "synthetic-bench"
    papers_: int = option(MOST, help="How many of the twelve papers.", minimum=1, maximum=MOST)

    def papers(self, ctx: Context) -> Iterator[Paper]:
        """Yield the papers in a fixed order; they do not depend on the seed."""
        from revkit_reviewbench.corpora.synthetic.writer import write_papers

        yield from write_papers()[: self.papers_]

    def count(self) -> int:
        """The number of papers."""
        return self.papers_
