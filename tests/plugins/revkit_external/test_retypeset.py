"""Layouts: the same words in another file, and which file an agent gets."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import revkit
from revkit.contracts import Context
from revkit.errors import PaperError, RunError
from revkit.model.paper import Paper
from revkit.model.paper_file import PaperFile
from revkit.model.variant import Layout, Rejection
from revkit.testing import tiny_papers
from revkit_external.rendering import render
from revkit_external.rendering.layouts import LAYOUTS
from revkit_external.retypeset import ReTypeset
from revkit_external.texts import texts_of
from tests.documents.pdf_files import real

FILE = PaperFile("pdf", "0" * 64)
MAP = {"score": {"path": "$.score", "scale": [0, 1]}, "text": {"path": "$.sha"}}
TOOL = (
    "import hashlib, json, sys\n"
    "data = open(sys.argv[1], 'rb').read()\n"
    "print(json.dumps({'sha': hashlib.sha256(data).hexdigest(), 'score': 1}))\n"
)


def test_layout_and_file_are_part_of_what_is_seen_and_not_of_the_text() -> None:
    paper = Paper("p", "Some words.", file=FILE)
    wide = paper.laid_out("large-print")
    assert (wide.file, wide.layout, wide.digest) == (None, "large-print", paper.digest)
    assert len({each.seen_digest for each in (paper, wide, paper.laid_out(""))}) == 3
    assert paper.laid_out("").seen_digest == paper.digest == Paper("q", "Some words.").seen_digest
    assert paper.laid_out("original") is paper
    with pytest.raises(PaperError, match="has no file"):
        wide.laid_out("original")
    assert wide.blind().layout == "large-print"
    assert paper.blind().file == FILE


def test_a_reader_of_text_sees_no_layout() -> None:
    paper = Paper("p", "Some words.", file=FILE)
    assert paper.for_reader(["pdf"]) is paper
    assert paper.for_reader(["docx"]).file is None
    wide = paper.laid_out("large-print")
    assert wide.for_reader(["docx"]) is wide
    assert wide.for_reader(["md", "txt"]) == paper.for_reader(()) == replace(paper, file=None)


def test_an_edited_paper_has_no_file() -> None:
    paper = Paper("p", "Some words.", file=FILE)
    assert paper.edited([]).file == FILE
    assert paper.edited([revkit.Edit(0, 4, "Other")]).file is None


def test_original_needs_a_file() -> None:
    paper = Paper("p", "Some words.")
    made = ReTypeset(layout="original").perturb(paper, Context())
    assert isinstance(made, Rejection)
    assert "authors: true" in made.reason
    kept = replace(paper, file=FILE)
    assert ReTypeset(layout="original").perturb(kept, Context()) == Layout("original")
    assert ReTypeset().perturb(paper, Context()) == Layout("two-columns")


@pytest.mark.parametrize("format", ["pdf", "docx", "tex"])
def test_every_layout_has_the_same_words(format: str, tmp_path: Path) -> None:
    pytest.importorskip("mdit_py_plugins")
    paper = tiny_papers()[0]
    contents, words = [], []
    for name in LAYOUTS:
        path = tmp_path / f"{name}.{format}"
        report: Any = render(paper.laid_out(name), format, path)
        assert report.get("layout", "") == name
        render(paper.laid_out(name), format, path.with_suffix(".again"))
        assert path.read_bytes() == path.with_suffix(".again").read_bytes()
        contents.append(path.read_bytes())
        words.append(letters_of(path, format))
    assert len(set(contents)) == len(LAYOUTS)
    assert len(set(words)) == 1
    assert len(words[0]) > 800


def letters_of(path: Path, format: str) -> str:
    """The letters and digits of a file in their order."""
    if format == "pdf":
        pdfium = pytest.importorskip("pypdfium2")
        document = pdfium.PdfDocument(path)
        text = "".join(page.get_textpage().get_text_range() for page in document)
    elif format == "docx":
        import docx

        text = "".join(each.text for each in docx.Document(str(path)).paragraphs)
    else:
        text = path.read_text(encoding="utf-8").partition("\\begin{document}")[2]
    return "".join(filter(str.isalnum, text))


def test_an_unknown_layout_is_an_error(tmp_path: Path) -> None:
    pytest.importorskip("mdit_py_plugins")
    with pytest.raises(RunError, match=r"no layout 'round'; the layouts are: two-columns, large"):
        render(Paper("p", "a").laid_out("round"), "tex", tmp_path / "p.tex")


def test_the_file_is_copied_and_must_not_have_changed(tmp_path: Path) -> None:
    source = tmp_path / "source.pdf"
    source.write_bytes(b"%PDF-1.4 anything")
    paper = Paper("p", "Words.", file=PaperFile.at(source, "pdf"))
    report: Any = render(paper, "pdf", tmp_path / "copy.pdf")
    assert (tmp_path / "copy.pdf").read_bytes() == source.read_bytes()
    assert report["sha256"] == hashlib.sha256(source.read_bytes()).hexdigest()
    source.write_bytes(b"%PDF-1.4 something else")
    with pytest.raises(RunError, match="changed after it was read"):
        render(paper, "pdf", tmp_path / "copy.pdf")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one PDF of a paper."""
    pytest.importorskip("pypdfium2", reason="the extra pdf is not installed")
    pytest.importorskip("mdit_py_plugins")
    made = tmp_path_factory.mktemp("pdfs")
    render(tiny_papers()[0].laid_out("large-print"), "pdf", made / "one.pdf")
    return made


