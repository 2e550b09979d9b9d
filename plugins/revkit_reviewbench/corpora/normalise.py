"""Normalisation: human reviews of any form brought to one schema, with declared scales.

ReviewBench (Li et al., section 3.1) represents a review by four texts (summary, strengths,
weaknesses, questions), an overall rating in [1, 10] and categorical scores. For soundness,
presentation and contribution the paper states [1, 5]; the form of ICLR and the reviews in its data
go from 1 to 4 ("3 good"), which is what we check. Confidence goes from 1 to 5.

A text counts as given whatever it says ("N/A" under questions is an answer to the form). A score is
read only where the whole field is one of the known forms: 6, "6", "6: marginally above
the acceptance threshold", "3 good". A digit within prose is never one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from revkit.model.intake import clean_text
from revkit.model.values import Json

TEXTS = ("summary", "strengths", "weaknesses", "questions")
CATEGORICAL: Mapping[str, tuple[float, float]] = {
    "soundness": (1, 4),
    "presentation": (1, 4),
    "contribution": (1, 4),
    "confidence": (1, 5),
}
# The words of the forms of ICLR since 2022, each for one number: "3 fair" contradicts itself.
_WORDS = {"poor": 1.0, "fair": 2.0, "good": 3.0, "excellent": 4.0}
_NUMBER = r"([+-]?[0-9]{1,4}(?:\.[0-9]{1,6})?)"
_BARE = re.compile(rf"\s*{_NUMBER}\s*")
_TOLD = re.compile(rf"\s*{_NUMBER}\s*:(?:\D.*)?", re.DOTALL)
_WORDED = re.compile(rf"\s*{_NUMBER}\s+(poor|fair|good|excellent)\s*", re.IGNORECASE)
_LONGEST = 1000


@dataclass(frozen=True, slots=True)
class NormalReview:
    """One review in the schema. A text is "" and a score None where its form did not have it;
    ``review`` holds the text of a form without sections."""

    rating: float
    summary: str = ""
    strengths: str = ""
    weaknesses: str = ""
    questions: str = ""
    review: str = ""
    soundness: float | None = None
    presentation: float | None = None
    contribution: float | None = None
    confidence: float | None = None

    def to_json(self) -> dict[str, Json]:
        return {
            "summary": self.summary,
            "strengths": self.strengths,
            "weaknesses": self.weaknesses,
            "questions": self.questions,
            "review": self.review,
            "rating": self.rating,
            "soundness": self.soundness,
            "presentation": self.presentation,
            "contribution": self.contribution,
            "confidence": self.confidence,
        }

    def told(self) -> str:
        """The texts under their headings, without any score."""
        parts = [(name.capitalize(), getattr(self, name)) for name in (*TEXTS, "review")]
        return "\n\n".join(f"{name}:\n{text}" for name, text in parts if text)


def read_score(value: object, minimum: float, maximum: float) -> float | None:
    """The number that a field of a form holds, or None: absent, no score, or off the scale."""
    number: float | None = None
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            number = float(value)
        except OverflowError:
            return None
    elif isinstance(value, str) and len(value) <= _LONGEST:
        number = _from_text(value)
    if number is None or not math.isfinite(number) or not minimum <= number <= maximum:
        return None
    return number


def _from_text(value: str) -> float | None:
    for form in (_BARE, _TOLD):
        if match := form.fullmatch(value):
            return float(match[1])
    if match := _WORDED.fullmatch(value):
        number = float(match[1])
        return number if _WORDS[match[2].casefold()] == number else None
    return None


def read_text(value: object) -> str:
    """The text of a field, cleaned; a list of texts becomes lines. "" for what is no text."""
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        value = "\n".join(item.strip() for item in value if isinstance(item, str))
    return clean_text(value)[0].strip() if isinstance(value, str) else ""


Ends = tuple[float, float]
SCHEMA_RATING: Ends = (1.0, 10.0)


def mapped(score: float, own: Ends, onto: Ends) -> float:
    """``score`` on the scale ``own``, brought linearly onto ``onto``, end to end."""
    if own == onto:
        return score
    # Multiplied first: whole points then stay as exact as they can be.
    return onto[0] + (score - own[0]) * (onto[1] - onto[0]) / (own[1] - own[0])


@dataclass(frozen=True, slots=True)
class Form:
    """What a review must hold to be complete, and on which scales its scores are.

    ``sections`` asks for all four texts and all categorical scores that the form has, as the paper
    does; without it any text and a rating will do, so that older forms can be used. ``rating`` and
    ``scales`` bound the scores of the form, inclusively; a score that ``scales`` does not name is
    not on the form and not read. Scores are brought onto ``onto`` (the rating) and ``CATEGORICAL``.
    """

    sections: bool = True
    rating: Ends = SCHEMA_RATING
    scales: Mapping[str, Ends] = field(default_factory=lambda: CATEGORICAL)
    onto: Ends | None = None

    @property
    def scale(self) -> str:
        """The name of the scale of normalised ratings, with its ends."""
        low, high = self.onto or self.rating
        return f"rating-{low:g}-{high:g}"

    def normalise(self, fields: Mapping[str, Any]) -> NormalReview | tuple[str, ...]:
        """The review in the schema, or the names of the fields that it lacks."""
        rating = read_score(fields.get("rating"), *self.rating)
        texts = {name: read_text(fields.get(name)) for name in (*TEXTS, "review")}
        given = {name: read_score(fields.get(name), *ends) for name, ends in self.scales.items()}
        lacks = [] if rating is not None else ["rating"]
        if self.sections:
            lacks += [name for name in TEXTS if not texts[name]]
            lacks += [name for name, score in given.items() if score is None]
        elif not any(texts.values()):
            lacks.append("text")
        if lacks or rating is None:
            return tuple(lacks)
        scores = {
            name: mapped(score, self.scales[name], CATEGORICAL[name])
            for name, score in given.items()
            if score is not None
        }
        return NormalReview(
            rating=mapped(rating, self.rating, self.onto or self.rating),
            summary=texts["summary"],
            strengths=texts["strengths"],
            weaknesses=texts["weaknesses"],
            questions=texts["questions"],
            review=texts["review"],
            soundness=scores.get("soundness"),
            presentation=scores.get("presentation"),
            contribution=scores.get("contribution"),
            confidence=scores.get("confidence"),
        )
