"""What was understood of a paper, and that what was not is never edited."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import revkit
from revkit.model.paper import Paper
from revkit.papers import LONG_PAPER, find_title, read_paper, read_structure, refuse_unread

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"

WHOLE = """# Gates for Nets

## Abstract

We study gates and what they keep.

## 1 Introduction

Gates are known (Lee and Xu, 2014), and so are nets (Young, 2016; Marsh, 1999).

## 2 Method

We set the threshold with a net.

## References

Lee, Y. and Xu, B. (2014). Thresholds of gates. Journal of Gates, 3:1-22.

Young, C. (2016). Gates are all that is needed. Gating Letters, 5:1-9.
"""
SENTENCE = "This model of gates may decide what a net keeps of the input at each of its steps. "


def test_a_whole_paper_is_understood() -> None:
    read = read_structure(Paper("p", WHOLE))
    assert (read.title, read.abstract, read.headings, read.references) == (True, True, 4, 2)
    assert (read.citations, read.matched) == (3, 2)
    assert read.match == pytest.approx(2 / 3)
    assert read.known > 0.9
    assert read.unread == ()
    # Title, abstract, sections, references 1 each; citations 2/3; words in blocks.
    assert read.score == pytest.approx((4 + 2 / 3 + read.known) / 6)


def test_a_long_text_without_headings_and_list_is_unread() -> None:
    text = SENTENCE * 200
    read = read_structure(Paper("p", text))
    assert read.words > LONG_PAPER
    assert read.unread == ("headings", "references")
    assert read.known == 0
    assert read.score == 0
    short = read_structure(Paper("p", SENTENCE * 20))
    assert short.unread == ()


def test_entries_among_the_prose_are_an_unread_list() -> None:
    entry = "Lee, Y. and Xu, B. (2014). Thresholds of gates. Journal of Gates, 3:1-22.\n\n"
    text = WHOLE.replace("## References", "Works that we used\n\n" + entry * 5)
    read = read_structure(Paper("p", text))
    assert read.unread == ("references",)
    prose = "Lee and Xu (2014) show in the Journal of Gates, pages 3-9, that gates are small.\n\n"
    assert read_structure(Paper("p", WHOLE + "\n# A More\n\n" + prose * 9)).unread == ()


@pytest.mark.parametrize(
    ("linked", "others", "unread"),
    [(5, 0, ()), (3, 3, ()), (2, 3, ("citations",)), (0, 5, ("citations",)), (0, 4, ())],
)
def test_citations_that_name_no_entry_are_unread(
    linked: int, others: int, unread: tuple[str, ...]
) -> None:
    text = "# Gates\n\n## Introduction\n\n"
    text += "Gates are small [1]. " * linked + "Gates are large [7]. " * others
    text += "\n\n## References\n\n[1] A. Lee. Thresholds of gates. Journal of Gates, 2014.\n"
    read = read_structure(Paper("p", text))
    assert (read.citations, read.matched, read.references) == (linked + others, linked, 1)
    assert read.unread == unread


def test_citations_of_a_short_text_without_a_list_are_no_missing_part() -> None:
    text = "Gates are small (Lee et al., 2010). " * 6
    short = read_structure(Paper("p", "# Gates\n\n" + text))
    assert (short.citations, short.references, short.unread) == (6, 0, ())
    long = read_structure(Paper("p", "# Gates\n\n## Introduction\n\n" + text + SENTENCE * 400))
    assert long.words > LONG_PAPER
    assert long.unread == ("citations",)
    assert long.unlinked == "no reference list was recognised"


def test_a_part_is_refused_only_where_it_is_needed() -> None:
    paper = Paper("p", SENTENCE * 200)
    assert refuse_unread(paper, ()) is None
    refusal = refuse_unread(paper, ("references",))
    assert refusal is not None
    assert refusal.unread == ("references",)
    assert refuse_unread(Paper("p", WHOLE), ("headings", "references")) is None


def test_no_variant_is_made_where_a_part_was_not_recognised(tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "lost.md").write_text(SENTENCE * 200, encoding="utf-8")
    whole = WHOLE.replace("with a net.", f"with a net. {SENTENCE * 5}")
    (tmp_path / "papers" / "whole.md").write_text(whole, encoding="utf-8")
    spec: dict[str, Any] = {
        "revkit": 1,
        "name": "structure",
        "seed": 1,
        "corpus": {"use": "markdown", "with": {"path": str(tmp_path / "papers")}},
        "perturbations": {"hedging": "hedging"},
        "agents": {"counter": "citation-counter"},
        "metrics": ["flip-rate"],
        "reports": ["markdown"],
    }
    run = revkit.run(spec, out=tmp_path / "out", store=tmp_path / "store.sqlite")
    variants = {row.paper: row for row in run.records.variants}
    assert variants["lost"].outcome == "gate"
    assert variants["lost"].gate == "structure"
    assert variants["lost"].rejected == "headings and references were not recognised"
    assert variants["whole"].gate != "structure"
    rows = {paper.id: paper for paper in run.records.papers}
    assert rows["lost"].unread == ("headings", "references")
    assert rows["lost"].structure == 0
    assert rows["whole"].unread == ()
    assert "were not recognised" in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    header, *_ = (tmp_path / "out/records/papers.csv").read_text(encoding="utf-8").split("\n")
    columns = {"structure", "headings", "references", "works_matched", "unread"}
    assert columns <= set(header.split(","))


def test_a_report_names_papers_with_a_low_score(tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    text = "# Gates\n\n## A Part\n\n" + SENTENCE * 90
    (tmp_path / "papers" / "half.md").write_text(text, encoding="utf-8")
    (tmp_path / "papers" / "whole.md").write_text(WHOLE, encoding="utf-8")
    unlinked = WHOLE.replace("## 2 Method", "It is known [31, 32, 33, 34, 35].\n\n## 2 Method")
    (tmp_path / "papers" / "unlinked.md").write_text(unlinked, encoding="utf-8")
    spec: dict[str, Any] = {
        "revkit": 1,
        "name": "scores",
        "seed": 1,
        "corpus": {"use": "markdown", "with": {"path": str(tmp_path / "papers")}},
        "agents": {"counter": "citation-counter"},
        "metrics": ["clean-accuracy"],
        "reports": ["markdown"],
    }
    revkit.run(spec, out=tmp_path / "out", store=tmp_path / "store.sqlite")
    report = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "1 of 3 papers: structure score below 0.8, lowest 0.2" in report
    assert (
        "1 of 3 papers: most citations could not be linked to a reference list (none was "
        "recognised, or it has no such entries), for example in unlinked;" in report
    )
    assert "were not recognised" not in report


TITLES = [
    ("# Gates\n\nText.", "Gates"),
    ("THRESHOLDS OF GATES\n\nYann Lee\n\nAbstract\n\nWe study gates.", "THRESHOLDS OF GATES"),
    ("Text of a note that has no heading at all.", ""),
    ("## 1 Introduction\n\nText.", ""),
]


@pytest.mark.parametrize(("text", "title"), TITLES)
def test_the_title_is_that_of_the_front(text: str, title: str) -> None:
    assert find_title(text) == title


def test_the_outline_has_lines_levels_and_words() -> None:
    read = read_paper(Paper("p", WHOLE))
    outline = [(each.line, each.level, each.title, each.role) for each in read.outline]
    assert outline == [
        (1, 1, "Gates for Nets", "front"),
        (3, 2, "Abstract", "abstract"),
        (7, 2, "1 Introduction", "introduction"),
        (11, 2, "2 Method", "method"),
        (15, 2, "References", "references"),
    ]
    assert [each.words for each in read.outline] == [0, 7, 15, 7, 0]
    assert [(each.line, each.year) for each in read.entries] == [(17, 2014), (19, 2016)]
    assert read.title == "Gates for Nets"
    assert read.to_json()["score"] == read.score


def test_real_papers_are_read_whole() -> None:
    folder = DATA / "markdown_papers"
    if not folder.is_dir():
        pytest.skip("../shared/data is not present")
    paths = sorted(folder.glob("*.md"))[::4]
    papers = [Paper(path.stem, path.read_text(encoding="utf-8")) for path in paths]
    read = [read_structure(paper) for paper in papers]
    assert all(each.unread == () for each in read)
    assert sum(each.score for each in read) / len(read) > 0.95
