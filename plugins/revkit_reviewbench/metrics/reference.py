"""The reference agent, with which a table compares the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from revkit.dataclass import dataclass
from revkit.errors import OptionError
from revkit.figures import Sums
from revkit.model.records import Records
from revkit.options import option, unknown_name
from revkit_reviewbench.metrics.base import ReviewMetric
from revkit_reviewbench.metrics.parts import OVERALL, Part
from revkit_reviewbench.metrics.review_scores import ReviewScores

if TYPE_CHECKING:
    from revkit.stats import Estimate


@dataclass(frozen=True)
class WithReference(ReviewMetric):
    """A metric that compares every agent with a reference agent.

    Among the agents of a sweep, which carry the label of their point, ``reference`` may be such a
    name ("reranker=openscholar/grounder"), with which all of them are compared, or a name without a
    label ("grounder"), which means the agent of that name at the same point.
    """

    reference: str = option("", help="The agent to compare with; empty: the best one.")

    def check_reference(self, scored: ReviewScores) -> None:
        """Raise `OptionError` if the reference is not an agent of the run."""
        known = scored.agents
        if self.reference and known and not any(self.reference_of(a, known, "") for a in known):
            message = unknown_name("agent", self.reference, known)
            raise OptionError(self.name, [("reference", message)])

    def reference_of(self, agent: str, agents: Sequence[str], best: str) -> str:
        """Return the agent with which ``agent`` is compared: by default ``best``; "" if there is
        none.
        """
        if not self.reference or self.reference in agents:
            return self.reference or best
        own = [
            other
            for other in agents
            if other.endswith(f"/{self.reference}")
            and agent.startswith(other.removesuffix(self.reference))
        ]
        return max(own, key=len, default="")


def all_parts(scored: ReviewScores, judge: str) -> list[Part]:
    """Return the part of each source that the evaluator ``judge`` scored."""
    return [
        Part.of(judge, source, scored.totals(judge, source), scored.papers)
        for source in scored.sources
    ]


def best_of(parts: Sequence[Part]) -> str:
    """Return the agent with the highest overall score, on unchanged papers if there are any."""
    known = [part for part in parts if part.sums[OVERALL].n]
    plain = [part for part in known if not part.perturbation] or known
    best = max(plain, key=lambda part: part.mean(OVERALL), default=None)
    return best.agent if best else ""


def best_note(judge: str, best: str) -> str:
    """Return the note for a reader if the reference was not named."""
    return (
        f"For {judge!r}, the reference is {best!r}, the reviewer with the highest overall score "
        "here. A reference that is chosen so looks better than it is; for a claim, name a "
        "reference in advance."
    )


def gains(
    metric: ReviewMetric, records: Records, part: Part, other: Part, names: Sequence[str]
) -> dict[str, Estimate]:
    """Return the mean of ``other`` minus that of ``part`` for each of ``names``, over the papers of
    which both have complete reviews; these papers are resampled for both at once.
    """
    from revkit import stats

    pairs = {name: _counted_papers(*part.sums[name].shared(other.sums[name])) for name in names}
    if all(mine.counts == theirs.counts for mine, theirs in pairs.values()):
        differences = [
            Sums(tuple(b - a for a, b in zip(mine.totals, theirs.totals, strict=True)), mine.counts)
            for mine, theirs in pairs.values()
        ]
        return dict(zip(pairs, metric.means(records, differences), strict=True))
    return {
        name: stats.cluster_bootstrap_difference(
            theirs.totals,
            theirs.counts,
            mine.totals,
            mine.counts,
            resampling=metric.resampling(records),
        )
        for name, (mine, theirs) in pairs.items()
    }


def _counted_papers(mine: Sums, theirs: Sums) -> tuple[Sums, Sums]:
    """Return both parts without the papers on which they have no count."""
    places = [place for place, count in enumerate(mine.counts) if count]
    first, second = (
        Sums(tuple(each.totals[i] for i in places), tuple(each.counts[i] for i in places))
        for each in (mine, theirs)
    )
    return first, second
