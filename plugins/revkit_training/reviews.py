"""The human reviews of a paper, as input for `Agent.training_example`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median_low
from typing import Literal, cast

from revkit.model.paper import Labels
from revkit.model.values import Json, is_number

Which = Literal["each", "aggregated"]


def reviews_of(labels: Labels, which: Which) -> list[dict[str, Json]]:
    """Return the human reviews in ``labels.extra["reviews"]``, or the one in
    ``extra["reference"]``.

    Each is a mapping of fields to texts, lists and numbers, as `review-bench` normalises them,
    without fields that are None. ``decision`` ("accept" or "reject") is the decision on the paper,
    if known, since a human review does not state it. Numbers that an aggregated review lacks are
    the lower medians of the human reviews, so that each is a number that a reviewer gave.
    """
    listed = labels.extra.get("reviews")
    each = [_plain(review) for review in cast("Sequence[Json]", listed)] if _is_list(listed) else []
    if which == "each":
        found = [review for review in each if review]
    else:
        reference = labels.extra.get("reference")
        merged = _plain(reference)
        found = [{**_medians(each), **merged}] if merged else []
    if labels.accept is not None:
        decision = "accept" if labels.accept else "reject"
        found = [{**review, "decision": decision} for review in found]
    else:
        found = [{k: v for k, v in review.items() if k != "decision"} for review in found]
    return found


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _plain(review: object) -> dict[str, Json]:
    if not isinstance(review, Mapping):
        return {}
    return {str(key): value for key, value in review.items() if value is not None}


def _medians(reviews: Sequence[Mapping[str, Json]]) -> dict[str, Json]:
    numbers: dict[str, list[float]] = {}
    for review in reviews:
        for name, value in review.items():
            if is_number(value):
                numbers.setdefault(name, []).append(value)
    return {name: median_low(values) for name, values in sorted(numbers.items())}
