"""The corpus of PDF files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from revkit import Paper
from revkit.api import check_papers
from revkit.contracts import Corpus
from revkit.model.paper import Skipped
from revkit_corpora.pdf import Pdf
from tests.documents.pdf_files import column, show, write_pdf

pytest.importorskip("pypdfium2", reason="the extra pdf is not installed")
Load = Callable[[Corpus], tuple[list[Paper], list[Skipped]]]
CONTENT = show("A Study of Gates", 72, 740, 18, "B") + column(
    ["Ann Lee, University of Towns"], 72, 710
)
ABSTRACT = show("Abstract", 72, 680, 12, "B") + column(["Gates were counted in towns."], 72, 660)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "papers" / "2024").mkdir(parents=True)
    papers = tmp_path / "papers"
    write_pdf(papers / "2024" / "gates.pdf", (CONTENT + ABSTRACT).encode())
    (papers / "login.PDF").write_text("<html>Sign in</html>")
    (papers / "notes.md").write_text("# Notes\n\nNot read by this corpus.\n")
    return papers


def test_papers_skips_and_labels(folder: Path, tmp_path: Path, load: Load) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text("id,accept,ratings\n2024/gates,true,6;7\n")
    [paper], skipped = load(Pdf(path=str(folder), labels=str(labels)))
    assert [(each.id, each.reason) for each in skipped] == [
        ("notes.md", "not read: pdf reads only .pdf"),
        ("login", "not a PDF: it is HTML or XML"),
    ]
    assert paper.id == "2024/gates"
    assert paper.title == "A Study of Gates"
    assert paper.labels.accept is True
    assert paper.labels.ratings == (6, 7)
    assert "Ann Lee" not in paper.text
    assert "names between title and abstract were left out" in paper.notes


def test_authors_are_kept_where_asked(folder: Path, load: Load) -> None:
    [paper], _ = load(Pdf(path=str(folder / "2024"), authors=True))
    assert "Ann Lee, University of Towns" in paper.text


def test_papers_check_reads_pdf_beside_text(folder: Path) -> None:
    readings, skipped = check_papers(folder)
    assert [(each.id, each.title) for each in readings] == [
        ("2024/gates.pdf", "A Study of Gates"),
        ("notes.md", "Notes"),
    ]
    assert [each.id for each in skipped] == ["login.PDF"]
