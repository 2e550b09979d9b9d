"""The corpus of files of several formats in one folder."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import revkit
from revkit import Paper
from revkit.contracts import Corpus
from revkit.model.paper import Skipped
from revkit_corpora.files import Files
from revkit_corpora.markdown import Markdown
from revkit_corpora.pdf import Pdf
from revkit_corpora.word import Word
from tests.documents.word_files import by_hand, paragraph

Load = Callable[[Corpus], tuple[list[Paper], list[Skipped]]]
DOCUMENT = (
    r"\documentclass{article}\begin{document}\title{Gates}\begin{abstract}We count.\end{abstract}"
    r"\section{Introduction} Gates are old. \includegraphics[width=3cm]{figures/gates.pdf}"
    r"\includegraphics{figures/towns} \input{rest}\end{document}"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    papers = tmp_path / "papers"
    (papers / "tree" / "figures").mkdir(parents=True)
    (papers / "one.md").write_text("# One\n\nGates were counted.\n")
    (papers / "two.txt").write_text("# Two\n\nTowns were counted.\n")
    by_hand(papers / "three.docx", paragraph("Three", "Title") + paragraph("Doors were counted."))
    (papers / "one.docx").write_bytes((papers / "three.docx").read_bytes())
    (papers / "tree" / "main.tex").write_text(DOCUMENT)
    (papers / "tree" / "rest.tex").write_text("More prose of the document.\n")
    (papers / "broken.docx").write_bytes(b"no archive")
    (papers / "slides.odp").write_bytes(b"x")
    for name in ("gates", "towns"):
        (papers / "tree" / "figures" / f"{name}.pdf").write_bytes(b"%PDF-1.4 a picture")
    return papers


def test_each_file_is_read_as_its_format_says(folder: Path, load: Load) -> None:
    pytest.importorskip("pypdfium2", reason="the extra pdf is not installed")
    labels = folder.parent / "labels.csv"
    labels.write_text("id,accept\ntwo,true\nthree,false\nnowhere,true\n")
    papers, skipped = load(Files(path=str(folder), labels=str(labels)))
    assert [(each.id, each.source, each.labels.accept) for each in papers] == [
        ("one", "one.docx", None),
        ("three", "three.docx", False),
        ("tree/main", "tree/main.tex", None),
        ("two", "two.txt", True),
    ]
    assert "More prose of the document." in papers[2].text
    reasons = {each.source or each.id: each.reason for each in skipped}
    assert sorted(reasons) == [
        "broken.docx",
        "labels.csv",
        "one.md",
        "slides.odp",
        "tree/figures/gates.pdf",
        "tree/figures/towns.pdf",
    ]
    assert "a picture of a LaTeX file" in reasons["tree/figures/gates.pdf"]
    assert "reads only .md" in reasons["slides.odp"]
    assert "no file for this row" in reasons["labels.csv"]


def test_real_papers_are_as_each_corpus_reads_them(
    tmp_path: Path, shared_data: Path, load: Load
) -> None:
    pytest.importorskip("pypdfium2", reason="the extra pdf is not installed")
    folder = tmp_path / "papers"
    folder.mkdir()
    for name in ("mono04.pdf", "P14-1059.pdf"):
        shutil.copy(shared_data / "pdfs" / name, folder)
    for path in sorted((shared_data / "markdown_papers").glob("*.md"))[:3]:
        shutil.copy(path, folder)
    tree = shared_data / "aiscientist_ai_papers" / "latex" / "gan_diffusion"
    shutil.copytree(tree, folder / "tree")
    papers, skipped = load(Files(path=str(folder)))
    texts = {each.source: each.text for each in papers}
    for corpus in (Markdown(path=str(folder)), Pdf(path=str(folder))):
        alone, _ = load(corpus)
        for paper in alone:
            if not paper.source.startswith("tree/") or paper.source.endswith(".tex"):
                assert texts[paper.source] == paper.text
    assert {Path(name).suffix for name in texts} == {".pdf", ".md", ".tex"}
    assert sum(name.endswith(".pdf") for name in texts) == 2, sorted(texts)
    assert all(each.reason for each in skipped)


def test_one_file_and_the_options_of_its_format(tmp_path: Path, load: Load) -> None:
    path = tmp_path / "paper.docx"
    by_hand(path, paragraph("Gates", "Title") + paragraph("Doors were counted."))
    given = {"path": str(path), "authors": True, "hidden": True}
    [paper], _ = load(Files(**given))  # type: ignore[arg-type]
    [alone], _ = load(Word(**given))  # type: ignore[arg-type]
    assert (paper.text, paper.file) == (alone.text, alone.file)
    assert paper.file is not None


def test_a_run_reads_a_folder_of_several_formats(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("pypdfium2", reason="the extra pdf is not installed")
    spec = {
        "revkit": 1,
        "name": "mixed",
        "corpus": {"use": "files", "with": {"path": str(folder)}},
        "agents": {"length": "length-reader"},
    }
    run = revkit.run(spec, out=tmp_path / "run", store=tmp_path / "s.db")
    assert [row.id for row in run.records.papers] == ["one", "three", "tree/main", "two"]
    assert sum(run.records.skipped.values()) == 5
    lines = (tmp_path / "run" / "records" / "papers.jsonl").read_text()
    assert '"source":"three.docx"' in lines.replace(": ", ":")
