"""Labels in a whole run: columns of papers, counts in the report, maps of the user, the cases."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

import revkit

TEXT = "# Gates\n\n## Abstract\n\nWe study gates and measure their effect on accuracy.\n"
FORM = {
    **dict.fromkeys(("summary", "strengths", "weaknesses", "questions"), "Some words."),
    **dict.fromkeys(("soundness", "presentation", "contribution"), "3 good"),
    "confidence": "3: sure",
}


def record(id_: str, decision: object, *ratings: object, text: str = TEXT) -> dict[str, Any]:
    reviews = [{"rating": rating, "content": {**FORM, "rating": rating}} for rating in ratings]
    return {
        "id": id_,
        "title": "Gates",
        "paper_context": text.replace("Gates", f"Gates {id_}"),
        "decision": decision,
        "review": reviews,
    }


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(path: str, records: list[dict[str, Any]], **options: Any) -> list[dict[str, str]]:
    Path(path).write_text(json.dumps(records), encoding="utf-8")
    use = options.pop("use", "deepreview")
    spec = {
        "revkit": 1,
        "name": "labels",
        "corpus": {"use": use, "with": {"path": path, **options}},
        "agents": {"counter": "citation-counter"},
        "reports": ["terminal", "markdown", "html"],
    }
    revkit.run(spec, out="out", store="store.sqlite")
    with Path("out/records/papers.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


RECORDS = [
    record("a", "Accept: Findings", "6: marginally above the acceptance threshold", 5),
    record("b", "Invite to Archive", "5 - Weak accept", "4 - Borderline"),
    record("c", "Invite to Archive", "Good", 6, 8),
    record("d", "Reject", 6, 4),
]


def test_columns_and_counts(folder: Path) -> None:
    rows = run("x.json", RECORDS)
    message = [(row["accept"], row["form"], row["consensus"]) for row in rows]
    assert message == [
        ("true", "iclr-2022 or iclr-2023 or iclr-2024..2025 (assumed)", "50.0"),
        ("", "", ""),
        ("", "", ""),
        ("false", "iclr-2026 (assumed)", "50.0"),
    ]
    # Ratings 6 and 4 of 0 to 10: the mean's standard error is 1, that is 10 points.
    assert float(rows[3]["consensus_se"]) == pytest.approx(10.0)
    for name in ("report.txt", "report.md", "report.html"):
        text = " ".join(Path("out", name).read_text(encoding="utf-8").split())
        assert "decision not understood: Invite to Archive" in text, name
        assert "rating not understood" in text, name
        assert "no consensus, because the ends of the rating scale are unknown" in text, name


def test_maps_of_the_user(folder: Path) -> None:
    rows = run(
        "x.json",
        RECORDS[1:3],
        scale=[1, 8],
        ratings={"good": 8},
        decisions={"Invite to Archive": False},
    )
    assert [(row["accept"], row["form"]) for row in rows] == [("false", "1-8")] * 2
    assert float(rows[0]["consensus"]) == pytest.approx(100 * (8 - 4.5) / 7)
    assert json.loads(rows[1]["ratings"]) == [8, 6, 8]
    assert "not understood" not in Path("out/report.txt").read_text(encoding="utf-8")


def test_a_text_of_markup_alone_is_skipped(folder: Path) -> None:
    empty = record("p1", "Accept", 8)
    empty["paper_context"] = "\\title{}\n\n\\begin{abstract}\n\n\\end{abstract}"
    titled = {
        **empty,
        "id": "p2",
        "paper_context": "\\title{Gates}\n\n\\begin{abstract}\\end{abstract}",
    }
    rows = run("x.json", [empty, titled, record("p3", "Accept", 8)])
    assert [row["id"] for row in rows] == ["p3"]
    with Path("out/records/skipped.csv").open(encoding="utf-8", newline="") as file:
        skipped = [(row["id"], row["reason"][:7]) for row in csv.DictReader(file)]
    assert skipped == [("p1", "no text"), ("p2", "no pros")]


def test_a_broken_record_does_not_hide_a_whole_one_of_its_id(folder: Path) -> None:
    broken = record("p1", "Accept", 6, 5, 8, text="")
    rows = run("x.json", [broken, record("p1", "Accept", 6, 5, 8)], use="review-bench",
               share=1, **{"least-words": 5})  # fmt: skip
    assert [row["id"] for row in rows] == ["p1"]


CASES = Path(__file__).parents[3] / "shared" / "cases"


@pytest.mark.skipif(not CASES.is_dir(), reason="needs ../shared/cases")
@pytest.mark.parametrize(
    ("case", "reasons"),
    [
        ("deepreview-empty", ["no text except markup"]),
        ("reviewbench-jsonl", ["rule 1: empty or incomplete submission"] * 2),
    ],
)
def test_cases_without_a_paper(
    folder: Path, monkeypatch: pytest.MonkeyPatch, case: str, reasons: list[str]
) -> None:
    monkeypatch.chdir(CASES / case)
    with pytest.raises(revkit.RevkitError, match="no paper"):
        revkit.run("spec.yaml", out=str(folder / "out"), store=str(folder / "store.sqlite"))
    experiment = revkit.load("spec.yaml")
    assert isinstance(experiment, revkit.Experiment)
    from revkit.testing import context

    items = list(experiment.corpus.papers(context()))
    assert [getattr(item, "reason", "a paper") for item in items] == reasons


@pytest.mark.skipif(not CASES.is_dir(), reason="needs ../shared/cases")
def test_the_case_of_a_duplicate(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(CASES / "reviewbench-duplicate")
    done = revkit.run("spec.yaml", out=str(folder / "out"), store=str(folder / "store.sqlite"))
    assert (len(done.records.papers), sum(done.records.skipped.values())) == (1, 1)
