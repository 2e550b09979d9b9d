"""What the reviews of one text by one agent say together.

Repeats say more about an agent, not about more papers, so the reviews of a text are reduced to one
share or mean.
"""

from __future__ import annotations

from collections.abc import Sequence

from revkit.model.records import Verdict


def accepts_of(verdicts: Sequence[Verdict]) -> list[float]:
    """Return the verdicts that exist, as 0 (reject) and 1 (accept)."""
    return [float(verdict.accept) for verdict in verdicts if verdict.accept is not None]


def scores_of(verdicts: Sequence[Verdict]) -> list[float]:
    """Return the scores that exist, on the agent's own scale."""
    return [verdict.score for verdict in verdicts if verdict.score is not None]


def accept_share(verdicts: Sequence[Verdict]) -> float | None:
    """Return the share of verdicts that accept, from 0 to 1; None without a verdict."""
    return _mean(accepts_of(verdicts))


def mean_score(verdicts: Sequence[Verdict]) -> float | None:
    """Return the mean of the scores, on the agent's own scale; None without a score."""
    return _mean(scores_of(verdicts))


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def flips_each_way(before: float | None, after: float | None) -> tuple[float, float] | None:
    """Return the probabilities that a review of one text and one of another disagree: from reject
    to accept, and from accept to reject.

    ``before`` and ``after`` are the shares of accepting verdicts on the two texts, from 0 to 1.
    None where one of them is None.
    """
    if before is None or after is None:
        return None
    return (1 - before) * after, before * (1 - after)


def flip_between(before: float | None, after: float | None) -> float | None:
    """Return the flip of a pair: the probability that a review of one text and one of another
    disagree, over all comparisons between their repeats. With one review of each it is 0 or 1.

    ``before`` and ``after`` are as in `flips_each_way`; None where one of them is None.
    """
    ways = flips_each_way(before, after)
    return None if ways is None else sum(ways)
