"""The corpus `synthetic-bench`: a small ReviewBench of invented papers, ready for review."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Literal

from revkit.contracts import Context, Corpus
from revkit.dataclass import dataclass
from revkit.errors import OptionError
from revkit.model.paper import Labels, Material, Paper
from revkit.options import option
from revkit_reviewbench.checklists import checklist_materials

MOST = 12


@dataclass(frozen=True)
class SyntheticBench(Corpus):
    """Twelve short invented papers with human-like reviews, a reference review and rubrics.

    Each paper has some 250 words in eight sections; half of them have an ablation, several seeds
    and two data sets, the others lack these, and their ratings (1 to 10) and decisions follow
    from that. ``labels.extra`` holds what `review-bench` would derive: three normalised reviews,
    the reference, and a checklist for each of the eight dimensions, every key point with its
    place and a quotation from the paper. Systems, data sets, baselines and figures are invented.
    It serves to try the pipeline without a model or data, and no figure on it says anything about
    a reviewer of real papers.

    ``reference: single`` keeps, of each checklist, the key points that one drawn review of the
    three gives rise to, or the first where it gives rise to none, as if rubrics had been made from
    that review alone (Li et al., section A.3). ``venues`` deals the papers out to invented venues
    in turn: people rate on the scale of their venue, in whole steps of a point, and their ratings
    are mapped to 1 to 10 as `review-bench` does it (section A.1).
    """

    name: ClassVar[str] = "synthetic-bench"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("studies.json",)
    papers_: int = option(MOST, help="How many of the twelve papers.", minimum=1, maximum=MOST)

    reference: Literal["merged", "single"] = option(
        "merged", help="The basis of the rubrics: all reviews, or a single one that is drawn."
    )
    sample_seed: int = option(42, help="Seed of the draw of the single review.", minimum=0)
    venues: Mapping[str, tuple[float, float]] | None = option(
        None, help="Venues to which the papers are assigned, each with the scale of its ratings."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        problems = [
            ("venues", f"{name}: {low:g} to {high:g} is not a scale of whole points")
            for name, (low, high) in (self.venues or {}).items()
            if not (low < high and low.is_integer() and high.is_integer())
        ]
        if problems:
            raise OptionError(self.name, problems)

    @property
    def synthetic(self) -> bool:
        """True: a program made the papers and their labels."""
        return True

    def papers(self, ctx: Context) -> Iterator[Paper]:
        """Yield the papers in a fixed order; they do not depend on the seed."""
        from revkit_reviewbench.corpora.synthetic.variants import at_venue, single, with_reviews
        from revkit_reviewbench.corpora.synthetic.writer import write_papers

        venues = list((self.venues or {}).items())
        for number, paper in enumerate(write_papers()[: self.papers_]):
            if self.reference == "single":
                paper = single(paper, number, self.sample_seed)
            if venues:
                paper = at_venue(paper, *venues[number % len(venues)])
            yield with_reviews(paper)

    def count(self) -> int:
        """Return the number of papers."""
        return self.papers_

    def judging_materials(self, labels: Labels) -> Sequence[Material]:
        """Return the checklists of a paper."""
        return checklist_materials(labels)