def spec_for(folder: Path, tool: Path, families: Mapping[str, Any], **options: Any) -> Any:
    tool.write_text(TOOL, encoding="utf-8")
    argv = [sys.executable, "-S", "-E", str(tool), "{paper_pdf}"]
    return {
        "revkit": 1,
        "name": "files",
        "corpus": {"use": "pdf", "with": {"path": str(folder), **options}},
        "perturbations": dict(families),
        "agents": {"tool": {"use": "command", "with": {"argv": argv, "map": MAP}}},
        "metrics": ["outcomes"],
    }


def hashes(run: Any) -> dict[tuple[str, str], str]:
    """The SHA-256 of the file that the tool got, by paper and perturbation."""
    lines = (run.folder / "records/outcomes.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert not [row for row in rows if row["agent"] == "tool" and row["failure"]]
    return {(r["paper"], r["perturbation"]): r["text"] for r in rows if r["agent"] == "tool"}


@pytest.mark.slow
def test_only_a_run_without_variants_gets_the_file_of_the_publisher(
    folder: Path, tmp_path: Path
) -> None:
    def run(name: str, families: Mapping[str, Any], **options: Any) -> Any:
        spec = spec_for(folder, tmp_path / "tool.py", families, **options)
        return revkit.run(spec, out=tmp_path / name, store=tmp_path / "store.sqlite3")

    own = hashlib.sha256((folder / "one.pdf").read_bytes()).hexdigest()
    assert hashes(run("plain", {}, authors=True)) == {("one", ""): own}
    assert hashes(run("blind", {}))["one", ""] != own
    layouts = {
        "two": "re-typeset",
        "publisher": {"use": "re-typeset", "with": {"layout": "original"}},
    }
    paired = run("paired", layouts, authors=True)
    found = hashes(paired)
    assert found["one", "publisher"] == own
    assert len(set(found.values())) == 3
    assert len(list(texts_of(paired.folder))) == 1  # both variants are the text of the paper
    assert {row.edits for row in paired.records.variants} == {0}
    refused = run("refused", {"publisher": layouts["publisher"]})
    assert [row.outcome for row in refused.records.variants] == ["declined"]


def test_an_agent_that_gets_text_is_named(tmp_path: Path) -> None:
    spec = {
        "revkit": 1,
        "name": "layouts",
        "corpus": {"use": "synthetic", "with": {"papers": 2}},
        "perturbations": {"layout": "re-typeset"},
        "agents": {"reader": "outline-reviewer"},
        "metrics": ["outcomes"],
    }
    run = revkit.run(spec, out=tmp_path / "out", store=tmp_path / "store.sqlite3")
    assert [each.kind for each in run.warnings] == ["layout-not-seen"]
    assert "'reader' gets the text of a paper and no file" in run.warnings[0].detail
    scores: dict[str, set[float | None]] = {}
    for row in run.records.verdicts:
        scores.setdefault(row.paper, set()).add(row.score)
    assert [len(each) for each in scores.values()] == [1, 1]
    assert run.counts.computed == 4  # both sides of a pair are one review


@pytest.mark.slow
def test_real_files_with_a_command(tmp_path: Path) -> None:
    pytest.importorskip("pypdfium2", reason="the extra pdf is not installed")
    pdfs = sorted(real("mono04.pdf").parent.glob("*.pdf"))
    own = {path.stem: hashlib.sha256(path.read_bytes()).hexdigest() for path in pdfs}
    tool, store = tmp_path / "tool.py", tmp_path / "store.sqlite3"
    spec = spec_for(pdfs[0].parent, tool, {}, authors=True)
    first = revkit.run(spec, out=tmp_path / "plain", store=store)
    assert hashes(first) == {(name, ""): digest for name, digest in own.items()}
    families = {
        "two": "re-typeset",
        "large": {"use": "re-typeset", "with": {"layout": "large-print"}},
        "publisher": {"use": "re-typeset", "with": {"layout": "original"}},
        "hedging": "hedging",
    }
    spec = spec_for(pdfs[0].parent, tool, families, authors=True)
    found = hashes(revkit.run(spec, out=tmp_path / "paired", store=store))
    for name, digest in own.items():
        assert found[name, "publisher"] == digest
        files = {found[name, family] for family in ("", "two", "large")}
        assert len(files) == 3
        assert digest not in files
    # The publisher's file is the variant of one family only; every other side is written here.
    rows = (tmp_path / "paired/records/outcomes.jsonl").read_text(encoding="utf-8").splitlines()
    writers = {
        (row["perturbation"], row["details"]["paper"]["pdf"]["renderer"].split()[0])
        for row in map(json.loads, rows)
    }
    assert writers == {
        ("", "revkit-pdf"),
        ("two", "revkit-pdf"),
        ("large", "revkit-pdf"),
        ("hedging", "revkit-pdf"),
        ("publisher", "none:"),
    }
