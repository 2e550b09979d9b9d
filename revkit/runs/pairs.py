"""Pairs with repeats reduced: what one agent said of a paper and of one variant, counted once."""

from __future__ import annotations

from collections.abc import Sequence

from revkit.dataclass import dataclass
from revkit.model.edits import Edit
from revkit.model.notebook import escaped, html_edits
from revkit.model.paper import Paper
from revkit.model.records import Records, Verdict
from revkit.model.repeats import accept_share, flip_between, mean_score
from revkit.model.review import Failure, Review


@dataclass(frozen=True)
class ReviewedPair:
    """A paper and one of its variants, with all reviews that one agent gave of each.

    Repeats say more about an agent, not about more papers, so the pair counts once. ``before`` and
    ``after`` are the shares of verdicts that accept, ``score_before`` and ``score_after`` the mean
    scores; None where a side has none.
    """

    agent: str
    paper: str
    family: str
    index: int
    originals: Sequence[Verdict]
    variants: Sequence[Verdict]

    @property
    def before(self) -> float | None:
        """The share of verdicts on the paper that accept, from 0 to 1; None without a verdict."""
        return accept_share(self.originals)

    @property
    def after(self) -> float | None:
        """The share of verdicts on the variant that accept, from 0 to 1; None without a verdict."""
        return accept_share(self.variants)

    @property
    def flip(self) -> float | None:
        """The chance that a review of the paper and one of the variant disagree; None where a side
        has no verdict. With one review a side it is 0 or 1."""
        return flip_between(self.before, self.after)

    @property
    def score_before(self) -> float | None:
        """The mean score of the paper, on the agent's scale; None without a score."""
        return mean_score(self.originals)

    @property
    def score_after(self) -> float | None:
        """The mean score of the variant, on the agent's scale; None without a score."""
        return mean_score(self.variants)

    @property
    def shift(self) -> float | None:
        """Mean score of the variant minus that of the paper; None where a side has no score."""
        before, after = self.score_before, self.score_after
        return None if before is None or after is None else after - before


@dataclass(frozen=True)
class PairView:
    """A paper and one variant, with the edits and every review of both sides."""

    agent: str
    paper: Paper
    family: str
    edits: tuple[Edit, ...]
    before: tuple[Review | Failure, ...]
    after: tuple[Review | Failure, ...]

    def __repr__(self) -> str:
        return (
            f"PairView({self.agent!r}, {self.paper.id!r:.80}, {self.family!r}, "
            f"{len(self.edits)} edits, {self.before!r:.200} to {self.after!r:.200})"
        )

    def _repr_html_(self) -> str:
        title = f"{self.paper.title or self.paper.id}: {self.family}, reviewed by {self.agent}"
        sides = "".join(
            f'<td style="vertical-align:top;text-align:left">{_reviews(side)}</td>'
            for side in (self.before, self.after)
        )
        return (
            f"<div><strong>{escaped(title)}</strong>{html_edits(self.paper.text, self.edits)}"
            f"<table><tr><th>Paper</th><th>Variant</th></tr><tr>{sides}</tr></table></div>"
        )


def _reviews(side: Sequence[Review | Failure]) -> str:
    return "".join(
        each._repr_html_()
        if isinstance(each, Review)
        else f"<p>failed: {escaped(each.kind)} {escaped(each.detail)}</p>"
        for each in side
    )


def reviewed_pairs(records: Records, agent: str) -> list[ReviewedPair]:
    """The pairs of ``agent`` in the order of the records."""
    sides: dict[tuple[str, str, int], list[Verdict]] = {}
    for verdict in records.verdicts:
        if verdict.agent == agent:
            place = verdict.paper, verdict.perturbation, verdict.index
            sides.setdefault(place, []).append(verdict)
    return [
        ReviewedPair(agent, paper, family, index, sides.get((paper, "", 0), ()), variants)
        for (paper, family, index), variants in sides.items()
        if family
    ]
