"""The construction of the bench without a model: rules, sample, layouts, labels."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from revkit.errors import OptionError, RunError
from revkit.model.paper import Paper, Skipped
from revkit.testing import context
from revkit_reviewbench.corpora import ReviewBench
from revkit_reviewbench.corpora.exclusion import drawn
from tests.plugins.revkit_reviewbench.bench_files import record, review, write

SHARED = Path(__file__).parents[4] / "shared" / "data"


def read(path: Path, **options: Any) -> list[Paper | Skipped]:
    chosen = {"share": 1.0, "least_words": 20, "rating_scale": (1.0, 10.0), **options}
    return list(ReviewBench(path=str(path), **chosen).papers(context()))


def reasons(items: list[Paper | Skipped]) -> Counter[str]:
    return Counter(item.reason for item in items if isinstance(item, Skipped))


def test_the_four_rules_are_counted(tmp_path: Path) -> None:
    bare = review(weaknesses="")
    path = write(
        tmp_path / "all.jsonl",
        [
            record("good"),
            record("empty", paper_context=""),
            record("short", paper_context="A few words only."),
            record("desk", decision="Desk Reject"),
            record("gone", decision="Withdrawn"),
            record("two", review=[review(), review()]),
            record("none", review=None),
            record("bare", review=[review(), review(), bare]),
            record("beside", review=[review(), review(), review(), bare]),
        ],
    )
    items = read(path)
    assert reasons(items) == {
        "rule 1: empty or incomplete submission": 2,
        "rule 2: desk-rejected or withdrawn": 2,
        "rule 3: fewer than three complete reviews": 2,
        "rule 4: reviews lack mandatory fields": 1,
    }
    good, beside = [item for item in items if isinstance(item, Paper)]
    assert (good.id, beside.id) == ("good", "beside")
    assert beside.notes == ("review 4 lacks weaknesses: left out",)


def test_the_labels_hold_the_truth(tmp_path: Path) -> None:
    (paper,) = read(write(tmp_path / "a.jsonl", [record()]))
    assert isinstance(paper, Paper)
    labels = paper.labels
    assert labels.accept is True
    assert (labels.decision, labels.rating_scale) == ("Accept", "rating-1-10")
    assert labels.ratings == (6.0, 8.0, 7.0)
    assert labels.confidences == (4.0, 4.0, 4.0)
    assert len(labels.extra["reviews"]) == 3  # type: ignore[arg-type]
    assert "reference" not in labels.extra
    assert "ladder" in paper.text


def test_two_ratings_that_differ_are_none(tmp_path: Path) -> None:
    odd = {**review(6), "rating": 3}
    same = {**review("6: marginally above the acceptance threshold"), "rating": 6}
    items = read(write(tmp_path / "a.jsonl", [record(review=[review(), review(), odd])]))
    assert reasons(items) == {"rule 4: reviews lack mandatory fields": 1}
    (paper,) = read(write(tmp_path / "b.jsonl", [record(review=[review(), same, review()])]))
    assert isinstance(paper, Paper)


def test_the_sample_follows_from_the_id_alone(tmp_path: Path) -> None:
    ids = [f"paper-{number}" for number in range(300)]
    records = [record(id_) for id_ in ids]
    first = read(write(tmp_path / "a.jsonl", records), share=0.1)
    random.Random(3).shuffle(records)
    second = read(write(tmp_path / "b.jsonl", records[:150]), share=0.1)
    mine = {item.id for item in first if isinstance(item, Paper)}
    other = {item.id for item in second if isinstance(item, Paper)}
    assert other == mine & {each["id"] for each in records[:150]}
    assert 15 <= len(mine) <= 45  # 30 expected, standard deviation 5.2
    assert reasons(first)["not in the sample (share 0.1, seed 42)"] == 300 - len(mine)
    third = {i.id for i in read(tmp_path / "a.jsonl", share=0.1, sample_seed=43)
             if isinstance(i, Paper)}  # fmt: skip
    assert third != mine


def test_shares_are_nested() -> None:
    ids = [str(number) for number in range(2000)]
    small = {id_ for id_ in ids if drawn(42, 0.1, id_)}
    large = {id_ for id_ in ids if drawn(42, 0.3, id_)}
    assert small < large
    assert all(drawn(42, 1.0, id_) for id_ in ids)
    assert not any(drawn(42, 0.0, id_) for id_ in ids)


def test_what_is_not_a_record_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        json.dumps(record()) + '\n{"id": \n[]\n{"a": 1}\n' + json.dumps(record()) + "\n",
        encoding="utf-8",
    )
    found = reasons(read(path))
    assert found["duplicate id"] == 1
    assert found["not an object but '[]'"] == 1
    assert found["not a record of DeepReview, OpenReview, PeerRead or a ready-made benchmark"] == 1
    assert sum("malformed JSON" in reason for reason in found) == 1
    with pytest.raises(RunError, match="does not exist"):
        read(tmp_path / "nowhere")
    (tmp_path / "b.json").write_text("nonsense", encoding="utf-8")
    with pytest.raises(RunError, match="malformed JSON"):
        read(tmp_path / "b.json")


def test_ready_made_rubrics(tmp_path: Path) -> None:
    rubrics = [
        {"title": "Core Contribution Accuracy", "description": "Names LadderCount.", "weight": 1},
        {"title": "False or Contradictory Claims", "description": "Says so.", "weight": -1},
    ]
    ready = record(rubrics=rubrics, golden_review="Good.")
    del ready["review"]
    unknown = record("p2", rubrics=[{"title": "Wit", "description": "Funny."}])
    paper, skipped = read(write(tmp_path / "eval_rubrics.jsonl", [ready, unknown]), share=0.0)
    assert isinstance(paper, Paper)
    assert isinstance(skipped, Skipped)
    assert "'Wit' is not one of the eight" in skipped.reason
    made: Any = paper.labels.extra["rubrics"]
    assert [each["dimension"] for each in made] == [
        "core-contribution-accuracy",
        "false-or-contradictory-claims",
    ]
    assert made[0]["points"][0]["point"] == "Names LadderCount."
    assert paper.labels.extra["reference"] == {"text": "Good.", "from": "ready-made"}
    assert any("no rubric for results-interpretation" in note for note in paper.notes)


def test_options_that_cannot_be() -> None:
    with pytest.raises(OptionError, match="rating-scale"):
        ReviewBench(path="x", rating_scale=(10, 1))
    with pytest.raises(OptionError, match="aggregator"):
        ReviewBench(path="x", aggregator="openai/none")


def test_identity_is_content_not_place(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        write(tmp_path / name / "x.jsonl", [record()])
    one, two = (ReviewBench(path=str(tmp_path / name)).identity() for name in ("a", "b"))
    assert one == two
    write(tmp_path / "b" / "x.jsonl", [record("other")])
    assert ReviewBench(path=str(tmp_path / "b")).identity() != one


needs_data = pytest.mark.skipif(not SHARED.is_dir(), reason="needs ../shared/data")


@needs_data
@pytest.mark.parametrize("layout", ["deepreview_layout", "openreview_raw"])
def test_real_records_of_the_current_form(layout: str) -> None:
    """ICLR 2026 has the form that the bench asks for, ICLR 2020 and 2018 have not."""
    items = read(SHARED / layout, least_words=50)
    (paper,) = [item for item in items if isinstance(item, Paper)]
    assert paper.id == "zzo3Sy3NSX"
    assert paper.labels.ratings == (6.0, 4.0, 4.0, 4.0)
    assert paper.labels.accept is None
    assert "no decision" in paper.notes
    assert reasons(items)["rule 4: reviews lack mandatory fields"] == 1
    assert reasons(read(SHARED / layout, least_words=500))[
        "rule 1: empty or incomplete submission"
    ] == len(items)


@needs_data
def test_real_records_of_an_older_form() -> None:
    items = read(SHARED / "deepreview_layout", least_words=50, form="any-text")
    older = next(item for item in items if item.id == "ryxz8CVYDH")
    assert isinstance(older, Paper)
    assert older.labels.ratings == (6.0, 8.0, 6.0)
    assert older.labels.accept is True


@needs_data
def test_real_papers_with_full_texts() -> None:
    items = read(SHARED / "peerread_layout", least_words=500, form="any-text")
    papers = [item for item in items if isinstance(item, Paper)]
    assert len(papers) == 102
    assert [item.id for item in items if item not in papers] == ["index.csv"]  # passed over
    assert sum(paper.labels.accept is True for paper in papers) == 48
    # Of the 313 reviews all have a text and a rating.
    assert sum(len(paper.labels.ratings) for paper in papers) == 313
    assert reasons(read(SHARED / "peerread_layout")) == {
        "rule 4: reviews lack mandatory fields": 102,
        # index.csv
        "not read: review-bench reads only .json, .jsonl, .ndjson, .parquet, .arrow": 1,
    }


@needs_data
def test_the_ready_made_layout_of_the_repository() -> None:
    items = read(SHARED / "reviewbench" / "eval_rubrics.json")
    assert len(items) == 3
    for paper in items:
        assert isinstance(paper, Paper)
        assert len(paper.labels.extra["rubrics"]) == 8  # type: ignore[arg-type]
        assert paper.notes == ()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 20) | st.floats(0, 9) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)
MEMBERS = st.sampled_from(
    ["id", "title", "paper_context", "decision", "review", "rubrics", "golden_review", "content",
     "reviews", "notes", "submissions", "details", "ddate"]
)  # fmt: skip


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.dictionaries(MEMBERS, JSON, max_size=4), min_size=1, max_size=4))
def test_no_record_is_lost_or_crashes(tmp_path: Path, changes: list[dict[str, Any]]) -> None:
    records = [{**record(f"p{n}"), **change} for n, change in enumerate(changes)]
    (tmp_path / "x.json").write_text(json.dumps(records), encoding="utf-8")
    items = read(tmp_path / "x.json")
    wrapped = any("notes" in c or "submissions" in c for c in changes)
    assert wrapped or len(items) == len(records)
    for item in items:
        assert isinstance(item, Paper | Skipped)
        if isinstance(item, Paper):
            json.dumps(item.labels.to_json())


def test_an_openreview_forum(tmp_path: Path) -> None:
    numbers = itertools.count()

    def reply(invitation: str, **content: Any) -> dict[str, Any]:
        wrapped = {key: {"value": value} for key, value in content.items()}
        return {
            "id": f"r{next(numbers)}",
            "invitations": [f"V/Submission1/-/{invitation}"],
            "content": wrapped,
        }

    form = review()["content"]
    note = {
        "id": "f1",
        "content": {
            "title": {"value": "Leaves"},
            "abstract": {"value": "We count leaves. " * 10},
            "venueid": {"value": "V/2026/Conference"},
        },
        "details": {
            "replies": [
                *[reply("Official_Review", **form) for _ in range(3)],
                reply("Official_Comment", rating="1: Strong Reject", comment="No."),
                {**reply("Official_Review", **form), "ddate": 1},
                reply("Decision", decision="Accept (Oral)"),
            ]
        },
    }
    (paper,) = read(write(tmp_path / "x.jsonl", [note]))
    assert isinstance(paper, Paper)
    assert (paper.labels.accept, paper.labels.decision) == (True, "Accept (Oral)")
    assert paper.labels.ratings == (6.0, 6.0, 6.0)
    assert paper.notes == (
        "abstract only",
        "1 deleted reply",
        "not counted as reviews: 1 comment",
    )
    note["content"]["venueid"]["value"] = "V/2026/Conference/Withdrawn_Submission"
    note["details"]["replies"].pop()
    assert reasons(read(write(tmp_path / "y.jsonl", [note]))) == {
        "rule 2: desk-rejected or withdrawn": 1
    }
    note["content"]["paper_context"] = {"value": record()["paper_context"]}
    note["content"]["venueid"]["value"] = "V/2026/Conference"
    (paper,) = read(write(tmp_path / "z.jsonl", [note]))
    assert isinstance(paper, Paper)
    assert "LadderCount" in paper.text
    assert paper.notes == (
        "1 deleted reply",
        "not counted as reviews: 1 comment",
        "no decision",
    )
