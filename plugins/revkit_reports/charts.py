"""Charts that a table asks for: lines, points, bars and heat maps, drawn from its rows alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from revkit.model.table import Cell, Chart, Table
from revkit_reports.numbers import fixed, percent
from revkit_reports.plot_style import (
    FONT,
    GRID,
    INK,
    MUTED,
    SERIES,
    labels,
    margin,
    new_figure,
    style,
    to_svg,
)
from revkit_reports.visible import one_line

ROW = 0.3
MOST_GROUPS = 12
MOST_NAMES = 60


@dataclass(frozen=True)
class Drawn:
    """One chart: its title and the ``svg`` element."""

    title: str
    svg: str


def charts_of(table: Table) -> list[Drawn]:
    """The charts of ``table`` that have anything to show."""
    drawn = []
    for number, chart in enumerate(table.charts):
        svg = _draw(table, chart, f"{table.name}-{number}")
        if svg:
            drawn.append(Drawn(one_line(chart.title), svg))
    return drawn


def _draw(table: Table, chart: Chart, key: str) -> str:
    rows = [
        row for row in table.records() if all(row[name] == wanted for name, wanted in chart.where)
    ]
    units = {column.name: column.unit for column in table.columns}
    titles = {column.name: column.title or column.name for column in table.columns}
    if chart.kind == "heat-map":
        return _heat_map(chart, rows, units, key)
    if chart.kind == "bars":
        return _bars(chart, rows, units, titles, key)
    return _lines(chart, rows, titles, key)


Row = dict[str, Cell]


def _number(row: Row, name: str) -> float | None:
    cell = row.get(name) if name else None
    return None if cell is None or isinstance(cell, str) else float(cell)


def _groups(rows: Sequence[Row], name: str) -> dict[str, list[Row]]:
    """Rows by the cell under ``name``, in the order of the table, up to a bound."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(str(row.get(name, "")) if name else "", []).append(row)
    return dict(list(found.items())[:MOST_GROUPS])


def _lines(chart: Chart, rows: list[Row], titles: dict[str, str], key: str) -> str:
    rows = [
        row
        for row in rows
        if _number(row, chart.x) is not None and _number(row, chart.y) is not None
    ]
    if not rows:
        return ""
    groups = _groups(rows, chart.group)
    names = labels(list(groups), 26)
    legend = len(groups) > 1 or bool(chart.group)
    height = 3.6
    with style():
        plot = new_figure(height)
        right = 0.97 - (margin(names) if legend else 0.0)
        axes = plot.add_axes((0.07, 0.13, right - 0.07, 0.78))
        _open_axes(axes, one_line(titles[chart.x], 60), one_line(titles[chart.y], 60))
        for index, (name, found) in enumerate(zip(names, groups.values(), strict=True)):
            _line(axes, chart, found, name, index)
        if chart.diagonal:
            low, high = axes.get_xlim()
            axes.plot([low, high], [low, high], color=MUTED, linewidth=1, linestyle=(0, (4, 3)))
        if chart.mark is not None:
            axes.axvline(chart.mark[0], color=MUTED, linewidth=1, linestyle=(0, (2, 2)))
            axes.text(
                chart.mark[0],
                1.01,
                one_line(chart.mark[1], 50),
                transform=axes.get_xaxis_transform(),
                color=MUTED,
                ha="center",
                va="bottom",
                fontsize=FONT - 1,
            )
        if legend:
            _legend(axes, names)
        return to_svg(plot, key, one_line(chart.title))


def _line(axes: Any, chart: Chart, rows: list[Row], name: str, index: int) -> None:
    colour, dash = _look(index)
    points = sorted(
        ((_number(row, chart.x), _number(row, chart.y), row) for row in rows),
        key=lambda point: point[0] or 0.0,
    )
    xs: list[Any] = [point[0] for point in points]
    ys: list[Any] = [point[1] for point in points]
    bounded: list[Any] = [
        (x, low, high)
        for x, _, row in points
        if (low := _number(row, chart.low)) is not None
        and (high := _number(row, chart.high)) is not None
    ]
    if chart.kind == "points":
        axes.plot(xs, ys, "o", color=colour, markersize=4, label=name)
        for x, low, high in bounded:
            axes.plot([x, x], [low, high], color=colour, linewidth=1)
        return
    axes.plot(xs, ys, color=colour, linewidth=1.7, linestyle=dash, label=name)
    if bounded:
        where, lows, highs = zip(*bounded, strict=True)
        axes.fill_between(where, lows, highs, color=colour, alpha=0.15, linewidth=0)


