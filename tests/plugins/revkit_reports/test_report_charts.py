"""Charts that tables ask for: what they draw, that their texts have room, and that nothing in a
table breaks them. Texts are measured here with matplotlib's own metrics of the plots' font."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from revkit.model.table import Cell, Chart, Column, Table
from revkit.testing import tiny_run
from revkit_reports.chart_heat import MOST_DOWN
from revkit_reports.charts import charts_of
from revkit_reports.html import Html

COLUMNS = (
    Column("name", "Name of it"),
    Column("group", "Group"),
    Column("x", "Raw score", "severity points"),
    Column("y", "Consensus", "severity points"),
    Column("low", "Low", "severity points"),
    Column("high", "High", "severity points"),
    Column("share", "Share of it", "share"),
)
LINES = Chart("lines", "Lines", "x", "y", group="group", low="low", high="high")
POINTS = replace(LINES, kind="points", title="Points")
BARS = Chart("bars", "Bars", "name", "y", group="group", low="low", high="high")
HEAT = Chart("heat-map", "Heat map", "name", "group", "y")
ALL = (LINES, POINTS, BARS, HEAT)
HOSTILE = "<script>alert(1)</script> ]]> {{ 7*7 }} & \"q\" 'a' $x^2$ _z \x00\u202eevil\n"
Row = dict[str, Cell]


def table(rows: list[Row], *charts: Chart, columns: tuple[Column, ...] = COLUMNS) -> Table:
    return Table.of("some-table", "Some table", columns, rows, charts=charts or ALL)


def grid(names: int, groups: int, name: str = "rubric", group: str = "judge") -> list[Row]:
    return [
        {
            "name": f"{name}-{i}",
            "group": f"{group}-{j}",
            "x": float(i),
            "y": (i - j) * 1.37,
            "low": (i - j) * 1.37 - 1,
            "high": (i - j) * 1.37 + 1,
            "share": (i + j) / (names + groups),
        }
        for j in range(groups)
        for i in range(names)
    ]


@dataclass(frozen=True)
class Box:
    """Where a text is: its corners, and the angle of its line in degrees."""

    text: str
    corners: tuple[tuple[float, float], ...]
    angle: float
    size: float

    def overlaps(self, other: Box) -> bool:
        """Whether the two come closer than a third of a letter; for texts of one angle."""
        turned = [
            [_turn(corner, -math.radians(box.angle)) for corner in box.corners]
            for box in (self, other)
        ]
        slack = 0.3 * min(self.size, other.size)
        return all(
            min(c[axis] for c in turned[0]) + slack < max(c[axis] for c in turned[1])
            and min(c[axis] for c in turned[1]) + slack < max(c[axis] for c in turned[0])
            for axis in (0, 1)
        )


def _turn(point: tuple[float, float], angle: float) -> tuple[float, float]:
    x, y = point
    return (
        x * math.cos(angle) - y * math.sin(angle),
        x * math.sin(angle) + y * math.cos(angle),
    )


@cache
def text_width(text: str, size: float) -> float:
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextToPath

    plain = "".join("n" if ord(c) < 0x1100 and not c.isascii() else c for c in text)
    wide = sum(ord(c) >= 0x1100 for c in plain)
    narrow = "".join(c for c in plain if ord(c) < 0x1100)
    properties = FontProperties(family="DejaVu Sans", size=size)
    found = TextToPath().get_text_width_height_descent(narrow, properties, ismath=False)[0]
    return float(found) + wide * size


def boxes(svg: str) -> tuple[list[Box], float, float]:
    """The texts of a plot, and its width and height."""
    root = ElementTree.fromstring(svg)
    _, _, right, bottom = map(float, root.attrib["viewBox"].split())
    found = []
    for element in root.iter("text"):
        style = element.attrib["style"]
        size = float(re.search(r"font-size: ([\d.]+)px", style)[1])  # type: ignore[index]
        anchor = re.search(r"text-anchor: (\w+)", style)[1]  # type: ignore[index]
        angle = float(element.attrib["transform"].removeprefix("rotate(").split()[0])
        x, y = float(element.attrib["x"]), float(element.attrib["y"])
        width = text_width(element.text or "", size)
        start = {"start": 0.0, "middle": -width / 2, "end": -width}[anchor]
        corners = tuple(
            (x + turned[0], y + turned[1])
            for dx in (start, start + width)
            for dy in (-0.75 * size, 0.2 * size)
            for turned in [_turn((dx, dy), math.radians(angle))]
        )
        found.append(Box(element.text or "", corners, angle, size))
    return found, right, bottom


def check(svg: str) -> list[str]:
    """Every text lies within the plot and on no other; the texts."""
    found, right, bottom = boxes(svg)
    for box in found:
        for x, y in box.corners:
            assert -2 <= x <= right + 2, box
            assert -2 <= y <= bottom + 2, box
    for i, box in enumerate(found):
        for other in found[:i]:
            if box.angle == other.angle:
                assert not box.overlaps(other), (box.text, other.text)
    return [box.text for box in found]


def drawn(*rows: Row, chart: Chart = BARS) -> str:
    (found,) = charts_of(table(list(rows), chart))
    return found.svg


def paths(svg: str) -> int:
    """How many lines a plot holds that are dashed."""
    return svg.count("stroke-dasharray")


def test_every_kind_draws_its_names_and_titles() -> None:
    found = charts_of(table(grid(4, 3)))
    assert [chart.title for chart in found] == ["Lines", "Points", "Bars", "Heat map"]
    for chart in found:
        texts = check(chart.svg)
        assert {"judge-0", "judge-1", "judge-2"} <= set(texts)
    for chart in found[:2]:
        assert {"Raw score (severity points)", "Consensus (severity points)"} <= set(
            check(chart.svg)
        )
    assert "Consensus (severity points)" in check(found[2].svg)
    assert found[3].note == "Rows: Group. Columns: Name of it."
    assert {"rubric-3", "4.11", "-2.74", "0.00"} <= set(check(found[3].svg))


@pytest.mark.parametrize(("across", "down"), [(9, 9), (18, 9), (24, 3), (1, 1)], ids=str)
@pytest.mark.parametrize("name", ["informativeness", "a rather long name of one rubric"])
def test_a_heat_map_is_readable(across: int, down: int, name: str) -> None:
    rows = grid(across, down, name)
    (found,) = charts_of(table(rows, HEAT))
    texts = check(found.svg)
    if name == "informativeness":
        # Names that fit the room of one name are never cut.
        assert {f"{name}-{i}" for i in range(across)} <= set(texts)
    sizes = [box.size for box in boxes(found.svg)[0]]
    assert min(sizes) >= 6
    assert len(texts) == across * down + across + down


def test_a_heat_map_of_shares_and_large_values_has_room() -> None:
    shares = Chart("heat-map", "h", "name", "group", "share")
    check(charts_of(table(grid(24, 4), shares))[0].svg)
    rows = [{**row, "y": -123456.789} for row in grid(18, 3)]
    texts = check(charts_of(table(rows, HEAT))[0].svg)
    assert "-1.2e+05" in texts
    rows = [{**row, "y": 0.00012} for row in grid(3, 3)]
    assert "1.2e-04" in check(charts_of(table(rows, HEAT))[0].svg)


def test_a_place_that_two_rows_claim_shows_no_value() -> None:
    row: Row = {"name": "a", "group": "b", "y": 1.0}
    texts = check(drawn(row, {**row, "y": 3.0}, chart=HEAT))
    assert "2 rows" in texts
    assert "3.00" not in texts
    assert "1.00" not in texts


def test_where_signs_differ_there_are_two_colours() -> None:
    both = drawn({"name": "a", "group": "g", "y": 2.0}, {"name": "b", "group": "g", "y": -1.0},
                 chart=HEAT)  # fmt: skip
    assert "--orange" in both
    assert "--blue" in both
    assert "--orange" not in drawn({"name": "a", "group": "g", "y": 2.0}, chart=HEAT)


@pytest.mark.parametrize("chart", [LINES, POINTS, BARS], ids=lambda chart: chart.kind)
@pytest.mark.parametrize("series", [1, 12, 16])
def test_a_legend_fits(chart: Chart, series: int) -> None:
    name = "vendor/some-family/a-rather-long-model-name"
    (found,) = charts_of(table(grid(3, series, group=name), chart))
    texts = check(found.svg)
    ends = {f"{i}" for i in range(series)}
    legend = [text for text in texts if "\u2026" in text]
    assert len(set(legend)) == series
    assert {re.split(r"[-\u2026]", text)[-1] for text in legend} == ends
    assert found.note == ""


@pytest.mark.parametrize("chart", ALL, ids=lambda chart: chart.kind)
def test_what_is_left_out_is_said(chart: Chart) -> None:
    (found,) = charts_of(table(grid(70, 80), chart))
    if chart.kind != "heat-map":  # Tried at its largest above, and slow to check here.
        check(found.svg)
    expected = {
        "lines": "64 series more in the table only.",
        "points": "64 series more in the table only.",
        "bars": "10 lines more in the table only. 64 series more in the table only.",
        "heat-map": "Rows: Group. Columns: Name of it. 46 columns more in the table only. "
        "20 rows more in the table only.",
    }
    assert found.note == expected[chart.kind]


@pytest.mark.parametrize("chart", ALL, ids=lambda chart: chart.kind)
def test_hostile_long_and_odd_names(chart: Chart) -> None:
    names: list[Cell] = [
        HOSTILE, "_hidden", "", None, "\u05e9\u05dc\u05d5\u05dd", "\u8bba\u6587" * 40, "n" * 5_000,
        "$\\frac{1}{2}$", 0, False,
    ]  # fmt: skip
    odd = (Column("name", HOSTILE), Column("group", HOSTILE), *COLUMNS[2:3],
           replace(COLUMNS[3], title=HOSTILE * 9), *COLUMNS[4:])  # fmt: skip
    rows: list[Row] = [
        {"name": name, "group": group, "x": i, "y": i + j}
        for i, name in enumerate(names)
        for j, group in enumerate(names)
    ]
    (found,) = charts_of(table(rows, replace(chart, title=HOSTILE), columns=odd))
    texts = check(found.svg)
    assert "\x00" not in found.svg
    assert "\u202e" not in found.svg
    assert "<script" not in found.svg
    assert {"_hidden", "(no name)", "-", "\u05e9\u05dc\u05d5\u05dd", "0", "no"} <= set(texts)
    assert "None" not in texts
    run = replace(tiny_run(), tables=[table(rows, replace(chart, title=HOSTILE), columns=odd)])
    page = Html().render(run)["report.html"]
    assert page.count("<script") == 1  # that of the page itself
    assert page.count("<svg") == page.count("</svg>")


@pytest.mark.parametrize("chart", ALL, ids=lambda chart: chart.kind)
def test_nothing_to_draw(chart: Chart) -> None:
    row: Row = {"name": "a", "group": "b", "x": 1.0, "y": 2.0}
    assert charts_of(table([], chart)) == []
    assert charts_of(table([{"name": "a", "group": "b"}], chart)) == []
    assert charts_of(table([row], replace(chart, where=(("name", "other"),)))) == []
    assert charts_of(table([{**row, "y": None}], chart)) == []
    assert len(charts_of(table([row], replace(chart, where=(("name", "a"),))))) == 1
    assert charts_of(table([{**row, "x": 1}], replace(chart, where=(("x", True),)))) == []


def test_where_keeps_rows() -> None:
    rows: list[Row] = [{"name": n, "group": "g", "y": 1.0} for n in ("a", "b", None)]
    (found,) = charts_of(table(rows, replace(BARS, where=(("name", None),))))
    texts = check(found.svg)
    assert "-" in texts
    assert "a" not in texts


def test_a_name_that_is_zero_is_drawn() -> None:
    texts = check(drawn({"name": 0, "y": 1.0}, {"name": False, "y": 2.0}, {"name": "", "y": 3.0},
                        chart=Chart("bars", "b", "name", "y")))  # fmt: skip
    assert {"0", "no", "(no name)"} <= set(texts)


@pytest.mark.parametrize("chart", ALL, ids=lambda chart: chart.kind)
@pytest.mark.parametrize(
    "value",
    [
        1e300,
        -1.7e308,
        1e-300,
        5e-324,
        pytest.param(10**400, id="ten to the 400"),
        1e14,
        -1e-14,
        0.0,
    ],
    ids=str,
)
def test_huge_and_tiny_numbers(chart: Chart, value: float) -> None:
    rows: list[Row] = [
        {"name": "a", "group": "g", "x": 1.0, "y": value, "low": value, "high": value},
        {"name": "b", "group": "g", "x": value, "y": 1.0},
    ]
    (found,) = charts_of(table(rows, chart))
    if found.svg:
        check(found.svg)
    else:
        assert found.note == "Not drawn: numbers too large or too near zero for an axis."
        assert abs(value) > 1e15 or 0 < abs(value) < 1e-15


def test_a_page_holds_huge_numbers() -> None:
    rows: list[Row] = [{"name": "a", "group": "g", "x": 10**400, "y": -(10**30), "share": 10**400}]
    run = replace(tiny_run(), tables=[table(rows)])
    page = Html().render(run)["report.html"]
    for text in ("1.00e+400", "-1.00e+30", "1.00e+402%", "Not drawn: numbers too large"):
        assert text in page


def test_an_interval_that_is_open_runs_on_dashed() -> None:
    row: Row = {"name": "a", "group": "g", "x": 1.0, "y": 2.0, "low": 1.0, "high": 3.0}
    assert paths(drawn(row)) == 0
    assert paths(drawn({**row, "high": None})) == 1
    assert paths(drawn({**row, "low": None})) == 1
    assert paths(drawn({**row, "low": None, "high": None})) == 0


def line_points(svg: str) -> list[str]:
    """The paths of the lines of a chart: those of its series' width."""
    root = ElementTree.fromstring(svg)
    return [
        " ".join(path.attrib["d"].split())
        for path in root.iter("path")
        if "stroke-width: 1.7" in path.attrib.get("style", "")
    ]


