"""Normalise human reviews of any form to one schema with declared scales.

ReviewBench (Li et al., section 3.1) represents a review by four texts (summary, strengths,
weaknesses, questions), an overall rating in [1, 10] and categorical scores. For soundness,
presentation and contribution the paper states [1, 5]; the form of ICLR and the reviews in its data
go from 1 to 4 ("3 good"), which is what we check. Confidence goes from 1 to 5.

A text counts as given whatever it says ("N/A" under questions is an answer to the form). Scores are
read by the grammar of `revkit.venues`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any

from revkit.dataclass import dataclass
from revkit.model.rating_scale import RatingScale
from revkit.model.values import Json
from revkit.model.written_review import WrittenReview
from revkit.venues import ASPECTS, declared_scale, read_rating, read_text, text_of
from revkit.venues import TEXTS as _TEXTS

TEXTS = tuple(name for name in _TEXTS if name != "review")
CATEGORICAL: Mapping[str, tuple[float, float]] = {
    "soundness": (1, 4),
    "presentation": (1, 4),
    "contribution": (1, 4),
    "confidence": (1, 5),
}


@dataclass(frozen=True, slots=True)
class NormalReview:
    """One review in the schema. A text is "" and a score None if its form does not have it;
    ``review`` contains the text of a form without sections.
    """

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

    def as_text(self) -> str:
        """Return the texts under their headings, without any score."""
        return text_of({name: getattr(self, name) for name in _TEXTS})

    def written(self, number: int) -> WrittenReview:
        """Return the review as a part of a paper, with number ``number`` among the complete
        reviews.
        """
        scores = {name: getattr(self, name) for name in ASPECTS}
        aspects = {name: score for name, score in scores.items() if score is not None}
        return WrittenReview(number, self.as_text(), self.rating, self.confidence, aspects=aspects)


def written_reviews(reviews: Iterable[NormalReview]) -> tuple[WrittenReview, ...]:
    """Return the complete reviews of a paper, numbered from 1."""
    return tuple(review.written(number) for number, review in enumerate(reviews, 1))


Ends = tuple[float, float]
SCHEMA_RATING: Ends = (1.0, 10.0)


def bench_scale(ends: Ends) -> RatingScale:
    """Return the scale of normalised ratings between ``ends``."""
    return declared_scale(*ends, f"rating-{ends[0]:g}-{ends[1]:g}")


def mapped(score: float, own: Ends, onto: Ends) -> float:
    """Map ``score`` linearly from the scale ``own`` to the scale ``onto``."""
    if own == onto:
        return score
    # Multiplied first: whole points then stay as exact as they can be.
    return onto[0] + (score - own[0]) * (onto[1] - onto[0]) / (own[1] - own[0])


@dataclass(frozen=True, slots=True)
class Form:
    """The parts that a complete review must have, and the scales of its scores.

    ``sections`` asks for all four texts and all categorical scores that the form has, as the paper
    does; without it any text and a rating will do, so that older forms can be used. ``rating`` and
    ``scales`` bound the scores of the form, inclusively; a score that ``scales`` does not name is
    not on the form and not read. Without ``rating`` the ends are not known, and any number is a
    rating. Scores are mapped to ``onto`` (the rating) and ``CATEGORICAL``. ``words`` maps wordings
    of a rating to numbers.
    """

    sections: bool = True
    rating: RatingScale | None = None
    scales: Mapping[str, Ends] = field(default_factory=lambda: CATEGORICAL)
    onto: RatingScale | None = None
    words: Mapping[str, float] = field(default_factory=dict)

    @property
    def scale(self) -> RatingScale | None:
        """The scale of normalised ratings."""
        return self.onto or self.rating

    def normalise(self, fields: Mapping[str, Any]) -> NormalReview | tuple[str, ...]:
        """Return the review in the schema, or the names of the fields that it lacks."""
        rating = read_rating(fields.get("rating"), self.rating, self.words).value
        texts = {name: read_text(fields.get(name)) for name in (*TEXTS, "review")}
        given = {
            name: read_rating(fields.get(name), RatingScale(name, *ends)).value
            for name, ends in self.scales.items()
        }
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
            rating=self._mapped(rating),
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

    def _mapped(self, rating: float) -> float:
        if self.rating is None or self.onto is None:
            return rating
        own, onto = ((each.minimum, each.maximum) for each in (self.rating, self.onto))
        return mapped(rating, own, onto)
