"""Draw the charts that a table declares, from the rows of the table alone."""

from __future__ import annotations

from revkit.model.table import Table
from revkit_reports.chart_bars import bars
from revkit_reports.chart_data import Data, Drawn
from revkit_reports.chart_heat import heat_map
from revkit_reports.chart_lines import lines
from revkit_reports.chart_opposed import opposed
from revkit_reports.chart_panels import panels
from revkit_reports.tables import matches

NOT_DRAWN = "Not drawn: numbers too large or too near zero for an axis."
_DRAW = {
    "lines": lines,
    "points": lines,
    "bars": bars,
    "heat-map": heat_map,
    "panels": panels,
    "opposed": opposed,
}


def charts_of(table: Table) -> list[Drawn]:
    """Return the charts of ``table`` that are not empty; a chart is empty if its ``where`` keeps no
    row, or if its rows contain no numbers.
    """
    records = table.records()
    drawn = []
    for number, chart in enumerate(table.charts):
        rows = [row for row in records if matches(row, chart.where)]
        data = Data(chart, f"chart-{table.name}-{number}", rows, table)
        over = (chart.x,) if chart.kind in ("lines", "points") else ()
        axes = () if chart.kind == "heat-map" else (chart.y, chart.low, chart.high, *over)
        if data.too_large(chart.value, *axes) or data.too_small(*axes):
            drawn.append(Drawn(data.title, "", NOT_DRAWN))
        elif found := _DRAW[chart.kind](data):
            drawn.append(found)
    return drawn
