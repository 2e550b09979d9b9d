"""Tables of labels: small CSV files next to a folder of texts, read whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from revkit.errors import RunError
from revkit.files import LineProblems, Unreadable
from revkit.files.csv_tables import CsvTable
from revkit.options import unknown_name
from revkit_corpora.file_corpus import read_text

_MAX_BYTES = 50_000_000


def read_table(
    path: Path,
    key: str,
    needed: Sequence[str] = (),
    mark: str = ",",
    known: Sequence[str] | None = None,
) -> Mapping[str, Mapping[str, str]]:
    """Return the rows of a table with a header by their ``key`` column; cells are text.

    Raises `RunError`, with all such lines, where the file cannot be read, a column is missing or
    (where ``known`` lists all that can be) not known, two columns have one name, an id is empty or
    given twice, or a row has more cells than the header: labels of the wrong paper would be worse
    than none.
    """
    table = _table(path, (key, *needed), mark)
    if known is not None:
        strange = [unknown_name("column", name, known) for name in table.names if name not in known]
        if strange:
            raise RunError(f"{path}: {'; '.join(strange)}; correct the first line")
    rows: dict[str, Mapping[str, str]] = {}
    problems = LineProblems()
    for row in table.rows:
        if row.problem:
            problems.add(row.line, row.problem)
            continue
        id_ = row.cells[key].strip()
        if not id_ or id_ in rows:
            problems.add(row.line, f"id {id_!r} given twice" if id_ else "no id")
        rows.setdefault(id_, row.cells)
    if problems:
        raise RunError(f"{path}: {problems}")
    return rows


def read_lines(path: Path, needed: Sequence[str], mark: str = ",") -> list[Mapping[str, str]]:
    """Return the rows of a CSV file with a header, as texts.

    Raises `RunError`, with all such lines, where it cannot be read, a column is missing, two have
    one name, or a row has more cells than the header."""
    problems = LineProblems()
    rows = _table(path, needed, mark).rows
    for row in rows:
        if row.problem:
            problems.add(row.line, row.problem)
    if problems:
        raise RunError(f"{path}: {problems}")
    return [row.cells for row in rows]


def _table(path: Path, needed: Sequence[str], mark: str) -> CsvTable:
    try:
        table = CsvTable(read_text(path, _MAX_BYTES)[0], mark, pad=True)
    except Unreadable as fault:
        raise RunError(f"{path}: {fault}; correct the file") from None
    if missing := table.missing(needed):
        raise RunError(f"{path}: {lacking(missing, table.names, mark)}")
    return table


def lacking(missing: Sequence[str], header: Sequence[str], mark: str = ",") -> str:
    """Return the message for a table whose first line does not name all columns."""
    columns = "the column" if len(missing) == 1 else "the columns"
    named = ", ".join(header)[:200] or "nothing"
    text = f"the first line lacks {columns} {', '.join(missing)}; it names {named}"
    other = next((m for m in ",;\t|" if m != mark and len(header) == 1 and m in header[0]), "")
    return f"{text} (separate the columns with {mark!r}, not with {other!r})" if other else text
