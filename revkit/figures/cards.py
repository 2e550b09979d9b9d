"""Collect agent cards from the tables of a run, by what metrics declare."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from revkit.errors import PaperError
from revkit.figures.numbers import number_at
from revkit.model.card import PARTS, AgentCard, Beside, CardFigure, CardLine, CardPart
from revkit.model.records import AgentRow, Records
from revkit.model.table import Cell, Column, Table

Row = Mapping[str, Cell]
Declared = tuple[Sequence[CardLine], Table]
TABLE = "agent-cards"
_COLUMNS = (
    Column("agent", "Agent", "", "The name of the agent in the experiment.", "agent"),
    Column("part", "Part", "", "The part of the card."),
    Column("figure", "Figure", "", "The title of the figure."),
    Column("about", "About", "", "Family, dimension or setting of the figure."),
    Column("value", "Value", "number", "The figure, in the unit of `measured_in`."),
    Column("low", "Low", "number", "Lower end of its interval.", "low", "value"),
    Column("high", "High", "number", "Upper end of its interval.", "high", "value"),
    Column("measured_in", "Measured in", "", "The unit of the figure."),
    Column("n", "n", "count", "The number of observations.", "n", "value"),
    Column("counted", "Counted", "", "What the observations are."),
    Column("limit", "Limit", "number", "The value beyond which the figure is a weakness."),
    Column(
        "weak",
        "Weakness",
        "",
        "Whether the whole interval, or a count of events, is beyond the limit.",
    ),
    Column("metric", "Metric", "", "The table that holds the figure."),
    Column("note", "Note", "", "Why there is no figure, or what limits it.", "note"),
)


def cards_of(records: Records, declared: Iterable[Declared]) -> tuple[AgentCard, ...]:
    """Return a card for each agent from the lines that metrics declare, each with its table."""
    declared = list(declared)
    return tuple(_card(records, agent, declared) for agent in records.agents)


def cards_table(cards: Sequence[AgentCard]) -> Table:
    """Return all lines of all cards as one table, gaps included."""
    rows: list[dict[str, Cell]] = []
    for card in cards:
        gaps = dict(card.gaps)
        for part in PARTS:
            rows += [_row(card.agent, each) for each in card.of(part)]
            if part in gaps:
                rows.append({"agent": card.agent, "part": part, "note": gaps[part]})
    note = "Each line is a figure of another table of this run; `metric` names it."
    return Table.of(TABLE, "Agent cards", _COLUMNS, rows, [note])


def check_lines(lines: Iterable[CardLine], table: Table) -> None:
    """Raise `PaperError` for a line that names a column that ``table`` does not have."""
    for line in lines:
        _check(line, table)


def _row(agent: str, each: CardFigure) -> dict[str, Cell]:
    number = isinstance(each.value, int | float) and not isinstance(each.value, bool)
    return {
        "agent": agent,
        "part": each.part,
        "figure": each.title,
        "about": each.about or None,
        "value": each.value if number else None,
        "low": each.low,
        "high": each.high,
        "measured_in": each.unit or None,
        "n": each.n,
        "counted": each.counted or None,
        "limit": each.limit,
        "weak": each.weak,
        "metric": each.metric,
        "note": each.note or None,
    }


def _check(line: CardLine, table: Table) -> None:
    names = {column.name for column in table.columns}
    named = [line.column, line.each, line.n, line.named, *line.beside, *(n for n, _ in line.where)]
    named += [line.limit] if isinstance(line.limit, str) else []
    if unknown := sorted(name for name in named if name and name not in names):
        raise PaperError(f"table {table.name!r} has no columns {unknown}, which a card line names")
    if not line.named and all(column.role != "agent" for column in table.columns):
        raise PaperError(f"table {table.name!r}: a card line needs a column that names the agent")


def _card(records: Records, agent: AgentRow, declared: Sequence[Declared]) -> AgentCard:
    figures = [figure for each in declared for figure in _of_table(each, agent)]
    figures.sort(key=lambda figure: PARTS.index(figure.part))
    present = {figure.part for figure in figures}
    gaps = [
        (part, _why(records, part, declared))
        for part in PARTS
        if part not in present and (part != "defenses" or agent.defenses)
    ]
    return AgentCard(
        agent.name,
        agent.component,
        agent.defenses,
        tuple(figures),
        tuple(gaps),
        (agent.cannot_see,) if agent.cannot_see else (),
    )


def _why(records: Records, part: CardPart, declared: Sequence[Declared]) -> str:
    """Return why a card has no line of ``part``."""
    absent = {
        "robustness": (not records.perturbations, "the experiment has no perturbations"),
        "direction": (not records.perturbations, "the experiment has no perturbations"),
        "adaptive": (records.attack is None, "the experiment has no attack"),
        "calibration": (records.anchors is None, "the experiment has no calibration"),
        "content": (not records.judgements, "no judge of the experiment reads reviews"),
        "evidence": (not records.judgements, "no judge of the experiment reads reviews"),
    }
    missing, reason = absent.get(part, (False, ""))
    if missing:
        return reason
    if not any(line.part == part for lines, _ in declared for line in lines):
        return "no metric of the experiment measures it"
    return "the tables of the run have no row for this agent"


def _of_table(declared: Declared, agent: AgentRow) -> Iterator[CardFigure]:
    lines, table = declared
    columns = {column.name: column for column in table.columns}
    rows = table.records()
    printed: set[tuple[str, int]] = set()
    for line in lines:
        if line.part == "defenses" and not agent.defenses:
            continue
        named = line.named or next(c.name for c in table.columns if c.role == "agent")
        found = []
        for number, row in enumerate(rows):
            wanted = all(row[name] == cell for name, cell in line.where)
            place = line.column, number
            if wanted and row[named] == f"{line.prefix}{agent.name}" and place not in printed:
                printed.add(place)
                found.append(_figure(line, table, columns, row))
        yield from _with_value(line, found)
        if line.absent and not any(column == line.column for column, _ in printed):
            column = columns[line.column]
            title = line.title or column.title or column.name
            yield CardFigure(line.part, table.name, column.name, title, note=line.absent)


def _with_value(line: CardLine, found: Sequence[CardFigure]) -> Sequence[CardFigure]:
    """Return the figures that have a value; where none of several has one, the first says why."""
    known = [each for each in found if each.value is not None]
    return (known or found[:1]) if line.each else found


def _figure(line: CardLine, table: Table, columns: Mapping[str, Column], row: Row) -> CardFigure:
    column = columns[line.column]
    ends, low, high = _ends_of(table, row, column.name)
    counted = line.n or ends.get("n", "")
    count = row.get(counted)
    note = table.of_column("note", column.name)
    value = row[column.name]
    limit = number_at(row, line.limit) if isinstance(line.limit, str) else line.limit
    beyond = _is_beyond(line, value, low, high, limit)
    is_event_count = column.unit == "count" and type(value) is int
    weak = beyond and not (low is None and high is None and not is_event_count)
    return CardFigure(
        part=line.part,
        metric=table.name,
        column=column.name,
        title=line.title or column.title or column.name,
        about=str(row[line.each] or "") if line.each else "",
        value=value,
        low=low,
        high=high,
        unit=column.unit,
        n=None if isinstance(count, str | bool) else count,
        counted=(columns[counted].title or counted) if counted else "",
        beside=tuple(
            _beside(table, row, columns[name]) for name in line.beside if row[name] is not None
        ),
        weak=weak,
        seen=bool(beyond and low is None and high is None and not weak),
        limit=limit if line.weak else None,
        note=str(row[note.name] or "") if note is not None else "",
        brief=line.brief,
    )


def _ends_of(
    table: Table, row: Row, name: str
) -> tuple[dict[str, str], float | None, float | None]:
    """Return the columns of the column ``name`` by role, and the ends of its interval."""
    ends = {str(c.role): c.name for c in table.columns if c.of == name}
    return ends, number_at(row, ends.get("low", "")), number_at(row, ends.get("high", ""))


def _beside(table: Table, row: Row, column: Column) -> Beside:
    ends, low, high = _ends_of(table, row, column.name)
    n = row.get(ends.get("n", ""))
    return Beside(
        column.title or column.name,
        row[column.name],
        column.unit,
        low,
        high,
        None if isinstance(n, str | bool) else n,
    )


def _is_beyond(
    line: CardLine, value: Cell, low: float | None, high: float | None, limit: float | None
) -> bool | None:
    """Return whether the whole interval, or without one the value, is beyond the limit."""
    if not line.weak or limit is None or isinstance(value, str | bool) or value is None:
        return None
    if low is None and high is None:
        low = high = value
    above = line.weak != "below" and low is not None and low > limit
    below = line.weak != "above" and high is not None and high < limit
    return above or below
