"""Made PDF files: margins with numbers, lines across columns, lists, spread lines, formulas."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from revkit import Paper
from revkit.documents import PdfReader
from revkit.files import Unreadable
from tests.documents.pdf_files import column, show, write_pdf

pytest.importorskip("pypdfium2", reason="the extra pdf is not installed")
TITLE = show("A Study of Gates", 72, 740, 18, "B")
LEFT = [
    "Gates were counted in twelve towns over the",
    "whole of one year, and the counts were com-",
    "pared with those of the year before. They are",
    "small, and have the same sign in all of the",
    "towns but one. What differs in that town is",
    "the subject of the next section of our study.",
]
RIGHT = [
    "Every count was repeated by a second team,",
    "which did not know the first count. Where the",
    "two differ, a third team went to the town, and",
    "its count was used. This was the case for two",
    "of the towns, and for none of the others that",
    "had been chosen at the start of this long year.",
]


def read(path: Path, content: str, pages: int = 1) -> str:
    with PdfReader() as reader:
        return reader.read(write_pdf(path, content.encode(), pages)).text


def columns(left: Sequence[str], right: Sequence[str], top: float = 600) -> str:
    return column(left, 72, top) + column(right, 330, top)


@pytest.mark.parametrize("step", [1, 5])
def test_line_numbers_close_to_the_text_are_left_out(tmp_path: Path, step: int) -> None:
    left, right = LEFT * 6, RIGHT * 6
    numbers = "".join(
        show(str(first + line), x, 600 - 12 * line, 6)
        for x, first in ((56, 1), (541, 37))
        for line in range(36)
        if (first + line) % step == 0
    )
    text = read(tmp_path / "p.pdf", TITLE + columns(left, right) + numbers)
    assert not any(sign.isdigit() for sign in text)
    assert "counts were compared with those" in text
    assert "Every count was repeated by a second team, which" in text


def test_numbers_of_a_list_are_no_line_numbers(tmp_path: Path) -> None:
    ranked = [show(f"{place} Town of the year", 72, 600 - 12 * place, 10) for place in range(1, 21)]
    text = read(tmp_path / "p.pdf", TITLE + column(LEFT, 72, 700) + "".join(ranked))
    assert "7 Town of the year" in text


def test_pages_with_a_running_head_alone_are_empty(tmp_path: Path) -> None:
    head = show("Towns and their many gates", 250, 780, 8)
    with pytest.raises(Unreadable, match="no text that a reader sees"):
        read(tmp_path / "p.pdf", head, 4)


def test_a_line_of_the_left_column_that_is_too_long_keeps_the_order(tmp_path: Path) -> None:
    formula = "x = " + " + ".join("abcdefghkmnopqrstuv")
    left = [*LEFT, formula, *LEFT]
    right = [*RIGHT, *RIGHT, "The last line of this column is here, at the foot."]
    text = read(tmp_path / "p.pdf", TITLE + columns(left, right))
    assert text.index("x = a") < text.rindex("Gates were counted") < text.index("Every count")


def test_the_short_last_line_of_a_wide_caption_belongs_to_it(tmp_path: Path) -> None:
    wide = [
        "Figure 1: Counts of the gates in all of the twelve towns of the study, with the counts by",
        "the other team.",
    ]
    content = TITLE + columns(LEFT * 3, RIGHT * 3, 700) + column(wide, 72, 460)
    text = read(tmp_path / "p.pdf", content + columns(LEFT, RIGHT, 410))
    assert "with the counts by the other team." in text


def spread(words: str, x: float, y: float, end: float) -> str:
    """A line whose words are spread from ``x`` to ``end``; its letters are of one width."""
    widths = [5.56 * len(word) for word in words.split()]
    gap = (end - x - sum(widths)) / (len(widths) - 1)
    starts = [x + sum(widths[:number]) + gap * number for number in range(len(widths))]
    return "".join(show(word, at, y) for word, at in zip(words.split(), starts, strict=True))


def test_spread_words_of_an_indented_paragraph_are_a_line_of_it(tmp_path: Path) -> None:
    full = "one good hand upon one good hand and one good hand upon one good hand"
    lines = [full, "open pond abandoned upon", full]
    prose = column(["Gates are known in all of the towns that we have seen so far."] * 12, 72, 700)
    narrow = "".join(spread(line, 110, 500 - 12 * n, 490) for n, line in enumerate(lines))
    text = read(tmp_path / "p.pdf", TITLE + prose + narrow)
    assert "good hand open pond abandoned upon one good" in text


def test_numbered_items_go_on_in_their_next_lines(tmp_path: Path) -> None:
    items = [
        "1. The first team counts all gates of a town, and notes for each in which street it",
        "2. The second team counts them again, and knows nothing of the first count, which",
    ]
    rest = ["stands and by whom it was built.", "was in the same town a year before."]
    content = TITLE + column(LEFT, 72, 700)
    for number, (item, more) in enumerate(zip(items, rest, strict=True)):
        content += show(item, 72, 600 - 24 * number) + show(more, 86, 588 - 24 * number)
    text = read(tmp_path / "p.pdf", content)
    assert "in which street it stands and by whom it was built." in text
    assert "2. The second team" in text.splitlines()[-1]


def test_text_that_is_bold_as_a_whole_has_no_headings_by_weight(tmp_path: Path) -> None:
    lines = ["1. Introduction", *LEFT, "2. When all gates are known, the team goes on", *RIGHT]
    content = show("A Study of Gates", 72, 740, 18, "B") + "".join(
        show(line, 72, 700 - 12 * number, 10, "B") for number, line in enumerate(lines)
    )
    paper = Paper("p", read(tmp_path / "p.pdf", content))
    headings = [block for block in paper.blocks if block.kind == "heading"]
    assert not any("When all" in paper.text[b.start : b.end] for b in headings)


def test_indices_above_one_another_do_not_divide_a_line(tmp_path: Path) -> None:
    line = (
        show("The count of gate", 72, 600)
        + show("x", 154, 600)
        + show("2", 160, 604, 6)
        + show("j", 160, 597, 6)
        + show("is the sum of both counts", 167, 600)
    )
    text = read(tmp_path / "p.pdf", TITLE + column(LEFT, 72, 700) + line)
    assert "is the sum of both counts" in text
    [row] = [row for row in text.splitlines() if "count of gate" in row]
    assert "sum of both" in row


LETTERS = b"""/CIDInit /ProcSet findresource begin begincmap
1 begincodespacerange <00> <FF> endcodespacerange
1 beginbfchar <78> <D835DC65> endbfchar
endcmap end"""


def test_letters_beyond_the_first_plane_are_read(tmp_path: Path) -> None:
    path = write_pdf(
        tmp_path / "p.pdf", (TITLE + column(LEFT, 72, 700) + show("x", 72, 600)).encode()
    )
    data = path.read_bytes()
    table = b"<</Length %d>>stream\n%s\nendstream" % (len(LETTERS), LETTERS)
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
    assert font in data
    data = data.replace(font, font[:-2] + b"/ToUnicode 9 0 R>>")
    data = data.replace(b"xref\n0", b"9 0 obj\n" + table + b"\nendobj\nxref\n0", 1)
    path.write_bytes(data)
    with PdfReader() as reader:
        assert "\U0001d465" in reader.read(path).text


def test_references_are_found_below_a_title_in_plain_letters(tmp_path: Path) -> None:
    lines = [
        "[9] A. Lee and B. Marsh. Gates of old towns. Journal of Gates, 3:1-22, 2014.",
        "[10]C. Xu and D. Young. Gates of new towns. Journal of Gates, 4:5-26, 2015.",
        "[11]E. Marsh. Counts of gates in twelve towns. Journal of Towns, 1:3-9, 2016.",
    ]
    content = TITLE + show("Abstract", 72, 720, 12, "B") + column(LEFT, 72, 700)
    content += show("References", 72, 590) + column(lines, 72, 566)
    paper = Paper("p", read(tmp_path / "p.pdf", content))
    assert len(paper.references) == 3
    assert "[10] C. Xu" in paper.text


def test_entries_are_divided_at_their_indented_first_lines(tmp_path: Path) -> None:
    lines = [
        (82, "Lee, Ann and Marsh, Ben. Gates of the old towns, and of those that were"),
        (72, "built after them, with a list of all towns. Journal of Gates, 2014."),
        (82, "Xu, Cara and Young, Dan. Gates of the new towns, and how many of them"),
        (72, "are open at night. In Proceedings of the Second Meeting on the Gates"),
        (72, "of Towns, pages 3 to 9, 2015."),
        (82, "Young, Dan. Counts of gates in twelve towns, with a comparison of two"),
        (72, "teams that counted all of them. Journal of Towns, 2016."),
    ]
    content = TITLE + show("Abstract", 72, 720, 12, "B") + column(LEFT, 72, 700)
    content += show("References", 72, 590, 12, "B")
    content += "".join(show(text, x, 566 - 12 * n) for n, (x, text) in enumerate(lines))
    paper = Paper("p", read(tmp_path / "p.pdf", content))
    assert [entry.year for entry in paper.references] == [2014, 2015, 2016]
