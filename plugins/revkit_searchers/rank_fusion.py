"""Rank works by a score, and combine several rankings into one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy

RRF_CONSTANT = 60


def best(scores: numpy.ndarray[Any, Any], most: int) -> list[int]:
    """Return the indices of the ``most`` highest of ``scores``, highest first; ties in the given
    order.
    """
    import numpy

    if most < len(scores):
        # All that tie with the last one stay in, so that place decides among them and not chance.
        limit = numpy.partition(scores, len(scores) - most)[len(scores) - most]
        places = numpy.flatnonzero(scores >= limit)
    else:
        places = numpy.arange(len(scores))
    order = numpy.argsort(-scores[places], kind="stable")[:most]
    return [int(place) for place in places[order]]


def fused(rankings: Sequence[Sequence[int]]) -> list[tuple[int, float]]:
    """Return indices with scores by reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009).

    The score of a place is the sum over the rankings that hold it of 1 / (60 + its rank), ranks
    from 1; a ranking that lacks it adds nothing. Ties go by place.
    """
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, place in enumerate(ranking, 1):
            scores[place] = scores.get(place, 0.0) + 1.0 / (RRF_CONSTANT + rank)
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))
