"""Records of several venues: which venue a record is of, its scales, and one schema for all."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from revkit.errors import OptionError
from revkit.model.paper import Paper, Skipped
from revkit.options import from_options
from revkit.testing import context
from revkit_reviewbench.corpora.normalise import mapped
from revkit_reviewbench.corpora.review_bench import ReviewBench
from revkit_reviewbench.corpora.synthetic import SyntheticBench
from tests.plugins.revkit_reviewbench.bench_files import TEXT, record, review, write

SHARED = Path(__file__).parents[4] / "shared" / "data"
ICLR = {
    "names": ["ICLR.cc/2024/Conference"],
    "rating": [1, 10],
    "soundness": [1, 4],
    "presentation": [1, 4],
    "contribution": [1, 4],
    "confidence": [1, 5],
}
# One text, one score from 1 to 5, under its own names.
CEDAR = {
    "folders": ["cedar"],
    "rating": [1, 5],
    "form": "any-text",
    "fields": {"rating": ["Final Recommendation"], "review": ["justification"]},
}
BIRCH = {"names": ["Birch 2024"], "rating": [1, 6], "confidence": [1, 3], "form": "any-text"}


def papers(path: Path, venues: Any, **options: Any) -> dict[str, Paper | Skipped]:
    corpus = from_options(
        ReviewBench,
        {"path": str(path), "share": 1.0, "least-words": 1, "venues": venues, **options},
    )
    return {item.id: item for item in corpus.papers(context())}


def openreview(id_: str, **members: Any) -> dict[str, Any]:
    """A submission of API 2 with three reviews of Birch's form."""
    reply = {"recommendation": {"value": "6: accept"}, "confidence": {"value": 2}}
    replies = [
        {
            "invitations": [f"X/Paper1/-/Official_Review{''}"],
            "content": {**reply, "review": {"value": f"Review {number} of {id_}."}},
        }
        for number in range(3)
    ]
    content = {"title": {"value": "Leaves"}, "full_text": {"value": TEXT}}
    return {"id": id_, "content": content, "details": {"replies": replies}, **members}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "iclr.jsonl", [record("i1", venue="ICLR.cc/2024/Conference/Submission7")])
    (tmp_path / "cedar").mkdir()
    answer = {"Final Recommendation": 4, "justification": "It is short.", "rating": 9}
    rows = [record("c1", review=[{"content": answer}] * 3)]
    write(tmp_path / "cedar" / "papers.jsonl", rows)
    first = openreview("b1", invitations=["Birch 2024/-/Submission"])
    other = openreview("x1", invitations=["Birch 2025/-/Submission"])
    (tmp_path / "api.json").write_text(json.dumps([first, other, openreview("y1")]), "utf-8")
    return tmp_path


def test_one_schema_for_all_venues(folder: Path) -> None:
    found = papers(folder, {"ICLR 2024": ICLR, "Birch 2024": BIRCH, "Cedar 2024": CEDAR})
    labels = {id_: each.labels for id_, each in found.items() if isinstance(each, Paper)}
    assert {id_: each.extra["venue"] for id_, each in labels.items()} == {
        "i1": "ICLR 2024", "b1": "Birch 2024", "c1": "Cedar 2024",
    }  # fmt: skip
    assert {each.rating_scale for each in labels.values()} == {"rating-1-10"}
    assert labels["i1"].ratings == (6.0, 8.0, 7.0)  # the schema's own scale: as they are
    assert labels["b1"].ratings == (10.0,) * 3  # 6 of 1 to 6 is the end of the scale
    assert labels["c1"].ratings == (1 + 3 * 9 / 4,) * 3  # 4 of 1 to 5, not the 9 beside it
    assert labels["b1"].confidences == (3.0,) * 3  # 2 of 1 to 3 is the middle of 1 to 5
    assert labels["c1"].extra["venue-scales"] == {"rating": [1.0, 5.0]}
    reviews: Any = labels["c1"].extra["reviews"]
    assert reviews[0]["review"] == "It is short."
    assert (reviews[0]["soundness"], reviews[0]["confidence"]) == (None, None)


