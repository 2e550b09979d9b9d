"""Certificates: how far an aggregate of several reviews can move if some of them change.

Nothing here asks an agent. Given the outcomes of n reviews of parts of a paper, an attacker who
controls m of the parts can change, add or remove at most as many outcomes as depend on them; all
others stay what they are. The bounds below follow by counting.
"""

from __future__ import annotations

from collections.abc import Sequence

from revkit.dataclass import dataclass
from revkit.model.review import Scale
from revkit.model.values import Json


@dataclass(frozen=True)
class Bound:
    """Between which scores the median lies whatever ``changed`` outcomes become."""

    changed: int
    lowest: float
    highest: float

    def to_json(self) -> dict[str, Json]:
        return {"changed": self.changed, "lowest": self.lowest, "highest": self.highest}


def median_rank(count: int, *, higher_is_better: bool) -> int:
    """The rank (from 1, in ascending order) of the median of ``count`` scores: the middle one; of
    two middle ones the worse."""
    return (count + 1) // 2 if higher_is_better else count // 2 + 1


def worse_median(scores: Sequence[float], scale: Scale) -> float:
    """The median of ``scores``, of two middle ones the worse: always one of the scores."""
    rank = median_rank(len(scores), higher_is_better=scale.higher_is_better)
    return sorted(scores)[rank - 1]


def median_bound(scores: Sequence[float], changed: int, scale: Scale) -> Bound:
    """Where the median lies if at most ``changed`` outcomes are replaced, removed or added.

    Between the order statistics ``changed`` ranks below and above it; beyond the first or the last
    score it is bounded by the scale alone. Proof: let a of the n outcomes be removed, b added and c
    replaced, with a + b + c = m. The r-th smallest of the n - a + b new scores is at least the
    (r - b - c)-th and at most the (r + a + c)-th smallest of the old ones, and r differs from the
    old rank by at most (a + b) / 2, rounded up towards the bound.
    """
    ordered = sorted(scores)
    rank = median_rank(len(ordered), higher_is_better=scale.higher_is_better)
    low, high = rank - changed, rank + changed
    return Bound(
        changed,
        ordered[low - 1] if low >= 1 else scale.minimum,
        ordered[high - 1] if high <= len(ordered) else scale.maximum,
    )


def certified_median(scores: Sequence[float], scale: Scale, outcomes_a_part: int = 1) -> int:
    """The largest number of parts that an attacker may control without changing the decision that
    follows from the median; each part enters at most ``outcomes_a_part`` outcomes.

    Raises `ValueError` for a scale that implies no decision.
    """
    decision = scale.accepts(worse_median(scores, scale))
    if decision is None:
        raise ValueError(f"scale {scale.name!r} implies no decision")
    parts = 0
    while parts <= len(scores):
        bound = median_bound(scores, (parts + 1) * outcomes_a_part, scale)
        if {scale.accepts(bound.lowest), scale.accepts(bound.highest)} != {decision}:
            break
        parts += 1
    return parts


def certified_majority(accepts: Sequence[bool], outcomes_a_part: int = 1) -> int:
    """The same for the decision of most reviews, where a tie rejects.

    A changed outcome moves the lead of one side by at most two, so with a lead of d the decision
    to accept stays while 2 m < d, and that to reject while 2 m <= d.
    """
    lead = 2 * sum(accepts) - len(accepts)
    changed = (lead - 1) // 2 if lead > 0 else -lead // 2
    return changed // outcomes_a_part