def _look(index: int) -> tuple[str, Any]:
    """Colour and dashes of the series ``index``; colours repeat with other dashes."""
    dashes: list[Any] = ["-", (0, (5, 2)), (0, (1.5, 1.5))]
    return SERIES[index % len(SERIES)], dashes[(index // len(SERIES)) % len(dashes)]


def _open_axes(axes: Any, x: str, y: str) -> None:
    axes.patch.set_visible(False)
    axes.tick_params(length=0)
    axes.grid(color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.set_xlabel(x)
    axes.set_ylabel(y)


def _legend(axes: Any, names: Sequence[str]) -> None:
    axes.legend(
        loc="center left",
        bbox_to_anchor=(1.01, 0.5),
        frameon=False,
        fontsize=FONT - (1 if len(names) > 8 else 0),
        labelcolor=INK,
        handlelength=1.6,
    )


def _bars(
    chart: Chart, rows: list[Row], units: dict[str, str], titles: dict[str, str], key: str
) -> str:
    """One row of the plot for each ``x``, one mark with its interval for each ``group``."""
    rows = [row for row in rows if _number(row, chart.y) is not None and row.get(chart.x)]
    if not rows:
        return ""
    places = list(dict.fromkeys(str(row[chart.x]) for row in rows))[:MOST_NAMES]
    groups = _groups(rows, chart.group)
    each = max(ROW, 0.17 * len(groups))
    height = 0.75 + each * len(places) + (0.25 if chart.group else 0.0)
    shown = labels(places)
    with style():
        plot = new_figure(height)
        left = margin(shown)
        legend = margin(labels(list(groups), 26)) if chart.group else 0.0
        box = (left, 0.5 / height, 0.97 - left - legend, each * len(places) / height)
        axes = plot.add_axes(box)
        axes.patch.set_visible(False)
        axes.tick_params(length=0)
        axes.grid(axis="x", color=GRID, linewidth=0.8)
        axes.set_axisbelow(True)
        axes.axvline(0, color=MUTED, linewidth=1)
        for index, (name, found) in enumerate(
            zip(labels(list(groups), 26), groups.values(), strict=True)
        ):
            colour, _ = _look(index)
            shift = (index - (len(groups) - 1) / 2) * 0.7 / max(1, len(groups))
            known = [row for row in found if str(row[chart.x]) in places]
            spots = [places.index(str(row[chart.x])) + shift for row in known]
            for y, row in zip(spots, known, strict=True):
                low, high = _number(row, chart.low), _number(row, chart.high)
                if low is not None and high is not None:
                    axes.plot([low, high], [y, y], color=colour, linewidth=1.4)
            heights: list[Any] = [_number(row, chart.y) for row in known]
            axes.plot(
                heights,
                spots,
                "o",
                color=colour,
                markersize=4,
                label=name,
            )
        axes.set_ylim(len(places) - 0.5, -0.5)
        axes.set_yticks(range(len(places)), shown)
        axes.set_xlabel(one_line(titles[chart.y], 60))
        if units.get(chart.y) == "share":
            axes.xaxis.set_major_formatter(lambda value, _: f"{100 * value:g}%")
        if chart.group:
            _legend(axes, list(groups))
        return to_svg(plot, key, one_line(chart.title))


def _heat_map(chart: Chart, rows: list[Row], units: dict[str, str], key: str) -> str:
    """Values as shades with their numbers; where signs differ, one colour for each."""
    from matplotlib.patches import Rectangle

    across = list(dict.fromkeys(str(row[chart.x]) for row in rows))[:MOST_GROUPS]
    down = list(dict.fromkeys(str(row[chart.y]) for row in rows))[:MOST_NAMES]
    values = {(str(row[chart.x]), str(row[chart.y])): _number(row, chart.value) for row in rows}
    known = [value for value in values.values() if value is not None]
    if not known:
        return ""
    top = max(abs(value) for value in known) or 1.0
    with style():
        height = 0.75 + 0.36 * len(down)
        plot = new_figure(height)
        shown = labels(down)
        left = margin(shown)
        box = (left, 0.05 / height, 0.99 - left, 0.36 * len(down) / height)
        axes = plot.add_axes(box)
        axes.patch.set_visible(False)
        for spine in axes.spines.values():
            spine.set_visible(False)
        for y, row in enumerate(down):
            for x, column in enumerate(across):
                value = values.get((column, row))
                # Half the strength at most: the number stays readable on it in light and dark.
                shade = 0.0 if value is None else 0.5 * abs(value) / top
                colour = SERIES[1] if value is not None and value < 0 else SERIES[0]
                axes.add_patch(
                    Rectangle(
                        (x + 0.01, y + 0.03), 0.98, 0.94, facecolor=colour, alpha=max(0.03, shade)
                    )
                )
                text = _told(value, units.get(chart.value, ""))
                axes.text(x + 0.5, y + 0.53, text, ha="center", va="center")
        axes.set_xlim(0, len(across))
        axes.set_ylim(len(down), 0)
        room = max(6, int(95 / len(across)))
        axes.set_xticks([x + 0.5 for x in range(len(across))], labels(across, room))
        axes.set_yticks([y + 0.5 for y in range(len(down))], shown)
        axes.tick_params(length=0, labelcolor=INK)
        axes.xaxis.tick_top()
        return to_svg(plot, key, one_line(chart.title))


def _told(value: float | None, unit: str) -> str:
    if value is None:
        return "-"
    return percent(value) if unit == "share" else fixed(value, 2)
