"""Consensus: what people said of a paper, as one severity from 0 (no flaw) to 100 (reject)."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from revkit.model.paper import Labels

_RANGE = re.compile(r"(?:^|-)([0-9]{1,4}(?:\.[0-9]{1,4})?)-([0-9]{1,4}(?:\.[0-9]{1,4})?)$")


@dataclass(frozen=True, slots=True)
class Consensus:
    """The severity on which people agreed, its standard error (None: not known) and how many
    scores stand behind it (0: not known)."""

    severity: float
    error: float | None = None
    scores: int = 0


def consensus_of(labels: Labels) -> Consensus | None:
    """The consensus severity of a paper; None where its labels hold none.

    A stated severity counts as it is. Otherwise it is the mean of the ratings on a scale whose name
    ends with its lowest and highest score, turned over and stretched to 0-100; its standard error
    is that of the mean, from two ratings on.
    """
    if labels.severity is not None:
        if not 0.0 <= labels.severity <= 100.0:
            return None
        error = labels.extra.get("severity-se")
        known = isinstance(error, int | float) and not isinstance(error, bool) and error >= 0
        return Consensus(
            float(labels.severity),
            float(error) if known and math.isfinite(error) else None,  # type: ignore[arg-type]
            len(labels.ratings),
        )
    bounds = rating_range(labels.rating_scale)
    if bounds is None or not labels.ratings:
        return None
    lowest, highest = bounds
    if any(not lowest <= rating <= highest for rating in labels.ratings):
        return None
    stretch = 100.0 / (highest - lowest)
    count = len(labels.ratings)
    mean = math.fsum(labels.ratings) / count
    error = None
    if count > 1:
        square = math.fsum((rating - mean) ** 2 for rating in labels.ratings)
        error = stretch * math.sqrt(square / (count - 1) / count)
    return Consensus((highest - mean) * stretch, error, count)


def rating_range(name: str) -> tuple[float, float] | None:
    """The lowest and the highest score of a rating scale, by its name; None where it tells none."""
    found = _RANGE.search(name)
    if found is None:
        return None
    lowest, highest = float(found.group(1)), float(found.group(2))
    return (lowest, highest) if lowest < highest else None
