"""What each role reads of a paper, and how a paper is cut that does not fit."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from revkit.model.paper import Paper
from revkit.prompting import estimate_tokens
from revkit_reviewground.excerpts import head, kind_notes, readings, sections, wanted
from tests.cpu_time import cpu_seconds
from tests.plugins.revkit_reviewground.scripted import PAPER, TEXT

SHARED = Path(__file__).parents[4] / "shared" / "data" / "markdown_papers"


def names(paper: Paper, role: str) -> list[str]:
    return [each.name for each in wanted(paper, role)]


def test_each_role_has_its_sections() -> None:
    assert names(PAPER, "miner") == ["Abstract", "1 Introduction", "3 Method"]
    assert names(PAPER, "analyzer") == ["Abstract", "4 Experiments"]
    assert names(PAPER, "searcher") == ["Abstract", "2 Related Work"]


def test_tables_and_mathematics_draw_their_sections_in() -> None:
    text = TEXT.replace("## 5 Conclusion", "## 5 Closing\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
    assert "5 Closing" in names(Paper("p", text), "analyzer")
    text = TEXT.replace("A small gate may suffice.", "$$\nx = 1\n$$")
    assert "5 Conclusion" in names(Paper("p", text), "miner")


def test_sections_cover_the_whole_text() -> None:
    found = sections(PAPER)
    assert "".join(TEXT[each.start : each.end] for each in found) == TEXT


def test_a_paper_without_sections_is_read_whole() -> None:
    paper = Paper("p", "A long text about gates. " * 200)
    assert kind_notes(paper) == ("no sections: the whole text is read",)
    for role in ("miner", "analyzer"):
        (first, *_) = readings(paper, role, 100_000, whole=False)
        assert first.text.strip() == paper.text.strip()


def test_an_abstract_alone_is_reported() -> None:
    paper = Paper("p", "# T\n\n## Abstract\n\nWe study gates.\n", "T")
    assert kind_notes(paper) == ("abstract only: there is no method or result to check",)
    (first, *_) = readings(paper, "analyzer", 1000, whole=True)
    assert first.text == paper.text


def test_tables_as_images_are_reported() -> None:
    grid = TEXT[TEXT.index("| Model") : TEXT.index("\nTable 1: Results")]
    paper = Paper("p", TEXT.replace(grid, "![](table-1.png)\n"))
    assert kind_notes(paper) == ("tables as images: 1 captions, and no values to read",)
    assert kind_notes(PAPER) == ()


def test_latex_source_is_told_and_read() -> None:
    text = (
        "\\documentclass{article}\n\\begin{document}\n\\section{Introduction}\nWe gate.\n\n"
        "\\section{Method}\nThe gate is $g$.\n\n\\section{Experiments}\nIt gains 1.2 points.\n"
        "\\end{document}\n"
    )
    paper = Paper("p", text)
    assert "LaTeX source: read as it is written" in kind_notes(paper)
    assert names(paper, "analyzer") == ["Experiments"]
    (first, *_) = readings(paper, "miner", 10_000, whole=False)
    assert "The gate is $g$" in first.text
    assert "It gains 1.2" not in first.text


def test_the_searcher_gets_the_head() -> None:
    found = head(PAPER)
    assert found.text.startswith("Title: Sparse Gates")
    assert "Pruning of heads" in found.text
    assert "Let g be" not in found.text
    bare = head(Paper("p", "We study gates. " * 500))
    assert len(bare.text) <= 4100
    assert "no abstract: beginning of the text instead" in bare.notes


def test_a_paper_of_a_hundred_thousand_tokens_is_cut_by_rule() -> None:
    filler = "Many words of a long appendix stand here. " * 9000
    paper = Paper("p", TEXT + "\n## A Appendix\n\n" + filler)
    assert estimate_tokens(paper.text) > 100_000
    (first, *_) = readings(paper, "drafter", 50_000, whole=True)
    assert cpu_seconds(lambda: readings(paper, "drafter", 50_000, whole=True), 3) < 3
    assert estimate_tokens(first.text) <= 50_000
    assert "Let g be the gate" in first.text
    assert any(note.startswith("cut to fit: A Appendix") for note in first.notes)
    (audit, *_) = readings(paper, "miner", 50_000, whole=True)
    assert "Let g be the gate" in audit.text
    assert "long appendix" not in audit.text


def test_what_counts_most_for_a_role_stays_longest() -> None:
    long = Paper(
        "p",
        TEXT.replace("We minimise", "We minimise " * 300).replace(
            "1.2 points", "1.2 points " * 300
        ),
    )
    (miner, *_) = readings(long, "miner", 900, whole=True)
    (analyzer, *_) = readings(long, "analyzer", 900, whole=True)
    assert "We minimise" in miner.text
    assert "1.2 points" not in miner.text
    assert "1.2 points" in analyzer.text
    assert "We minimise" not in analyzer.text


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["Abstract", "Method", "Results", "Other", "Appendix", "References"]),
            st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=300),
        ),
        min_size=1,
        max_size=8,
    ),
    st.integers(0, 1500),
    st.sampled_from(["drafter", "miner", "analyzer", "aggregator"]),
    st.booleans(),
)
def test_no_reading_is_too_long_and_each_is_shorter(
    parts: list[tuple[str, str]], limit: int, role: str, whole: bool
) -> None:
    paper = Paper("p", "\n\n".join(f"## {name}\n\n{text}" for name, text in parts))
    last = None
    for reading in readings(paper, role, limit, whole=whole):
        size = estimate_tokens(reading.text)
        assert size <= limit
        assert last is None or size <= last
        assert 0 <= reading.kept <= 1
        last = size


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the real papers in ../shared/data")
def test_real_papers_have_something_for_each_role() -> None:
    """Of the 48 papers each role gets a part, and no role gets nearly all of most."""
    shares: dict[str, list[float]] = {"miner": [], "analyzer": []}
    for path in sorted(SHARED.glob("*.md"))[::4]:
        paper = Paper("x", path.read_text(encoding="utf-8"))
        for role, found in shares.items():
            part = sum(each.end - each.start for each in wanted(paper, role))
            found.append(part / len(paper.text))
    for found in shares.values():
        assert min(found) > 0.05
        assert sorted(found)[len(found) // 2] < 0.75
