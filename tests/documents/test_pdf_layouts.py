"""Layouts that other programs print: what is read of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from revkit import Paper
from revkit.documents import PdfReader
from tests.documents.pdf_files import column, show, write_pdf

pytest.importorskip("pypdfium2", reason="the extra pdf is not installed")
LINES = [
    "The gates of small towns differ in width, and we",
    "count them in each town of the north for a year,",
    "so that we can compare them with the south again.",
]


def paper_of(path: Path, content: str) -> Paper:
    with PdfReader() as reader:
        found = reader.read(write_pdf(path, content.encode()))
    return Paper("p", found.text, found.title)


def headings(paper: Paper) -> list[str]:
    return [paper.text[b.start : b.end] for b in paper.blocks if b.kind == "heading"]


def test_a_title_above_one_of_two_columns(tmp_path: Path) -> None:
    """The right column begins at the height of the title, above the heading of the abstract."""
    left = show("A Study of Gates", 72, 720, 16, "B") + show("Ada Marsh", 72, 700)
    left += show("Abstract", 72, 676, 12, "B") + column(LINES * 4, 72, 660)
    left += show("1 Introduction", 72, 500, 12, "B") + column(LINES * 8, 72, 484)
    right = column(LINES[1:], 330, 720) + show("2 Methods", 330, 680, 12, "B")
    right += column(LINES * 12, 330, 664)
    paper = paper_of(tmp_path / "paper.pdf", left + right)
    assert paper.title == "A Study of Gates"
    assert headings(paper) == ["A Study of Gates", "Abstract", "1 Introduction", "2 Methods"]
    assert "|" not in paper.text
    assert paper.text.count("compare them with the south") == 4 + 8 + 13


def test_a_heading_at_the_top_of_the_right_column_is_not_left_out(tmp_path: Path) -> None:
    left = show("A Study of the Gates of Northern Towns and Villages", 72, 740, 18, "B")
    left += show("Ada Marsh", 72, 700) + show("Abstract", 72, 676, 12, "B")
    left += column(LINES * 12, 72, 660)
    right = show("2 Methods", 330, 700, 12, "B") + column(LINES * 13, 330, 676)
    paper = paper_of(tmp_path / "paper.pdf", left + right)
    assert headings(paper)[1:] == ["Abstract", "2 Methods"]


def spread(count: int, y: float) -> str:
    """Operators that spread ``count`` words evenly over a line of 315 points."""
    return "".join(show("gates", 72 + 288 * n / (count - 1), y) for n in range(count))


def test_words_that_are_spread_over_a_line_are_no_table(tmp_path: Path) -> None:
    content = show("A Study of Gates", 72, 720, 16, "B") + show("Abstract", 72, 690, 12, "B")
    counts = [11, 10, 11, 6, 11, 7, 11]
    content += "".join(spread(count, 670 - 12 * n) for n, count in enumerate(counts))
    paper = paper_of(tmp_path / "paper.pdf", content)
    assert paper.text.endswith(" ".join(["gates"] * sum(counts)) + "\n")


def row(cells: list[str], y: float) -> str:
    return "".join(show(cell, 72 + 70 * n, y, 9) for n, cell in enumerate(cells) if cell)


def test_a_cell_of_two_lines_stays_in_its_row(tmp_path: Path) -> None:
    content = show("A Study of Gates", 72, 720, 16, "B") + show("Abstract", 72, 690, 12, "B")
    content += column(LINES, 72, 670) + show("Table 1: Gates.", 72, 620, 9)
    rows = [["Town", "Gates", "Arches"], ["Bern", "7", "3"], ["north", "", ""], ["Chur", "4", "2"]]
    content += "".join(row(cells, 600 - 11 * n) for n, cells in enumerate(rows))
    content += column(LINES * 2, 72, 520)
    paper = paper_of(tmp_path / "paper.pdf", content)
    assert "| Bern north | 7 | 3 |\n| Chur | 4 | 2 |" in paper.text


def test_entries_between_gaps_and_a_caption_behind_them(tmp_path: Path) -> None:
    names = ["Ada Marsh", "Bo Xu", "Cy Lee", "Di Holm", "Ed Falk", "Fay Lund"]
    lists, y = "", 560.0
    for number, name in enumerate(names):
        lines = [f"{name} and Gus Berg. The gates of {number} towns of the north and of the"]
        lines = [*lines, "south, counted again. In Proc. of Gates, 2001."] if number % 3 else [
            f"{name} and Gus Berg. Gates. In Proc. of Gates, 2001."
        ]  # fmt: skip
        lists += column(lines, 72, y)
        y -= 12 * len(lines) + 12
    content = show("A Study of Gates", 72, 720, 16, "B") + show("Abstract", 72, 690, 12, "B")
    content += column(LINES * 2, 72, 670) + show("References", 72, 580, 12, "B") + lists
    content += show("Figure 2: All the gates of the north, seen from the south.", 72, y - 20)
    paper = paper_of(tmp_path / "paper.pdf", content)
    assert [entry.text.split(" and ")[0] for entry in paper.references] == names
    assert {entry.year for entry in paper.references} == {2001}
