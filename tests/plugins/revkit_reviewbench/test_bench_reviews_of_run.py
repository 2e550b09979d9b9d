"""The reviews of a run: of unchanged and perturbed papers, of one run or of a sweep's points."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from revkit.errors import RunError
from revkit.model.paper import Paper, Skipped
from revkit.options import from_options
from revkit.testing import context
from revkit_reviewbench.corpora.reviews_of_run import ReviewsOfRun
from tests.plugins.revkit_reviewbench.bench_files import write

RUBRICS = [{"dimension": "constructive-tone", "points": [{"point": "Is kind."}]}]


def paper(id_: str, text: str = "A text.", **extra: Any) -> dict[str, Any]:
    more = {"rubrics": RUBRICS, **extra}
    return {"id": id_, "title": "", "text": text, "ratings": [6], "accept": True, "extra": more}


def outcome(agent: str, id_: str, text: str = "Good.", **members: Any) -> dict[str, Any]:
    row = {"perturbation": "", "index": 0, "repeat": 0, "failure": "", "score": 6, "accept": True}
    return {**row, "agent": agent, "paper": id_, "text": text, **members}


def run_in(folder: Path, papers: list[dict[str, Any]], outcomes: list[dict[str, Any]]) -> Path:
    (folder / "records").mkdir(parents=True)
    write(folder / "records" / "papers.jsonl", papers)
    write(folder / "records" / "outcomes.jsonl", outcomes)
    return folder


def sweep_in(folder: Path, labels: Sequence[str], **members: Any) -> None:
    points = [{"label": each, "folder": f"points/{each}", "labels": {}} for each in labels]
    about = {"points": points, **members}
    folder.mkdir(exist_ok=True)
    (folder / "sweep.json").write_text(json.dumps(about), encoding="utf-8")


def reviews(folder: Path, **options: Any) -> list[Paper | Skipped]:
    corpus = from_options(ReviewsOfRun, {"run": str(folder), **options})
    return list(corpus.papers(context()))


def texts_of(found: Sequence[Paper | Skipped]) -> list[tuple[str, str]]:
    return [(each.id, each.text) for each in found if isinstance(each, Paper)]


@pytest.fixture
def attacked(tmp_path: Path) -> Path:
    outcomes = [
        outcome("a", "p"),
        outcome("a", "p", "Very good.", perturbation="x"),
        outcome("a", "p", "So good.", perturbation="x", index=1),
        outcome("a", "p", "", perturbation="y", failure="timeout"),
    ]
    return run_in(tmp_path / "run", [paper("p", venue="Alder")], outcomes)


@pytest.mark.parametrize(
    ("perturbation", "texts"),
    [
        ("", ["Good."]),
        ("unchanged", ["Good."]),
        ("x", ["Very good.", "So good."]),
        (["unchanged", "x"], ["Good.", "Very good.", "So good."]),
        (["x", "y"], ["Very good.", "So good."]),
        ("all", ["Good.", "Very good.", "So good."]),
        (["all"], ["Good.", "Very good.", "So good."]),
    ],
)
def test_which_reviews_are_taken(attacked: Path, perturbation: Any, texts: list[str]) -> None:
    found = reviews(attacked, perturbation=perturbation)
    assert [text for _, text in texts_of(found)] == texts
    ids = [each.id for each in found]
    assert len(set(ids)) == len(ids)


def test_what_a_review_carries(attacked: Path) -> None:
    found = [each for each in reviews(attacked, perturbation="all") if isinstance(each, Paper)]
    extras = [each.labels.extra for each in found]
    assert [extra["perturbation"] for extra in extras] == ["", "x", "x"]
    assert {extra["venue"] for extra in extras} == {"Alder"}
    # An attacked paper is judged by text and checklists of its original.
    assert {each.materials for each in found} == {found[0].materials}
    assert extras[0]["tally"] == {
        "a": {
            "": {"planned": 1, "failed": 0, "empty": 0},
            "x": {"planned": 2, "failed": 0, "empty": 0},
            "y": {"planned": 1, "failed": 1, "empty": 0},
        }
    }


def test_a_perturbation_that_is_not_there(attacked: Path) -> None:
    with pytest.raises(RunError, match="no review of the perturbation 'z'"):
        reviews(attacked, perturbation=["unchanged", "z"])


@pytest.fixture
def swept(tmp_path: Path) -> Path:
    folder = tmp_path / "sweep"
    labels = ("by=one", "by=two")
    sweep_in(folder, labels)
    for number, label in enumerate(labels):
        outcomes = [outcome("a", "p", f"Point {number}."), outcome("b", "p", "The same.")]
        run_in(folder / "points" / label, [paper("p")], outcomes)
    return folder


def test_the_reviews_of_a_sweep(swept: Path) -> None:
    found = reviews(swept)
    assert texts_of(found) == [
        ("by=one/a/p", "Point 0."),
        ("by=one/b/p", "The same."),
        ("by=two/a/p", "Point 1."),
        ("by=two/b/p", "The same."),
    ]
    papers = [each for each in found if isinstance(each, Paper)]
    assert {each.labels.extra["paper"] for each in papers} == {"p"}
    tally: Any = papers[0].labels.extra["tally"]
    assert list(tally) == ["by=one/a", "by=one/b", "by=two/a", "by=two/b"]
    # The same review of the same paper by the same checklists is one item to judge.
    assert papers[1].digest == papers[3].digest
    assert papers[0].digest != papers[2].digest


def test_one_point_may_be_named_itself(swept: Path) -> None:
    assert texts_of(reviews(swept / "points" / "by=two"))[0] == ("a/p", "Point 1.")


def test_points_with_other_papers_under_one_id(tmp_path: Path) -> None:
    folder = tmp_path / "sweep"
    sweep_in(folder, ["by=one", "by=two"])
    for label, text in (("by=one", "A text."), ("by=two", "Another text.")):
        papers = [paper("p", text), paper("q")]
        outcomes = [outcome("a", "p"), outcome("a", "q")]
        run_in(folder / "points" / label, papers, outcomes)
    found = [each for each in reviews(folder) if isinstance(each, Paper)]
    assert [each.labels.extra["paper"] for each in found] == ["by=one/p", "q", "by=two/p", "q"]


def test_points_judge_by_their_own_checklists(tmp_path: Path) -> None:
    folder = tmp_path / "sweep"
    sweep_in(folder, ["by=one", "by=two"])
    other = [{"dimension": "critique-clarity", "points": [{"point": "Is clear."}]}]
    for label, rubrics in (("by=one", RUBRICS), ("by=two", other)):
        run_in(folder / "points" / label, [paper("p", rubrics=rubrics)], [outcome("a", "p")])
    found = [each for each in reviews(folder) if isinstance(each, Paper)]
    assert [each.materials[1].title for each in found] == ["constructive-tone", "critique-clarity"]


def test_the_content_of_all_points_is_its_identity(swept: Path) -> None:
    before = ReviewsOfRun(run=str(swept)).identity()
    moved = swept.rename(swept.with_name("moved"))
    assert ReviewsOfRun(run=str(moved)).identity() == before
    with (moved / "points" / "by=two" / "records" / "outcomes.jsonl").open("a") as file:
        file.write(json.dumps(outcome("c", "p")) + "\n")
    assert ReviewsOfRun(run=str(moved)).identity() != before


@pytest.mark.parametrize(
    ("about", "message"),
    [
        ({"points": []}, "must name points"),
        ({"points": [{"label": "a", "folder": "../elsewhere"}]}, "outside of"),
        ({"points": [{"label": "a", "folder": "/etc"}]}, "outside of"),
        (
            {"points": [{"label": "a", "folder": "a"}, {"label": "a", "folder": "b"}]},
            "its own label",
        ),
        ({"points": [{"folder": "a"}]}, "does not list the points"),
        ({"points": ["a"]}, "does not list the points"),
        ([], "does not list the points"),
        ({"points": [{"label": "a", "folder": "a", "error": "no key"}]}, "no result: no key"),
        ({"points": [{"label": "a", "folder": "a"}]}, "not a folder of a finished run"),
    ],
)
def test_what_is_no_sweep(tmp_path: Path, about: Any, message: str) -> None:
    (tmp_path / "sweep.json").write_text(json.dumps(about), encoding="utf-8")
    with pytest.raises(RunError, match=message):
        reviews(tmp_path)


def test_lines_that_are_no_records(tmp_path: Path) -> None:
    rows: Mapping[str, Any] = {"no": "paper"}
    run_in(tmp_path / "run", [paper("p")], [dict(rows)])
    with pytest.raises(RunError, match=r"outcomes\.jsonl:1: no record of a run"):
        reviews(tmp_path / "run")


@pytest.mark.parametrize("perturbation", ["", "all", ("unchanged", "x")])
def test_a_forecast_counts_what_will_come(attacked: Path, swept: Path, perturbation: Any) -> None:
    corpus = ReviewsOfRun(run=str(attacked), perturbation=perturbation)
    assert corpus.count() == len(reviews(attacked, perturbation=perturbation))
    assert ReviewsOfRun(run=str(swept)).count() == len(reviews(swept))
    assert ReviewsOfRun(run=str(attacked / "nowhere")).count() is None


def test_reviews_carry_what_was_planted_in_their_paper(attacked: Path) -> None:
    about = ["misleading-information", "A record on Velmere.", "Velmere"]
    edit = {"start": 7, "end": 7, "new": " A record on Velmere.", "kind": "planted", "about": about}
    plain = {"start": 0, "end": 0, "new": "x", "note": "", "kind": "", "about": []}
    rows = [
        {"paper": "p", "perturbation": "x", "index": 0, "rejected": "", "edits": [edit, plain]},
        {"paper": "p", "perturbation": "x", "index": 1, "rejected": "gate", "edits": [edit]},
        {"paper": "p", "perturbation": "y", "index": 0, "rejected": "", "edits": [{"start": "?"}]},
    ]
    before = from_options(ReviewsOfRun, {"run": str(attacked)}).identity()
    write(attacked / "records" / "variants.jsonl", rows)
    found = [each for each in reviews(attacked, perturbation="all") if isinstance(each, Paper)]
    planted = [[m.text for m in each.materials if m.role == "planted"] for each in found]
    text = (
        '[{"marks":["Velmere"],"statement":"A record on Velmere.",'
        '"topic":"misleading-information"}]'
    )
    assert planted == [[text], [text], []]  # unchanged, the variant, the rejected variant
    assert from_options(ReviewsOfRun, {"run": str(attacked)}).identity() != before
