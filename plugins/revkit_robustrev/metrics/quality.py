"""The quality of each paper by human ratings (or a generator), as one number on one scale."""

from __future__ import annotations

import math
from collections import Counter

from revkit.dataclass import dataclass
from revkit.model.records import Records


@dataclass(frozen=True)
class Target:
    """The values with which scores are compared: their name, and the value of each paper that has
    one.

    Higher is better in all of them. ``left_out`` counts papers whose ratings are on another scale
    than most papers' are: ratings of two scales are never mixed.
    """

    name: str
    values: dict[str, float]
    left_out: int = 0


def target_of(records: Records) -> Target | None:
    """The mean human rating where papers have ratings, else the generator's latent quality.

    None where papers have neither. Ratings are read as "higher is better", as the review forms of
    the corpora have it.
    """
    rated = [paper for paper in records.papers if paper.labels.ratings]
    if rated:
        counts = Counter(paper.labels.rating_scale for paper in rated)
        scale = min(counts, key=lambda name: (-counts[name], name))
        means = {
            paper.id: math.fsum(paper.labels.ratings) / len(paper.labels.ratings)
            for paper in rated
            if paper.labels.rating_scale == scale
        }
        name = f"mean human rating ({scale})" if scale else "mean human rating"
        return Target(name, means, len(rated) - len(means))
    latent = {
        paper.id: paper.labels.quality
        for paper in records.papers
        if paper.labels.quality is not None
    }
    return Target("latent quality", latent) if latent else None
