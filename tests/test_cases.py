"""Small inputs that once came out wrong, where they are present: each with the right value."""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import revkit
from revkit.errors import RevkitError
from revkit.forms import Form, FormProblem, parse_form

CASES = Path(__file__).resolve().parents[2] / "shared" / "cases"
DATA = CASES.parent / "data"

Case = Callable[[str], Path]
_MARK = re.compile(r"\(\d+\)")


@pytest.fixture
def case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Case:
    """Copy a case, beside a link to the data that it may read, and make it the working folder."""

    def enter(name: str) -> Path:
        if not (CASES / name).is_dir():
            pytest.skip("../shared/cases is not present")
        folder = tmp_path / "shared" / "cases" / name
        shutil.copytree(CASES / name, folder)
        (tmp_path / "shared" / "data").symlink_to(DATA)
        monkeypatch.chdir(folder)
        return folder

    return enter


def rows_of(path: str) -> list[dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def run_case(spec: str = "spec.yaml", **options: Any) -> Any:
    return revkit.run(spec, out="out", store="store.sqlite", **options)


def test_an_appendix_is_no_part_of_the_last_reference(case: Case) -> None:
    case("appendix-in-last-reference")
    run_case()
    words = {row["id"]: int(row["words"]) for row in rows_of("out/records/papers.csv")}
    assert words == {"bare": 27, "caps-works": 27, "checklist": 27, "titlecase": 27}
    lines = Path("out/records/screens.jsonl").read_text(encoding="utf-8").splitlines()
    removed = {row["paper"]: row["end"] - row["start"] for row in map(json.loads, lines)}
    assert removed == dict.fromkeys(words, 61)


def test_comments_of_latex_do_not_count(case: Case) -> None:
    folder = case("latex-comments")
    run_case()
    rows = {row["id"]: row for row in rows_of("out/records/papers.csv")}
    title = "Sparse Gates for Long Documents"
    assert [rows["comment"]["title"], rows["two"]["title"]] == [title, title]
    assert rows["comment"]["words"] == "22"
    text = (folder / "papers" / "comment.tex").read_text(encoding="utf-8")
    assert [entry.year for entry in revkit.Paper("p", text).references] == [2019]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("dup", "scale"),
        ("dupfield", "4"),
        ("sexa", "maximum: expected a number"),
    ],
)
def test_a_form_with_equal_keys_or_other_scalars_is_refused(
    case: Case, name: str, message: str
) -> None:
    case("form-yaml")
    with pytest.raises(FormProblem, match=message):
        load_form(f"{name}.yaml")


def test_a_form_follows_yaml_1_2(case: Case) -> None:
    case("form-yaml")
    assert load_form("octal.yaml").scale.maximum == 10
    single = load_form("single.yaml").scale
    assert (single.minimum, single.maximum, single.accept_at) == (1, 10, 6)
    assert single.higher_is_better


def load_form(name: str) -> Form:
    return parse_form(Path(name).read_text(encoding="utf-8"))


def test_a_log_of_the_tool_is_no_part_of_the_key(case: Case) -> None:
    case("key-holds-log")
    Path("run.log").touch()
    for _ in range(2):
        command = [sys.executable, "-m", "revkit", "run", "spec.yaml", "--out", "out"]
        subprocess.run([*command, "--overwrite"], check=True, capture_output=True, timeout=120)
    assert len(Path("run.log").read_text(encoding="utf-8").splitlines()) == 4


def test_two_works_of_one_title_stay_two(case: Case) -> None:
    case("same-title-two-works")
    command = [sys.executable, "works.py"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    assert printed.stdout.startswith("None ")


def test_an_empty_record_is_skipped(case: Case) -> None:
    case("deepreview-empty")
    with pytest.raises(RevkitError, match="no text"):
        run_case()


def test_a_broken_record_does_not_hide_a_whole_one(case: Case) -> None:
    case("reviewbench-duplicate")
    run = run_case()
    assert len(run.records.papers) == 1
    assert sum(run.records.skipped.values()) == 1


def test_json_lines_under_another_name_are_read(case: Case) -> None:
    case("reviewbench-jsonl")
    with pytest.raises(RevkitError, match="rule 1") as refusal:
        run_case()
    assert "malformed" not in str(refusal.value)


def test_equal_levels_are_left_out_and_counted(case: Case) -> None:
    pytest.importorskip("openpyxl")
    case("yescieval-levels-equal")
    run = run_case()
    lines = Path("out/records/variants.jsonl").read_text(encoding="utf-8").splitlines()
    digests: dict[tuple[str, str], str] = {}
    for row in map(json.loads, lines):
        digests[row["paper"], row["perturbation"]] = row.get("digest") or ""
    for rubric, equal in (("integration", 22), ("cohesion", 9)):
        papers = {paper for paper, name in digests if name == f"{rubric}-subtle"}
        same = sum(
            bool(digests[paper, f"{rubric}-subtle"])
            and digests[paper, f"{rubric}-subtle"] == digests.get((paper, f"{rubric}-extreme"))
            for paper in papers
        )
        assert same == equal
    rows = {row["rubric"]: row for row in run.table("rubric-order").records()}
    for rubric, equal, different in (("integration", 22, 33), ("cohesion", 9, 69)):
        row = rows[rubric]
        assert (row["coincide"], row["items"], row["n"]) == (equal, different, different)


def test_a_foreign_sentence_brings_no_citation_mark(case: Case) -> None:
    pytest.importorskip("openpyxl")
    case("yescieval-foreign-citation")
    run_case()
    lines = Path("out/records/edits.jsonl").read_text(encoding="utf-8").splitlines()
    edits = [json.loads(line) for line in lines]
    assert len(edits) > 300
    assert not [edit["new"] for edit in edits if _MARK.search(edit["new"])]


def test_empty_serves_a_text_field(case: Case) -> None:
    case("map-empty")
    assert revkit.load("spec.yaml") is not None


def read_case(case: Case, name: str) -> revkit.Paper:
    return revkit.Paper("p", (case(name) / "paper.md").read_text(encoding="utf-8"))


def test_an_entry_may_begin_with_a_lowercase_particle(case: Case) -> None:
    paper = read_case(case, "lowercase-particle")
    assert [entry.year for entry in paper.references] == [2014, 2016, 2019]


def test_the_year_of_an_entry_follows_its_authors(case: Case) -> None:
    assert [entry.year for entry in read_case(case, "entry-year").references] == [2014]


def test_a_numbered_summary_at_the_end_is_a_conclusion(case: Case) -> None:
    paper = read_case(case, "numbered-summary")
    roles = {paper.text[b.start : b.end]: b.role for b in paper.blocks if b.kind == "heading"}
    assert roles["7 SUMMARY"] == "conclusion"


def test_numbers_in_round_brackets_are_citations_and_footnotes_are_not(case: Case) -> None:
    paper = read_case(case, "round-bracket-citations")
    keys = [citation.keys for citation in paper.citations]
    assert keys == [("20", "21", "23"), ("18", "17"), ("19",), ("26",), ("26",)]
    assert paper.citation_style == "numeric"


def test_paths_lead_into_recorded_rows(case: Case) -> None:
    case("recorded-nested")
    run = run_case("rec.yaml")
    scores = sorted(v.score for v in run.records.verdicts if v.score is not None)
    assert scores == pytest.approx([6.0, 20 / 3])
