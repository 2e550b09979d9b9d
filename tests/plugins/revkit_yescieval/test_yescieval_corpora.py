"""The native layouts of YESciEval, odd sheets and records, and the generated syntheses."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from revkit.errors import RunError
from revkit.model import Paper
from revkit.model.paper import Skipped
from revkit.testing import check_component, context
from revkit_yescieval.corpora import SyntheticSyntheses, YESciEval

HEADER = [
    "research_question",
    "paper_1_title",
    "paper_1_abstract",
    "paper_2_title",
    "paper_2_abstract",
    "alpha_synthesis",
    "beta_synthesis",
    "alpha_subtle_cohesion",
    "mapped_domain",
]
ROW = ["Why?", "One", "First abstract.", "Two", "Second abstract.", "A text.", "B text.", "x", "ml"]


def read(path: Path, **options: Any) -> list[Paper | Skipped]:
    return list(YESciEval(path=str(path), **options).papers(context()))


def csv_file(folder: Path, *rows: list[str], header: list[str] = HEADER) -> Path:
    path = folder / "sheet.csv"
    lines = (",".join('"' + c.replace('"', '""') + '"' for c in row) for row in (header, *rows))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_sheet_gives_one_paper_for_each_synthesis(tmp_path: Path) -> None:
    one, two = read(csv_file(tmp_path, ROW))
    assert isinstance(one, Paper)
    assert isinstance(two, Paper)
    assert (one.id, two.id) == ("row-0002-alpha", "row-0002-beta")
    assert (one.text, one.title, one.labels.topic) == ("A text.", "Why?", "ml")
    assert [(m.role, m.title, m.text) for m in one.materials] == [
        ("question", "", "Why?"),
        ("source", "One", "First abstract."),
        ("source", "Two", "Second abstract."),
    ]
    assert one.labels.extra == {"model": "alpha", "row": 2}


def test_models_and_domain_are_chosen(tmp_path: Path) -> None:
    path = csv_file(tmp_path, [*ROW[:-1], ""])
    found = read(path, models_=("beta",), domain="biology")
    assert [p.id for p in found] == ["row-0002-beta"]
    assert isinstance(found[0], Paper)
    assert found[0].labels.topic == "biology"
    with pytest.raises(RunError, match="unknown model 'bet'; did you mean 'beta'"):
        read(path, models_=("bet",))


def test_empty_cells_are_skipped_with_the_reason(tmp_path: Path) -> None:
    no_text = [*ROW[:5], "", "B text.", "x", "ml"]
    no_question = ["", *ROW[1:]]
    no_abstract = ["How?", "One", "", "", "", "C text.", " ", "x", "ml"]
    found = read(csv_file(tmp_path, no_text, no_question, no_abstract))
    skipped = {p.id: p.reason for p in found if isinstance(p, Skipped)}
    assert skipped == {
        "row-0002-alpha": "the synthesis is empty",
        "row-0003-alpha": "the question is empty",
        "row-0003-beta": "the question is empty",
        "row-0004-beta": "the synthesis is empty",
    }
    last = next(p for p in found if p.id == "row-0004-alpha")
    assert isinstance(last, Paper)
    assert last.notes == ("source 1: the abstract is empty: left out", "no sources")


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        (HEADER[1:], "no column research_question"),
        (HEADER[:5], "no column whose name ends in _synthesis"),
        ([*HEADER[:-1], "alpha_synthesis"], "two columns have the name"),
        ([""] * 9, "names no columns"),
    ],
)
def test_missing_columns(tmp_path: Path, header: list[str], reason: str) -> None:
    path = csv_file(tmp_path, ROW, header=header)
    with pytest.raises(RunError, match=reason):
        read(path)
    (tmp_path / "good.json").write_text(
        json.dumps({"question": "Q?", "answer": "A.", "papers": {"T": "Abstract."}}), "utf-8"
    )
    found = read(tmp_path)
    assert [type(p).__name__ for p in found] == ["Paper", "Skipped"]
    assert isinstance(found[1], Skipped)
    assert reason in found[1].reason


def test_odd_encodings_are_repaired_or_refused(tmp_path: Path) -> None:
    row = [*ROW]
    row[5] = "It_x0019_s a\x0b text_x000D_\nwith â€™ and caf\u00e9."
    found = read(csv_file(tmp_path, row))
    assert isinstance(found[0], Paper)
    assert found[0].text == "Its a text\nwith â€™ and café."
    assert found[0].notes == (
        "synthesis: read 2 escaped characters of the sheet",
        "synthesis: changed 1 CRLF line end",
        "synthesis: removed 2 control characters",
        "synthesis: 1 place may be encoded twice: left as written",
    )
    (tmp_path / "sheet.csv").write_bytes(b"research_question,a_synthesis\nCaf\xe9?,x\n")
    with pytest.raises(RunError, match="not UTF-8: byte 0xe9"):
        read(tmp_path / "sheet.csv")


def test_workbooks(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (HEADER, ROW, [None] * 9, [*ROW[:5], 42, "B text.", "x", None]):
        book.active.append(row)
    path = tmp_path / "sheet.xlsx"
    book.save(path)
    found = read(path)
    assert [p.id for p in found] == [
        "row-0002-alpha",
        "row-0002-beta",
        "row-0004-alpha",
        "row-0004-beta",
    ]
    assert found[2] == Skipped(
        "row-0004-alpha", "the synthesis is not a text but int", "sheet.xlsx:4"
    )
    # The same question, model and text as in row 2.
    assert found[3] == Skipped(
        "row-0004-beta", "the same synthesis as row-0002-beta", "sheet.xlsx:4"
    )
    path.write_bytes(path.read_bytes()[:900])
    with pytest.raises(RunError, match=r"not a readable \.xlsx"):
        read(path)


def test_a_missing_library_is_told_with_its_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "sheet.xlsx"
    path.write_bytes(b"x")
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(RunError, match=r"pip install 'revkit\[yescieval\]'"):
        read(path)


def test_json_records(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    records: list[Any] = [
        {"id": "a", "question": "Q?", "answer": "A.", "papers": {"T": "Text."}, "domain": "bio"},
        {"question": "Q?", "answer": "B.", "papers": [{"title": "T", "abstract": "Text."}]},
        {"id": "a", "question": "R?", "answer": "C.", "papers": {}},
        {"question": "Q?", "papers": {}},
        {"question": "Q?", "answer": "D.", "papers": 3},
        7,
    ]
    lines = [json.dumps(record) for record in records]
    path.write_text("\n".join([*lines[:3], "{", *lines[3:]]) + "\n", encoding="utf-8")
    found = read(path)
    assert [p.id for p in found] == [
        "a",
        "record-0002",
        "a",
        "answers.jsonl:4",
        "record-0005",
        "answers.jsonl:6",
        "answers.jsonl:7",
    ]
    assert isinstance(found[0], Paper)
    assert (found[0].labels.topic, found[0].materials[1].title) == ("bio", "T")
    reasons = [p.reason for p in found if isinstance(p, Skipped)]
    assert reasons[0] == "duplicate id"
    assert reasons[1].startswith("malformed JSON")
    assert reasons[2] == "the synthesis is empty"
    assert reasons[3].startswith("papers: expected an object")
    assert reasons[4] == "expected an object, not int"


def test_what_is_no_corpus_at_all(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="does not exist"):
        read(tmp_path / "nothing")
    with pytest.raises(RunError, match="contains no file that ends in"):
        read(tmp_path)
    (tmp_path / "x.json").write_text("[]", encoding="utf-8")
    with pytest.raises(RunError, match="contains no record"):
        read(tmp_path)
    (tmp_path / "x.json").write_text("{", encoding="utf-8")
    with pytest.raises(RunError, match="malformed JSON"):
        read(tmp_path / "x.json")


def test_identity_is_the_content(tmp_path: Path) -> None:
    one = csv_file(tmp_path, ROW)
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    other = csv_file(folder, ROW)
    assert YESciEval(path=str(one)).identity() == YESciEval(path=str(other)).identity()
    csv_file(folder, [*ROW[:-1], "nlp"])
    assert YESciEval(path=str(one)).identity() != YESciEval(path=str(other)).identity()


def test_native_sheets(sheets: Path, real: dict[str, Paper]) -> None:
    models = Counter(paper.labels.extra["model"] for paper in real.values())
    assert models == {
        "qwen2.5-72b-instruct": 22,
        "mistral-large-instruct": 22,
        "meta-llama-3.1-70b-instruct": 22,
        "meta-llama-3.1-8b-instruct": 22,
    }
    first = real["row-0002-mistral-large-instruct"]
    assert first.text.startswith(" Peresolimab is a humanized IgG1")  # the blank is the sheet's
    assert first.title == "What is the mechanism of action of Peresolimab?"
    assert [m.role for m in first.materials] == ["question", "source"]
    # Of the six sheets, five repeat the original; one text differs in three of them.
    found = read(sheets)
    papers = [p for p in found if isinstance(p, Paper)]
    assert len(found) == 6 * 88
    assert len(papers) == 89
    assert all(
        p.reason.startswith("the same synthesis as") for p in found if isinstance(p, Skipped)
    )


def test_generated_syntheses() -> None:
    corpus = SyntheticSyntheses()
    papers = list(corpus.papers(context(seed=1)))
    assert len(papers) == corpus.count() == 60
    assert len(Counter(paper.labels.topic for paper in papers)) == 6
    questions = Counter(paper.title for paper in papers)
    assert len(questions) == 30
    assert set(questions.values()) == {2}
    for paper in papers:
        assert 120 <= len(paper.text.split()) <= 200
        assert [m.role for m in paper.materials] == ["question", *["source"] * 5]
        assert len(paper.blocks) == 1
        assert "{" not in paper.text
    # Two answers to one question share their sources and differ in text.
    assert papers[0].materials == papers[30].materials
    assert papers[0].text != papers[30].text
    again = list(SyntheticSyntheses(count_=3).papers(context(seed=1)))
    assert again == papers[:3]
    check_component(SyntheticSyntheses)


def test_generated_claims_are_those_of_the_sources() -> None:
    for paper in SyntheticSyntheses().papers(context(seed=2)):
        used = paper.labels.extra["sources-used"]
        assert isinstance(used, list)
        for number in used:
            claim = paper.materials[int(str(number))].title.rsplit(": ", 1)[0]
            assert claim[1:] in paper.text


def test_a_thousand_generated_syntheses_differ() -> None:
    papers = list(SyntheticSyntheses(count_=1000).papers(context(seed=3)))
    assert len({paper.text for paper in papers}) == 1000


def test_files_of_other_formats_are_skipped_by_name(tmp_path: Path) -> None:
    folder = tmp_path / "sheets"
    folder.mkdir()
    csv_file(folder, ROW)
    (folder / "paper.pdf").write_bytes(b"%PDF")
    first = read(folder)[0]
    assert isinstance(first, Skipped)
    assert (first.id, first.reason) == (
        "paper.pdf",
        "not read: yescieval reads only .xlsx, .csv, .json, .jsonl",
    )
