"""What reports say of a sweep: tables side by side, nothing from a spec believed."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import revkit
from revkit.contracts import SweepView
from revkit.model.table import Chart, Column, Finding, Measure, Table, TableWarning
from revkit_reports.html import Html
from revkit_reports.markdown import MarkdownReport
from revkit_reports.overview import tables_to_compare
from revkit_reports.terminal import Terminal

SPEC: dict[str, Any] = {
    "revkit": 1,
    "name": "grid",
    "seed": 5,
    "corpus": {"use": "synthetic", "with": {"papers": 12}},
    "perturbations": {"unsure": {"use": "hedging", "with": {"mode": "add"}}},
    "agents": {
        "other": "length-reader",
        "strict": {"use": "citation-counter", "with": {"accept-at": 6}},
    },
    "metrics": ["flip-rate", "clean-accuracy", "outcomes"],
    "reports": ["terminal", "markdown", "html"],
    "sweep": {"agents.strict.with.accept-at": [5, 9]},
}


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> revkit.SweepRun:
    folder = tmp_path_factory.mktemp("sweep")
    return revkit.sweep(SPEC, out=folder / "out", store=folder / "store")


def test_the_terminal_shows_figures_of_all_points(done: revkit.SweepRun) -> None:
    text = done.summary
    assert text == (done.folder / "report.txt").read_text()
    assert max(map(len, text.splitlines())) <= 100
    accuracy = {
        point.label: point.tables["clean-accuracy"].records()[1]["accuracy"]
        for point in done.points
    }
    lines = text[text.index("Accuracy on unchanged papers") :].splitlines()
    for value in (5, 9):
        (line,) = [line for line in lines if re.match(rf"{value} +strict", line)]
        assert f"{100 * float(str(accuracy[f'accept-at={value}'])):.1f}%" in line


def test_the_page_and_the_markdown_show_the_same_tables(done: revkit.SweepRun) -> None:
    page = (done.folder / "report.html").read_text()
    markdown = (done.folder / "report.md").read_text()
    for title in ("Flip rate", "Accuracy on unchanged papers", "The points of the sweep"):
        assert title in page
        assert f"## {title}" in markdown
    assert page.count("<script") == 1  # that of the page itself
    assert "default-src 'none'" in page
    own = (Path(done.points[0].folder) / "report.html").read_text()
    assert "robustness report" in own


ALL_FAMILIES = "all families"
HOSTILE = "<img src=x onerror=alert(1)>|`x`\x1b[31m\u202e"


def view() -> SweepView:
    columns = [Column("s", "S"), Column("a", "A"), Column("v", "V", "count")]
    chart = Chart("bars", HOSTILE, "a", "v", group="s")
    rows: list[dict[str, Any]] = [
        {"s": HOSTILE, "a": HOSTILE, "v": 1},
        {"s": "y", "a": "z", "v": 2},
    ]
    table = Table.of("t", HOSTILE, columns, rows, [HOSTILE], headline=True, charts=[chart])
    points = Table.of("points", "The points of the sweep", columns, rows, headline=True)
    return SweepView(HOSTILE, [(HOSTILE, "s")], points, [table], {HOSTILE: HOSTILE}, {}, HOSTILE)


@pytest.mark.parametrize("reporter", [Terminal(), MarkdownReport(), Html()])
def test_names_from_specs_and_plugins_are_text(reporter: Any) -> None:
    (text,) = reporter.overview(view()).values()
    assert "\x1b" not in text
    assert "\u202e" not in text
    if not isinstance(reporter, Terminal):
        assert "<img" not in text


def test_tables_that_ask_for_it_are_shown_and_points_stand_last() -> None:
    assert [table.name for table in tables_to_compare(view())] == ["t", "points"]


def wide(points: int, modes: tuple[str, ...] = ("more", "less")) -> SweepView:
    """Flip rates at ``points`` numbers and two labels, the first of them without a result."""
    lead = [Column("n", "n"), Column("mode", "mode"), Column("point", "Point")]
    measured = [
        Column("agent", "Agent", role="agent"),
        Column("family", "Family"),
        Column("statistic", "Statistic"),
        Column("rate", "Flip rate", "share"),
        Column("cluster_low", "Low", "share", "", "low", "rate"),
        Column("cluster_high", "High", "share", "", "high", "rate"),
    ]
    grid = [(n, mode) for n in range(points) for mode in modes]
    rows: list[dict[str, Any]] = [
        {
            "n": n,
            "mode": mode,
            "point": f"n={n},mode={mode}",
            "agent": "a",
            "family": ALL_FAMILIES,
            "statistic": "rate",
            "rate": 0.5,
            "cluster_low": 0.25,
            "cluster_high": 0.75,
        }
        for n, mode in grid[1:]
    ]
    notes = [f"note {n}" for n in range(50)]
    measure = Measure("agent", "rate", (("family", ALL_FAMILIES), ("statistic", "rate")))
    table = Table.of(
        "anything", "Flip rate", [*lead, *measured], rows, notes, fine=["point"], measures=[measure]
    )
    counted = [{"n": n, "mode": m, "error": None if i else "lost"} for i, (n, m) in enumerate(grid)]
    about = Table.of("points", "The points of the sweep", [*lead[:2], Column("error")], counted,
                     notes, headline=True)  # fmt: skip
    return SweepView("s", [("a.n", "n"), ("b.mode", "mode")], about, [table], {}, {}, "d")


def test_figures_are_drawn_along_the_axis_of_numbers_for_each_of_the_others() -> None:
    table = tables_to_compare(wide(30))[0]
    assert [(c.kind, c.title, c.x, c.y, c.group, c.low, c.where) for c in table.charts] == [
        ("lines", f"Flip rate, by n (mode={mode})", "n", "rate", "agent", "cluster_low",
         (("mode", mode),))
        for mode in ("less", "more")
    ]  # fmt: skip
    (bars,) = tables_to_compare(wide(2))[0].charts
    assert (bars.kind, bars.x, bars.group) == ("bars", "agent", "point")
    many = tables_to_compare(wide(3, tuple(f"m{index}" for index in range(40))))[0].charts
    assert [chart.kind for chart in many] == ["bars"], "forty charts tell nobody anything"


def test_long_tables_stay_folded_and_what_was_swept_stands_on_top() -> None:
    (page,) = Html().overview(wide(30)).values()
    assert page.count('<details class="block"><summary>The table') == 2
    assert "60 points over a.n, b.mode." in page
    assert "1 of them has no result." in page
    assert "<b>a.n</b>: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ..., 29 (30 values)" in page
    assert "<b>b.mode</b>: more, less" in page
    assert page.count("20 more notes in result.json.") == 1


@pytest.mark.parametrize("reporter", [Terminal(), MarkdownReport(), Html()])
def test_numbers_that_were_swept_keep_all_their_digits(reporter: Any) -> None:
    values = (0.001, 0.125, 0.1251, 2024, 1e20)
    columns = [Column("s", "S"), Column("a", "A"), Column("v", "V", "count")]
    rows: list[dict[str, Any]] = [
        {"s": value, "a": f"agent{index}", "v": index} for index, value in enumerate(values)
    ]
    table = Table.of("t", "T", columns, rows, headline=True)
    points = Table.of("points", "The points of the sweep", columns, rows, headline=True)
    (text,) = reporter.overview(
        SweepView("s", [("a.s", "s")], points, [table], {}, {}, "d")
    ).values()
    for value in ("0.001", "0.125", "0.1251", "2024", "1e20"):
        assert len(re.findall(rf"(?<![\w.,]){re.escape(value)}(?![\w.])", text)) >= 2, value


@pytest.mark.parametrize("reporter", [Terminal(), MarkdownReport(), Html()])
def test_findings_of_the_points_open_the_report_of_a_sweep(reporter: Any) -> None:
    shown = view()
    many = tuple(Finding(f"n={number}: flips rise.") for number in range(25))
    warning = TableWarning("imprecise", "n=1: few papers.", advice="Add papers.")
    tables = [replace(shown.tables[0], findings=many, warnings=(warning,))]
    (text,) = reporter.overview(replace(shown, tables=tables)).values()
    assert "n=19: flips rise." in text
    assert "n=20: flips rise." not in text
    assert "5 more findings in result.json." in text
    assert "Warning. n=1: few papers. Add papers." in text
