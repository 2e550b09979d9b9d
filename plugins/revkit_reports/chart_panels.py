"""Small charts next to each other, one for each group, with the same names and the same axis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from revkit.figures.numbers import cell_text, number_at
from revkit.model.table import Column
from revkit_reports.chart_data import Data, Drawn, Row, join_notes, limit_names
from revkit_reports.plot_style import (
    BLUE,
    FONT,
    INK,
    MUTED,
    labels,
    margin,
    new_figure,
    plain_axes,
    style,
    to_svg,
)

ROW = 0.34
ACROSS = 5
MOST_NAMES = 60
MOST_PANELS = 25


def panels(data: Data) -> Drawn | None:
    """Draw ``y`` with its interval for each ``x``, in one panel for each ``group``; the names are
    in the order of their mean value.
    """
    cells = {
        (data.name(row, data.chart.x), data.name(row, data.chart.group)): row for row in data.rows
    }
    values = {key: number_at(row, data.chart.y) for key, row in cells.items()}
    known = [value for value in values.values() if value is not None]
    if not known:
        return None
    names, fewer = limit_names(data.names_by_mean(data.chart.x, data.chart.y), MOST_NAMES, "line")
    groups, fewer_groups = limit_names(data.names(data.chart.group), MOST_PANELS, "panel")
    ends = [number_at(row, data.chart.high) or 0.0 for row in cells.values()]
    top = max(*known, *ends, 0.0)
    bottom = min(*known, 0.0)
    rows = math.ceil(len(groups) / ACROSS)
    with style():
        block = 0.62 + ROW * len(names) + 0.34
        plot = new_figure(rows * block)
        across = min(ACROSS, len(groups))
        left = margin(labels(names))
        room = (0.99 - left) / across
        titles = labels(groups, 22)
        for i, group in enumerate(groups):
            row, column = divmod(i, ACROSS)
            height = ROW * len(names) / (rows * block)
            base = 1 - (row * block + 0.5 + ROW * len(names)) / (rows * block)
            axes = plot.add_axes((left + column * room, base, room * 0.93, height))
            _panel(axes, data, names, [cells.get((name, group)) for name in names], (bottom, top))
            axes.set_title(titles[i], loc="left", fontsize=FONT, color=INK)
            if column:
                axes.set_yticklabels([])
        return Drawn(
            data.title, to_svg(plot, data.key, data.title), join_notes(fewer, fewer_groups)
        )


def _panel(
    axes: Any,
    data: Data,
    names: Sequence[str],
    rows: Sequence[Row | None],
    ends: tuple[float, float],
) -> None:
    plain_axes(axes)
    bottom, top = ends
    unit = next(c.unit for c in data.table.columns if c.name == data.chart.y)
    span = top - bottom or 1.0
    for y, row in enumerate(rows):
        value = None if row is None else number_at(row, data.chart.y)
        if row is None or value is None:
            axes.text(0, y, "no value", color=MUTED, va="center", fontsize=FONT - 1.5)
            continue
        low, high = (
            value if (end := number_at(row, name)) is None else end
            for name in (data.chart.low, data.chart.high)
        )
        axes.plot([low, high], [y, y], color=BLUE, linewidth=1.6, clip_on=False)
        axes.plot([value], [y], "o", color=BLUE, markersize=4.2, clip_on=False)
        axes.text(
            max(high, value) + 0.05 * span,
            y,
            cell_text(value, Column("value", unit=unit)),
            color=BLUE,
            va="center",
            fontsize=FONT - 1,
        )
    axes.set_xlim(bottom - 0.03 * span, top + 0.5 * span)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_yticks(range(len(names)), labels(names))
    ticks = _ticks(top) if bottom >= 0 else [bottom, 0.0, top]
    scale = 100 if unit == "share" else 1
    axes.set_xticks(ticks, [f"{scale * tick:.3g}" for tick in ticks])
    axes.tick_params(axis="x", labelsize=FONT - 2)


def _ticks(top: float) -> list[float]:
    """Return two or three round tick values from 0 up."""
    if top <= 0:
        return [0.0]
    power = 10.0 ** math.floor(math.log10(top))
    step = next(s * power for s in (0.5, 1, 2, 2.5, 5, 10) if top / (s * power) <= 3.6)
    return [i * step for i in range(int(top / step + 1e-9) + 1)]
