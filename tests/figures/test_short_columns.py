"""Every table of a first-party metric with an interval has the column that marks short ones."""

from __future__ import annotations

from typing import Any

import pytest

from revkit.contracts import Metric
from revkit.figures import SHORT
from revkit.registry import load_registry
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
