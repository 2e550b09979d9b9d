"""Two more plots of the page: accuracy against robustness, and how far scores move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from revkit.figures.numbers import percent
from revkit.model.records import AgentRow
from revkit_reports.plot_style import (
    BLUE,
    FONT,
    GRID,
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
from revkit_reports.summary import AgentLine, Summary

BINS = 20
RIDGE = 0.56


def accuracy_against_robustness(summary: Summary) -> str:
    """Accuracy to the right, flip rate downwards: the best agents stand at the upper right."""
    lines = [
        line
        for line in summary.agents
        if line.rate.value is not None and line.accuracy.value is not None
    ]
    if not lines:
        return ""
    with style():
        height = max(3.6, 0.3 * len(lines) + 1.2)
        plot = new_figure(height)
        axes = plot.add_axes((0.075, 0.62 / height, 0.6, (height - 0.95) / height))
        plain_axes(axes)
        axes.grid(axis="y", color=GRID, linewidth=0.8)
        for line in lines:
            _point(axes, line)
        majority = [line.majority for line in lines if line.majority is not None]
        if majority:
            bar = sum(majority) / len(majority)
            axes.axvline(bar, color=MUTED, linewidth=1.2, linestyle=(0, (4, 3)))
            axes.text(
                bar,
                1.015,
                "commoner decision",
                transform=axes.get_xaxis_transform(),
                ha="center",
                va="bottom",
                color=MUTED,
                fontsize=FONT - 1.5,
            )
        _limits(axes, lines, majority)
        axes.set_xlabel("accuracy on unchanged papers \u00b7 better \u2192")
        axes.set_ylabel("flip rate \u00b7 better \u2192")
        _names(axes, lines)
        return to_svg(
            plot, "tradeoff", "Accuracy on unchanged papers against flip rate, one point an agent"
        )


def _point(axes: Any, line: AgentLine) -> None:
    x, y = line.accuracy.value, line.rate.value
    colour = ORANGE if line.constant else BLUE
    for xs, ys in (
        ((line.accuracy.low, line.accuracy.high), (y, y)),
        ((x, x), (line.rate.low, line.rate.high)),
    ):
        if None not in xs and None not in ys:
            axes.plot(xs, ys, color=colour, linewidth=1.4, alpha=0.45)
    axes.plot([x], [y], "o", color=colour, markersize=8)


def _limits(axes: Any, lines: Sequence[AgentLine], majority: Sequence[float]) -> None:
    right = [v for a in lines for v in (a.accuracy.value, a.accuracy.low, a.accuracy.high)]
    down = [v for a in lines for v in (a.rate.value, a.rate.low, a.rate.high)]
    xs = [v for v in [*right, *majority] if v is not None]
    ys = [v for v in down if v is not None]
    pad = 0.04
    axes.set_xlim(max(-0.02, min(xs) - pad), min(1.02, max(xs) + pad))
    axes.set_ylim(min(1.02, max(ys) + pad), max(-0.02, min(ys) - 0.02))
    axes.xaxis.set_major_formatter(lambda value, _: percent(value, 0))
    axes.yaxis.set_major_formatter(lambda value, _: percent(value, 0))
    axes.tick_params(labelsize=FONT - 1, labelcolor=MUTED)
    axes.locator_params(nbins=6)


def _names(axes: Any, lines: Sequence[AgentLine]) -> None:
    """Names in a column on the right, in the order of the points, each with a thin leader."""
    y_top, y_bottom = axes.get_ylim()[1], axes.get_ylim()[0]
    span = y_bottom - y_top
    heights = [((line.rate.value or 0.0) - y_top) / span for line in lines]
    places = _spread(heights, 0.3 / (axes.figure.get_figheight() - 0.95))
    shown = labels([line.name for line in lines], 26)
    for line, name, place in zip(lines, shown, places, strict=True):
        point = (line.accuracy.value, line.rate.value)
        text = name + (f" (always {line.constant})" if line.constant else "")
        axes.annotate(
            text,
            point,
            xytext=(1.05, 1 - place),
            textcoords="axes fraction",
            va="center",
            ha="left",
            color=ORANGE if line.constant else INK,
            fontsize=FONT - 0.5,
            arrowprops={
                "arrowstyle": "-",
                "color": MUTED,
                "linewidth": 0.8,
                "linestyle": (0, (1, 2.5)),
                "shrinkA": 3,
                "shrinkB": 5,
                "relpos": (0, 0.5),
            },
            annotation_clip=False,
        )


def _spread(heights: Sequence[float], gap: float) -> list[float]:
    """The nearest heights in the same order that keep ``gap`` between neighbours, within 0 to 1."""
    order = sorted(range(len(heights)), key=lambda i: (heights[i], i))
    placed: list[float] = []
    for i in order:
        placed.append(max(heights[i], placed[-1] + gap if placed else 0.0))
    limit = 1.0
    for k in range(len(placed) - 1, -1, -1):
        placed[k] = min(placed[k], limit)
        limit = placed[k] - gap
    result = [0.0] * len(heights)
    for i, height in zip(order, placed, strict=True):
        result[i] = height
    return result


def shifts(summary: Summary) -> str:
    """How scores moved: one row an agent, bars for the pairs that moved, the rest as a number.

    On the agents' own scale where they share one, else on the 0-100 severity axis turned round,
    so that to the right is always kinder.
    """
    agents = {agent.name: agent for agent in summary.records.agents}
    found = {line.name: _kinder(summary, agents[line.name]) for line in summary.agents}
    found = {name: values for name, values in found.items() if values}
    if not found:
        return ""
    widest = max((abs(value) for values in found.values() for value in values), default=0.0)
    widest = widest or 1.0
    whole = widest <= BINS and all(v == int(v) for values in found.values() for v in values)
    size = 1.0 if whole else 2 * widest / (2 * BINS + 1)
    with style():
        height = 0.95 + RIDGE * len(found)
        plot = new_figure(height)
        shown = labels(list(found))
        left = margin(shown)
        axes = plot.add_axes((left, 0.55 / height, 0.86 - left, RIDGE * len(found) / height))
        plain_axes(axes)
        edge = widest + size
        _ridges(axes, found, size, 0.08 * edge)
        axes.axvline(0, color=INK, linewidth=1)
        axes.set_xlim(-edge, edge)
        axes.set_ylim(len(found) - 0.02, -0.1)
        axes.set_yticks([y + 0.6 for y in range(len(found))], shown)
        unit = "points of the agents' scale" if summary.one_scale else "points of the 0-100 axis"
        axes.set_xlabel(f"\u2190 harsher \u00b7 score shift in {unit} \u00b7 kinder \u2192")
        axes.tick_params(axis="x", labelsize=FONT - 1)
        axes.text(
            1.15,
            -0.12,
            "unmoved",
            transform=axes.get_yaxis_transform(),
            ha="right",
            va="bottom",
            color=MUTED,
            fontsize=FONT - 1,
        )
        return to_svg(plot, "shifts", "Distribution of score shifts of each agent")


def _kinder(summary: Summary, agent: AgentRow) -> list[float]:
    """The shifts under edits that should change nothing; above 0: the variant was judged kinder."""
    families = {row.name for row in summary.records.perturbations if row.expect == "invariant"}
    sign = 1.0 if agent.scale.higher_is_better else -1.0
    stretch = 1.0
    if not summary.one_scale:
        stretch = 100.0 / (agent.scale.maximum - agent.scale.minimum)
    return [
        sign * stretch * pair.shift
        for pair in summary.records.pairs(agent.name)
        if pair.shift is not None and pair.variant.perturbation in families
    ]


def _ridges(axes: Any, found: dict[str, list[float]], size: float, widest: float) -> None:
    shares: dict[str, dict[int, float]] = {}
    for name, values in found.items():
        bins = Counter(round(value / size) for value in values if value)
        shares[name] = {place: times / len(values) for place, times in bins.items()}
    tallest = max((share for bars in shares.values() for share in bars.values()), default=1.0)
    for y, (name, values) in enumerate(found.items()):
        base = y + 0.92
        axes.axhline(base, color=GRID, linewidth=0.8)
        for place, share in sorted(shares[name].items()):
            axes.bar(
                place * size,
                -0.8 * share / tallest,
                bottom=base,
                width=min(0.86 * size, widest),
                color=ORANGE if place > 0 else BLUE if place < 0 else MUTED,
            )
        still = sum(value == 0 for value in values) / len(values)
        axes.text(
            1.15,
            y + 0.6,
            percent(still, 0),
            transform=axes.get_yaxis_transform(),
            ha="right",
            va="center",
        )
