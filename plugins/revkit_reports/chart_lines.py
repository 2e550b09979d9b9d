"""Lines and points: one number plotted over another, with a series for each group."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from revkit.figures.numbers import number_at
from revkit_reports.chart_data import (
    MOST_GROUPS,
    Data,
    Drawn,
    Row,
    limit_names,
)
from revkit_reports.chart_frame import frame, legend, legend_height, legend_width, look
from revkit_reports.plot_style import FONT, MUTED, WIDTH, labels, new_figure, style, to_svg
from revkit_reports.visible import one_line

HEIGHT = 3.6
LEFT, TOP, BOTTOM = 0.85, 0.12, 0.55
MARK_ROOM = 0.18


def lines(data: Data) -> Drawn | None:
    """Draw ``y`` over ``x``; a line has a gap if a value is missing."""
    chart = data.chart
    drawn = {
        name: rows
        for name, found in data.groups().items()
        if (rows := _known(data, found))
        and any(number_at(row, chart.y) is not None for row in rows)
    }
    if not drawn:
        return None
    names, note = limit_names(list(drawn), MOST_GROUPS, "series")
    shown = labels(names, 26)
    with style():
        height = max(HEIGHT, legend_height(len(names)) + 0.4)
        right = legend_width(shown) if chart.group else 0.25
        plot = new_figure(height)
        top = TOP + (MARK_ROOM if chart.mark else 0.0)
        axes = plot.add_axes(
            (
                LEFT / WIDTH,
                BOTTOM / height,
                1 - (LEFT + right) / WIDTH,
                1 - (top + BOTTOM) / height,
            )
        )
        frame(axes, data, chart.x, chart.y)
        if all(isinstance(row[chart.x], int) for rows in drawn.values() for row in rows):
            axes.locator_params(axis="x", integer=True)
        handles = [
            _series(axes, data, sorted(drawn[name], key=lambda row: _x(data, row)), index)
            for index, name in enumerate(names)
        ]
        if chart.diagonal:
            _diagonal(axes)
        if chart.mark is not None and math.isfinite(chart.mark[0]):
            _mark(axes, *chart.mark)
        if chart.group:
            legend(axes, handles, shown, right)
        return Drawn(data.title, to_svg(plot, data.key, data.title), note)


def _known(data: Data, rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if number_at(row, data.chart.x) is not None]


def _x(data: Data, row: Row) -> float:
    return number_at(row, data.chart.x) or 0.0


def _series(axes: Any, data: Data, rows: Sequence[Row], index: int) -> Any:
    chart = data.chart
    colour, dash, marker = look(index)
    xs = [_x(data, row) for row in rows]
    ys = [math.nan if (y := number_at(row, chart.y)) is None else y for row in rows]
    bounds = [(number_at(row, chart.low), number_at(row, chart.high)) for row in rows]
    if chart.kind == "points":
        for x, y, (low, high) in zip(xs, ys, bounds, strict=True):
            if not math.isnan(y) and (low is not None or high is not None):
                ends = [y if low is None else low, y if high is None else high]
                axes.plot([x, x], ends, color=colour, linewidth=1)
        return axes.plot(xs, ys, marker, color=colour, markersize=4)[0]
    closed = [low is not None and high is not None for low, high in bounds]
    if any(closed):
        lows = [math.nan if low is None else low for low, _ in bounds]
        highs = [math.nan if high is None else high for _, high in bounds]
        axes.fill_between(xs, lows, highs, where=closed, color=colour, alpha=0.15, linewidth=0)
    # A value without a neighbour has no line and is drawn as a point.
    alone = [
        index
        for index, y in enumerate(ys)
        if not math.isnan(y)
        and (index == 0 or math.isnan(ys[index - 1]))
        and (index + 1 == len(ys) or math.isnan(ys[index + 1]))
    ]
    if alone:
        axes.plot([xs[i] for i in alone], [ys[i] for i in alone], "o", color=colour, markersize=4)
    return axes.plot(xs, ys, color=colour, linewidth=1.7, linestyle=dash)[0]


def _diagonal(axes: Any) -> None:
    """Draw y = x over both axes, which then have the same range."""
    low = min(axes.get_xlim()[0], axes.get_ylim()[0])
    high = max(axes.get_xlim()[1], axes.get_ylim()[1])
    axes.plot([low, high], [low, high], color=MUTED, linewidth=1, linestyle=(0, (4, 3)), zorder=0.9)
    axes.set_xlim(low, high)
    axes.set_ylim(low, high)


def _mark(axes: Any, at: float, name: str) -> None:
    axes.axvline(at, color=MUTED, linewidth=1, linestyle=(0, (2, 2)))
    low, high = axes.get_xlim()
    place = (at - low) / (high - low)
    axes.text(
        at,
        1.01,
        one_line(name, 50),
        transform=axes.get_xaxis_transform(),
        color=MUTED,
        ha="left" if place < 0.3 else "right" if place > 0.7 else "center",
        va="bottom",
        fontsize=FONT - 1,
    )
