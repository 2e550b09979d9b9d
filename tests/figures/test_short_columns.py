"""Every table of a first-party metric with an interval has the column that marks short ones."""

from __future__ import annotations

import ast
import importlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from revkit.contracts import Metric
from revkit.figures import AGENT, SHORT, Figure, is_short, short_of
from revkit.model.table import Cell, Column, Table
from revkit.registry import load_registry
from revkit.runs.table_text import html_of, markdown_of, text_of
from revkit.stats import Estimate, Interval
from revkit.testing import tiny_records

OWN = "revkit"
# Options without a default.
NEEDED: dict[str, dict[str, Any]] = {
    "bench-curve": {"points": {}},
    "evaluator-agreement": {"file": "docs/examples/human-scores.csv"},
}
SHARES = "one rule for shares of independent papers, conservative for fewer than 20"
# Tables of which no interval can be marked as short, and why.
NEVER_SHORT = {
    "anchor-leakage": "Welch's interval; with too few anchors in a tier it is undefined",
    "attack-curve": SHARES,
    "attack-edits": SHARES,
    "attack-success": SHARES,
    "attack-transfer": SHARES,
}


def metrics() -> list[str]:
    registry = load_registry()
    return [entry.name for entry in registry.of_kind("metric") if entry.distribution == OWN]


@pytest.mark.parametrize("name", metrics())
def test_a_table_with_intervals_marks_short_ones(name: str) -> None:
    (entry,) = [each for each in load_registry().of_kind("metric") if each.name == name]
    metric: Any = entry.component(**NEEDED.get(name, {}))
    assert isinstance(metric, Metric)
    columns = metric.measure(tiny_records()).columns
    has_interval = any(column.role == "low" for column in columns)
    has_short = SHORT in columns
    assert has_short == (has_interval and name not in NEVER_SHORT)


def named_figures(module: str) -> set[str]:
    """The names that a module gives to the figures of `short_of` as text."""
    source = Path(str(importlib.import_module(module).__file__)).read_text(encoding="utf-8")
    calls = (
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == short_of.__name__
    )
    return {
        key.value
        for call in calls
        for each in ast.walk(call)
        if isinstance(each, ast.Dict)
        for key in each.keys
        if isinstance(key, ast.Constant)
    }


@pytest.mark.parametrize("name", metrics())
def test_short_intervals_are_named_as_their_columns_are(name: str) -> None:
    registry = load_registry()
    (entry,) = [each for each in registry.of_kind("metric") if each.name == name]
    beside = [each.component for each in registry.of_kind("metric")]
    module = entry.component.__module__
    # A module may have several metrics.
    columns = [
        column
        for each in beside
        if each.__module__ == module
        for column in getattr(each, "table_columns", ())
    ]
    for figure in named_figures(module) if columns else ():
        assert any(is_short(figure, column) for column in columns), figure


def test_an_interval_that_may_be_too_short_is_marked_in_every_kind_of_table() -> None:
    rate = Figure("hit_rate", "Rate, all", "share")
    columns = (AGENT, *rate.columns, Column("n", "N", "count"), SHORT)
    interval = Interval(0.1, 0.3, 0.95, "paper", "m", 40, short=True)
    rows: list[dict[str, Cell]] = [
        {"agent": "a", **rate.cells(Estimate(0.2, 40, interval)), "n": 2, "short": "Rate all"},
        {"agent": "b", "hit_rate": 0.5, "hit_rate_low": 0.4, "hit_rate_high": 0.6, "n": 3},
    ]
    assert rows[0]["short"] == short_of({rate.title: Estimate(0.2, 40, interval)})
    table = Table.of("t", "T", columns, rows)
    for text in (text_of(table), markdown_of(table), html_of(table)):
        assert "[10.0, 30.0]†" in text.replace("\\", "")
        assert "[40.0, 60.0]†" not in text.replace("\\", "")
        assert "may be too short" in text
    assert "too short" not in text_of(replace(table, rows=table.rows[1:]))
