"""Real papers: they parse, and the counts agree with counts made by reading them."""

import json
from functools import cache
from pathlib import Path

import pytest

from revkit.model.intake import decode
from revkit.model.paper import Paper

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
MARKDOWN = DATA / "markdown_papers"
PDF_TEXT = DATA / "iclr2022_aiscientist" / "iclr_parsed"
PEERREAD = DATA / "peerread_layout"

pytestmark = pytest.mark.skipif(
    not DATA.is_dir(), reason=f"the shared papers are not here: {DATA} does not exist"
)


@cache
def paper(path):
    text, notes = decode(Path(path).read_bytes())
    return Paper(id=Path(path).stem, text=text, notes=notes)


def short(value):
    return value.stem if isinstance(value, Path) else str(value)


def files(folder, pattern):
    return sorted(folder.glob(pattern)) if folder.is_dir() else []


def pieces_fit(work):
    text = work.text
    position = 0
    for block in work.blocks:
        assert position <= block.start < block.end <= len(text)
        position = block.end
    for sentence in work.sentences:
        block = work.blocks[sentence.block]
        assert block.is_prose
        assert block.start <= sentence.start < sentence.end <= block.end


@pytest.mark.parametrize(
    ("folder", "pattern", "count", "sentences", "citations", "references"),
    [(MARKDOWN, "*.md", 48, 140, 15, 15), (PDF_TEXT, "*.txt", 46, 140, 20, 20)],
    ids=["markdown", "pdf-text"],
)
def test_every_paper_is_understood(folder, pattern, count, sentences, citations, references):
    found = files(folder, pattern)
    assert len(found) == count
    for path in found:
        work = paper(path)
        pieces_fit(work)
        assert len(work.sentences) >= sentences, path.name
        assert len(work.citations) >= citations, path.name
        assert len(work.references) >= references, path.name
        roles = {block.role for block in work.blocks}
        assert {"introduction", "references"} <= roles, path.name
        # Nearly every entry of these lists has a year.
        dated = sum(entry.year is not None for entry in work.references)
        assert dated >= 0.9 * len(work.references), path.name
        prose = [block for block in work.blocks if block.is_prose]
        assert max(block.end - block.start for block in prose) < 9000, path.name


def test_nearly_every_abstract_is_found():
    found = files(MARKDOWN, "*.md") + files(PDF_TEXT, "*.txt")
    with_abstract = [
        path
        for path in found
        if any(block.role == "abstract" and block.is_prose for block in paper(path).blocks)
    ]
    assert len(with_abstract) >= len(found) - 2


def test_section_texts_of_peerread_parse():
    found = files(PEERREAD, "**/parsed_pdfs/*.json")
    assert len(found) == 102
    for path in found:
        metadata = json.loads(path.read_bytes())["metadata"]
        parts = [metadata["abstractText"] or ""]
        parts += [
            f"# {section['heading'] or ''}\n\n{section['text']}"
            for section in metadata["sections"] or []
        ]
        work = Paper(id=path.stem, text="\n\n".join(parts))
        pieces_fit(work)
        assert len(work.sentences) >= 50, path.name


# Counted by reading the lists: one entry a line, a paragraph, or a label.
REFERENCES = [
    (MARKDOWN / "ICLR2018_ByxLBMZCb.md", 27, 0),
    (MARKDOWN / "ICLR2019_B1xsqj09Fm.md", 49, 0),
    (MARKDOWN / "ICLR2019_HkgqFiAcFm.md", 29, 0),
    (MARKDOWN / "ICLR2018_B1QRgziT-.md", 39, 0),
    (PDF_TEXT / "1JN7MepVDFv.txt", 41, 0),
    (PDF_TEXT / "2yITmG7YIFT.txt", 42, 0),
    (PDF_TEXT / "TXqemS7XEH.txt", 49, 0),
    (PDF_TEXT / "mFpP0THYeaX.txt", 57, 2),
    (DATA / "acl2023_cc_by" / "2023.acl-long.124" / "paper.md", 38, 0),
    (MARKDOWN / "ICLR2020_SJeLopEYDH.md", 27, 0),
]


@pytest.mark.parametrize(("path", "count", "tolerance"), REFERENCES, ids=short)
def test_the_entries_of_a_list_as_counted_by_hand(path, count, tolerance):
    assert abs(len(paper(path).references) - count) <= tolerance


# Marks in the prose (not in tables and captions), counted by reading the papers.
CITATIONS = [
    (DATA / "texts" / "05_latex_method_results.tex", "latex", 7, 0),
    (DATA / "texts" / "02_numeric_citations_tables.md", "numeric", 15, 0),
    (DATA / "texts" / "01_author_year_tables.md", "author-year", 16, 0),
    (DATA / "texts" / "03_hedged_discussion.md", "author-year", 5, 0),
    (MARKDOWN / "ICLR2018_ByxLBMZCb.md", "author-year", 50, 1),
    (MARKDOWN / "ICLR2020_SJeLopEYDH.md", "author-year", 33, 0),
    (MARKDOWN / "ICLR2020_rJxFpp4Fvr.md", "author-year", 17, 0),
    (MARKDOWN / "ICLR2019_Syx72jC9tm.md", "author-year", 48, 1),
    (MARKDOWN / "ICLR2019_rylV-2C9KQ.md", "author-year", 32, 2),
]


@pytest.mark.parametrize(("path", "style", "count", "tolerance"), CITATIONS, ids=short)
def test_the_marks_of_a_text(path, style, count, tolerance):
    work = paper(path)
    assert work.citation_style == style
    assert abs(len(work.citations) - count) <= tolerance


def test_what_is_no_prose_stays_out_of_the_sentences():
    for path in files(MARKDOWN, "*.md"):
        work = paper(path)
        for sentence in work.sentences:
            body = work.text[sentence.start : sentence.end]
            assert "<td>" not in body, (path.name, body)
            assert "\\tag" not in body, (path.name, body)
            assert not body.startswith(("![", "Figure 1:", "Table 1:", "# ")), (path.name, body)


def test_the_seed_record():
    content = json.loads((DATA / "clawrxiv" / "2604.01968.json").read_bytes())["content"]
    work = Paper(id="2604.01968", text=content)
    headings = [b for b in work.blocks if b.kind == "heading"]
    assert [b.role for b in headings] == [
        "front",
        "introduction",
        "method",
        "other",
        "experiments",
        "results",
        "results",
        "results",
        "results",
        "results",
        "discussion",
        "discussion",
        "discussion",
        "limitations",
        "conclusion",
        "references",
    ]
    assert [b.kind for b in work.blocks].count("table") == 2
    assert [b.kind for b in work.blocks].count("code") == 1
    assert [(r.label, r.year) for r in work.references] == [
        ("1", 2015),
        ("2", 2019),
        ("3", 2020),
        ("4", 1947),
    ]
