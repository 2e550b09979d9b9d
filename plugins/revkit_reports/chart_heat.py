"""A heat map: a grid of names in which stronger shades are farther from zero."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from revkit.figures import AGENT
from revkit.figures.numbers import EMPTY, number_at, percent, to_fixed
from revkit_reports.chart_data import Data, Drawn, join_notes, limit_names
from revkit_reports.plot_style import (
    FONT,
    INK,
    SERIES,
    WIDTH,
    inches,
    labels,
    margin,
    new_figure,
    style,
    to_svg,
)

MOST_ACROSS = 24
MOST_DOWN = 60
CELL = 0.36
ANGLE = 40
SMALLEST_FONT = 6.0


def heat_map(data: Data) -> Drawn | None:
    """Draw values as shades with their numbers; if signs differ, each sign has its own colour.

    Agents are in the order of their mean value, other names in the order of the table. A cell for
    which there are several rows states this and shows no value.
    """
    chart = data.chart
    across, fewer = limit_names(data.names(chart.x), MOST_ACROSS, "column")
    by_mean = chart.y == AGENT.name
    down, fewer_rows = limit_names(data.names(chart.y), MOST_DOWN, "row")
    if by_mean:  # Which agents are shown must not depend on their values.
        kept = set(down)
        down = [name for name in data.names_by_mean(chart.y, chart.value) if name in kept]
    cells: dict[tuple[str, str], list[float]] = {}
    for row in data.rows:
        value = number_at(row, chart.value)
        if value is not None:
            cells.setdefault((data.name(row, chart.x), data.name(row, chart.y)), []).append(value)
    if not cells:
        return None
    write = _writer([v for found in cells.values() for v in found], data.is_share(chart.value))
    with style():
        columns, rows = labels(across), labels(down)
        left = margin(rows)
        wide = WIDTH * (0.99 - left) / len(across)
        slanted = max(map(inches, columns)) > wide - 0.06
        right = _overhang(columns, wide) if slanted else 0.0
        wide = (WIDTH * (0.99 - left) - right) / len(across)
        longest = max(map(inches, columns))
        top = longest * math.sin(math.radians(ANGLE)) + 0.3 if slanted else 0.3
        height = top + CELL * len(down) + 0.05
        plot = new_figure(height)
        box = (left, 0.05 / height, wide * len(across) / WIDTH, CELL * len(down) / height)
        axes = plot.add_axes(box)
        _grid(axes, across, down, cells, write, wide)
        _names(axes, columns, rows, slanted)
        svg = to_svg(plot, data.key, data.title)
    sides = f"Rows: {data.axis(chart.y)}. Columns: {data.axis(chart.x)}."
    return Drawn(data.title, svg, join_notes(sides, fewer, fewer_rows))


def _overhang(names: Sequence[str], wide: float) -> float:
    """Return the inches by which slanted column names extend beyond the last column."""
    run = math.cos(math.radians(ANGLE))
    reach = [
        inches(name) * run - (len(names) - index - 0.5) * wide for index, name in enumerate(names)
    ]
    return min(2.0, max(0.0, *reach) + 0.1)


def _grid(
    axes: Any,
    across: Sequence[str],
    down: Sequence[str],
    cells: dict[tuple[str, str], list[float]],
    write: Any,
    wide: float,
) -> None:
    from matplotlib.patches import Rectangle

    single = [abs(found[0]) for found in cells.values() if len(found) == 1]
    largest = max(single, default=0.0) or 1.0
    texts = {
        (x, y): _text(cells.get((column, row), []), write)
        for y, row in enumerate(down)
        for x, column in enumerate(across)
    }
    longest = max(map(inches, texts.values())) or 1.0
    size = max(SMALLEST_FONT, min(FONT, FONT * (wide - 0.04) / longest))
    for (x, y), text in texts.items():
        found = cells.get((across[x], down[y]), [])
        value = found[0] if len(found) == 1 else 0.0
        # Half the strength at most: the number stays readable on it in light and dark.
        shade = 0.5 * abs(value) / largest
        axes.add_patch(
            Rectangle(
                (x + 0.01, y + 0.03),
                0.98,
                0.94,
                facecolor=SERIES[1] if value < 0 else SERIES[0],
                alpha=max(0.03, shade),
            )
        )
        axes.text(x + 0.5, y + 0.53, text, ha="center", va="center", fontsize=size)
    axes.set_xlim(0, len(across))
    axes.set_ylim(len(down), 0)


def _names(axes: Any, columns: Sequence[str], rows: Sequence[str], slanted: bool) -> None:
    axes.patch.set_visible(False)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.xaxis.tick_top()
    axes.set_xticks([x + 0.5 for x in range(len(columns))], columns)
    axes.set_yticks([y + 0.5 for y in range(len(rows))], rows)
    axes.tick_params(length=0, labelcolor=INK)
    if slanted:
        for text in axes.get_xticklabels():
            text.set(rotation=ANGLE, ha="left", rotation_mode="anchor")


def _text(found: Sequence[float], write: Any) -> str:
    if not found:
        return EMPTY
    return write(found[0]) if len(found) == 1 else f"{len(found)} rows"


def _writer(values: Sequence[float], share: bool) -> Any:
    """Return a function that formats the values of one map, all with the same number of
    decimals.
    """
    if share:
        return percent
    largest = max(map(abs, values))
    if largest >= 1e5 or 0 < largest < 0.005:
        return lambda value: f"{value:.1e}"
    places = 0 if largest >= 1000 else 1 if largest >= 100 else 2
    return lambda value: to_fixed(value, places)
