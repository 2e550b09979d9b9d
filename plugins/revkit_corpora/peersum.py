"""PeerSum: threads of reviews with the meta-review that summarises them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from revkit.dataclass import dataclass
from revkit.files import CorpusFile
from revkit.model.paper import Skipped
from revkit.model.values import Json
from revkit.venues import RECORD_FILES, Record, as_id, records
from revkit_corpora.review_sets import ReviewSet, SetPaper, SetReview

_OFFICIAL = "official_reviewer"


@dataclass(frozen=True)
class PeerSum(ReviewSet):
    """PeerSum (Li et al., Findings of EMNLP 2023): ``path`` is a JSON or JSON Lines file, or a
    folder of them.

    Three layouts are read: ``reviews`` as a list of objects with ``writer``, ``comment``,
    ``rating`` and ``confidence``; the same in parallel lists (``review_writers``,
    ``review_contents``, ``review_ratings``, ``review_confidences``), as the hub's copy has it; and
    the first release, whose ``source_documents`` begin with the abstract and do not say who wrote
    which: of these the meta-review alone is read, and the ratings stay unknown. Comments of authors
    and of the public are not counted as reviews; a rating of -1 is none.

    The text of a paper is its abstract, unless ``texts`` holds more. Decisions are
    ``paper_acceptance``. ``labels.extra`` holds ``split`` and, of the first release, ``documents``
    and ``score-variance``.
    """

    name: ClassVar[str] = "peersum"
    version: ClassVar[str] = "1"
    endings: ClassVar[tuple[str, ...]] = RECORD_FILES
    data: ClassVar[tuple[str, ...]] = ("revkit.venues:forms.toml",)

    def set_papers(self, files: Sequence[CorpusFile]) -> Iterator[SetPaper | Skipped]:
        alone = not self.root.is_dir()
        for found in files:
            for record in records(found, self.max_bytes, alone=alone):
                yield record if isinstance(record, Skipped) else _paper(record)


def _paper(record: Record) -> SetPaper | Skipped:
    value = record.value
    id_, note = as_id(value.get("paper_id"))
    if not id_:
        return Skipped(record.source, "no paper_id", record.source)
    documents = value.get("source_documents")
    first_release = isinstance(documents, list) and "paper_abstract" not in value
    abstract = documents[0] if first_release and documents else value.get("paper_abstract")
    reviews, notes = _reviews(value)
    meta = value.get("summary" if first_release else "meta_review")
    if isinstance(meta, str) and meta.strip():
        reviews.append(SetReview("meta", {"metareview": meta}, meta=True))
    extra: dict[str, Json] = {"split": str(value.get("label") or "")}
    if first_release and isinstance(documents, list):
        extra |= {"documents": len(documents) - 1, "score-variance": _variance(value)}
        notes.append("the data set does not state who wrote which document: no ratings")
    venue, forum = _split(id_)
    return SetPaper(
        id_,
        record.source,
        str(value.get("paper_title") or ""),
        abstract=abstract if isinstance(abstract, str) else "",
        venues=(venue,) if venue else (),
        decision=value.get("paper_acceptance"),
        reviews=tuple(reviews),
        extra=extra,
        notes=(*record.notes, *([note] if note else []), *notes),
        text_ids=(forum,) if forum else (),
    )


def _split(id_: str) -> tuple[str, str]:
    """Return venue and forum of "iclr_2020_r_x-Y"; the forum may contain underscores."""
    parts = id_.split("_", 2)
    return (f"{parts[0]}_{parts[1]}", parts[2]) if len(parts) == 3 else ("", "")


def _variance(value: Mapping[str, Any]) -> float | None:
    given = value.get("review_score_variance")
    return float(given) if isinstance(given, int | float) else None


def _reviews(value: Mapping[str, Any]) -> tuple[list[SetReview], list[str]]:
    """Return the official reviews, and a note on the comments that are not reviews."""
    rows = value.get("reviews")
    if not isinstance(rows, list):
        rows = _parallel(value)
    official = [row for row in rows if isinstance(row, Mapping) and row.get("writer") == _OFFICIAL]
    # A review is what has a rating: official reviewers write comments, too.
    rated = [row for row in official if _score(row.get("rating")) is not None]
    others = len(rows) - len(rated)
    notes = [f"{others} comment{'s' * (others != 1)} not counted as reviews"] if others else []
    return [
        SetReview(
            as_id(row.get("review_id"))[0] or str(number),
            {"review": row.get("comment")},
            _score(row.get("rating")),
            _score(row.get("confidence")),
        )
        for number, row in enumerate(rated, start=1)
    ], notes


def _parallel(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    names = {
        "review_id": "review_ids",
        "writer": "review_writers",
        "comment": "review_contents",
        "rating": "review_ratings",
        "confidence": "review_confidences",
    }
    lists = {key: value.get(name) for key, name in names.items()}
    writers = lists["writer"]
    if not isinstance(writers, list):
        return []
    return [
        {
            key: each[place] if isinstance(each, list) and place < len(each) else None
            for key, each in lists.items()
        }
        for place in range(len(writers))
    ]


def _score(value: object) -> object:
    """Return a score as written; None if the data set writes -1 for a missing score."""
    return None if value in (-1, "-1", None, "") else value
