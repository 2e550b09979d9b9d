"""`revkit papers check`: what is understood of files, on a terminal, as JSON and as a page."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from revkit.cli.main import cli
from revkit.errors import RunError

GATES = """# Gates

## Introduction

Gates are known [1].

## References

[1] A. Lee. Gates. 2014.
"""


def check(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["papers", "check", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.output


def test_a_folder_without_papers_exits_with_1(tmp_path: Path) -> None:
    code, output = check(str(tmp_path))
    assert code == 1
    assert "contains no file that could be a paper; name another folder" in output
    (tmp_path / "a.odt").write_bytes(b"PK")
    assert "convert them to PDF, Word, LaTeX or Markdown" in check(str(tmp_path))[1]


def test_one_file_is_shown_with_its_outline(tmp_path: Path) -> None:
    path = tmp_path / "gates.md"
    path.write_text(GATES, encoding="utf-8")
    code, output = check(str(path))
    assert code == 0
    assert "title: Gates" in output
    assert (
        "headings: 2; entries in the reference list: 1; citations that match an entry: 1 of 1"
        in output
    )
    assert "Introduction  [introduction, 4 words]" in output
    assert output.endswith("papers: 1 read in full, 0 read in part, 0 not loaded\n")


def test_a_paper_without_linked_citations_is_not_read_in_full(tmp_path: Path) -> None:
    path = tmp_path / "gates.md"
    path.write_text(GATES.replace("[1].", "[2, 3, 4, 5, 6]."), encoding="utf-8")
    page = tmp_path / "page.html"
    code, output = check(str(path), "--page", str(page))
    assert code == 1
    linked = "citations not linked (5 of 5 name no entry of the reference list)"
    assert linked in page.read_text(encoding="utf-8")
    assert "citations not linked: 5 of 5 name no entry of the reference list" in output
    assert "not recognised" not in output
    assert output.endswith("papers: 0 read in full, 1 read in part, 0 not loaded\n")


def test_a_folder_with_files_of_other_kinds(tmp_path: Path) -> None:
    (tmp_path / "gates.md").write_text(GATES, encoding="utf-8")
    (tmp_path / "lost.txt").write_text("A net may keep what it sees at each step. " * 300)
    (tmp_path / "scan.pdf").write_bytes(b"%PDF-1.4")
    (tmp_path / "broken.md").write_bytes(b"\xff\xfe")
    page = tmp_path / "page.html"
    code, output = check(str(tmp_path), "--json", "--page", str(page))
    assert code == 1
    found = json.loads(output)
    assert [each["id"] for each in found["papers"]] == ["gates.md", "lost.txt"]
    assert found["papers"][1]["unread"] == ["headings", "references"]
    assert found["papers"][0]["structure"]["matched"] == 1
    assert [each["id"] for each in found["skipped"]] == ["broken.md", "scan.pdf"]
    written = page.read_text(encoding="utf-8")
    assert "default-src 'none'" in written
    assert "headings, references" in written


def test_a_paper_that_holds_its_reviews_is_named(tmp_path: Path) -> None:
    path = tmp_path / "print.md"
    path.write_text(f"{GATES}\nOfficial Review. Rating: 7. Decision: Reject\n", encoding="utf-8")
    code, output = check(str(path))
    assert code == 1
    assert "holds its own reviews: ratings, a decision, reviews" in output


def test_text_of_papers_is_escaped(tmp_path: Path) -> None:
    text = GATES.replace("# Gates", "# <script>alert(1)</script> \u202eGates", 1)
    (tmp_path / "evil.md").write_text(text, encoding="utf-8")
    page = tmp_path.parent / "evil.html"
    code, output = check(str(tmp_path), "--page", str(page))
    assert code == 0
    written = page.read_text(encoding="utf-8")
    assert "<script>" not in written
    assert "\u202e" not in written + output
    assert "hidden text in line 1 (bidi)" in output


def test_the_corpus_of_an_experiment(tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "gates.md").write_text(GATES, encoding="utf-8")
    spec = tmp_path / "mine.yaml"
    spec.write_text(
        "revkit: 1\nname: mine\nseed: 1\n"
        f"corpus: {{use: markdown, with: {{path: {tmp_path / 'papers'}}}}}\n"
        "agents: {counter: citation-counter}\nmetrics: []\n"
    )
    assert check(str(spec))[0] == 0


def test_a_path_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["papers", "check", str(tmp_path / "none")])
    assert result.exit_code != 0


def test_a_page_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "gates.md").write_text(GATES, encoding="utf-8")
    arguments = [str(tmp_path), "--page", str(tmp_path / "none" / "page.html")]
    result = CliRunner().invoke(cli, ["papers", "check", *arguments])
    assert isinstance(result.exception, RunError)
    assert "cannot be written" in str(result.exception)
