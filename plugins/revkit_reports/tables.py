"""Read the measures that tables declare for reports, without knowing their metrics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from revkit.dataclass import dataclass
from revkit.figures import SHORT, is_short
from revkit.figures.numbers import number_at
from revkit.model.table import ENDS, Aspect, Cell, Column, Measure, Subject, Table
from revkit_reports.visible import one_line

Row = Mapping[str, Cell]


@dataclass(frozen=True)
class Figure:
    """One number of a table with its interval; ``value`` is None if it was not measured."""

    value: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class TableMeasure:
    """One measure with its table."""

    table: Table
    measure: Measure

    @property
    def column(self) -> Column:
        """The column of the value."""
        return next(c for c in self.table.columns if c.name == self.measure.column)

    @property
    def title(self) -> str:
        """The name of the figure."""
        return self.measure.title or self.column.title or self.column.name

    @property
    def parts(self) -> list[Column]:
        """Return the columns of the value and of the ends of its interval, if it has them."""
        ends = [c for c in self.table.columns if c.role in ENDS]
        return [self.column, *(c for c in ends if c.of == self.measure.column)]

    def rows(self) -> dict[str, Row]:
        """Return the row of each agent, family, judge or rubric, by its name."""
        naming = next(c.name for c in self.table.columns if c.role == self.measure.by)
        kept = [row for row in self.table.records() if matches(row, self.measure.where)]
        return {str(row[naming]): row for row in reversed(kept)}

    def figures(self) -> dict[str, Figure]:
        """Return the figures as numbers, by the same names."""
        ends = {column.role: column.name for column in self.parts}
        low, high = ends.get("low", ""), ends.get("high", "")
        return {
            name: Figure(
                number_at(row, self.measure.column), number_at(row, low), number_at(row, high)
            )
            for name, row in self.rows().items()
        }


def matches(row: Row, where: Iterable[tuple[str, Cell]]) -> bool:
    """Return whether the cells of a row equal those of ``where``; True is not 1."""
    return all(
        isinstance(row[name], bool) == isinstance(cell, bool) and row[name] == cell
        for name, cell in where
    )


def measures_by(tables: Iterable[Table], by: Subject) -> list[TableMeasure]:
    """Return the measures of all tables with one kind of rows, in the order of the experiment."""
    return [
        TableMeasure(table, measure)
        for table in tables
        for measure in table.measures
        if measure.by == by
    ]


def of_aspect(tables: Iterable[Table], aspect: Aspect) -> TableMeasure | None:
    """Return the first measure of ``aspect`` by agent."""
    found = measures_by(tables, "agent")
    return next((each for each in found if each.measure.aspect == aspect), None)


def ordered(names: Sequence[str], measures: Sequence[TableMeasure]) -> list[str]:
    """Return ``names``, best first by the first measure with a better direction, and unranked names
    last.
    """
    first = next((each for each in measures if each.measure.better), None)
    if first is None:
        return list(names)
    sign = 1.0 if first.measure.better == "lower" else -1.0
    values = {name: figure.value for name, figure in first.figures().items()}
    unranked = _unranked(first)

    def place(name: str) -> tuple[bool, bool, float]:
        value = values.get(name)
        return value is None, name in unranked, sign * (value or 0.0)

    return sorted(names, key=place)


def _unranked(first: TableMeasure) -> set[str]:
    """Return the names whose value of a measure must not be compared, such as a flip rate of an
    agent that accepts everything.
    """
    ranked = first.measure.ranked
    return {name for name, row in first.rows().items() if ranked and row[ranked] is False}


def side_by_side(
    by: Subject,
    names: Sequence[str],
    measures: Sequence[TableMeasure],
    more: Sequence[tuple[Column, Mapping[str, Cell]]] = (),
) -> Table:
    """Return one table with a row for each name and a column for each measure, with its bounds.

    ``more`` are columns with their cells by name.
    """
    columns = [Column(by, by.capitalize(), "", "", by)]
    rows: dict[str, dict[str, Cell]] = {name: {by: name} for name in names}
    for index, each in enumerate(measures):
        found, value = each.rows(), f"{each.measure.column}.{index}"
        for part in each.parts:
            own = part is each.parts[0]
            name = value if own else f"{part.name}.{index}"
            of = "" if own else value
            title = each.title if own else part.title
            columns.append(Column(name, title, part.unit, part.help, part.role, of, part.clear))
            for who, cells in rows.items():
                cells[name] = found.get(who, {}).get(part.name)
        for who, cells in rows.items():
            if is_short(found.get(who, {}).get(SHORT.name), each.column):
                cells[SHORT.name] = (
                    f"{cells[SHORT.name]}, {value}" if SHORT.name in cells else value
                )
    for column, values in more:
        columns.append(column)
        for who, cells in rows.items():
            cells[column.name] = values.get(who)
    title = f"{measures[0].title} by {by}" if measures else f"By {by}"
    return Table.of(
        f"by-{by}",
        title,
        [*columns, SHORT],
        list(rows.values()),
        headline=True,
        fine=(SHORT.name,),
        reading=_reading(by, measures),
    )


def _reading(by: Subject, measures: Sequence[TableMeasure]) -> str:
    """Return how to read a table of measures side by side, and its order if it has one."""
    text = f"Each row is one {by}"
    first = next((each for each in measures if each.measure.better), None)
    if by != "agent" or first is None:
        return f"{text}."
    if len(first.rows()) < 2:
        return f"{text}."
    last = _unranked(first)
    rest = (
        f" Last are agents without a rank, whose {first.title.lower()} shows nothing."
        if last
        else ""
    )
    return (
        f"{text}. The rows are in the order of {first.title.lower()}; "
        f"{first.measure.better} is better.{rest}"
    )


def legend(measures: Sequence[TableMeasure]) -> str:
    """Return what the brackets of `side_by_side` contain."""
    kept = [each for each in measures if any(_cells(each))]
    return " ".join(
        f"The brackets contain {text}: the plausible values for further papers of the same kind."
        for text in intervals(kept)
    )


def _cells(each: TableMeasure) -> list[bool]:
    return [row[each.measure.column] is not None for row in each.rows().values()]


def intervals(measures: Sequence[TableMeasure]) -> list[str]:
    """Return level and unit of the intervals of ``measures`` as one phrase, if there are any."""
    with_ends = [each for each in measures if len(each.parts) > 1]
    if not with_ends:
        return []
    units = dict.fromkeys(_row_cells(with_ends, "unit"))
    text = f"{interval_name(measures)}s"
    text += "".join(f" over {one_line(str(unit), 40)}s" for unit in [*units][:1])
    return [text]


def interval_name(measures: Sequence[TableMeasure]) -> str:
    """Return the name of the intervals: "95% interval"."""
    levels = [cell for cell in _row_cells(measures, "confidence") if isinstance(cell, float)]
    return f"{100 * levels[0]:g}% interval" if levels else "interval"


def _row_cells(measures: Sequence[TableMeasure], role: str) -> list[Cell]:
    """Return the cells of a column that describes all figures of a row."""
    return [
        row[column.name]
        for each in measures
        for column in each.table.columns
        if column.role == role
        for row in each.rows().values()
        if row[column.name] is not None
    ]
