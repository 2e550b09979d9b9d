"""Turn the heat maps that a table declares into tables: one row and one column for each name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from revkit.dataclass import dataclass
from revkit.figures import AGENT, SHORT, is_short
from revkit.model.table import ENDS, Cell, Column, Table
from revkit_reports.chart_data import Data
from revkit_reports.tables import Row, matches


@dataclass(frozen=True)
class Grid:
    """The table of a heat map, the rows of the metric behind it, and their column with the value.

    A name by which the metric has several rows for one cell has no value there, as in the chart.
    """

    table: Table
    rows: Sequence[Row]
    value: str


def grids_of(table: Table) -> list[Grid]:
    """Return a grid for each heat map of ``table`` that has a value; agents as rows are in the
    order of their mean value, as in the chart.
    """
    found: list[Grid] = []
    for chart in table.charts:
        if chart.kind != "heat-map":
            continue
        rows = [row for row in table.records() if matches(row, chart.where)]
        if any(row[chart.value] is not None for row in rows):
            name = f"{table.name}-grid" + (f"-{len(found) + 1}" if found else "")
            found.append(Grid(_grid(Data(chart, name, rows, table)), rows, chart.value))
    return found


def _grid(data: Data) -> Table:
    chart = data.chart
    columns = {column.name: column for column in data.table.columns}
    value = columns[chart.value]
    ends = [c for c in data.table.columns if c.role in ENDS and c.of == chart.value]
    across = data.names(chart.x)
    by_mean = chart.y == AGENT.name
    down = data.names_by_mean(chart.y, chart.value) if by_mean else data.names(chart.y)
    made = [replace(columns[chart.y], name="row")]
    for number, name in enumerate(across):
        made.append(Column(f"value.{number}", name, value.unit, "", "", "", True))
        made += [
            Column(f"{end.name}.{number}", name, end.unit, "", end.role, f"value.{number}")
            for end in ends
        ]
    cells: dict[str, dict[str, Cell]] = {name: {"row": name} for name in down}
    seen: set[tuple[str, str]] = set()
    for row in data.rows:
        place = data.name(row, chart.x), data.name(row, chart.y)
        number, own = across.index(place[0]), cells[place[1]]
        for part in (value, *ends):
            key = f"value.{number}" if part is value else f"{part.name}.{number}"
            own[key] = None if place in seen else row[part.name]
        if place not in seen and is_short(row.get(SHORT.name), value):
            named = f"value.{number}"
            own[SHORT.name] = f"{own[SHORT.name]}, {named}" if SHORT.name in own else named
        seen.add(place)
    made.append(SHORT)
    return Table.of(data.key, chart.title, made, list(cells.values()), fine=(SHORT.name,))
