"""The plot of accuracy against robustness: the lines from points to names do not cross."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

from hypothesis import example, given, settings
from hypothesis import strategies as st

from revkit.model.records import AgentRow
from revkit.model.table import Column, Measure, Table
from revkit.testing import tiny_run
from revkit_reports.plots_of_scores import accuracy_against_robustness
from revkit_reports.summary import summary_of

Point = tuple[float, float]
Line = tuple[Point, Point]
SHARES = st.integers(0, 100).map(lambda percent: percent / 100)
COLUMNS = (
    Column("agent", "Agent", role="agent"),
    Column("flips", "Flip rate", "share"),
    Column("right", "Accuracy", "share"),
)


def leaders(points: list[Point]) -> list[Line]:
    """The dotted lines of the plot of agents at ``points`` (accuracy, flip rate)."""
    rows: list[dict[str, Any]] = [
        {"agent": f"agent-{i}", "flips": flips, "right": right}
        for i, (right, flips) in enumerate(points)
    ]
    measures = (
        Measure("agent", "flips", aspect="robustness", better="lower"),
        Measure("agent", "right", aspect="accuracy", better="higher"),
    )
    run = tiny_run()
    agents = [
        AgentRow(f"agent-{i}", "toy", run.records.agents[0].scale, True) for i in range(len(points))
    ]
    run = replace(
        run,
        records=replace(run.records, agents=agents, verdicts=[]),
        tables=[Table.of("scores", "Scores", COLUMNS, rows, measures=measures)],
    )
    svg = accuracy_against_robustness(summary_of(run))
    found = []
    for path in ElementTree.fromstring(svg).iter("path"):
        if "stroke-dasharray: 0.8" in path.attrib.get("style", ""):
            words = path.attrib["d"].replace("M", " ").replace("L", " ").replace("Q", " ").split()
            numbers = [*map(float, words)]
            found.append(((numbers[0], numbers[1]), (numbers[-2], numbers[-1])))
    return found


def cross(one: Line, other: Line) -> bool:
    """Whether two lines cross at an inner point of both."""

    def side(line: Line, point: Point) -> float:
        (x0, y0), (x1, y1) = line
        return (x1 - x0) * (point[1] - y0) - (y1 - y0) * (point[0] - x0)

    return all(side(a, b[0]) * side(a, b[1]) < -1e-6 for a, b in ((one, other), (other, one)))


def test_lines_that_cross_are_found() -> None:
    assert cross(((0, 0), (2, 2)), ((0, 2), (2, 0)))
    assert not cross(((0, 0), (2, 2)), ((0, 1), (2, 3)))


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(SHARES, SHARES), min_size=2, max_size=8, unique=True))
# Leaders of these points cross if the names are in the order of the points.
@example([(0.83, 0.01), (0.98, 0.03), (0.81, 0.01), (0.72, 0.01), (0.9, 0.4)])
def test_no_two_leaders_cross(points: list[Point]) -> None:
    found = leaders(points)
    assert len(found) == len(points)
    assert not [pair for pair in combinations(found, 2) if cross(*pair)]
