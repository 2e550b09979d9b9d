"""Tables of comma-separated values: columns, rows, lines, and what cannot be read."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from revkit.files import Unreadable, csv_cell
from revkit.files.csv_tables import CsvTable, csv_rows


def rows_of(text: str, mark: str = ",", *, pad: bool = False) -> list[tuple[int, dict[str, str]]]:
    return [(row.line, dict(row.cells)) for row in CsvTable(text, mark, pad=pad).rows]


def test_rows_have_the_line_on_which_they_begin() -> None:
    text = 'id, text \r\na,"two\r\nlines"\r\n\r\n , \r\nb,"a ""quote"""\r\n'
    assert CsvTable(text).names == ("id", "text")
    assert rows_of(text) == [
        (2, {"id": "a", "text": "two\r\nlines"}),
        (6, {"id": "b", "text": 'a "quote"'}),
    ]


def test_other_marks_and_columns_without_a_name() -> None:
    assert rows_of("id\t\tx\n1\t2\t3\n", "\t") == [(2, {"id": "1", "x": "3"})]


def test_rows_of_another_length() -> None:
    text = "a,b\n1\n1,2\n1,2,3\n"
    problems = [row.problem for row in CsvTable(text).rows]
    assert problems == ["1 cells, but 2 columns", "", "3 cells, but 2 columns"]
    padded = CsvTable(text, pad=True).rows
    assert padded[0].cells == {"a": "1", "b": ""}
    assert [row.problem for row in padded] == ["", "", "3 cells, but 2 columns"]
    assert padded[2].cells == {}


def test_cells_are_read_as_they_were_written() -> None:
    for text in ("=1+1", "'=1+1", "-5", "plain"):
        assert rows_of(f"a,b\n{csv_cell(text)},x\n") == [(2, {"a": text, "b": "x"})]


def test_a_cell_may_hold_a_whole_paper() -> None:
    usual = csv.field_size_limit()
    long = "word " * 60_000
    assert rows_of(f'id,text\na,"{long}"\n') == [(2, {"id": "a", "text": long})]
    assert csv.field_size_limit() == usual


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('a,b\n1,"2\n" 3\n', "line 2: ',' expected after '\"'"),
        ('a,"b" c\n1,2\n', "line 1: a text behind a closing quote"),
        ('a,b\n1,2\n1,"2\n3,4\n', "line 3: unexpected end of data"),
        ("a,b, a\n", "line 1: two columns have the name 'a'; keep one of them"),
    ],
)
def test_what_cannot_be_read(text: str, reason: str) -> None:
    with pytest.raises(Unreadable, match=reason):
        CsvTable(text)


def test_a_text_behind_a_closing_quote_is_the_problem_of_its_line() -> None:
    text = 'a,b\n"Deep" nets,2\n\n3,"four ""and"" five"\n'
    first, second = CsvTable(text).rows
    assert (first.line, first.cells) == (2, {})
    assert first.problem.startswith("a text behind a closing quote (double the quotes")
    assert (second.line, second.cells) == (4, {"a": "3", "b": 'four "and" five'})
    with pytest.raises(Unreadable, match="line 2: a text behind a closing quote"):
        csv_rows(text)


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("\ufeffa,b\n1,2\n", encoding="utf-8")
    table = CsvTable.read(path, 100)
    assert (table.names, table.missing(("b", "c"))) == (("a", "b"), ["c"])
    with pytest.raises(Unreadable, match="larger than max-bytes"):
        CsvTable.read(path, 5)
    with pytest.raises(Unreadable, match="cannot be read"):
        CsvTable.read(tmp_path / "missing.csv", 100)


def test_no_table() -> None:
    assert (CsvTable("").names, CsvTable("").rows, csv_rows("")) == ((), (), [])
