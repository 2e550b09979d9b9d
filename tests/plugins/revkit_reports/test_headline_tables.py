"""Headline tables: what is shown of them, how they fit a terminal, and how they are in Markdown
and on the page. Expected texts are written by hand."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from revkit.contracts import RunView
from revkit.figures import NOTE, Figure
from revkit.figures.numbers import places_for, plain, to_fixed
from revkit.model.table import Cell, Column, Table
from revkit.testing import tiny_run
from revkit_reports.headline import view_of
from revkit_reports.html import Html
from revkit_reports.layout import lay_out, wrap
from revkit_reports.markdown import MarkdownReport
from revkit_reports.sentences import gist
from revkit_reports.terminal import Terminal
from revkit_reports.visible import width

HOSTILE = "a|b `c` <script>x</script> *d* [e](http://f) & {{ 7*7 }} $g$ \x1b[31m\x00\u202eevil\n# h"
SETTINGS = (
    Column("setting", "Setting"),
    Column("agents", "Agents", "count"),
    Column("d", "D", "points", "Mean difference."),
    Column("d_low", "low", "points", "", "low", "d"),
    Column("d_high", "high", "points", "", "high", "d"),
    Column("r", "r", "correlation"),
    Column("r_low", "low", "correlation", "", "low", "r"),
    Column("r_high", "high", "correlation", "", "high", "r"),
    Column("share", "Extrapolated", "share"),
    Column("empty", "Empty", "count"),
    Column("level", "Level", "share"),
    Column("note", "Note", role="note"),
)


def calibrated(**changes: Any) -> Table:
    rows: list[dict[str, Cell]] = [
        {"setting": "raw", "agents": 6, "d": 22.553, "d_low": 22.28, "d_high": 22.84, "r": 0.745,
         "r_low": 0.718, "r_high": 0.771, "level": 0.95},
        {"setting": "raw, mean of agents", "agents": 6, "r": 0.787, "level": 0.95,
         "note": "D is not defined for a single score"},
        {"setting": "spline", "agents": 6, "d": 7.61, "d_low": None, "d_high": 7.81, "r": -0.004,
         "share": 0.0012, "level": 0.95},
    ]  # fmt: skip
    table = Table.of(
        "calibration", "Calibration", SETTINGS, rows, ["A note. More."], headline=True,
        fine=["level"],
    )  # fmt: skip
    return replace(table, **changes)


def calibrated_with_many() -> Table:
    """The same with five more figures, so that not everything has room beside the intervals."""
    table = calibrated()
    more = tuple(
        column
        for name in ("one", "two", "three", "four", "five")
        for column in Figure(name, f"{name} of it", "points").columns
    )
    cells: tuple[Cell, ...] = (10.25, 9.75, 10.75, None, None) * 5
    rows = tuple((*row, *cells) for row in table.rows)
    return replace(table, columns=(*table.columns, *more), rows=rows)


def wide(columns: int, title: str = "Column", text: str = "12.5") -> Table:
    names = (Column("who", "Who"),)
    measured = tuple(Column(f"c{i}", f"{title} {i}", "points") for i in range(columns))
    row = ("agent", *[text] * columns)
    other = ("other agent", *["-1"] * columns)
    return Table("wide", "Wide", (*names, *measured), (row, other), headline=True)


def reports(*tables: Table, view: RunView | None = None) -> tuple[str, str, str]:
    run = replace(view or tiny_run(), tables=list(tables))
    return (
        Terminal().render(run)["report.txt"],
        MarkdownReport().render(run)["report.md"],
        Html().render(run)["report.html"],
    )


def test_values_stand_with_their_intervals() -> None:
    found = view_of(calibrated())
    assert found.columns == ("Setting", "D", "r", "Extrapolated")
    assert [[cell.inline for cell in row] for row in found.rows] == [
        ["raw", "22.6 [22.3, 22.8]", "0.745 [0.718, 0.771]", "-"],
        ["raw, mean of agents", "-", "0.787", "-"],
        ["spline", "7.6 [..., 7.8]", "-0.004", "0.1%"],
    ]
    assert found.measured == (False, True, True, False)
    assert found.same == "In every row: Agents = 6."
    assert found.remarks == ("raw, mean of agents: D is not defined for a single score",)
    assert found.notes == ("A note. More.",)


def test_what_all_rows_share_is_told_once_but_a_figure_never_leaves_its_column() -> None:
    columns = (
        Column("judge", "Judge"),
        Column("level", "Level"),
        Column("n", "n", "count"),
        Column("drop", "Drop", "points"),
        Column("drop_low", "", "points", "", "low", "drop"),
        Column("drop_high", "", "points", "", "high", "drop"),
    )
    rows = tuple(("same", "subtle", 60, 0.0, 0.0, 0.0) for _ in range(2))
    found = view_of(Table("t", "T", columns, rows))
    assert found.columns == ("Judge", "Drop")
    assert found.same == "In every row: Level = subtle; n = 60."
    single = view_of(Table("t", "T", columns, rows[:1]))
    assert single.columns == ("Judge", "Level", "n", "Drop")
    assert single.same == ""


def test_true_is_not_one() -> None:
    columns = (Column("who", "Who"), Column("is", "Is"))
    assert view_of(Table("t", "T", columns, (("a", True), ("b", 1)))).columns == ("Who", "Is")


def test_remarks_that_are_too_many_stay_a_column() -> None:
    columns = (Column("who", "Who"), Column("note", "Note", role="note"))
    rows = tuple((f"a{i}", f"remark {i}") for i in range(9))
    assert view_of(Table("t", "T", columns, rows)).columns == ("Who", "Note")
    # A row has no name but its note.
    only = (Column("n", "n", "count"), Column("note", "Note", role="note"))
    assert view_of(Table("t", "T", only, ((1, "x"), (2, "y")))).columns == ("n", "Note")


def test_rows_with_one_remark_share_a_line() -> None:
    columns = (Column("who", "Who"), Column("n", "n", "count"), Column("note", "Note", role="note"))
    rows = (("a", 1, "refused"), ("b", 2, None), ("c", 3, "refused"))
    assert view_of(Table("t", "T", columns, rows)).remarks == ("a; c: refused",)


def test_decimals_are_those_that_a_column_needs() -> None:
    assert places_for([22.5, 7.6]) == 1
    assert places_for([11.9, 0.03]) == 2
    assert places_for([0.5, None, -9.99]) == 2
    assert places_for([0.05]) == 3
    assert places_for([0.00002]) == 6
    assert places_for([]) == 2
    assert plain(0.0012) == "0.0012"
    assert plain(0.0000012) == "1.2e-06"
    assert plain(-0.004) == "-0.0040"
    assert plain(0.0) == "0.00"
    assert plain(0.006) == "0.01"


def test_no_digit_of_a_huge_number_is_cut_off() -> None:
    assert to_fixed(1.5e300, 2) == "1.50e+300"
    assert to_fixed(-1e12, 1) == "-1.00e+12"
    assert to_fixed(999_999_999_999.0, 0) == "999,999,999,999"
    columns = (
        Column("who", "Who"), Column("v", "V", "points"),
        Column("v_low", "", "points", "", "low", "v"),
        Column("n", "n", "count"),
    )  # fmt: skip
    rows = (("a", 1.5e300, -1e300, 10**40), ("b", 1e-300, None, 1))
    found = view_of(Table("t", "T", columns, rows))
    assert [cell.inline for cell in found.rows[0]] == [
        "a", "1.50e+300 [-1.00e+300, ...]", "1.00e+40",
    ]  # fmt: skip


def test_a_table_that_fits_is_printed_as_it_is() -> None:
    assert tuple(lay_out(view_of(calibrated()), 100)) == (
        "\n".join(
            [
                "Setting                              D                     r  Extrapolated",
                "-------------------  -----------------  --------------------  ------------",
                "raw                  22.6 [22.3, 22.8]  0.745 [0.718, 0.771]             -",
                "raw, mean of agents                  -                 0.787             -",
                "spline                  7.6 [..., 7.8]                -0.004          0.1%",
            ]
        ),
    )


def test_intervals_go_under_their_values_where_the_line_is_too_long() -> None:
    laid = lay_out(view_of(calibrated()), 52)
    assert tuple(laid) == (
        "\n".join(
            [
                "Setting              D              r  Extrapolated",
                "---------  -----------  -------------  ------------",
                "raw               22.6          0.745             -",
                "           [22.3,22.8]  [0.718,0.771]",
                "raw, mean            -          0.787             -",
                "of agents",
                "spline             7.6         -0.004          0.1%",
                "             [...,7.8]",
            ]
        ),
    )


def test_what_has_no_interval_stands_back_into_a_part_of_its_own() -> None:
    first, second = lay_out(view_of(calibrated()), 40)
    assert "Extrapolated" not in first
    assert second.splitlines() == [
        "Setting              Extrapolated",
        "-------------------  ------------",
        "raw                             -",
        "raw, mean of agents             -",
        "spline                       0.1%",
    ]
    assert "Also in" not in reports(calibrated_with_many())[0]


def test_a_table_without_intervals_is_cut_into_parts() -> None:
    laid = lay_out(view_of(wide(12, "Prompt tokens")), 60)
    assert len(laid) > 1
    for part in laid:
        assert "\nother agent " in part
        assert max(map(width, part.splitlines())) <= 60
    titles = " ".join(" ".join(laid).split())
    assert all(re.search(rf"\b{i}\b", titles) for i in range(12))


def test_text_is_flush_left_and_numbers_right() -> None:
    columns = (Column("a", "A"), Column("b", "Bbbb"), Column("c", "Cccc", "count"))
    (part,) = lay_out(view_of(Table("t", "T", columns, (("x", "y", 1), ("xx", "yy", 20)))), 100)
    assert part == "A   Bbbb  Cccc\n--  ----  ----\nx   y        1\nxx  yy      20"


def test_words_wrap_and_a_longer_one_is_broken() -> None:
    assert wrap("one two three", 7) == ["one two", "three"]
    assert wrap("abcdefghij k", 4) == ["abcd", "efgh", "ij k"]
    assert wrap("\u8bba\u6587\u8bba\u6587", 5) == ["\u8bba\u6587", "\u8bba\u6587"]
    assert wrap("e\u0301" * 6, 4) == ["e\u0301" * 4, "e\u0301" * 2]
    assert wrap("", 4) == [""]


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 9),
    st.lists(
        st.lists(st.text(max_size=90) | st.none() | st.floats(allow_nan=False, allow_infinity=False)
                 | st.integers(), min_size=9, max_size=9),
        max_size=4,
    ),
    st.data(),
)  # fmt: skip
def test_no_line_is_wider_than_the_terminal(
    count: int, cells: list[list[Cell]], data: st.DataObject
) -> None:
    units = data.draw(st.lists(st.sampled_from(["", "share", "p", "points"]), min_size=9))
    titles = data.draw(st.lists(st.text(max_size=60), min_size=9, max_size=9))
    names = [f"c{i}" if i % 3 else f"c{i + 1}_low" for i in range(count)]
    columns = tuple(
        Column(n, t, u, "", "low", of) if (of := n.removesuffix("_low")) in names and of != n
        else Column(n, t, u)
        for n, t, u in zip(names, titles, units, strict=False)
    )  # fmt: skip
    rows = tuple(tuple(row[:count]) for row in cells)
    found = view_of(Table("t", "T", columns, rows))
    for part in lay_out(found, 100) if found.rows else ():
        assert max(map(width, part.splitlines())) <= 100


def test_terminal_holds_long_cells_and_wide_letters() -> None:
    columns = tuple(Column(f"c{i}", "A title of some length " * 3) for i in range(6))
    rows = (tuple("w" * 300 for _ in columns), tuple("\u8bba\u6587 " * 50 for _ in columns))
    text, _, _ = reports(
        Table("t", "T" * 300, columns, rows, ("n" * 500, "x " * 400), headline=True)
    )
    assert max(map(width, text.splitlines())) <= 100


def test_hostile_cells_stay_cells() -> None:
    columns = (Column("who", HOSTILE), Column("v", HOSTILE, HOSTILE, HOSTILE), NOTE)
    rows = ((HOSTILE, 1.0, HOSTILE), ("", 2.0, None), ("\u05e9\u05dc\u05d5\u05dd \u0645", 3.0, ""))
    table = Table("t", HOSTILE, columns, rows, (HOSTILE,), headline=True)
    text, markdown, page = reports(table)
    for report in (text, markdown, page):
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202e]", report)
    assert "<script" not in markdown
    assert page.count("<script") == 1  # that of the page itself
    assert "\u05e9\u05dc\u05d5\u05dd" in text
    assert "\u05e9\u05dc\u05d5\u05dd" in page
    part = markdown.split("## ")[-3]
    lines = [line for line in part.splitlines() if line.startswith("|")]
    assert len(lines) == 5
    for line in lines:
        assert len(re.findall(r"(?<!\\)\|", line)) == 3
        assert not re.search(r"(?<!\\)\]\(", line)
    assert sum(line.startswith("# ") for line in markdown.splitlines()) == 1


def test_markdown_has_every_column_remark_and_note() -> None:
    _, markdown, _ = reports(calibrated())
    assert "| Setting | D | r | Extrapolated |\n| :-- | --: | --: | --: |" in markdown
    assert "| raw | 22.6 \\[22.3, 22.8\\] | 0.745 \\[0.718, 0.771\\] | - |" in markdown
    assert "\n\nIn every row: Agents = 6.\n\n" in markdown
    assert "- raw, mean of agents: D is not defined for a single score\n- A note. More." in markdown


def test_the_terminal_gives_the_gist_of_notes_once() -> None:
    notes = ("First sentence. Second one.", "Only this.")
    one = calibrated(notes=notes)
    text, markdown, page = reports(one, replace(one, name="another", title="Another"))
    assert text.count("- First sentence.\n") == 1
    assert "Second one" not in text
    assert text.count("Only this.") == 1
    assert "The full notes and the meaning of each column are in result.json" in " ".join(
        text.split()
    )
    for report in (markdown, page):
        assert report.split('id="tables"')[0].count("Second one") == 1
    text, _, _ = reports(calibrated(notes=("Only this.",)))
    assert "Notes in full" not in text


def test_the_gist_of_a_note() -> None:
    assert gist("One. Two.") == "One."
    assert gist("No stop") == "No stop"
    assert gist("") == ""
    long = gist("word " * 200)
    assert len(long) <= 244
    assert long.endswith("word ...")
    assert gist("x" * 1000) == "x" * 240 + " ..."
    # The splitter takes a name in small letters for the middle of a sentence.
    assert gist("y" * 100 + ". linear: " + "more " * 80) == "y" * 100 + "."


def test_long_tables_are_cut_and_say_so() -> None:
    columns = (Column("who", "Who"), Column("n", "n", "count"))
    table = Table("long", "Long", columns, tuple((f"a{i}", i) for i in range(520)), headline=True)
    text, markdown, page = reports(table)
    assert "490 more rows in tables/long.csv." in text
    assert "460 more rows in `tables/long.csv`." in markdown
    assert "460 more rows under" in page
    assert "20 more rows are in the table's own file." in page
    for cut in (31, 61, 501):
        assert not re.search(
            r"\b1 more rows", " ".join(reports(replace(table, rows=table.rows[:cut])))
        )


@pytest.mark.parametrize("rows", [(), ((None, None),), (("", ""), (None, ""))])
def test_tables_that_say_nothing(rows: Any) -> None:
    columns = (Column("who", "Who"), Column("n", "n", "count"))
    for report in reports(Table("t", "Nothing here", columns, rows, headline=True)):
        assert "Nothing here" in report
        assert "No rows." in report
        assert "None" not in report


def test_the_same_bytes_again_and_nothing_of_tables_that_do_not_ask(
    made: Callable[..., RunView],
) -> None:
    assert reports(calibrated()) == reports(calibrated())
    text, markdown, page = reports(replace(calibrated(), headline=False))
    assert "Calibration" not in text + markdown
    # Its place among all tables, and the names of the frames of its two parts.
    assert page.count("Calibration") == 3


@pytest.mark.parametrize(
    ("value", "low", "high", "told"),
    [
        (10.7699, 10.72, 10.82, "10.77 [10.72, 10.82]"),
        (10.7699, 10.2, 11.3, "10.8 [10.2, 11.3]"),
        (10.7699, 10.7699, 10.7699, "10.8 [10.8, 10.8]"),
        (10.7699, 10.76989, 10.76991, "10.770 [10.770, 10.770]"),
        (50.0, 30.0, 70.0, "50.0 [30.0, 70.0]"),
    ],
)
def test_a_narrow_interval_has_the_decimals_that_show_it(
    value: float, low: float, high: float, told: str
) -> None:
    columns = [Column("agent", "Agent"), *Figure("score", "score").columns]
    row: dict[str, Cell] = {"agent": "a", "score": value, "score_low": low, "score_high": high}
    other = {**row, "agent": "b"}
    table = Table.of("t", "T", columns, [row, other])
    assert [cell.inline for cell in view_of(table).rows[0]] == ["a", told]
