"""A dot plot: one line for each name, and one dot with its interval for each group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from revkit.figures.numbers import number_at
from revkit_reports.chart_data import (
    MOST_GROUPS,
    Data,
    Drawn,
    Row,
    join_notes,
    limit_names,
)
from revkit_reports.chart_frame import frame, legend, legend_height, legend_width, look
from revkit_reports.plot_style import MUTED, WIDTH, labels, margin, new_figure, style, to_svg

ROW = 0.3
EACH = 0.17
MOST_NAMES = 60
TOP, BOTTOM = 0.08, 0.55


def bars(data: Data) -> Drawn | None:
    """Draw one line for each ``x``, and one dot with its interval for each ``group``.

    An interval that is open at one end runs on, dashed, to the edge.
    """
    chart = data.chart
    data = Data(
        chart, data.key, [row for row in data.rows if number_at(row, chart.y) is not None],
        data.table,
    )  # fmt: skip
    if not data.rows:
        return None
    places, fewer = limit_names(data.names(chart.x), MOST_NAMES, "line")
    groups, fewer_groups = limit_names(list(data.groups()), MOST_GROUPS, "series")
    shown, series = labels(places), labels(groups, 26)
    each = max(ROW, EACH * len(groups) + 0.08)
    with style():
        inner = max(each * len(places), legend_height(len(groups)) - BOTTOM if chart.group else 0)
        height = TOP + inner + BOTTOM
        plot = new_figure(height)
        left = margin(shown)
        right = legend_width(series) if chart.group else 0.3
        box = (left, BOTTOM / height, 1 - left - right / WIDTH, inner / height)
        axes = plot.add_axes(box)
        frame(axes, data, chart.y, "")
        axes.axvline(0, color=MUTED, linewidth=1)
        handles = []
        for index, name in enumerate(groups):
            shift = (index - (len(groups) - 1) / 2) * 0.72 / max(1, len(groups))
            rows = [row for row in data.groups()[name] if data.name(row, chart.x) in places]
            spots = [places.index(data.name(row, chart.x)) + shift for row in rows]
            handles.append(_dots(axes, data, rows, spots, index))
        axes.set_ylim(len(places) - 0.5, -0.5)
        axes.set_yticks(range(len(places)), shown)
        if chart.group:
            legend(axes, handles, series, right)
        return Drawn(
            data.title, to_svg(plot, data.key, data.title), join_notes(fewer, fewer_groups)
        )


def _dots(axes: Any, data: Data, rows: Sequence[Row], spots: Sequence[float], index: int) -> Any:
    colour, _, marker = look(index)
    open_ends: list[tuple[float, float, bool]] = []
    for y, row in zip(spots, rows, strict=True):
        value = number_at(row, data.chart.y) or 0.0
        low, high = (number_at(row, name) for name in (data.chart.low, data.chart.high))
        if low is None and high is None:
            continue
        ends = [value if low is None else low, value if high is None else high]
        axes.plot(ends, [y, y], color=colour, linewidth=1.4)
        if low is None or high is None:
            open_ends.append((value, y, high is None))
    handle = axes.plot(
        [number_at(row, data.chart.y) for row in rows], spots, marker, color=colour, markersize=4
    )[0]
    for value, y, upwards in open_ends:
        edges = axes.get_xlim()
        axes.plot(
            [value, edges[1] if upwards else edges[0]],
            [y, y],
            color=colour,
            linewidth=1.2,
            linestyle=(0, (2, 2)),
        )
        axes.set_xlim(edges)
    return handle