def test_a_record_of_an_unknown_scale_is_skipped_and_counted(folder: Path) -> None:
    found = papers(folder, {"Birch 2024": BIRCH})
    reasons = {id_: each.reason for id_, each in found.items() if isinstance(each, Skipped)}
    assert reasons == {
        "i1": "scale unknown: no venue is declared for 'ICLR.cc/2024/Conference/Submission7'",
        "c1": "scale unknown: the record names no venue, and its folder belongs to none",
        "x1": "scale unknown: no venue is declared for 'Birch 2025/-/Submission'",
        "y1": "scale unknown: the record names no venue, and its folder belongs to none",
    }


def test_a_score_off_the_declared_scale_is_none(tmp_path: Path) -> None:
    reviews = [{"content": {"review": "Good.", "rating": rating}} for rating in (5, 6, 7, 6)]
    write(tmp_path / "x.jsonl", [record("b1", venue="Birch 2024", review=reviews)])
    (found,) = papers(tmp_path / "x.jsonl", {"Birch 2024": BIRCH}).values()
    assert isinstance(found, Paper)
    assert found.labels.ratings == (8.2, 10.0, 10.0)
    assert "review 3 lacks rating: left out" in found.notes


def test_the_longest_name_counts_and_a_folder_more(tmp_path: Path) -> None:
    short = {"names": ["ICLR"], "rating": [1, 5], "form": "any-text"}
    rows = [record(f"p{year}", venue=f"ICLR {year}") for year in (2017, 2018)]
    write(tmp_path / "x.jsonl", [*rows, record("odd", venue="ICLRX 2017")])
    long = {"names": ["iclr 2017"], "rating": [1, 10], "form": "any-text"}
    found = papers(tmp_path, {"any": short, "2017": long})
    assert {id_: each.labels.extra["venue"] for id_, each in found.items()
            if isinstance(each, Paper)} == {"p2017": "2017"}  # fmt: skip
    assert isinstance(found["p2018"], Skipped)  # its ratings of 6 to 8 are not on 1 to 5
    assert isinstance(found["odd"], Skipped)
    placed = {"folders": ["x.jsonl"], "rating": [0, 10], "form": "any-text"}
    found = papers(tmp_path, {"any": short, "2017": long, "placed": placed})
    assert all(isinstance(each, Paper) for each in found.values())


