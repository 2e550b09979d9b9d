"""Ratings: from what a form holds ("6: Weak Accept", "3 good", "3.5", 6) to a number, or to none.

The whole value must have one of the known forms. The first digit of anything else is never taken
for a score: "10: Top 5%" is 10, while "8/10", "2024 form" and "N/A" are no score.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

from revkit_corpora.texts import excerpt

_NUMBER = r"([+-]?[0-9]{1,4}(?:\.[0-9]{1,6})?)"
_FORMS = (
    re.compile(rf"\s*{_NUMBER}\s*"),
    re.compile(rf"\s*{_NUMBER}\s*:(?:\D.*)?", re.DOTALL),
    re.compile(rf"\s*{_NUMBER}\s+(?:poor|fair|good|excellent)\s*", re.IGNORECASE),
)
_ABSENT = frozenset(("", "n/a", "na", "nan", "none", "null", "not applicable"))


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating read. ``value`` None with a ``note`` is unreadable, None without one is absent."""

    value: float | None = None
    note: str = ""


def read_rating(
    value: object, minimum: float | None = None, maximum: float | None = None
) -> Rating:
    """Read one score. ``minimum`` and ``maximum`` bound it, inclusively, where the form is known.

    A score off the bounds, a bool, NaN and text of another form give no value and a note that
    quotes the start of what was there.
    """
    if value is None or (isinstance(value, str) and value.strip().casefold() in _ABSENT):
        return Rating()
    number: float | None = None
    if isinstance(value, int | float) and not isinstance(value, bool):
        number = _finite(value)
    elif isinstance(value, str) and len(value) <= 1000:
        match = next((found for form in _FORMS if (found := form.fullmatch(value))), None)
        number = float(match.group(1)) if match else None
    if number is None:
        return Rating(note=f"{excerpt(value)} is no score")
    if (minimum is not None and number < minimum) or (maximum is not None and number > maximum):
        return Rating(note=f"{excerpt(value)} is off the scale {minimum} to {maximum}")
    return Rating(number)


def _finite(value: int | float) -> float | None:
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


@dataclass
class Scores:
    """The ratings of one paper with the confidence of each, and notes on what could not be read.

    A review whose rating is absent or unreadable adds nothing, so both lists stay aligned.
    ``unrated`` counts the absent ones.
    """

    minimum: float | None = None
    maximum: float | None = None
    ratings: list[float] = field(default_factory=list)
    confidences: list[float | None] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    unrated: int = 0

    def add(self, rating: object, confidence: object = None, which: str = "") -> None:
        """Add the rating and confidence of one review; ``which`` names it in notes."""
        read = read_rating(rating, self.minimum, self.maximum)
        if read.note:
            self.notes.append(f"{which}rating {read.note}: left out")
        if read.value is None:
            self.unrated += not read.note
            return
        sure = read_rating(confidence, 0, 10)
        if sure.note:
            self.notes.append(f"{which}confidence {sure.note}: left out")
        self.ratings.append(read.value)
        self.confidences.append(sure.value)