def test_a_line_stops_at_a_missing_value_and_a_lone_value_is_a_point() -> None:
    rows: list[Row] = [
        {"group": "g", "x": float(x), "y": y} for x, y in enumerate([1.0, 2.0, None, 3.0, 4.0])
    ]
    path = line_points(drawn(*rows, chart=LINES))[0]
    assert path.count("M") == 2
    assert path.count("L") == 2
    lone: list[Row] = [{"group": "g", "x": 0.0, "y": 1.0}, {"group": "g", "x": 1.0, "y": None},
            {"group": "g", "x": 2.0, "y": 2.0}, {"group": "g", "x": 3.0, "y": 3.0}]  # fmt: skip
    assert drawn(*lone, chart=LINES).count("<use") == 1
    assert drawn(*rows[:2], chart=LINES).count("<use") == 0


def test_lines_go_from_left_to_right_whatever_the_order_of_rows() -> None:
    rows: list[Row] = [{"group": "g", "x": float(x), "y": float(x * x)} for x in range(6)]
    ahead = line_points(drawn(*rows, chart=LINES))
    assert line_points(drawn(*reversed(rows), chart=LINES)) == ahead


def test_diagonal_and_mark() -> None:
    rows: list[Row] = [{"group": "g", "x": float(x), "y": 50 + x / 10} for x in range(10)]
    for at in (-5.0, 0.0, 4.5, 9.0, 30.0):
        chart = replace(
            LINES, diagonal=True, mark=(at, "g3 changes, which is reported at some length")
        )
        svg = drawn(*rows, chart=chart)
        assert "g3 changes, which is reported at some length" in check(svg)
        assert paths(svg) == 2
    assert paths(drawn(*rows, chart=replace(LINES, mark=(math.inf, "never")))) == 0
    assert paths(drawn(*rows[:1], chart=replace(LINES, diagonal=True))) == 1


