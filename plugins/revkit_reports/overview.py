"""What reports say of a sweep: its tables side by side, what was swept in the first columns."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import replace

from revkit.contracts import SweepView
from revkit.model.table import Cell, Table
from revkit_reports.numbers import counted
from revkit_reports.tables import ALL_FAMILIES
from revkit_reports.visible import one_line

# Wide tables that the report of a single run shows by parts of its own: here, by these columns.
_PARTS = {
    "flip-rate": (
        ("agent", "rate", "cluster_low", "cluster_high", "valid", "flips", "level", "unit"),
        {"family": ALL_FAMILIES, "statistic": "rate"},
    ),
    "clean-accuracy": (
        (
            *("agent", "accuracy", "accuracy_low", "accuracy_high", "n", "majority"),
            *("balanced", "balanced_low", "balanced_high", "level", "unit"),
        ),
        {},
    ),
}
# Reports know the bounds of a figure by its name.
_RENAMED = {"cluster_low": "rate_low", "cluster_high": "rate_high"}


def compared(sweep: SweepView) -> list[Table]:
    """The tables to show: each that asks to be shown, those that a report shows by parts, and at
    the end the points."""
    found = [each for table in sweep.tables for each in _shown(table)]
    return [*found, sweep.points]


def opening(sweep: SweepView) -> str:
    """One sentence on what was swept."""
    points = counted(len(sweep.points.rows), "point")
    axes = ", ".join(one_line(path, 80) for path, _ in sweep.axes)
    return f"{points} over {axes}. Each is an experiment of its own in the folder points."


def _shown(table: Table) -> Iterator[Table]:
    if table.headline:
        yield table
    elif table.name in _PARTS:
        names, where = _PARTS[table.name]
        yield _part(table, names, where)


def _part(table: Table, names: tuple[str, ...], where: Mapping[str, str]) -> Table:
    """``table`` with what was swept and the columns ``names``, and with rows as ``where`` says."""
    known = {column.name: column for column in table.columns}
    lead = itertools.takewhile(lambda name: name != names[0], known)
    kept = [name for name in (*lead, *names) if name in known]
    columns = [replace(known[name], name=_RENAMED.get(name, name)) for name in kept]
    rows: list[dict[str, Cell]] = [
        {_RENAMED.get(name, name): row[name] for name in kept}
        for row in table.records()
        if all(row.get(name) == wanted for name, wanted in where.items())
    ]
    fine = [name for name in table.fine if name in kept]
    return Table.of(table.name, table.title, columns, rows, headline=True, fine=fine)
