"""A table in a terminal: its lines fit, and each part names the rows."""

from __future__ import annotations

import pytest

from revkit.model.table import Cell, Column, Table
from revkit.runs.table_text import text_of

NOTE = "A note of more words than one line of a narrow terminal holds."
AGENTS = ("keywords", "length")


def table(numbers: int) -> Table:
    columns = [Column("agent", "Agent", role="agent"), Column("family", "Family", role="family")]
    columns += [Column(f"rate{i}", f"Rate {i}", "count") for i in range(numbers)]
    rows: list[tuple[Cell, ...]] = [(name, "all", *range(numbers)) for name in AGENTS]
    return Table("t", "Rates", tuple(columns), tuple(rows), (NOTE,))


@pytest.mark.parametrize("room", [40, 60, 100])
@pytest.mark.parametrize("numbers", [0, 1, 12, 40])
def test_every_line_fits_and_nothing_is_lost(numbers: int, room: int) -> None:
    text = text_of(table(numbers), room)
    assert max(map(len, text.splitlines())) <= room
    parts = text.split("\n\n")[1:-1]
    titles = [part.splitlines()[0] for part in parts]
    assert all(title.startswith("Agent     Family") for title in titles)
    assert all(part.splitlines()[3].startswith("length    all") for part in parts)
    shown = [title for line in titles for title in line.split("  ") if "Rate" in title]
    assert [each.strip() for each in shown] == [f"Rate {i}" for i in range(numbers)]
    assert " ".join(text.split("\n\n")[-1].split()) == f"- {NOTE}"


def test_without_a_width_each_row_is_one_line() -> None:
    lines = text_of(table(40)).splitlines()
    assert sum(line.startswith("length") for line in lines) == 1
    assert f"- {NOTE}" in lines


def test_a_table_of_wide_texts_repeats_its_first_column_alone() -> None:
    columns = tuple(Column(name, name.title()) for name in ("agent", "one", "two"))
    text = text_of(Table("t", "Texts", columns, (("a", "x" * 25, "y" * 25),)), 40)
    assert sum(line.startswith("a  ") for line in text.splitlines()) == 2
