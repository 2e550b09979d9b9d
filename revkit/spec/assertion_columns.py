"""The column of a table that an assertion is about, and the numbers that it can reach."""

from __future__ import annotations

import math
from collections.abc import Mapping

from revkit.errors import PluginError, unknown_name
from revkit.model.table import ENDS, Cell, Column, Measure, Role, Table
from revkit.registry import load_registry
from revkit.spec.assertions import COUNTS, Assertion, AssertionProblem, decided


def column_problem(found: Assertion, tables: Mapping[str, Table]) -> str:
    """Why no run whose metrics give ``tables`` can meet or miss an assertion; "" if one can."""
    try:
        table, column, _ = find_table(found, tables)
        chosen = find_part(table, column, found.part or ("low" if found.beats else ""))
        if found.beats:
            find_column(table, found.beats)
        else:
            check_number(found, chosen, table)
    except AssertionProblem as problem:
        return str(problem)
    return ""


def find_table(
    found: Assertion, tables: Mapping[str, Table]
) -> tuple[Table, str, Mapping[str, Cell]]:
    """The table and the column of a figure, and the rows that its measure is about.

    Raises `AssertionProblem` where no table has it, as do the other functions here.
    """
    name = found.figure.replace("_", "-")
    table = tables.get(found.figure) or tables.get(name)
    if table is None:
        for each in tables.values():
            for measure in each.measures:
                if measure.aspect and found.figure == measure.aspect:
                    _check_direction(found, each, measure)
                    return each, found.column or measure.column, dict(measure.where)
        raise AssertionProblem(unknown_figure(found.figure, tables))
    measures = [each for each in table.measures if each.column == (found.column or each.column)]
    if found.column:
        find_column(table, found.column)
        return table, found.column, dict(measures[0].where) if measures else {}
    if not measures:
        raise AssertionProblem(
            f"table {table.name} has no main column; write {found.figure}.COLUMN"
        )
    return table, measures[0].column, dict(measures[0].where)


def _check_direction(found: Assertion, table: Table, measure: Measure) -> None:
    """Raise `AssertionProblem` for an aspect whose column is not better where it is higher.

    The name of an aspect says that more of it is better, so a comparison with such a column would
    state the opposite of what its reader expects.
    """
    if measure.better == "higher":
        return
    column = found.column or measure.column
    figure = table.name.replace("-", "_")
    if found.column or table.measures[0].column != column:
        figure += f".{column}"
    less = "where a lower value is better" if measure.better == "lower" else "without a direction"
    raise AssertionProblem(
        f"{found.figure!r} has no figure in which a higher value is better: {table.name} measures "
        f"it by {column}, {less}; write {figure} instead of {found.figure}, with the comparison "
        f"that you mean, for example '{figure} <= 10%'"
    )


def unknown_figure(figure: str, tables: Mapping[str, Table]) -> str:
    """The message for a figure that is not in ``tables`` and is not a count of the run."""
    if giving := metrics_giving(figure):
        there = ", ".join([*tables, *COUNTS])
        return (
            f"no metric of the experiment gives the figure {figure!r}; add {' or '.join(giving)} "
            f"to the metrics, or write one of these names: {there}"
        )
    known = {name.replace("-", "_") for name in tables} | set(COUNTS)
    known |= {each.aspect for table in tables.values() for each in table.measures if each.aspect}
    return unknown_name("figure", figure, known, "other figures need their metric under metrics")


def metrics_giving(figure: str) -> list[str]:
    """The installed metrics with a table or a figure of this name."""
    giving = []
    for entry in load_registry().of_kind("metric"):
        try:
            measures = entry.component.table_measures  # type: ignore[attr-defined]
        except PluginError:
            continue
        if entry.name == figure.replace("_", "-") or any(m.aspect == figure for m in measures):
            giving.append(entry.name)
    return giving


def find_column(table: Table, name: str) -> Column:
    """The column of ``table`` with this name."""
    names = [column.name for column in table.columns]
    if name not in names:
        raise AssertionProblem(unknown_name(f"column of table {table.name}", name, names))
    return table.columns[names.index(name)]


def check_number(found: Assertion, column: Column, table: Table) -> None:
    """Raise `AssertionProblem` if an assertion would hold, or fail, with any value of ``column``.

    With "%", a share above 1 is meant as written, and a share may be a difference of two. The
    figures of an aspect, and the ends of their intervals, are rates from 0 to 1.
    """
    if found.percent and column.unit != "share":
        raise AssertionProblem(f"{column.name} is not a share; write a number without %")
    rates = {measure.column for measure in table.measures if measure.aspect}
    is_end = column.role in ENDS and column.of in rates
    if column.unit == "share" and (column.name in rates or is_end):
        if found.percent or found.number <= 1:
            if message := decided(found, column.name, 0.0, 1.0, share=True):
                raise AssertionProblem(message)
            return
    elif found.percent:
        return
    limits = column.range
    if limits is None:
        return
    low, high = limits
    if low <= found.number <= high:
        message = decided(found, column.name, low, high) if column.unit != "share" else ""
        if message:
            raise AssertionProblem(message)
        return
    number = f"{found.number:g}"
    if column.unit == "share":
        raise AssertionProblem(
            f"{column.name} is a share, at most 1, and never {number}; "
            f"write {number}% or {found.number / 100:g}"
        )
    allowed = f"at least {low:g}" if math.isinf(high) else f"between {low:g} and {high:g}"
    raise AssertionProblem(
        f"{column.name} is {allowed}, so a comparison with {number} states nothing"
    )


def find_part(table: Table, column: str, part: str) -> Column:
    """The column of ``table`` that is ``part`` of ``column``: "low", "high", "n" or another."""
    role: Role
    for role in ("low", "high", "n"):
        if part == role:
            own = [c for c in table.columns if c.role == role and c.of == column]
            if own:
                return own[0]
    return find_column(table, part or column)
