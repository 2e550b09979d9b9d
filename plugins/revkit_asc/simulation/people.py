"""Three simulated people who score each manuscript, and the consensus of their scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy

TIERS = ("none", "minor", "major", "reject")
"""The quarters of severity: [0, 25], (25, 50], (50, 75], (75, 100]."""

SCORERS = 3
DRAWS = SCORERS + 1
"""Normal draws that one manuscript needs: one for each scorer, one for the adjudicator."""

GAP = 20.0
"""People whose scores span more than this many points disagree: their case is adjudicated."""

STEP = 5.0
ADJUDICATOR = 0.5
"""The adjudicator's error, as a share of that of one scorer."""


class Opinions(NamedTuple):
    """The scores of n manuscripts, shape (n, 3), the adjudicated values (n,), NaN if the scores
    agree, and the consensus (n,): the adjudicated value, else the mean of the scores.
    """

    scores: numpy.ndarray[Any, Any]
    adjudicated: numpy.ndarray[Any, Any]
    consensus: numpy.ndarray[Any, Any]


def opinions(
    severity: numpy.ndarray[Any, Any], noise: float, draws: numpy.ndarray[Any, Any]
) -> Opinions:
    """Simulate the scores of manuscripts with true ``severity`` (n,), from standard normal
    ``draws`` (n, `DRAWS`).

    A score errs by ``noise`` and is rounded to fives; the adjudicator, who sees the three scores
    and takes longer, errs by `ADJUDICATOR` of that.
    """
    import numpy

    said = severity[:, None] + noise * draws[:, :SCORERS]
    scores = numpy.clip(numpy.floor(said / STEP + 0.5) * STEP, 0.0, 100.0)
    judged = severity + ADJUDICATOR * noise * draws[:, SCORERS]
    judged = numpy.clip(numpy.floor(judged + 0.5), 0.0, 100.0)
    apart = scores.max(axis=1) - scores.min(axis=1) > GAP
    consensus = numpy.where(apart, judged, scores.sum(axis=1) / SCORERS)
    return Opinions(scores, numpy.where(apart, judged, numpy.nan), consensus)


def tier_of(severity: float) -> str:
    """Return the quarter of the severity axis; an upper bound belongs to the lower tier."""
    return TIERS[0 if severity <= 25 else 1 if severity <= 50 else 2 if severity <= 75 else 3]
