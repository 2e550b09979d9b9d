"""Text of PDF files without blank lines: headings and entries as read from the pages."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

from revkit.model.intake import clean_text
from revkit.model.paper import Paper

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "pdfs"

PROSE = (
    "Gates decide what a network keeps of its input at each step of a sequence, and what it drops."
    " Earlier work (Lee and Xu, 2014) fits them with a fixed threshold, which we show to be useless"
    " where the input is short. In this paper we let a small model set the threshold, and we find"
    " that it learns to open most gates early in training. The cost of this is one more layer."
    " It pays where sequences are long, as a comparison over five tasks of this section shows."
)
SECTIONS = [
    "Abstract",
    "1 Introduction",
    "2 Related work",
    "2.1 Gates in nets",
    "3 Learned thresholds",
    "3.1 The loss of a gate",
    "4 Experiments",
    "5 Conclusion",
    "Acknowledgments",
]
ENTRIES = [
    "Anna de Vries and Bo Xu. 2011. Nets with gates. In Proceedings of Gating, pages 10–19, Rome.",
    "Yann Lee and Bo Xu. 2014. Thresholds of gates. Journal of Gates, 3:1–22. Out in 2015.",
    "van der Maat, L. and Cy Young. 2012. Keeping and dropping: A survey of sequences. In Gating.",
    "Cy Young, Yann Lee, and Anna de Vries. 2016. Gates are all that is needed. Gating Letters, 5.",
]


def dense(width: int, entries: bool = True) -> str:
    lines = ["Learned Thresholds for Gates", "Yann Lee and Bo Xu", "University of Gates"]
    for title in SECTIONS:
        lines += [title, *textwrap.wrap(PROSE, width), *textwrap.wrap(PROSE, width)]
    lines.append("References")
    for entry in ENTRIES if entries else ():
        lines += textwrap.wrap(entry, width)
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("width", [48, 80, 2000])
def test_headings_and_entries_are_known_by_their_lines(width: int) -> None:
    paper = Paper("p", dense(width))
    headings = [paper.text[b.start : b.end] for b in paper.blocks if b.kind == "heading"]
    assert headings == [*SECTIONS, "References"]
    entries = [(entry.year, entry.text[:12]) for entry in paper.references]
    assert entries == [
        (year, text[:12]) for year, text in zip((2011, 2014, 2012, 2016), ENTRIES, strict=True)
    ]
    assert len(paper.citations) == 2 * (len(SECTIONS) - 1)


def test_rows_and_formulas_are_no_prose() -> None:
    row = "LSTM 0.52 0.61 0.70"
    formula = "z = σ(W x + b) (3)"
    text = dense(80).replace("4 Experiments\n", f"4 Experiments\n{row}\n{formula}\n")
    paper = Paper("p", text)
    kinds = {paper.text[b.start : b.end]: b.kind for b in paper.blocks}
    assert kinds[row] == "table"
    assert kinds[formula] == "table"


def squeezed(text: str) -> str:
    return re.sub(r"\W+", "", text).lower()


def headings_of(paper: Paper) -> set[str]:
    return {
        squeezed(paper.text[block.start : block.end])
        for block in paper.blocks
        if block.kind == "heading" and block.role != "front"
    }


def without_blank_lines(text: str, width: int, *, capitals: bool) -> str:
    """A paper in Markdown as a program might take it from its pages."""
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)|<table.*?</table>", "", text, flags=re.DOTALL)
    lines = [re.sub(r"^#+\s*", "", line) for line in text.split("\n") if line.strip()]
    if not capitals:
        lines = [line.title() if line.isupper() else line for line in lines]
    wrap = textwrap.TextWrapper(width, break_long_words=False, break_on_hyphens=False)
    return "\n".join(row for line in lines for row in wrap.wrap(line) or [""]) + "\n"


SHAPES = [(90, True, 0.93), (90, False, 0.9), (50, True, 0.9), (100_000, True, 0.93)]


@pytest.mark.parametrize(
    "step", [pytest.param(1, marks=pytest.mark.slow), pytest.param(7, id="some")]
)
@pytest.mark.parametrize(("width", "capitals", "recall"), SHAPES)
def test_papers_without_their_blank_lines(
    width: int, capitals: bool, recall: float, step: int
) -> None:
    folder = DATA.parent / "markdown_papers"
    if not folder.is_dir():
        pytest.skip("../shared/data is not present")
    right = found = wanted = near = papers = 0
    for path in sorted(folder.glob("*.md"))[::step]:
        whole = Paper("p", path.read_text(encoding="utf-8"))
        flat = Paper("p", without_blank_lines(whole.text, width, capitals=capitals))
        ours, theirs = headings_of(flat), headings_of(whole)
        right += len(ours & theirs)
        found, wanted = found + len(ours), wanted + len(theirs)
        near += abs(len(flat.references) - len(whole.references)) <= 2
        papers += 1
    assert right >= 0.95 * found
    assert right >= recall * wanted
    assert near >= 0.9 * papers


HEADINGS = {
    "P14-1059": (
        "Abstract|1 Introduction|2 Related work|3 General framework|3.1 Synthesis|3.2 Generation"
        "|3.3 Recursive (de)composition|4 Evaluation setting|5 Noun phrase generation"
        "|5.1 One-step decomposition|5.2 Recursive decomposition|6 Noun phrase translation"
        "|7 Generation conﬁdence and generation quality|8 Conclusion|Acknowledgments|References",
        33,
    ),
    "bunescu-acl07": (
        "Abstract|1 Introduction|2 Problem Description|3 Multiple Instance Learning"
        "|4 Relation Extraction Kernel|5 Two Types of Bias|5.1 A Solution for Type I Bias"
        "|5.2 A Solution for Type II Bias|6 MIL Relation Extraction Datasets"
        "|7 Experimental Evaluation|8 Future Work|9 Related Work|10 Conclusion|Acknowledgments"
        "|References",
        16,
    ),
    "mono04": (
        "Abstract|1 Introduction|2 Related work|3 Data collection|3.1 Gathering aligned sentence"
        " pairs|3.2 Word alignment|3.3 Identifying phrasal replacements|3.4 Generating paraphrases"
        "|3.5 Alternate approaches|4 Evaluation|5 Analysis|6 Future work|7 Conclusions"
        "|Acknowledgements|References",
        26,
    ),
    "arxiv_2509.13400": (
        "Abstract|1 Introduction|2 Method|2.1 Problem Statement|2.2 Ratings|2.3 Experimental Setup"
        "|3 Results|3.1 Impact of affiliation on acceptance decisions|3.2 How LLMs Incorporate"
        " Affiliation into Their Reasoning|3.3 Discussion|4 Conclusion|5 Acknowledgments"
        "|Limitations|References|Appendix A. Related Work",
        23,
    ),
}
# Read with another program than ours, page by page, so that nothing separates its blocks.
SLOW = ("arxiv_2509.13400", "P14-1059")


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in HEADINGS],
)
def test_pages_of_real_files(name: str) -> None:
    pypdf = pytest.importorskip("pypdf")
    path = DATA / f"{name}.pdf"
    if not path.is_file():
        pytest.skip("../shared/data is not present")
    pages = pypdf.PdfReader(path).pages
    text, _ = clean_text("\n".join(page.extract_text() for page in pages))
    paper = Paper("p", text)
    titles, entries = HEADINGS[name]
    wanted = set(titles.split("|"))
    body = [b for b in paper.blocks if b.kind == "heading" and b.role != "appendix"]
    found = {" ".join(paper.text[b.start : b.end].split()) for b in body}
    assert len(found & wanted) >= 0.9 * len(wanted), wanted - found
    assert len(found & wanted) >= 0.85 * len(found), found - wanted
    assert abs(len(paper.references) - entries) <= 2


@pytest.mark.parametrize("width", [48, 80, 2000])
@pytest.mark.parametrize("between", ["\n", "\n\n"])
def test_a_heading_may_be_directly_above_its_section(width: int, between: str) -> None:
    parts = ["Learned Thresholds for Gates"]
    for title in [*SECTIONS, "References"]:
        entries = title == "References"
        texts = ENTRIES if entries else [PROSE, PROSE]
        joined = ("\n" if entries else between).join(
            "\n".join(textwrap.wrap(text, width)) for text in texts
        )
        parts.append(f"{title}\n{joined}")
    parts.append("Appendix A Proofs\n" + "\n".join(textwrap.wrap(PROSE, width)))
    parts.append("B More tables\n" + "\n".join(textwrap.wrap(PROSE, width)))
    paper = Paper("p", "\n\n".join(parts) + "\n")
    headings = [paper.text[b.start : b.end] for b in paper.blocks if b.kind == "heading"]
    found = [heading for heading in headings if heading != parts[0]]
    assert found == [*SECTIONS, "References", "Appendix A Proofs", "B More tables"]
    assert [entry.year for entry in paper.references] == [2011, 2014, 2012, 2016]
    # "Acknowledgments" is none of the sections that count.
    counted = len(SECTIONS) - 1
    assert paper.words == len(PROSE.split()) * (2 * counted + 2)


def test_a_list_of_labels_does_not_make_headings() -> None:
    text = f"# Gates\n\n## Introduction\n\n{PROSE}\n\nResults\n{PROSE}\n\nMethods\n{PROSE}\n"
    headings = [b for b in Paper("p", text).blocks if b.kind == "heading"]
    assert len(headings) == 2