def test_shares_are_in_per_cent() -> None:
    rows = grid(5, 1)
    texts = check(charts_of(table(rows, Chart("lines", "l", "x", "share")))[0].svg)
    assert any(re.fullmatch(r"\d+%", text) for text in texts)
    assert "Share of it" in texts
    texts = check(charts_of(table(rows, Chart("bars", "b", "name", "share")))[0].svg)
    assert any(re.fullmatch(r"\d+%", text) for text in texts)
    texts = check(charts_of(table(rows, replace(HEAT, value="share")))[0].svg)
    assert "16.7%" in texts


def test_ids_differ_between_the_charts_of_a_page() -> None:
    tables = [replace(table(grid(3, 2)), name=name, headline=name == "a") for name in ("a", "b")]
    page = Html().render(replace(tiny_run(), tables=tables))["report.html"]
    ids = re.findall(r'\bid="([^"]*)"', page)
    assert len(ids) == len(set(ids))
    assert page.count("<svg") >= 8


def test_the_same_bytes_again() -> None:
    assert charts_of(table(grid(5, 4))) == charts_of(table(grid(5, 4)))


NUMBERS = st.none() | st.floats(-1e6, 1e6).map(lambda value: round(value, 3)) | st.integers(-9, 9)


@settings(max_examples=10, deadline=None)
@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "name": st.text(max_size=12) | st.none(),
                "group": st.text(max_size=12) | st.none(),
                **dict.fromkeys(("x", "y", "low", "high"), NUMBERS),
            }
        ),
        max_size=6,
    )
)
def test_any_rows_are_drawn_or_left(rows: list[Any]) -> None:
    for found in charts_of(table(rows)):
        if found.svg:
            ElementTree.fromstring(found.svg)