@pytest.mark.parametrize(
    ("venues", "message"),
    [
        ({"X": {"names": ["x"]}}, "venues.X.rating: is required and missing"),
        ({"X": {"rating": [1, 5]}}, "venues.X: nothing identifies its records"),
        ({"X": {"rating": [5, 1], "names": ["x"]}}, "venues.X.rating: is .lowest, highest"),
        ({"X": {"rating": [1, 5], "names": ["x"], "soundnes": [1, 4]}}, "'soundness'"),
        (
            {"X": {"rating": [1, 5], "names": ["x"], "form": "iclr"}},
            "venues.X.form: unknown value 'iclr'",
        ),
        ({"X": {"rating": [1, 5], "names": [""]}}, "list of strings"),
        ({"X": {"rating": [1, 5], "names": ["x"], "fields": {"mark": ["m"]}}}, "unknown key"),
        ({"X": [1, 5]}, "expected a mapping"),
        (
            {"X": {"rating": [1, 5], "names": ["v"]}, "Y": {"rating": [1, 9], "names": ["V"]}},
            "X and Y both have the name v",
        ),
    ],
)
def test_what_is_not_a_declaration(venues: Any, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        from_options(ReviewBench, {"path": "x", "venues": venues})


def test_mapping_by_hand() -> None:
    assert [mapped(score, (1, 5), (1, 10)) for score in (1, 2, 3, 4, 5)] == [
        1, 3.25, 5.5, 7.75, 10,
    ]  # fmt: skip
    assert mapped(6, (0, 10), (1, 10)) == 6.4
    assert mapped(7, (1, 10), (1, 10)) == 7


def test_planted_venues() -> None:
    plain = list(SyntheticBench().papers(context()))
    dealt = list(SyntheticBench(venues={"A": (1, 10), "B": (1, 5)}).papers(context()))
    assert [paper.labels.extra["venue"] for paper in dealt] == ["A", "B"] * 6
    # The first venue has the schema's scale; the second rounds to its own five points.
    assert dealt[0].labels.ratings == plain[0].labels.ratings == (8.0, 6.0, 7.0)
    assert plain[1].labels.ratings == (3.0, 5.0, 5.0)
    assert dealt[1].labels.ratings == (3.25, 5.5, 5.5)
    assert [paper.text for paper in dealt] == [paper.text for paper in plain]
    assert [paper.labels.accept for paper in dealt] == [paper.labels.accept for paper in plain]
    with pytest.raises(OptionError, match="not a scale of whole points"):
        SyntheticBench(venues={"A": (5, 1)})


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the real records in ../shared/data")
def test_real_records_of_several_venues_and_layouts(tmp_path: Path) -> None:
    shutil.copytree(SHARED / "openreview_raw", tmp_path / "openreview")
    shutil.copytree(SHARED / "peerread", tmp_path / "peerread")
    shutil.copytree(SHARED / "peerread_layout" / "data" / "iclr_2017" / "dev", tmp_path / "2017")
    any_text = {"form": "any-text", "confidence": [1, 5]}
    venues = {
        "ICLR 2017": {"names": ["ICLR 2017"], "rating": [1, 10], **any_text},
        "ICLR 2020": {"names": ["ICLR.cc/2020"], "rating": [1, 8], "form": "any-text"},
        "ICLR 2026": {**ICLR, "names": ["ICLR.cc/2026/Conference"], "rating": [0, 10]},
        "ACL 2017": {"folders": ["peerread/data/acl_2017"], "rating": [1, 5], **any_text},
    }
    found = papers(tmp_path, venues)
    kept = {id_: each for id_, each in found.items() if isinstance(each, Paper)}
    names = [each.labels.extra["venue"] for each in kept.values()]
    assert {name: names.count(name) for name in names} == {
        "ICLR 2017": 14, "ICLR 2020": 1, "ICLR 2026": 1,
    }  # fmt: skip
    # "6: Weak Accept" and "8: Accept" on 1 to 8; 6, 4, 4, 4 on 0 to 10.
    assert kept["ryxz8CVYDH"].labels.ratings == pytest.approx((1 + 45 / 7, 10, 1 + 45 / 7))
    assert kept["zzo3Sy3NSX"].labels.ratings == pytest.approx((6.4, 4.6, 4.6, 4.6))
    skipped = {id_: each.reason for id_, each in found.items() if isinstance(each, Skipped)}
    assert skipped["HkghWScuoQ"].startswith("scale unknown: no venue is declared for 'NIPS.cc")
    assert skipped["25"].startswith("scale unknown")  # CoNLL 2016 is not declared
    assert skipped["435"].startswith("rule 3")  # ACL 2017 is: it has two reviews


def test_a_ready_made_bench_has_venues_too(tmp_path: Path) -> None:
    rubric = {"title": "Constructive Tone", "description": "Is kind.", "weight": 1}
    ready = {
        "id": "r1", "paper_context": TEXT, "decision": "Accept", "golden_review": "Fine.",
        "rubrics": [rubric], "venue": "Birch 2024",
        "review": [review(6)],
    }  # fmt: skip
    write(tmp_path / "x.jsonl", [ready])
    (found,) = papers(tmp_path, {"Birch 2024": BIRCH}).values()
    assert isinstance(found, Paper)
    assert found.labels.extra["venue"] == "Birch 2024"
    assert found.labels.ratings == (10.0,)
