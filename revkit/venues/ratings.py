"""Ratings: convert the values of a form ("6: Weak Accept", "3 good", "8/10", 6) to numbers.

One grammar for the whole of revkit. The whole value must be one of the known forms:

- a number, perhaps with a full stop: 6, "6", "6.", "3.5", "6½" (6.5);
- a number and the end of its scale: "8/10", "8 out of 10";
- a number and its label: "6: Weak Accept", "10: Top 5%", "3 = Findings", "3 good", "3 (good)",
  "5 - Weak accept", "6, borderline".

A label after a colon or an equals sign may hold digits; other labels hold none, and never begin
with a word such as "or", "to" or "of". So "6-7", "6 or 7", "3 of 5", "2024 form" and
"Rating: 6" are not ratings. Other wordings get a value by a map of the user alone.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from revkit.dataclass import dataclass
from revkit.model.paper import LeftOut, Unmapped
from revkit.model.rating_scale import RatingScale
from revkit.model.values import is_number
from revkit.venues.texts import excerpt

Problem = Literal["", "unreadable", "off-scale", "other-scale"]

_NUMBER = re.compile(
    r"(?P<number>[+-]?[0-9]{1,4}(?:\.[0-9]{1,6})?)(?P<half> ?½)?"
    r"(?:(?: ?/ ?| out of )(?P<most>[0-9]{1,4}(?:\.[0-9]{1,6})?))?"
)
_LABEL = re.compile(r"\.? ?[:=] ?+(?![+-]?[0-9])(.*)", re.DOTALL)
_WORDS = re.compile(r"(?:, ?|; ?| ?[-–—] ?| )(?=[^\W\d_])(.*)|( ?)\(([^()]+)\)", re.DOTALL)
_NO_LABEL = frozenset(
    (
        *("and", "from", "half", "minus", "of", "or", "out", "percent", "plus", "point", "points"),
        *("through", "to", "versus", "vs"),
    )
)
_ABSENT = frozenset(("", "n/a", "na", "nan", "none", "null", "not applicable"))
_LONGEST = 2000
_LARGEST_LABELLED = 100
CONFIDENCE = RatingScale("confidence", 0, 10)


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating that was read. ``value`` None with a ``problem`` is unreadable, None without one is
    absent.

    ``label`` is what the form says beside the number, ``most`` the end of the scale that the value
    states ("8/10"), ``wording`` the start of what was there, ``ends`` those of the scale that it
    is off ("1 to 10").
    """

    value: float | None = None
    problem: Problem = ""
    label: str = ""
    most: float | None = None
    wording: str = ""
    ends: str = ""

    @property
    def note(self) -> str:
        """Return the problem for a note; "" if there is none."""
        return {
            "": "",
            "unreadable": f"{self.wording} is not a score",
            "off-scale": f"{self.wording} is outside the scale {self.ends}",
            "other-scale": f"{self.wording} is on another scale than {self.ends}",
        }[self.problem]


def read_rating(
    value: object, scale: RatingScale | None = None, words: Mapping[str, float] | None = None
) -> Rating:
    """Read one score. ``scale`` limits it if the form is known.

    ``words`` maps whole wordings to numbers and goes before the grammar; case and blanks do not
    count. A score off the scale, a bool, NaN and text of another form give no value and a
    `Rating.problem`. Never raises.
    """
    if value is None or (isinstance(value, str) and value.strip().casefold() in _ABSENT):
        return Rating()
    read = _mapped(value, words) or _read(value)
    if read.value is None or scale is None:
        return read
    ends = f"{scale.minimum:g} to {scale.maximum:g}"
    if read.most is not None and read.most != scale.maximum:
        return Rating(None, "other-scale", wording=read.wording, ends=ends)
    if not scale.allows(read.value):
        return Rating(None, "off-scale", wording=read.wording, ends=ends)
    return read


def _mapped(value: object, words: Mapping[str, float] | None) -> Rating | None:
    if not words or not isinstance(value, str):
        return None
    number = {folded(wording): each for wording, each in words.items()}.get(folded(value))
    return None if number is None else Rating(float(number), wording=excerpt(value))


def folded(wording: str) -> str:
    """Return a wording for comparison: without case and repeated blanks."""
    return " ".join(wording.casefold().split())


def _read(value: object) -> Rating:
    wording = excerpt(value)
    unreadable = Rating(None, "unreadable", wording=wording)
    if is_number(value):
        number = _finite(value)
        return unreadable if number is None else Rating(number, wording=wording)
    if not isinstance(value, str) or len(value) > _LONGEST:
        return unreadable
    text = " ".join(value.split())
    match = _NUMBER.match(text)
    if match is None or (match["half"] and "." in match["number"]):
        return unreadable
    number = float(match["number"])
    if match["half"]:
        number += math.copysign(0.5, number)
    label = _label(text[match.end() :], number)
    if label is None:
        return unreadable
    most = float(match["most"]) if match["most"] else None
    return Rating(number, "", label, most, wording)


def _label(rest: str, number: float) -> str | None:
    """Return the label after a number, "" if there is none; None if ``rest`` is not a label."""
    if rest in ("", "."):
        return ""
    if match := _LABEL.fullmatch(rest):
        return match[1]
    match = _WORDS.fullmatch(rest)
    label = (match[1] or match[3]) if match else None
    if label is None or abs(number) > _LARGEST_LABELLED:
        return None
    first = re.split(r"\W", label.casefold(), maxsplit=1)[0]
    if first in _NO_LABEL or any(character.isnumeric() for character in label):
        return None
    return label if label[0].isalpha() else None


def _finite(value: int | float) -> float | None:
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


@dataclass
class Scores:
    """The ratings of one paper with the confidence of each, and notes on values that could not be
    read.

    A review whose rating is absent or unreadable adds nothing, so both lists stay aligned.
    ``unrated`` counts the absent ones, ``unmapped`` holds the wordings of unreadable ones.
    """

    scale: RatingScale | None = None
    words: Mapping[str, float] | None = None
    ratings: list[float] = field(default_factory=list)
    confidences: list[float | None] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    unrated: int = 0
    unmapped: list[Unmapped] = field(default_factory=list)

    def add(self, rating: object, confidence: object = None, which: str = "") -> float | None:
        """Add the rating and confidence of one review; ``which`` names it in notes.

        Returns the rating, or None where there is none.
        """
        read = read_rating(rating, self.scale, self.words)
        if read.problem:
            self.notes.append(LeftOut(f"{which}rating {read.note}: left out"))
            self.unmapped.append(Unmapped("rating", read.wording))
        if read.value is None:
            self.unrated += not read.problem
            return None
        sure = read_rating(confidence, CONFIDENCE)
        if sure.problem:
            self.notes.append(LeftOut(f"{which}confidence {sure.note}: left out"))
        self.ratings.append(read.value)
        self.confidences.append(sure.value)
        return read.value
