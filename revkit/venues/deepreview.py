"""DeepReview: records with the text in ``paper_context`` and reviews in ``review``
(Zhu et al., "DeepReview", 2025)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from revkit.model.paper import LeftOut, Skipped
from revkit.venues.decisions import read_decision
from revkit.venues.draft import Draft
from revkit.venues.fields import fields_of
from revkit.venues.names import venue_names
from revkit.venues.ratings import read_rating
from revkit.venues.records import Record, as_id
from revkit.venues.submission import (
    NOTHING_DECLARED,
    Declared,
    HumanReview,
    Submission,
    scored,
    with_reviews,
)


def read_deepreview(record: Record, declared: Declared = NOTHING_DECLARED) -> Submission | Skipped:
    """Read one record; return a `Skipped` for a record without text.

    A review's rating is its ``rating``, or ``content.rating`` ("6: marginally above ...") where
    that says more; one whose two ratings differ has none, with a note.
    """
    value = record.value
    id_, note = as_id(value.get("id"))
    draft = Draft(id_, record.source, (*record.notes, *([note] if note else [])))
    text = draft.text(value.get("paper_context"), "paper_context")
    if not draft.id:
        return draft.skipped("no id")
    listed = value.get("review")
    if not isinstance(listed, list):
        if listed is not None or "rubrics" not in value:
            draft.note("review is not a list: no ratings" if listed is not None else "no reviews")
        listed = []
    reviews = [
        _review(review, number, draft, declared)
        for number, review in enumerate(listed, start=1)
        if _is_object(review, number, draft)
    ]
    venues = venue_names(value)
    scores, found, with_scores = scored(reviews, venues, declared)
    decision = read_decision(value.get("decision"), declared.decisions)
    keywords = draft.strings(value.get("keywords"), "keywords")
    labels = draft.labels(decision, scores, found, extra={"keywords": keywords})
    title = draft.line(value.get("title"), "title")
    paper = draft.paper(text, title, labels)
    if not text.strip():
        paper = draft.skipped("no paper_context")
    return Submission(
        draft.id,
        title,
        text,
        labels,
        with_reviews(paper, with_scores),
        decision,
        with_scores,
        "deepreview",
        draft.source,
        tuple(draft.notes),
        tuple(draft.rating_notes),
        venues,
        value,
    )


def _is_object(review: object, number: int, draft: Draft) -> bool:
    if not isinstance(review, Mapping):
        draft.note(LeftOut(f"review {number} is not an object: left out"))
        return False
    return True


def _review(
    review: Mapping[str, Any], number: int, draft: Draft, declared: Declared
) -> HumanReview:
    content = review.get("content")
    fields = fields_of(content if isinstance(content, Mapping) else {})
    outer, inner = review.get("rating"), fields["rating"]
    first, second = (read_rating(each, None, declared.ratings) for each in (outer, inner))
    confidence = fields["confidence"]
    if confidence is None:
        confidence = review.get("confidence")
    rating = inner if second.value is not None or outer is None else outer
    if first.value is not None and second.value is not None and first.value != second.value:
        both = f"two ratings, {first.value:g} and {second.value:g}"
        draft.note(LeftOut(f"review {number}: {both}; the review is left out"))
        rating = None
    fields["rating"], fields["confidence"] = rating, confidence
    return HumanReview(fields, rating, confidence, number=number)
