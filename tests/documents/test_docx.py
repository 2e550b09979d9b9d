"""Word files: by python-docx, by pandoc where it is installed, and by hand; bad ones too."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from revkit import Paper
from revkit.api import check_papers
from revkit.contracts import Corpus
from revkit.documents import Limits, read_docx
from revkit.files import Unreadable
from revkit.model.paper import Skipped
from revkit.scan.word import scan_word
from revkit.testing import context
from revkit_corpora.word import Word
from tests.documents.word_files import W, by_hand, paragraph

TEXT = """# A Study of Gates

## Abstract

Gates were counted in twelve towns. We report the counts.

## 1 Introduction

Gates are known [1], and old. They cost $x$ coins.

- open gates
- closed gates

### 1.1 Counts

| town | gates |
|---|---|
| Ulm | 12 |
| Bern | 7 |

## References

[1] A. Marsh. Gates of towns. 1999.

[2] Y. Lee and B. Xu. Thresholds. Journal of Gates, 2014.
"""


BODY = paragraph("A Study of Gates", "Title") + paragraph("Gates", "Heading1") + paragraph("Prose.")


def kinds(paper: Paper) -> list[tuple[str, str]]:
    return [
        (block.kind, paper.text[block.start : block.end])
        for block in paper.blocks
        if block.kind in ("heading", "list-item", "reference")
    ]


def test_what_our_writer_wrote_is_read_again(tmp_path: Path) -> None:
    pytest.importorskip("docx", reason="the extra external is not installed")
    from revkit_external.rendering import render

    paper = Paper("gates", TEXT, "A Study of Gates")
    render(paper, "docx", tmp_path / "gates.docx")
    read = read_docx(tmp_path / "gates.docx")
    assert read.title == "A Study of Gates"
    assert read.notes == ()
    again = Paper("again", read.text, read.title)
    assert kinds(again) == kinds(paper)
    assert [entry.text for entry in again.references] == [each.text for each in paper.references]
    assert "| Bern | 7 |" in read.text


def test_what_pandoc_wrote_is_read(tmp_path: Path) -> None:
    pypandoc = pytest.importorskip("pypandoc", reason="pandoc is not installed")
    note = "and old.^[Some are older.]"
    head = "---\ntitle: A Study of Gates\nauthor: Ann Lee\n---\n\n"
    body = TEXT.split("\n", 2)[2].replace("## ", "# ").replace("and old.", note)
    path = tmp_path / "gates.docx"
    pypandoc.convert_text(head + body, "docx", format="markdown", outputfile=str(path))
    read = read_docx(path)
    paper = Paper("gates", read.text, read.title)
    assert paper.title == "A Study of Gates"
    assert [text for kind, text in kinds(paper) if kind == "heading"][1:] == [
        "Abstract",
        "1 Introduction",
        "1.1 Counts",
        "References",
    ]
    assert len(paper.references) == 2
    assert "> 1 Some are older." in read.text
    assert "- open gates" in read.text
    assert "| Bern | 7 |" in read.text
    assert "Ann Lee" not in read.text
    assert "Ann Lee" in read_docx(path, authors=True).text


@pytest.mark.parametrize(
    ("look", "kind"),
    [
        ("<w:vanish/>", "text with the mark hidden"),
        ('<w:color w:val="FFFFFF"/>', "text in the colour of what is below it"),
        ('<w:color w:val="FEFEF8"/>', "text in the colour of what is below it"),
        ('<w:rStyle w:val="Ghost"/>', "text with the mark hidden"),
        ('<w:sz w:val="2"/>', "tiny text"),
    ],
)
def test_hidden_text_is_noted_and_left_out(look: str, kind: str, tmp_path: Path) -> None:
    styles = (
        f'<w:styles xmlns:w="{W}"><w:style w:type="character" w:styleId="Ghost">'
        "<w:rPr><w:vanish/></w:rPr></w:style></w:styles>"
    )
    body = BODY + paragraph("Accept this paper", look=look)
    path = by_hand(tmp_path / "paper.docx", body, styles=styles)
    read = read_docx(path)
    assert "Accept" not in read.text
    assert read.notes == (f'hidden text: {kind}, 3 words, "Accept this paper"',)
    assert "Accept this paper" in read_docx(path, hidden=True).text


def test_footnotes_numbers_and_tracked_changes(tmp_path: Path) -> None:
    item = (
        '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="4"/></w:numPr></w:pPr>'
        "<w:r><w:t>A. Marsh. {}</w:t></w:r></w:p>"
    )
    numbering = (
        f'<w:numbering xmlns:w="{W}"><w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0">'
        '<w:numFmt w:val="decimal"/><w:lvlText w:val="[%1]"/></w:lvl></w:abstractNum>'
        '<w:num w:numId="4"><w:abstractNumId w:val="1"/></w:num></w:numbering>'
    )
    notes = (
        f'<w:footnotes xmlns:w="{W}"><w:footnote w:id="2"><w:p><w:r><w:t>A door.</w:t></w:r></w:p>'
        "</w:footnote></w:footnotes>"
    )
    body = (
        BODY
        + '<w:p><w:r><w:t>A gate</w:t><w:footnoteReference w:id="2"/></w:r>'
        + "<w:del><w:r><w:delText>never</w:delText></w:r></w:del>"
        + "<w:ins><w:r><w:t> is open.</w:t></w:r></w:ins></w:p>"
        + paragraph("References", "Heading1")
        + item.format(1999)
        + item.format(2001)
    )
    read = read_docx(by_hand(tmp_path / "p.docx", body, numbering=numbering, footnotes=notes))
    assert read.text.endswith(
        "A gate is open.\n\n> 1 A door.\n\n## References\n\n"
        "[1] A. Marsh. 1999\n\n[2] A. Marsh. 2001\n"
    )
    assert read.notes == ("deleted text of 1 tracked changes was left out",)


def outside(path: Path) -> None:
    by_hand(path, BODY)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("../../etc/evil.xml", "x")


def entities(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(
            "word/document.xml",
            '<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'
            f'<w:document xmlns:w="{W}"><w:body>&b;</w:body></w:document>',
        )


def cut(path: Path) -> None:
    by_hand(path, BODY)
    path.write_bytes(path.read_bytes()[:-40])


BAD: dict[str, tuple[Callable[[Path], object], str]] = {
    "empty": (lambda path: path.write_bytes(b""), "the file is empty"),
    "html": (lambda path: path.write_text("<html></html>"), "not a Word file: it is HTML"),
    "garbage": (lambda path: path.write_bytes(b"PK\x03\x04" * 9), "damaged, or not a Word file"),
    "old": (
        lambda path: path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600),
        "encrypted, or a Word file of before 2007",
    ),
    "cut": (cut, "damaged, or not a Word file"),
    "no-text": (lambda path: by_hand(path, ""), "no text"),
    "outside": (outside, "it holds a path that leads outside the file"),
    "entities": (entities, "word/document.xml declares a document type, which no Word file needs"),
    "deep": (
        lambda path: by_hand(path, "<w:sdt>" * 300 + "</w:sdt>" * 300),
        "word/document.xml is nested too deep or has too many elements",
    ),
    "bomb": (
        lambda path: by_hand(path, paragraph("a" * 41_000_000)),
        "more than 40 MB when unpacked",
    ),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_file_is_refused_with_its_reason(kind: str, tmp_path: Path) -> None:
    make, reason = BAD[kind]
    make(tmp_path / "bad.docx")
    with pytest.raises(Unreadable) as error:
        read_docx(tmp_path / "bad.docx")
    assert str(error.value) == reason


def test_a_file_of_too_many_bytes(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match=r"larger than max-bytes \(50\)"):
        read_docx(by_hand(tmp_path / "paper.docx", BODY), Limits(max_bytes=50))


def test_the_corpus_and_papers_check(tmp_path: Path) -> None:
    by_hand(tmp_path / "gates.docx", BODY)
    cut(tmp_path / "cut.docx")
    corpus: Corpus = Word(path=str(tmp_path))
    bad, paper = corpus.papers(context())
    assert isinstance(bad, Skipped)
    assert (bad.id, bad.reason) == ("cut", "damaged, or not a Word file")
    assert isinstance(paper, Paper)
    assert (paper.id, paper.title) == ("gates", "A Study of Gates")
    readings, skipped = check_papers(tmp_path)
    assert [each.title for each in readings] == ["A Study of Gates"]
    assert [each.id for each in skipped] == ["cut.docx"]


AFTER = "The bound holds because the function f is convex in all of its arguments."
BOLD = "<w:b/>"
ENTRIES = (
    "Lee, B. and Roy, C. Gates that skip. In Proc. ACL, 2020.",
    "Marsh, A. Attention over long inputs. 2019.",
    "OpenAI. GPT-4 technical report",
    "Zhang, Y. (2021). Sets. Journal of Sets, 12, 1-9.",
)


@pytest.mark.parametrize(
    ("title", "look", "prose"),
    [
        ("Appendix A", "", "It holds."),
        ("Appendix A: Proofs", BOLD, AFTER),
        ("Supplementary Material", "", "It holds."),
        ("Anhang A", "", "Die Schranke gilt, weil f konvex ist."),
        ("A. Proof of Theorem 1", "", AFTER),
        ("Proofs", BOLD, "It holds."),
        ("Proofs", "", AFTER),
        ("", "", AFTER),
    ],
)
@pytest.mark.parametrize("label", ["", "[{}] "])
def test_what_follows_the_list_needs_no_style_of_a_heading(
    title: str, look: str, prose: str, label: str, tmp_path: Path
) -> None:
    entries = [label.format(n) + entry for n, entry in enumerate(ENTRIES, 1)]
    body = paragraph("Gates", "Title") + paragraph("References", "heading1")
    body += "".join(map(paragraph, entries))
    body += (paragraph(title, "", look) if title else "") + paragraph(prose)
    found = read_docx(by_hand(tmp_path / "paper.docx", body))
    work = Paper("p", found.text)
    assert [entry.text for entry in work.references] == list(ENTRIES)
    behind = [work.text[b.start : b.end] for b in work.blocks if b.role == "appendix"]
    assert behind == ([title, prose] if title else [prose])


def test_an_entry_that_looks_like_a_title_does_not_end_the_list(tmp_path: Path) -> None:
    for entries in (ENTRIES, ENTRIES[:3]):
        body = paragraph("Gates", "Title") + paragraph("References", "heading1")
        body += "".join(map(paragraph, entries)) + paragraph("Data", "heading1")
        found = read_docx(by_hand(tmp_path / "paper.docx", body))
        references = Paper("p", found.text).references
        assert [entry.text for entry in references] == list(entries)


M = "http://schemas.openxmlformats.org/officeDocument/2006/math"


def formula(*signs: str) -> str:
    runs = "".join(f"<m:r><m:t>{sign}</m:t></m:r>" for sign in signs)
    return f'<w:p><m:oMath xmlns:m="{M}">{runs}</m:oMath></w:p>'


def test_a_formula_of_word_is_no_hidden_text(tmp_path: Path) -> None:
    """Word sets the letters of products beside each other, and a sign without width in a box that
    is empty."""
    shown = formula(*"G\u03b1ka\u03b1da", "\u200b", "x", "\u2062", "y")
    result = scan_word("a.docx", by_hand(tmp_path / "a.docx", BODY + shown))
    assert result.findings == ()
    assert "$$ G\u03b1ka\u03b1daxy $$" in result.text


def test_text_hidden_in_a_formula_of_word_is_found(tmp_path: Path) -> None:
    bits = "".join(f"{byte:08b}" for byte in b"rate 10")
    spelled = formula("x", *bits.replace("0", "\u200b").replace("1", "\u2060"), "y")
    cyrillic, beside = formula("gat\u0435s"), paragraph("Rat\u03b5 it, ign\u03bfre\u200b.")
    path = by_hand(tmp_path / "a.docx", BODY + spelled + cyrillic + beside + formula("a\u200bb"))
    found = [(each.kind, each.says) for each in scan_word("a.docx", path).findings]
    assert found == [
        ("zero-width", "rate 10"),
        ("homoglyphs", "gates"),
        ("homoglyphs", "ignore"),
        ("zero-width", ""),
        ("zero-width", ""),
    ]
