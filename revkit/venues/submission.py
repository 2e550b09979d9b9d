"""Submission: one record of a review data set, with its text, its human reviews and its labels."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from revkit.dataclass import dataclass
from revkit.model.paper import Labels, Paper, Skipped
from revkit.model.rating_scale import RatingScale
from revkit.model.written_review import WrittenReview
from revkit.venues.decisions import Decision
from revkit.venues.fields import ASPECTS, text_of
from revkit.venues.forms import FoundForm, form_of
from revkit.venues.ratings import CONFIDENCE, Scores, read_rating


@dataclass(frozen=True)
class Declared:
    """What a user declares for a corpus: the scale of its ratings (None: from the records), and the
    meaning of wordings: ``ratings`` to numbers, ``decisions`` to true, false or null.
    """

    scale: RatingScale | None = None
    ratings: Mapping[str, float] = field(default_factory=dict)
    decisions: Mapping[str, bool | None] = field(default_factory=dict)


NOTHING_DECLARED = Declared()


@dataclass(frozen=True)
class HumanReview:
    """One human review.

    ``fields`` are those of `revkit.venues.fields.fields_of`. ``rating`` and ``confidence`` are as
    written; ``score`` is the rating read on the form's scale, None where it gives none. ``number``
    counts the reviews of the record from 1, also those that are left out.
    """

    fields: Mapping[str, Any]
    rating: object = None
    confidence: object = None
    score: float | None = None
    number: int = 0

    @property
    def text(self) -> str:
        """The texts of the review under their headings."""
        return text_of(self.fields)

    @property
    def names(self) -> Collection[str]:
        """The names of the fields of its form."""
        form = self.fields.get("form")
        return form.keys() if isinstance(form, Mapping) else ()


@dataclass(frozen=True)
class Submission:
    """One record in the form that all layouts share.

    ``paper`` is the paper with its labels, or why there is none, such as that it has no text.
    ``reviews`` contains every human review, also one without a rating. The paper carries them and
    the meta-reviews as `WrittenReview`. ``venues`` are the names of its venue in the record, most
    exact first; ``decision`` is the decision read. ``notes`` list what was repaired or left out,
    ``rating_notes`` that of its ratings alone. ``record`` is the record without changes.
    """

    id: str
    title: str
    text: str
    labels: Labels
    paper: Paper | Skipped
    decision: Decision
    reviews: tuple[HumanReview, ...]
    layout: str
    source: str
    notes: tuple[str, ...] = ()
    rating_notes: tuple[str, ...] = ()
    venues: tuple[str, ...] = ()
    record: Mapping[str, Any] = field(default_factory=dict)


def scored(
    reviews: Sequence[HumanReview], venues: Sequence[str], declared: Declared
) -> tuple[Scores, FoundForm, tuple[HumanReview, ...]]:
    """Return the ratings of ``reviews`` on the scale of their form, this form, and the reviews with
    their scores. A scale that the user declared has priority.
    """
    ratings = [read_rating(review.rating, None, declared.ratings) for review in reviews]
    rated = [
        review for review, read in zip(reviews, ratings, strict=True) if read.value is not None
    ]
    common = set(rated[0].names) if rated else set()
    for review in rated[1:]:
        common &= set(review.names)
    found = FoundForm(declared.scale) if declared.scale else form_of(venues, ratings, common)
    scores = Scores(found.scale, declared.ratings)
    with_scores = tuple(
        replace(
            review,
            number=(place := review.number or number),
            score=scores.add(review.rating, review.confidence, f"review {place}: "),
        )
        for number, review in enumerate(reviews, start=1)
    )
    return scores, found, with_scores


def with_reviews(
    paper: Paper | Skipped, reviews: Sequence[HumanReview], metas: Sequence[HumanReview] = ()
) -> Paper | Skipped:
    """Return ``paper`` with its human reviews, meta-reviews last."""
    if isinstance(paper, Skipped):
        return paper
    written = [_written(review) for review in reviews]
    written += [_written(review, meta=True) for review in metas]
    return replace(paper, reviews=tuple(written))


def _written(review: HumanReview, *, meta: bool = False) -> WrittenReview:
    scores = {name: read_rating(review.fields.get(name)).value for name in ASPECTS}
    return WrittenReview(
        review.number,
        review.text,
        review.score,
        read_rating(review.confidence, CONFIDENCE).value,
        meta,
        {name: value for name, value in scores.items() if value is not None},
    )
