"""Consensus: the human ratings of a paper as one severity from 0 (no flaw) to 100 (reject)."""

from __future__ import annotations

import math

from revkit.dataclass import dataclass
from revkit.model.paper import Labels
from revkit.model.review import LARGEST_SEVERITY, is_severity


@dataclass(frozen=True, slots=True)
class Consensus:
    """The consensus severity and its standard error (None: unknown), both in points of 0 to 100,
    and the number of scores (0: unknown).
    """

    severity: float
    error: float | None = None
    scores: int = 0


def consensus_of(labels: Labels) -> Consensus | None:
    """Return the consensus severity of a paper; None if its labels contain none.

    A stated severity counts as it is. Otherwise it is the mean of the ratings, mapped linearly from
    the ends of their scale to 0-100 and turned over; its standard error is that of the mean, from
    two ratings on. Ratings whose scale is not known give none.
    """
    if labels.severity is not None:
        if not is_severity(labels.severity):
            return None
        error = labels.severity_se
        known = error is not None and math.isfinite(error) and error >= 0
        return Consensus(float(labels.severity), error if known else None, len(labels.ratings))
    scale = labels.scale
    if scale is None or not labels.ratings:
        return None
    if any(not scale.minimum <= rating <= scale.maximum for rating in labels.ratings):
        return None
    stretch = LARGEST_SEVERITY / (scale.maximum - scale.minimum)
    count = len(labels.ratings)
    mean = math.fsum(labels.ratings) / count
    error = None
    if count > 1:
        square = math.fsum((rating - mean) ** 2 for rating in labels.ratings)
        error = stretch * math.sqrt(square / (count - 1) / count)
    return Consensus((scale.maximum - mean) * stretch, error, count)
