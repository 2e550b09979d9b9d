"""Real PDF files: what a person read on the rendered pages against what is read from the file."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

import revkit
from revkit import Paper
from revkit.documents import PdfReader
from revkit.papers import find_leaks, read_structure
from tests.documents.pdf_files import PDFS, real

pytest.importorskip("pypdfium2", reason="the extra pdf is not installed")
LABELS = json.loads(Path(__file__).with_name("pdf_labels.json").read_text(encoding="utf-8"))


pytestmark = pytest.mark.slow


@cache
def read(name: str) -> tuple[Paper, tuple[str, ...]]:
    with PdfReader() as reader:
        found = reader.read(real(name))
    return Paper(name, found.text, found.title), found.notes


def headings(paper: Paper) -> list[str]:
    return [
        " ".join(paper.text[block.start : block.end].lower().split())
        for block in paper.blocks
        if block.kind == "heading" and block.level > 1
    ]


@pytest.mark.parametrize("name", LABELS)
def test_what_a_person_read(name: str) -> None:
    paper, notes = read(name)
    label = LABELS[name]
    assert paper.title.lower() == label["title"].lower()
    found, right = headings(paper), [each.lower() for each in label["headings"]]
    hits = sum(each in right for each in found)
    assert hits >= 0.9 * len(right)
    assert hits >= 0.85 * len(found)
    assert abs(len(paper.references) - label["references"]) <= 2
    structure = read_structure(paper)
    assert structure.abstract
    assert structure.score >= 0.95
    assert not structure.unread
    assert not any("hidden text" in note for note in notes)
    assert find_leaks(paper.text) == ()


@pytest.mark.parametrize("name", LABELS)
def test_abstract_entries_years_and_citations(name: str) -> None:
    paper, _ = read(name)
    label = LABELS[name]
    prose = [block for block in paper.blocks if block.role == "abstract" and block.is_prose]
    abstract = " ".join(paper.text[prose[0].start : prose[-1].end].split())
    assert abstract.startswith(label["abstract"][0])
    assert abstract.endswith(label["abstract"][1])
    entries = paper.references
    assert [entries[0].text, entries[-1].text] == [
        StartsWith(label["entries"][0]),
        StartsWith(label["entries"][1]),
    ]
    assert [str(entry.year or "-") for entry in entries] == label["years"].split()
    structure = read_structure(paper)
    assert structure.citations - structure.matched == label["unmatched"]  # misprints of the paper


class StartsWith(str):
    """Equal to each text that starts with it."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and other.startswith(str(self))

    __hash__ = str.__hash__


def test_columns_hyphens_and_accents() -> None:
    paper, _ = read("P14-1059.pdf")
    abstract = next(block for block in paper.blocks if block.role == "abstract" and block.is_prose)
    text = paper.text[abstract.start : abstract.end]
    assert text.startswith("We introduce the problem of generation in distributional semantics:")
    assert text.endswith("generating the equivalent expressions in Italian).")
    assert "space functioning as interlingua.\n" in paper.text
    assert "Center for Mind" not in paper.text  # the authors' address
    assert "Proceedings of the 52nd" not in paper.text.split("## References")[0].split("> ")[0]
    names = [entry.text.split(",")[0] for entry in read("iclr2024_10eQ4Cfh8p.pdf")[0].references]
    assert {"Özgüven", "Veličković"} <= set(names)


def test_authors_are_kept_where_asked() -> None:
    with PdfReader(authors=True) as reader:
        found = reader.read(real("mono04.pdf"))
    assert "QUIRK" in found.text.split("## Abstract")[0]
    assert not any("left out" in note and "names" in note for note in found.notes)


def test_a_printed_page_with_reviews_is_named() -> None:
    paper, _ = read("openreview_print_H1DkN7ZCZ.pdf")
    assert paper.title == (
        "Deep learning mutation prediction enables early stage lung cancer detection in "
        "liquid biopsy"
    )
    signs = ("reviewers", "ratings", "confidences", "a decision", "reviews")
    assert find_leaks(paper.text) == signs


FEWSHOT = PDFS.parent / "iclr2022_aiscientist" / "fewshot_examples"


@pytest.mark.parametrize(
    "path",
    [
        FEWSHOT / "2_carpe_diem.pdf",  # no rule was made for this one
        PDFS / "arxiv_2509.13400.pdf",
        PDFS / "iclr2024_10eQ4Cfh8p.pdf",
    ],
    ids=lambda path: path.stem,
)
def test_headings_agree_with_the_outline_in_the_file(path: Path) -> None:
    import pypdfium2

    if not path.is_file():
        pytest.skip("../shared/data is not present")
    with pypdfium2.PdfDocument(path) as document:
        outline = {letters(entry.get_title()) for entry in document.get_toc()}
    with PdfReader() as reader:
        found = reader.read(path)
    read_here = {letters(each) for each in headings(Paper("paper", found.text, found.title))}
    more = {"abstract", "references", "limitations", "ethics"}
    assert len(outline & read_here) >= 0.9 * len(outline)
    assert len(read_here - outline - more) <= 0.15 * len(read_here)


def test_a_run_on_a_folder_of_pdf_files(tmp_path: Path) -> None:
    folder = real("mono04.pdf").parent
    pdfs = sorted(path.stem for path in folder.iterdir() if path.suffix == ".pdf")
    others = sorted(path.name for path in folder.iterdir() if path.suffix != ".pdf")
    spec = {
        "revkit": 1,
        "name": "pdf",
        "seed": 1,
        "corpus": {"use": "pdf", "with": {"path": str(folder)}},
        "perturbations": {"hedging": "hedging"},
        "agents": {"counter": "citation-counter"},
        "metrics": ["flip-rate"],
        "reports": ["markdown"],
    }
    run = revkit.run(spec, out=tmp_path / "out", store=tmp_path / "store.sqlite3")
    papers = {paper.id: paper for paper in run.records.papers}
    assert sorted(papers) == pdfs
    rows = (tmp_path / "out/records/skipped.jsonl").read_text(encoding="utf-8").splitlines()
    assert sorted(json.loads(row)["id"] for row in rows) == others
    leaking = [id_ for id_, paper in papers.items() if paper.leaks]
    assert leaking == ["openreview_print_H1DkN7ZCZ"]
    assert sum(variant.outcome == "made" for variant in run.records.variants) >= 5
    assert "hold their own reviews" in (tmp_path / "out/report.md").read_text(encoding="utf-8")


def letters(heading: str) -> str:
    """A heading without its number, as letters."""
    bare = re.sub(r"^(?:appendix )?(?:\d+(?:\.\d+)*|[a-j](?:\.\d+)*)\.? ", "", heading.lower())
    return "".join(filter(str.isalpha, bare))
