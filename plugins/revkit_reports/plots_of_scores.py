"""Two plots of the HTML report: accuracy against robustness, and the size of score shifts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from revkit.dataclass import dataclass
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
from revkit_reports.summary import Summary
from revkit_reports.tables import Figure, TableMeasure
from revkit_reports.visible import one_line

BINS = 20
RIDGE = 0.56
_COLUMN = 1.05  # where the names begin, in widths of the axes


@dataclass(frozen=True)
class _Point:
    """One agent: its accuracy, its robustness, and its verdict if that is always the same."""

    name: str
    accuracy: Figure
    robustness: Figure
    constant: str

    @property
    def xs(self) -> list[float]:
        return _known(self.accuracy)

    @property
    def ys(self) -> list[float]:
        return _known(self.robustness)


def _known(figure: Figure) -> list[float]:
    return [each for each in (figure.value, figure.low, figure.high) if each is not None]


def _points(summary: Summary) -> list[_Point]:
    if summary.accuracy is None or summary.robustness is None:
        return []
    right, steady = summary.accuracy.figures(), summary.robustness.figures()
    nothing = Figure()
    found = [
        _Point(name, right.get(name, nothing), steady.get(name, nothing), constant)
        for name in summary.agents
        for constant in (summary.constant.get(name, ""),)
    ]
    return [p for p in found if p.accuracy.value is not None and p.robustness.value is not None]


def accuracy_against_robustness(summary: Summary) -> str:
    """Plot accuracy to the right and robustness upwards: the best agents are at the upper right."""
    points = _points(summary)
    if not points or summary.accuracy is None or summary.robustness is None:
        return ""
    with style():
        height = max(3.6, 0.3 * len(points) + 1.2)
        plot = new_figure(height)
        axes = plot.add_axes((0.075, 0.62 / height, 0.6, (height - 0.95) / height))
        plain_axes(axes)
        axes.grid(axis="y", color=GRID, linewidth=0.8)
        for point in points:
            _draw(axes, point)
        majority = _majority(summary)
        if majority:
            (bar,) = majority
            axes.axvline(bar, color=MUTED, linewidth=1.2, linestyle=(0, (4, 3)))
            axes.text(
                bar,
                1.015,
                "majority class",
                transform=axes.get_xaxis_transform(),
                ha="center",
                va="bottom",
                color=MUTED,
                fontsize=FONT - 1.5,
            )
        lower = summary.robustness.measure.better == "lower"
        _limits(axes, points, majority, lower)
        axes.set_xlabel(_axis_title(summary.accuracy))
        axes.set_ylabel(_axis_title(summary.robustness))
        _names(axes, points)
        return to_svg(plot, "tradeoff", "Accuracy against robustness, one point an agent")


def _majority(summary: Summary) -> list[float]:
    """Return the accuracy of always giving the majority class; None without decisions."""
    accepts = [p.labels.accept for p in summary.records.papers if p.labels.accept is not None]
    share = sum(accepts) / len(accepts) if accepts else 0.0
    return [max(share, 1 - share)] if accepts else []


def _draw(axes: Any, point: _Point) -> None:
    x, y = point.accuracy.value, point.robustness.value
    colour = ORANGE if point.constant else BLUE
    for xs, ys in (
        ((point.accuracy.low, point.accuracy.high), (y, y)),
        ((x, x), (point.robustness.low, point.robustness.high)),
    ):
        if None not in xs and None not in ys:
            axes.plot(xs, ys, color=colour, linewidth=1.4, alpha=0.45)
    axes.plot([x], [y], "o", color=colour, markersize=8)


def _axis_title(shown: TableMeasure) -> str:
    """Return the name of a measure, and that it gets better along the axis if it declares how."""
    better = " \u00b7 better \u2192" if shown.measure.better else ""
    return one_line(shown.title, 40).lower() + better


def _limits(
    axes: Any, points: Sequence[_Point], majority: Sequence[float], lower_is_better: bool
) -> None:
    xs = [*majority, *(x for point in points for x in point.xs)]
    ys = [y for point in points for y in point.ys]
    pad = 0.04
    axes.set_xlim(max(-0.02, min(xs) - pad), min(1.02, max(xs) + pad))
    ends = max(-0.02, min(ys) - 0.02), min(1.02, max(ys) + pad)
    axes.set_ylim(*(reversed(ends) if lower_is_better else ends))
    axes.xaxis.set_major_formatter(lambda value, _: percent(value, 0))
    axes.yaxis.set_major_formatter(lambda value, _: percent(value, 0))
    axes.tick_params(labelsize=FONT - 1, labelcolor=MUTED)
    axes.locator_params(nbins=6)


def _names(axes: Any, points: Sequence[_Point]) -> None:
    """Draw names in a column on the right, each with a thin leader; no two leaders cross."""
    y_top, y_bottom = axes.get_ylim()[1], axes.get_ylim()[0]
    span = y_bottom - y_top
    heights = [((point.robustness.value or 0.0) - y_top) / span for point in points]
    places = _uncrossed(axes, points, _spread(heights, 0.3 / (axes.figure.get_figheight() - 0.95)))
    shown = labels([point.name for point in points], 26)
    for point, name, place in zip(points, shown, places, strict=True):
        axes.annotate(
            name + (f" (always {point.constant})" if point.constant else ""),
            (point.accuracy.value, point.robustness.value),
            xytext=(_COLUMN, 1 - place),
            textcoords="axes fraction",
            va="center",
            ha="left",
            color=ORANGE if point.constant else INK,
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


def _uncrossed(axes: Any, points: Sequence[_Point], places: Sequence[float]) -> list[float]:
    """Return the place of each point's name, among ``places``, so that no leaders cross.

    Straight lines that join two sets of points one to one, and are shortest in sum, never cross:
    if two crossed, exchanging their ends would make the sum smaller.
    """
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    values = [(point.accuracy.value, point.robustness.value) for point in points]
    starts = axes.transData.transform(values)
    ends = axes.transAxes.transform([(_COLUMN, 1 - place) for place in places])
    lengths = np.hypot(*(starts[:, None, :] - ends[None, :, :]).transpose(2, 0, 1))
    return [places[end] for end in linear_sum_assignment(lengths)[1]]


def _spread(heights: Sequence[float], gap: float) -> list[float]:
    """Return the nearest heights in the same order that keep ``gap`` between neighbours, within 0
    to 1.
    """
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
    """Plot score shifts: one row for each agent, bars for the pairs that moved, the rest as a
    number.

    On the agents' own scale if they share one, else on the 0-100 severity axis turned round,
    so that to the right is always kinder.
    """
    agents = {agent.name: agent for agent in summary.records.agents}
    found = {name: _kinder(summary, agents[name]) for name in summary.agents}
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
        axes.set_xlabel(f"\u2190 worse \u00b7 score shift in {unit} \u00b7 better \u2192")
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
    """Return score shifts under edits that keep the science; above 0 the variant scored better."""
    families = {row.name for row in summary.records.perturbations if row.keeps_science}
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
