"""Reviews: what people said of a paper, as an agent is asked to teach it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median_low
from typing import Literal, cast

from revkit.model.paper import Labels
from revkit.model.values import Json

Which = Literal["each", "aggregated"]


def reviews_of(labels: Labels, which: Which) -> list[dict[str, Json]]:
    """The human reviews in ``labels.extra["reviews"]``, or the one in ``extra["reference"]``.

    Each is a mapping of fields to texts, lists and numbers, as `review-bench` normalises them; what
    is None is left out. ``decision`` ("accept" or "reject") comes from the paper's decision where
    that is known, since a person's review does not state it. Numbers that an aggregated review
    lacks are the lower medians of the people's: numbers that somebody gave.
    """
    given = labels.extra.get("reviews")
    each = [_plain(review) for review in cast("Sequence[Json]", given)] if _is_list(given) else []
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
            if isinstance(value, int | float) and not isinstance(value, bool):
                numbers.setdefault(name, []).append(value)
    return {name: median_low(values) for name, values in sorted(numbers.items())}
