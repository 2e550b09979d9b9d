"""Check assertions on a finished run. An assertion about a missing value fails."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, Protocol

from revkit.dataclass import dataclass
from revkit.execution.fault import Fault
from revkit.figures.numbers import cell_text
from revkit.model.figure_at_stop import FigureAtStop
from revkit.model.records import Judgement, Records, Verdict
from revkit.model.table import ENDS, Cell, Column, Table
from revkit.model.values import Json, is_number
from revkit.runs.table_text import visible
from revkit.spec.assertion_columns import (
    check_number,
    find_column,
    find_part,
    find_table,
    metrics_giving,
)
from revkit.spec.assertions import (
    COUNTS,
    Assertion,
    AssertionProblem,
    Comparison,
    count_problem,
    read_assertion,
)

_NAMING = ("agent", "judge", "family", "rubric")
_TESTS: Mapping[Comparison, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
    "==": operator.eq,
    "!=": operator.ne,
}
_MOST_ROWS = 10_000


class HasResults(Protocol):
    """What assertions read of a run that has just ended, or of one that was opened."""

    @property
    def tables(self) -> Mapping[str, Table]: ...

    @property
    def records(self) -> Records: ...

    @property
    def faults(self) -> Sequence[Fault]: ...

    @property
    def warnings(self) -> Sequence[object]: ...

    @property
    def at_stop(self) -> Sequence[FigureAtStop]: ...


@dataclass(frozen=True)
class AssertionResult:
    """What came of one assertion: "holds", "fails", "no-data" where a value is missing, or
    "invalid" where the text is not an assertion about this run; both count as failures. ``seen``
    has the values that were compared, in words."""

    text: str
    state: Literal["holds", "fails", "no-data", "invalid"]
    seen: str
    run: str = ""

    @property
    def holds(self) -> bool:
        """Whether the assertion holds."""
        return self.state == "holds"

    @property
    def line(self) -> str:
        """One line for a terminal."""
        word = self.state if self.holds else self.state.replace("-", " ").upper()
        where = f"{visible(self.run, 100)}: " if self.run else ""
        return f"{word:7}  {where}{visible(self.text, 300)}  ({visible(self.seen, 600)})"

    def to_json(self) -> dict[str, Json]:
        return {"assertion": self.text, "state": self.state, "seen": self.seen, "run": self.run}


class _NoData(Exception):
    pass


def check_assertions(
    texts: Iterable[str], run: HasResults, *, label: str = ""
) -> list[AssertionResult]:
    """Hold each assertion against ``run``; ``label`` names the run where there are several."""
    return [_check(text, run, label) for text in texts]


def _check(text: str, run: HasResults, label: str) -> AssertionResult:
    try:
        found = read_assertion(text)
        values = _values(found, run)
    except AssertionProblem as error:
        return AssertionResult(text, "invalid", str(error), label)
    except _NoData as error:
        return AssertionResult(text, "no-data", str(error), label)
    test = _TESTS[found.comparison]
    wrong = [each for each in values if not test(each.value, each.bound)]
    shown = wrong or values
    seen = "; ".join(each.words for each in shown[:5])
    if len(shown) > 5:
        seen += f"; and {len(shown) - 5} more"
    return AssertionResult(text, "fails" if wrong else "holds", seen, label)


@dataclass(frozen=True)
class _Value:
    """A value, what it is compared with, and both in words."""

    value: float
    bound: float
    words: str


def _values(found: Assertion, run: HasResults) -> list[_Value]:
    if found.figure in COUNTS and found.figure not in run.tables:
        return [_count(found, run)]
    try:
        table, column, where = find_table(found, run.tables)
    except AssertionProblem:
        if name := _failed_metric(found.figure, run):
            raise _NoData(f"metric {name} failed; correct its error") from None
        raise
    rows = _rows(found, table, where)
    return [_cell(found, table, column, row, run.at_stop) for row in rows]


def _failed_metric(figure: str, run: HasResults) -> str:
    """Return the metric that gives ``figure`` and that crashed in this run; "" if none did."""
    failed = {fault.name for fault in run.faults if fault.kind == "metric"} - {*run.tables}
    names = [figure.replace("_", "-"), *(metrics_giving(figure) if failed else ())]
    return next((name for name in names if name in failed), "")


def _count(found: Assertion, run: HasResults) -> _Value:
    if problem := count_problem(found):
        raise AssertionProblem(problem)
    count, of = _counted(found, run)
    if not found.percent:
        return _Value(float(count), found.number, f"{found.figure} = {count:,}")
    if not of:
        raise _NoData(f"there is nothing of which {found.figure} could be a share")
    share = count / of
    return _Value(share, found.number, f"{found.figure} = {100 * share:.4g} %, {count:,} of {of:,}")


def _counted(found: Assertion, run: HasResults) -> tuple[int, int | None]:
    """The count, and of how many."""
    records = run.records
    if found.selectors:
        return _of_agents(found, records)
    variants = records.variant_counts
    asked: list[Verdict | Judgement] = [*records.verdicts, *records.judgements]
    asked += records.anchors.verdicts if records.anchors else ()
    failed = sum(bool(each.failure) for each in asked)
    skipped = sum(records.skipped.values())
    counts: dict[str, tuple[int, int | None]] = {
        "papers": (len(records.papers), None),
        "skipped": (skipped, skipped + len(records.papers)),
        "variants": (variants.made, variants.attempted),
        "rejected": (variants.attempted - variants.made, variants.attempted),
        "crashed": (variants.crashed, variants.attempted),
        "reviews": (len(asked), None),
        "failures": (failed, len(asked)),
        "faults": (len(run.faults), None),
        "warnings": (_warnings(run), None),
    }
    return counts[found.figure]


def _warnings(run: HasResults) -> int:
    texts = [getattr(each, "detail", each) for each in run.warnings]
    texts += [each.text for table in run.tables.values() for each in table.warnings]
    return len(set(map(str, texts)))


def _of_agents(found: Assertion, records: Records) -> tuple[int, int | None]:
    names = {value for _, value in found.selectors}
    asked: list[Verdict | Judgement] = [each for each in records.verdicts if each.agent in names]
    asked += [each for each in records.judgements if each.judge in names]
    if not asked:
        raise _NoData(f"no review of {', '.join(sorted(names))}")
    failed = sum(bool(each.failure) for each in asked)
    return (failed, len(asked)) if found.figure == "failures" else (len(asked), None)


def _rows(found: Assertion, table: Table, where: Mapping[str, Cell]) -> list[Mapping[str, Cell]]:
    """The rows that the selectors keep; what they do not name is as the measure has it."""
    rows: list[Mapping[str, Cell]] = list(table.records()[:_MOST_ROWS])
    naming = {column.name: column.role for column in table.columns if column.role in _NAMING}
    fixed: set[str] = set()
    for role, value in found.selectors:
        columns = _selected(table, role, [n for n in naming if n not in fixed], naming)
        name = next((n for n in columns if any(str(row[n]) == value for row in rows)), None)
        if name is None:
            raise _NoData(_no_row(table, value, columns, rows))
        rows = [row for row in rows if str(row[name]) == value]
        fixed.add(name)
    for name, cell in where.items():
        if name not in fixed:
            kept = [row for row in rows if row[name] == cell]
            rows = kept or (rows if fixed else [])
    if not rows:
        raise _NoData(f"table {table.name} has no row for it")
    return rows


def _no_row(
    table: Table, value: str, columns: Sequence[str], rows: Sequence[Mapping[str, Cell]]
) -> str:
    """Return the message for a selector that keeps no row, with what it could have named."""
    found = dict.fromkeys(str(row[name]) for name in columns for row in rows if row[name])
    known = ", ".join([*found][:20]) or "none"
    return f"table {table.name} has no row for {value!r}; it has rows for: {known}"


def _selected(table: Table, role: str, free: Sequence[str], naming: Mapping[str, str]) -> list[str]:
    """The columns in which a selector may find its value: those of its role or name, else those
    that name rows and that no earlier selector has used, agents first."""
    if role:
        names = [name for name, each in naming.items() if role in (name, each)]
        return names or [column.name for column in table.columns if column.name == role]
    return sorted(free, key=lambda name: _NAMING.index(naming[name]))


def _cell(
    found: Assertion,
    table: Table,
    column: str,
    row: Mapping[str, Cell],
    at_stop: Sequence[FigureAtStop],
) -> _Value:
    who = ", ".join(
        visible(str(row[each.name]))
        for each in table.columns
        if each.role in _NAMING and row[each.name] is not None
    )
    chosen = find_part(table, column, found.part or ("low" if found.beats else ""))
    of = f" of {who}" if who else ""
    if at_stop and (chosen.role in ENDS or chosen.unit == "p"):
        # The ends of the tables assume that the number of papers was fixed before the run.
        value = _end_at_stop(found, table, chosen, row, at_stop)
        shown = f"{chosen.role}{of} at the early stop = {cell_text(value, chosen)}"
    else:
        value = _number(row, chosen, who)
        shown = f"{chosen.name}{of} = {cell_text(row[chosen.name], chosen)}"
    if found.beats:
        other = find_column(table, found.beats)
        bound = _number(row, other, who)
        return _Value(value, bound, f"{shown}, {other.name} = {cell_text(row[other.name], other)}")
    check_number(found, chosen, table)
    return _Value(value, found.number, shown)


def _end_at_stop(
    found: Assertion,
    table: Table,
    end: Column,
    row: Mapping[str, Cell],
    at_stop: Sequence[FigureAtStop],
) -> float:
    """The end of the interval that is valid after an early stop, for the figure of a row.

    Raises `_NoData` where there is none.
    """
    figure = found.figure.replace("-", "_")
    measure = next((each for each in table.measures if each.column == end.of), None)
    if measure and not found.column and end.role in ("low", "high"):
        for each in at_stop:
            if (each.figure, each.agent) != (figure, row.get("agent")):
                continue
            where = {**dict(measure.where), **({"family": each.family} if each.family else {})}
            if all(row.get(name) == cell for name, cell in where.items()):
                return each.low if end.role == "low" else each.high
    what = "this p-value" if end.unit == "p" else "this interval"
    raise _NoData(
        f"the run stopped early, and {what} assumes that the number of papers was fixed before the "
        "run; use low or high of flip_rate or accuracy of an agent, or run without stop-when"
    )


def _number(row: Mapping[str, Cell], column: Column, who: str) -> float:
    value = row[column.name]
    if not is_number(value):
        raise _NoData(f"{column.name}{f' of {who}' if who else ''} has no value")
    return float(value)


def junit_of(results: Sequence[AssertionResult], name: str) -> str:
    """The results as JUnit XML, which systems for continuous integration read."""
    from xml.sax.saxutils import escape, quoteattr  # takes a tenth of the start of a command

    failed = sum(not each.holds for each in results)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites tests="{len(results)}" failures="{failed}">',
        f'<testsuite name={quoteattr(visible(name, 200))} tests="{len(results)}" '
        f'failures="{failed}">',
    ]
    for each in results:
        case = quoteattr(visible(each.text, 300))
        group = quoteattr(visible(each.run or name, 200))
        seen = visible(each.seen, 1_000)
        lines.append(f"<testcase classname={group} name={case}>")
        if each.holds:
            lines.append(f"<system-out>{escape(seen)}</system-out>")
        else:
            lines.append(
                f"<failure type={quoteattr(each.state)} message={quoteattr(seen)}></failure>"
            )
        lines.append("</testcase>")
    return "\n".join([*lines, "</testsuite>", "</testsuites>"]) + "\n"


def summary_table(results: Sequence[AssertionResult]) -> Table:
    """The results as a table, for a pull request."""
    several = any(each.run for each in results)
    failed = sum(not each.holds for each in results)
    columns = [Column("state", "State"), Column("assertion", "Assertion"), Column("seen", "Seen")]
    rows: list[dict[str, Cell]] = []
    for each in results:
        state = each.state.replace("-", " ")
        row: dict[str, Cell] = {"state": state, "assertion": each.text, "seen": each.seen}
        rows.append({**row, "run": each.run} if several else row)
    title = f"Assertions: {len(results) - failed} of {len(results)} hold"
    return Table.of(
        "assertions", title, [*([Column("run", "Run")] if several else []), *columns], rows
    )
