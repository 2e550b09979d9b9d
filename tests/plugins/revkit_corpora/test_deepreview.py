"""DeepReview: the sample in its layout, and each irregularity by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from revkit.model.paper import Paper, Skipped
from revkit_corpora.deepreview import DeepReview

Load = Callable[[DeepReview], tuple[list[Paper], list[Skipped]]]


def test_sample(shared_data: Path, load: Load) -> None:
    papers, skipped = load(DeepReview(path=str(shared_data / "deepreview_layout")))
    assert ([p.id for p in papers], skipped) == (["zzo3Sy3NSX", "ryxz8CVYDH"], [])
    pending, accepted = papers
    assert (pending.labels.accept, pending.labels.decision) == (None, "")
    assert pending.labels.ratings == (6.0, 4.0, 4.0, 4.0)
    assert pending.labels.confidences == (3.0, 4.0, 4.0, 2.0)
    assert (accepted.labels.accept, accepted.labels.decision) == (True, "Accept (Poster)")
    assert accepted.labels.ratings == (6.0, 8.0, 6.0)
    assert accepted.labels.confidences == (None, None, None)
    record = json.loads((shared_data / "deepreview_layout/sample.json").read_text(encoding="utf-8"))
    assert pending.text == record[0]["paper_context"]


def test_irregular_records(tmp_path: Path, load: Load) -> None:
    records = [
        {"id": "a", "paper_context": "Text.", "decision": "not accept", "review": "none"},
        {"id": "b", "paper_context": " ", "review": []},
        {"id": "c", "paper_context": "Text.", "decision": "Reject"},
        {
            "id": "d",
            "paper_context": "Text.",
            "review": [
                {"rating": 6, "content": {"rating": "8: accept", "confidence": 3}},
                {"content": {"rating": "10: strong accept", "confidence": "4: sure"}},
                {"rating": "none of these", "content": None},
                {"rating": 3, "content": {"confidence": "high"}},
                7,
            ],
        },
        {"id": "a", "paper_context": "Other."},
        ["not", "an", "object"],
    ]
    (tmp_path / "x.json").write_text(json.dumps(records))
    papers, skipped = load(DeepReview(path=str(tmp_path)))
    assert len(papers) + len(skipped) == len(records)
    first, third, fourth = papers
    assert (first.labels.accept, first.labels.decision) == (None, "not accept")
    assert "review is not a list: no ratings" in first.notes
    assert (third.labels.accept, third.notes) == (False, ("no reviews",))
    assert fourth.labels.ratings == (10.0, 3.0)
    assert fourth.labels.confidences == (4.0, None)
    assert fourth.notes == (
        "review 1: two ratings, 6 and 8; the review is left out",
        "review 5 is not an object: left out",
        "review 3: rating 'none of these' is not a score: left out",
        "review 4: confidence 'high' is not a score: left out",
        "1 review without a rating",
        "the form of the ratings is unknown (the record names no venue), so there is no consensus; "
        "declare `scale`",
    )
    assert [s.reason.split(";")[0] for s in skipped] == [
        "no paper_context",
        "duplicate id",
        'not an object but \'["not", "an", "object"]\'',
    ]
