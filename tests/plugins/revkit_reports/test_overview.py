"""What reports say of a sweep: tables side by side, nothing from a spec believed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import revkit
from revkit.contracts import SweepView
from revkit.model.table import Chart, Column, Table
from revkit_reports.html import Html
from revkit_reports.markdown import Markdown
from revkit_reports.overview import compared
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
    assert "<script" not in page
    assert "default-src 'none'" in page
    own = (Path(done.points[0].folder) / "report.html").read_text()
    assert "robustness report" in own


HOSTILE = "<img src=x onerror=alert(1)>|`x`\x1b[31m\u202e"


def view() -> SweepView:
    columns = [Column("s", "S"), Column("a", "A"), Column("v", "V", "count")]
    chart = Chart("bars", HOSTILE, "a", "v", group="s")
    rows = [{"s": HOSTILE, "a": HOSTILE, "v": 1}, {"s": "y", "a": "z", "v": 2}]
    table = Table.of("t", HOSTILE, columns, rows, [HOSTILE], headline=True, charts=[chart])
    points = Table.of("points", "The points of the sweep", columns, rows, headline=True)
    return SweepView(HOSTILE, [(HOSTILE, "s")], points, [table], {HOSTILE: HOSTILE}, {}, HOSTILE)


@pytest.mark.parametrize("reporter", [Terminal(), Markdown(), Html()])
def test_names_from_specs_and_plugins_are_text(reporter: Any) -> None:
    (text,) = reporter.overview(view()).values()
    assert "\x1b" not in text
    assert "\u202e" not in text
    if not isinstance(reporter, Terminal):
        assert "<img" not in text


def test_tables_that_ask_for_it_are_shown_and_points_stand_last() -> None:
    assert [table.name for table in compared(view())] == ["t", "points"]