def test_an_axis_of_whole_numbers_has_no_ticks_between_them() -> None:
    def ticks(*xs: float) -> list[str]:
        rows: list[dict[str, Cell]] = [{"x": x, "y": 1000 * index} for index, x in enumerate(xs)]
        chart = Chart("lines", "C", "x", "y")
        table = Table.of("t", "T", [Column("x"), Column("y")], rows, charts=[chart])
        (drawn,) = charts_of(table)
        texts = [element.text or "" for element in ElementTree.fromstring(drawn.svg).iter()]
        return texts[: texts.index("x")]

    assert {"1", "2", "3"} <= set(ticks(1, 2, 3))
    assert "1.50" not in ticks(1, 2, 3)
    assert "1.50" in ticks(1.0, 2.0, 3.0)


def test_a_missing_count_is_not_drawn_as_zero() -> None:
    chart = Chart("opposed", "Opposed", "name", "y", value="x")
    rows: list[Row] = [
        {"name": "full", "x": 3, "y": 0},
        {"name": "empty", "x": None, "y": None},
        {"name": "half", "x": None, "y": 2},
    ]
    [drawn] = charts_of(table(rows, chart))
    shown = re.findall(r">([^<>]+)</text>", drawn.svg)
    assert "full" in shown
    assert not {"empty", "half"} & set(shown)
    assert charts_of(table(rows[1:], chart)) == []


def test_a_heat_map_of_many_agents_keeps_those_with_large_values() -> None:
    columns = [Column("agent", "Agent", "", "", "agent"), Column("family"), Column("rate")]
    rows: list[dict[str, Cell]] = [
        {"agent": f"agent-{n:02d}", "family": "f", "rate": 1 - n / 100}
        for n in range(MOST_DOWN + 5)
    ]
    chart = Chart("heat-map", "h", "family", "agent", "rate")
    [drawn] = charts_of(Table.of("many", "Many", columns, rows, charts=[chart]))
    assert "5 rows more in the table only." in drawn.note
    places = [drawn.svg.find(f"agent-{n:02d}") for n in range(MOST_DOWN + 5)]
    assert all(place > 0 for place in places[:MOST_DOWN])
    assert all(place < 0 for place in places[MOST_DOWN:])
    assert places[:MOST_DOWN] == sorted(places[:MOST_DOWN], reverse=True)
