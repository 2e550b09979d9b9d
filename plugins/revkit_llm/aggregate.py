"""Aggregate several reviews of one paper into one, by a stated rule.

All members must have answered. Scores: "mean" is the mean, "median" the middle one or the mean of
the two in the middle, "majority" the most frequent one. The verdict follows from the score if the
form defines it so, else it is that of most members. If several scores or verdicts are equally
frequent, the least favourable one is used, and ``details`` has the key "tie". Aspects and
confidence are always means.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from revkit.model.review import Review, Scale
from revkit.model.values import Json

Rule = Literal["mean", "median", "majority"]


def scale_of(scale: Scale, members: int, rule: Rule) -> Scale:
    """Return the scale of aggregated scores: without the steps of ``scale`` if scores are means."""
    between = members > 1 and (rule == "mean" or (rule == "median" and members % 2 == 0))
    return replace(scale, values=()) if between else scale


def aggregate_reviews(reviews: Sequence[Review], rule: Rule, scale: Scale) -> Review:
    """Return one review from ``reviews``, which all have scores; see the module for the rules."""
    if len(reviews) == 1:
        return reviews[0]
    import statistics  # for ensembles alone

    scores = [review.score for review in reviews if review.score is not None]
    score, tie = _score(scores, rule, scale)
    accept = scale.accepts(score)
    if accept is None:
        accept, split = _verdict([review.accept for review in reviews])
        tie = tie or split
    first = reviews[0]
    confidences = [review.confidence for review in reviews if review.confidence is not None]
    members: list[Json] = [
        {"score": review.score, "accept": review.accept, "confidence": review.confidence}
        for review in reviews
    ]
    details: dict[str, Json] = {**first.details, "rule": rule, "members": members}
    if tie:
        details["tie"] = "the less favourable of the most frequent"
    return Review(
        accept=accept,
        score=score,
        text="\n\n".join(
            f"Review {number} of {len(reviews)}\n\n{review.text}"
            for number, review in enumerate(reviews, 1)
        ),
        confidence=statistics.fmean(confidences) if confidences else None,
        aspects={
            name: statistics.fmean(review.aspects[name] for review in reviews)
            for name in first.aspects
        },
        details=details,
    )


def _score(scores: Sequence[float], rule: Rule, scale: Scale) -> tuple[float, bool]:
    import statistics

    if rule == "mean":
        return statistics.fmean(scores), False
    if rule == "median":
        return float(statistics.median(scores)), False
    counts = Counter(scores)
    most = max(counts.values())
    tied = [score for score, count in counts.items() if count == most]
    worst = min(tied) if scale.higher_is_better else max(tied)
    return worst, len(tied) > 1


def _verdict(verdicts: Sequence[bool | None]) -> tuple[bool | None, bool]:
    stated = [verdict for verdict in verdicts if verdict is not None]
    if not stated:
        return None, False
    yes = sum(stated)
    return yes * 2 > len(stated), yes * 2 == len(stated)
