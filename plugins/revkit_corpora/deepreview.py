"""DeepReview: records of the DeepReview-13K data set (Zhu et al., "DeepReview", ACL 2025)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from revkit.files import Found, find_files
from revkit.model.paper import Paper, Skipped
from revkit_corpora.decisions import read_decision
from revkit_corpora.draft import Draft
from revkit_corpora.ratings import Scores, read_rating
from revkit_corpora.reading import FileCorpus
from revkit_corpora.records import JSON_FILES, Record, as_id, records


@dataclass(frozen=True)
class DeepReview(FileCorpus):
    """Papers in the layout of DeepReview: ``path`` is a JSON or JSON Lines file, or a folder.

    The text is ``paper_context`` as it stands, mostly LaTeX. Ratings are each review's ``rating``,
    or ``content.rating`` ("6: marginally above ...") where that is missing, from 0 to 10 (scale
    "iclr-0-10": the years' forms differ); confidence is ``content.confidence``. The model's own
    reviews (``pred_...``) are not read.

    Rules. A record without ``paper_context`` is skipped. A review whose two ratings differ has
    none, with a note. ``decision`` may be missing or null: then accept is None.
    """

    name: ClassVar[str] = "deepreview"
    version: ClassVar[str] = "1"

    def files(self) -> Sequence[Found]:
        return find_files(self.root, JSON_FILES)

    def read(self, files: Sequence[Found]) -> Iterator[Paper | Skipped]:
        alone = not self.root.is_dir()
        for found in files:
            for record in records(found, self.max_bytes, alone=alone):
                yield _load(record) if isinstance(record, Record) else record


def _load(record: Record) -> Paper | Skipped:
    value = record.value
    id_, note = as_id(value.get("id"))
    draft = Draft(id_, record.source, (*record.notes, *([note] if note else [])))
    text = draft.text(value.get("paper_context"), "paper_context")
    if not text.strip():
        return draft.skipped("no paper_context")
    scores = Scores(0, 10)
    reviews = value.get("review")
    if not isinstance(reviews, list):
        draft.note("review is no list: no ratings" if reviews is not None else "no reviews")
        reviews = []
    for number, review in enumerate(reviews, start=1):
        if isinstance(review, dict):
            _add(review, number, scores, draft)
        else:
            draft.note(f"review {number} is no object: left out")
    labels = draft.labels(
        read_decision(value.get("decision")),
        scores,
        "iclr-0-10",
        extra={"keywords": draft.strings(value.get("keywords"), "keywords")},
    )
    return draft.paper(text, draft.line(value.get("title"), "title"), labels)


def _add(review: dict[str, Any], number: int, scores: Scores, draft: Draft) -> None:
    form = review.get("content")
    content = form if isinstance(form, dict) else {}
    outer, inner = review.get("rating"), content.get("rating")
    first, second = read_rating(outer), read_rating(inner)
    if first.value is not None and second.value is not None and first.value != second.value:
        draft.note(f"review {number}: two ratings, {first.value:g} and {second.value:g}: left out")
        return
    confidence = content.get("confidence", review.get("confidence"))
    chosen = inner if first.value is None and second.value is not None else outer
    scores.add(chosen, confidence, f"review {number}: ")
