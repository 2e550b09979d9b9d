"""The plots of the page: each takes the summary and gives an ``svg`` element, "" without data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from revkit.figures.numbers import fixed, percent
from revkit_reports.plot_style import (
    BLUE,
    FONT,
    INK,
    MUTED,
    ORANGE,
    labels,
    margin,
    new_figure,
    plain_axes,
    style,
    to_svg,
)
from revkit_reports.summary import Summary
from revkit_reports.tables import ALL_FAMILIES, Figure, figure

ROW = 0.34
PANELS = 5


def rates_by_family(summary: Summary) -> str:
    """Flip rate with interval: one panel a family, one row an agent."""
    agents = [line.name for line in summary.agents]
    families = [line.name for line in summary.families]
    names = [ALL_FAMILIES, *families]
    cells = {
        (agent, family): figure(
            summary.tables.row("flip-rate", agent=agent, family=family, statistic="rate"),
            "rate",
            "cluster",
        )
        for agent in agents
        for family in names
    }
    measured = [cell for cell in cells.values() if cell.value is not None]
    if not measured:
        return ""
    top = max(max(cell.value or 0, cell.high or 0) for cell in measured)
    rows = math.ceil(len(names) / PANELS)
    with style():
        block = 0.62 + ROW * len(agents) + 0.34
        plot = new_figure(rows * block)
        across = min(PANELS, len(names))
        left = margin(labels(agents))
        room = (0.99 - left) / across
        titles = [ALL_FAMILIES, *labels(families, 22)]
        for i, family in enumerate(names):
            row, column = divmod(i, PANELS)
            height = ROW * len(agents) / (rows * block)
            bottom = 1 - (row * block + 0.5 + ROW * len(agents)) / (rows * block)
            axes = plot.add_axes((left + column * room, bottom, room * 0.93, height))
            _rate_panel(axes, titles[i], agents, [cells[agent, family] for agent in agents], top)
            if column:
                axes.set_yticklabels([])
        return to_svg(plot, "rates", "Flip rate of each agent, over all families and by family")


def _rate_panel(
    axes: Any, title: str, agents: Sequence[str], cells: Sequence[Figure], top: float
) -> None:
    plain_axes(axes)
    together = title == ALL_FAMILIES
    colour = BLUE if together else INK
    for y, cell in enumerate(cells):
        if cell.value is None:
            axes.text(0, y, "no pairs", color=MUTED, va="center", fontsize=FONT - 1.5)
            continue
        low = cell.value if cell.low is None else cell.low
        high = cell.value if cell.high is None else cell.high
        axes.plot([low, high], [y, y], color=colour, linewidth=1.6, clip_on=False)
        axes.plot([cell.value], [y], "o", color=colour, markersize=4.2, clip_on=False)
        axes.text(
            max(high, cell.value) + 0.05 * top,
            y,
            fixed(100 * cell.value, 1),
            color=colour,
            va="center",
            fontsize=FONT - 1,
        )
    axes.set_xlim(-0.03 * top, 1.42 * top or 1)
    axes.set_ylim(len(agents) - 0.5, -0.5)
    axes.set_yticks(range(len(agents)), labels(agents))
    ticks = _ticks(top)
    axes.set_xticks(ticks, [f"{100 * tick:g}" for tick in ticks])
    axes.tick_params(axis="x", labelsize=FONT - 2)
    weight = "bold" if together else "normal"
    axes.set_title(title, loc="left", fontsize=FONT, fontweight=weight, color=INK)


def _ticks(top: float) -> list[float]:
    """Two or three round marks from 0 up."""
    for step in (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5):
        if top / step <= 3.6:
            return [i * step for i in range(int(top / step + 1e-9) + 1)]
    return [0.0, 0.5, 1.0]


def directions(summary: Summary) -> str:
    """Flips to reject on the left, flips to accept on the right, one row an agent."""
    lines = list(summary.directions)
    most = max((max(line.up, line.down) for line in lines), default=0)
    if not most:
        return ""
    with style():
        height = 0.52 + ROW * len(lines)
        plot = new_figure(height)
        shown = labels([line.name for line in lines])
        left = margin(shown)
        axes = plot.add_axes((left, 0.1 / height, 0.84 - left, ROW * len(lines) / height))
        axes.patch.set_visible(False)
        for spine in axes.spines.values():
            spine.set_visible(False)
        for y, line in enumerate(lines):
            for length, sign, colour in ((line.down, -1, BLUE), (line.up, 1, ORANGE)):
                axes.barh(y, sign * length, height=0.62, color=colour)
                axes.text(
                    sign * (length + 0.02 * most),
                    y,
                    f"{length:,}",
                    color=colour,
                    ha="left" if sign > 0 else "right",
                    va="center",
                    fontsize=FONT - 0.5,
                )
            ratio = "" if line.ratio.value is None else f"{fixed(line.ratio.value, 1)} : 1"
            axes.text(1.19, y, ratio, transform=axes.get_yaxis_transform(), ha="right", va="center")
        axes.axvline(0, color=INK, linewidth=1)
        axes.set_xlim(-1.16 * most, 1.16 * most)
        axes.set_ylim(len(lines) - 0.5, -0.5)
        axes.set_yticks(range(len(lines)), shown)
        axes.set_xticks([])
        axes.tick_params(length=0)
        for x, words, colour, side in (
            (-0.03 * most, "accept \u2192 reject", BLUE, "right"),
            (0.03 * most, "reject \u2192 accept", ORANGE, "left"),
        ):
            axes.text(x, -0.75, words, color=colour, ha=side, va="bottom", fontweight="bold")
        axes.text(
            1.19,
            -0.75,
            "ratio",
            transform=axes.get_yaxis_transform(),
            ha="right",
            va="bottom",
            color=MUTED,
        )
        return to_svg(plot, "direction", "Flips from accept to reject and from reject to accept")


def heat_map(summary: Summary) -> str:
    """Flip rate of each agent under each family, as shades with their numbers."""
    agents = [line.name for line in summary.agents]
    families = [line.name for line in summary.families]
    values = {
        (agent, family): figure(
            summary.tables.row("flip-rate", agent=agent, family=family, statistic="rate"), "rate"
        ).value
        for agent in agents
        for family in families
    }
    known = [value for value in values.values() if value is not None]
    if not known:
        return ""
    top = max(known) or 1.0
    with style():
        height = 0.5 + 0.4 * len(agents)
        plot = new_figure(height)
        left = margin(labels(agents))
        axes = plot.add_axes((left, 0.03 / height, 0.99 - left, 0.4 * len(agents) / height))
        _cells(axes, agents, families, values, top)
        return to_svg(plot, "heat", "Flip rate of each agent under each family")


def _cells(
    axes: Any,
    agents: Sequence[str],
    families: Sequence[str],
    values: dict[tuple[str, str], float | None],
    top: float,
) -> None:
    from matplotlib.patches import Rectangle

    axes.patch.set_visible(False)
    for spine in axes.spines.values():
        spine.set_visible(False)
    for y, agent in enumerate(agents):
        for x, family in enumerate(families):
            value = values[agent, family]
            # Half the strength at most: the number stays readable on it in light and dark.
            shade = 0.0 if value is None else 0.5 * value / top
            axes.add_patch(
                Rectangle((x + 0.01, y + 0.03), 0.98, 0.94, facecolor=BLUE, alpha=max(0.03, shade))
            )
            axes.text(
                x + 0.5,
                y + 0.53,
                "no pairs" if value is None else percent(value),
                ha="center",
                va="center",
            )
    axes.set_xlim(0, len(families))
    axes.set_ylim(len(agents), 0)
    room = int(92 / len(families))
    axes.set_xticks([x + 0.5 for x in range(len(families))], labels(families, room))
    axes.set_yticks([y + 0.5 for y in range(len(agents))], labels(agents))
    axes.tick_params(length=0, labelcolor=INK)
    axes.xaxis.tick_top()
