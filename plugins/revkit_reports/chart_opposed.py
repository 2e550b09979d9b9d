"""Opposed bars: two counts for each name, one drawn to the left and one to the right.

A name without both counts has no bars: a missing count is not a zero.
"""

from __future__ import annotations

from revkit.figures.numbers import number_at, plain
from revkit_reports.chart_data import Data, Drawn, limit_names
from revkit_reports.plot_style import (
    BLUE,
    FONT,
    INK,
    ORANGE,
    labels,
    margin,
    new_figure,
    style,
    to_svg,
)

ROW = 0.34
MOST_NAMES = 60


def opposed(data: Data) -> Drawn | None:
    """Draw ``value`` of each ``x`` to the left and ``y`` to the right of a line."""
    chart = data.chart
    rows = {
        data.name(row, chart.x): row
        for row in data.rows
        if None not in (number_at(row, chart.value), number_at(row, chart.y))
    }
    names, fewer = limit_names(list(rows), MOST_NAMES, "line")
    sides = ((chart.value, -1, BLUE, "right"), (chart.y, 1, ORANGE, "left"))
    sizes = {
        (name, column): abs(number_at(rows[name], column) or 0.0)
        for name in names
        for column, *_ in sides
    }
    most = max(sizes.values(), default=0.0)
    if not most:
        return None
    with style():
        height = 0.52 + ROW * len(names)
        plot = new_figure(height)
        shown = labels(names)
        left = margin(shown)
        axes = plot.add_axes((left, 0.1 / height, 0.97 - left, ROW * len(names) / height))
        axes.patch.set_visible(False)
        for spine in axes.spines.values():
            spine.set_visible(False)
        for column, sign, colour, side in sides:
            for y, name in enumerate(names):
                size = sizes[name, column]
                axes.barh(y, sign * size, height=0.62, color=colour)
                axes.text(
                    sign * (size + 0.02 * most),
                    y,
                    f"{size:,.0f}" if size == int(size) else plain(size),
                    color=colour,
                    ha=side,
                    va="center",
                    fontsize=FONT - 0.5,
                )
            axes.text(
                sign * 0.03 * most,
                -0.75,
                data.axis(column),
                color=colour,
                ha=side,
                va="bottom",
                fontweight="bold",
            )
        axes.axvline(0, color=INK, linewidth=1)
        axes.set_xlim(-1.16 * most, 1.16 * most)
        axes.set_ylim(len(names) - 0.5, -0.5)
        axes.set_yticks(range(len(names)), shown)
        axes.set_xticks([])
        axes.tick_params(length=0)
        return Drawn(data.title, to_svg(plot, data.key, data.title), fewer)
