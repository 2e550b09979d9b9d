"""Variants of the synthetic papers: rubrics from a single review, or ratings on the scale of a
venue.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from revkit.model.paper import Paper
from revkit.model.values import Json
from revkit_reviewbench.checklists import Checklist, checklists_from_json
from revkit_reviewbench.corpora.normalise import (
    SCHEMA_RATING,
    Ends,
    NormalReview,
    mapped,
    written_reviews,
)
from revkit_reviewbench.corpora.synthetic.writer import raised_by


def single(paper: Paper, number: int, seed: int) -> Paper:
    """Return the paper with a reference and checklists that are based on one of its reviews.

    The review is drawn as `review-bench` draws it: by the seed and the paper's id alone.
    """
    extra = paper.labels.extra
    reviews: Any = extra["reviews"]
    drawn = random.Random(f"{seed}/{paper.id}").randrange(len(reviews))
    rubrics = [
        _of_review(checklist, raised_by(number), drawn).to_json()
        for checklist in checklists_from_json(extra["rubrics"])
    ]
    reference: Any = extra["reference"]
    review_reference: dict[str, Json] = {
        **reviews[drawn],
        "rating": reference["rating"],
        "decision": reference["decision"],
        "from": f"review {drawn + 1}",
    }
    labels = replace(
        paper.labels, extra={**extra, "reference": review_reference, "rubrics": rubrics}
    )
    return replace(paper, labels=labels)


def _of_review(
    checklist: Checklist, raised: Mapping[str, tuple[tuple[int, ...], ...]], drawn: int
) -> Checklist:
    """Return the key points that the review raises; the first key point if it raises none that
    counts.
    """
    by = raised.get(checklist.dimension)
    if by is None:
        return checklist
    kept = tuple(p for p, reviews in zip(checklist.points, by, strict=True) if drawn in reviews)
    if all(point.minor for point in kept):
        kept = tuple(p for i, p in enumerate(checklist.points) if i == 0 or p in kept)
    return Checklist(checklist.dimension, kept)


def at_venue(paper: Paper, venue: str, scale: Ends) -> Paper:
    """Return the paper as rated by reviewers of ``venue``: in whole steps of its scale, mapped to 1
    to 10.

    The decision stays.
    """
    low, high = scale
    given = [
        min(high, max(low, math.floor(mapped(rating, SCHEMA_RATING, scale) + 0.5)))
        for rating in paper.labels.ratings
    ]
    ratings = tuple(mapped(rating, scale, SCHEMA_RATING) for rating in given)
    extra = paper.labels.extra
    reviews: Any = extra["reviews"]
    reference: Any = extra["reference"]
    labels_extra: dict[str, Json] = {
        **extra,
        "reviews": [
            {**review, "rating": rating} for review, rating in zip(reviews, ratings, strict=True)
        ],
        "reference": {**reference, "rating": math.fsum(ratings) / len(ratings)},
        "venue": venue,
        "venue-scales": {"rating": [low, high]},
    }
    return replace(paper, labels=replace(paper.labels, ratings=ratings, extra=labels_extra))


def with_reviews(paper: Paper) -> Paper:
    """Return the paper with its reviews as human reviews, for agents that return human reviews."""
    rows: Any = paper.labels.extra["reviews"]
    return replace(paper, reviews=written_reviews(NormalReview(**row) for row in rows))
