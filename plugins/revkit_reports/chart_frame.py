"""The parts that all charts share: axes, the style of a series, and a legend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from revkit_reports.plot_style import FONT, GRID, INK, SERIES, WIDTH, labels, margin

if TYPE_CHECKING:
    from revkit_reports.chart_data import Data

LINE = 0.2
HANDLE = 0.45
TALL = 4.5
# Letters for which there is room beside and under the axes.
UPRIGHT, LEVEL = 34, 64


def frame(axes: Any, data: Data, x: str, y: str) -> None:
    """Draw axes with a light grid and titles; ``y`` is "" if its values are names."""
    axes.patch.set_visible(False)
    axes.tick_params(length=0)
    axes.grid(axis="both" if y else "x", color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.set_xlabel(labels([data.axis(x)], LEVEL)[0])
    if data.is_share(x):
        axes.xaxis.set_major_formatter(_as_percent)
    if y:
        axes.set_ylabel(labels([data.axis(y)], UPRIGHT)[0])
        if data.is_share(y):
            axes.yaxis.set_major_formatter(_as_percent)


def _as_percent(value: float, _: int) -> str:
    return f"{100 * value:g}%"


def look(index: int) -> tuple[str, Any, str]:
    """Return colour, dashes and marker of the series ``index``; dashes and marker differ if a
    colour is reused.
    """
    dashes: list[Any] = ["-", (0, (5, 2)), (0, (1.5, 1.5))]
    turn = (index // len(SERIES)) % len(dashes)
    return SERIES[index % len(SERIES)], dashes[turn], "os^"[turn]


def legend_width(names: Sequence[str]) -> float:
    """Return the width in inches of a legend of ``names`` to the right of the axes."""
    return margin(names) * WIDTH + HANDLE


def legend_height(count: int) -> float:
    """Return the height in inches of a legend of ``count`` names."""
    return LINE * count + 0.1


def legend(axes: Any, handles: Sequence[Any], names: Sequence[str], room: float) -> None:
    """Draw the legend in the ``room`` (inches) to the right of the axes: in the middle of a low
    plot, at the top of a plot that is higher than a screen.
    """
    tall = axes.figure.get_figheight() > TALL
    found = axes.figure.legend(
        handles,
        # A name may begin with "_", which would keep it out: the names are set afterwards.
        [str(index) for index in range(len(names))],
        loc="upper left" if tall else "center left",
        bbox_to_anchor=(1 - (room - 0.08) / WIDTH, 0.98 if tall else 0.5),
        frameon=False,
        fontsize=FONT - (0.5 if len(names) > 8 else 0),
        labelcolor=INK,
        handlelength=1.6,
        borderpad=0,
        borderaxespad=0,
    )
    for text, name in zip(found.get_texts(), names, strict=True):
        text.set_text(name)
