"""PeerRead: a paper as two files, its reviews and its parsed text
(Kang et al., "A Dataset of Peer Reviews (PeerRead)", NAACL 2018)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from revkit.dataclass import dataclass
from revkit.model.paper import LeftOut
from revkit.venues.decisions import Decision, read_decision
from revkit.venues.draft import Draft
from revkit.venues.fields import fields_of
from revkit.venues.names import venue_names
from revkit.venues.parsed_pdf import has_text, markdown_of
from revkit.venues.records import as_id
from revkit.venues.submission import (
    NOTHING_DECLARED,
    Declared,
    HumanReview,
    Submission,
    scored,
    with_reviews,
)
from revkit.venues.texts import plural


@dataclass(frozen=True, slots=True)
class PeerReadFiles:
    """The parts of one paper: its id here, the name and location of its files, their content (None
    if a file is missing), and its folders ("iclr_2017", "train").
    """

    id: str
    stem: str
    source: str
    parsed: Mapping[str, Any] | None
    record: Mapping[str, Any] | None
    venue: str = ""
    split: str = ""


def read_peerread(
    files: PeerReadFiles, declared: Declared = NOTHING_DECLARED, kept_notes: Iterable[str] = ()
) -> Submission:
    """Read one paper; it has no text if its parsed file has no section with text.

    Ratings are the ``RECOMMENDATION`` of reviews. Meta-reviews are not counted, and a review that
    is in the file twice counts once; both with a note.
    """
    draft = Draft(files.id, files.source, kept_notes)
    record = files.record or {}
    if files.record is None:
        draft.note("no review file: no labels")
    metadata = (files.parsed or {}).get("metadata")
    lacks = title = text = ""
    if files.parsed is None:
        lacks = "no parsed paper"
    elif not isinstance(metadata, Mapping) or not has_text(metadata.get("sections")):
        lacks = "the parsed paper has no section with text"
    else:
        title, text = markdown_of(metadata, record, draft)
    own, note = as_id(record.get("id"))
    draft.note(note)
    if own and own != files.stem:
        draft.note(f"the file's own id is {own[:80]!r}; the file name counts")
    accepted = record.get("accepted")
    decision = read_decision(accepted, declared.decisions)
    if isinstance(accepted, bool):
        decision = Decision(accepted, f"accepted: {'true' if accepted else 'false'}")
    venues = tuple(name for name in (files.venue, *venue_names(record)) if name)
    reviews, metas = _reviews(record, draft)
    scores, found, with_scores = scored(reviews, venues, declared)
    extra = {"venue": files.venue, "split": files.split}
    labels = draft.labels(
        decision,
        scores,
        found,
        venue=files.venue.replace("_", "-"),
        extra={key: draft.line(value, key) for key, value in extra.items()},
    )
    paper = draft.skipped(lacks) if lacks else draft.paper(text, title, labels)
    return Submission(
        draft.id,
        title,
        text,
        labels,
        with_reviews(paper, with_scores, metas),
        decision,
        with_scores,
        "peerread",
        draft.source,
        tuple(draft.notes),
        tuple(draft.rating_notes),
        venues,
        record,
    )


def _reviews(
    record: Mapping[str, Any], draft: Draft
) -> tuple[list[HumanReview], tuple[HumanReview, ...]]:
    """Return the reviews and the meta-reviews of a file; repeated ones are left out with a note."""
    listed = record.get("reviews")
    if not isinstance(listed, list):
        if listed is not None:
            draft.note("reviews is not a list: no ratings")
        return [], ()
    reviews: list[HumanReview] = []
    metas: list[HumanReview] = []
    seen: set[str] = set()
    repeated = 0
    for number, review in enumerate(listed, start=1):
        if not isinstance(review, Mapping):
            draft.note(LeftOut(f"review {number} is not an object: left out"))
            continue
        if any(review.get(key) for key in ("comments", "TITLE", "OTHER_KEYS")):
            content = json.dumps(review, sort_keys=True)
            if content in seen:
                repeated += 1
                continue
            seen.add(content)
        if review.get("IS_META_REVIEW") is True or review.get("is_meta_review") is True:
            metas.append(_review(review, number))
            continue
        reviews.append(_review(review, number))
    if repeated:
        draft.note(f"{plural(repeated, 'review')} occurring twice: counted once")
    if metas:
        draft.note(f"{plural(len(metas), 'meta-review')}: not counted as ratings")
    return reviews, tuple(metas)


def _review(review: Mapping[str, Any], number: int) -> HumanReview:
    fields = fields_of(review)
    rating, confidence = review.get("RECOMMENDATION"), review.get("REVIEWER_CONFIDENCE")
    fields["rating"], fields["confidence"] = rating, confidence
    return HumanReview(fields, rating, confidence, number=number)
