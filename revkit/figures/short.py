"""Intervals that a rule expects to miss their confidence: a column of the table, and a warning."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from revkit.figures.numbers import count_of
from revkit.model.table import Cell, Column, TableWarning

if TYPE_CHECKING:
    from revkit.stats import Estimate

SHORT = Column(
    "short",
    "Short intervals",
    "",
    "Figures of the row whose interval has too few papers or events to cover its confidence for "
    "certain; the note states why.",
)


def short_of(figures: Mapping[str, Estimate | None]) -> Cell:
    """The cell of `SHORT`: the names of those ``figures`` whose interval is marked as short.

    Each name is the title or the name of the figure's column, so that reports can mark its
    interval (`is_short`).
    """
    names = [
        name.replace(",", "")
        for name, found in figures.items()
        if found is not None and found.interval.short
    ]
    return ", ".join(names) or None


def is_short(cell: Cell, column: Column) -> bool:
    """Whether a cell of `SHORT` names the figure of ``column``, by its title or its name."""
    own = {column.title.replace(",", ""), *(column.name.replace("_", each) for each in "_ -")}
    return bool(cell) and not {each.lower() for each in own}.isdisjoint(
        str(cell).lower().split(", ")
    )


def short_warnings(
    table: str, rows: Iterable[Mapping[str, Cell]], name: Callable[[Mapping[str, Cell]], str]
) -> tuple[TableWarning, ...]:
    """One warning for the intervals that `SHORT` names in ``rows`` of ``table``.

    ``name`` returns what a row is about ("length, all families"), "" for a row that no report
    shows.
    """
    of_figures: dict[str, list[str]] = {}
    shown = 0
    for row in rows:
        about, cell = name(row), row.get(SHORT.name)
        shown += bool(about)
        for figure in str(cell).split(", ") if about and cell else ():
            of_figures.setdefault(figure, []).append(about)
    if not of_figures:
        return ()
    parts = [f"{figure} in {len(names)}" for figure, names in of_figures.items()]
    place = f"tables/{table}.csv (of {count_of(shown, 'row')}: {', '.join(parts)})"
    common = (
        "Some intervals may be too short, because there are too few papers or events, or because a "
        "few papers have too much influence. They are in these files of the run"
    )
    advice = (
        "The true value may lie outside them more often than stated; more papers help. The "
        f'column "{SHORT.name}" of the files names the intervals.'
    )
    return (TableWarning.of_places("imprecise", common, [place], advice),)
