"""Tables of labels: small CSV files next to a folder of texts, read whole."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from revkit.errors import RunError
from revkit.files import LineProblems, Unreadable, text_in_cell
from revkit.options import unknown_name
from revkit_corpora.file_corpus import read_text

_MAX_BYTES = 50_000_000


def read_table(
    path: Path,
    key: str,
    needed: Sequence[str] = (),
    dialect: type[csv.Dialect] = csv.excel,
    known: Sequence[str] | None = None,
) -> Mapping[str, Mapping[str, str]]:
    """Return the rows of a table with a header by their ``key`` column; cells are text.

    Raises `RunError`, with all such lines, where the file cannot be read, a column is missing or
    (where ``known`` lists all that can be) not known, two columns have one name, an id is empty or
    given twice, or a row has more cells than the header: labels of the wrong paper would be worse
    than none.
    """

    def error(text: str) -> RunError:
        return RunError(f"{path}: {text}")

    try:
        text, _ = read_text(path, _MAX_BYTES)
        reader = csv.reader(io.StringIO(text, newline=""), dialect)
        header = [cell.strip() for cell in next(reader, [])]
        if twice := _named_twice(header):
            raise error(f"line {reader.line_num}: {twice}")
        missing = [name for name in (key, *needed) if name not in header]
        if missing:
            raise error(lacking(missing, header))
        if known is not None:
            strange = [unknown_name("column", name, known) for name in header if name not in known]
            if strange:
                raise error(f"{'; '.join(strange)}; correct the first line")
        rows: dict[str, Mapping[str, str]] = {}
        problems = LineProblems()
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) > len(header):
                problems.add(reader.line_num, f"{len(cells)} cells, but {len(header)} columns")
                continue
            texts = [*map(text_in_cell, cells), *[""] * (len(header) - len(cells))]
            row = dict(zip(header, texts, strict=True))
            id_ = row[key].strip()
            if not id_ or id_ in rows:
                problems.add(reader.line_num, f"id {id_!r} given twice" if id_ else "no id")
            rows.setdefault(id_, row)
    except Unreadable as fault:
        raise error(f"{fault}; correct the file") from None
    except csv.Error as fault:
        raise error(f"line {reader.line_num}: {fault}") from None
    if problems:
        raise error(str(problems))
    return rows


def lacking(missing: Sequence[str], header: Sequence[str], mark: str = ",") -> str:
    """Return the message for a table whose first line does not name all columns."""
    columns = "the column" if len(missing) == 1 else "the columns"
    named = ", ".join(header)[:200] or "nothing"
    text = f"the first line lacks {columns} {', '.join(missing)}; it names {named}"
    other = next((m for m in ",;\t|" if m != mark and len(header) == 1 and m in header[0]), "")
    return f"{text} (separate the columns with {mark!r}, not with {other!r})" if other else text


def read_lines(path: Path, needed: Sequence[str], mark: str = ",") -> list[Mapping[str, str]]:
    """Return the rows of a CSV file with a header, as texts.

    Raises `RunError`, with the line, where it cannot be read, a column is missing or two have one
    name."""
    try:
        text, _ = read_text(path, _MAX_BYTES)
        reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
        if twice := _named_twice(reader.fieldnames or ()):
            raise RunError(f"{path}: line {reader.line_num}: {twice}")
        missing = [name for name in needed if name not in (reader.fieldnames or ())]
        if missing:
            raise RunError(f"{path}: {lacking(missing, reader.fieldnames or (), mark)}")
        return [
            {name: text_in_cell(cell) for name, cell in row.items() if isinstance(cell, str)}
            for row in reader
        ]
    except Unreadable as fault:
        raise RunError(f"{path}: {fault}; correct the file") from None
    except csv.Error as fault:
        raise RunError(f"{path}: line {reader.line_num}: {fault}") from None


def _named_twice(header: Sequence[str]) -> str:
    """Return what is wrong with a header that gives a name to two columns; "" for others."""
    counts = Counter(name.strip() for name in header)
    twice = [name for name, count in counts.items() if name and count > 1]
    names = ", ".join(repr(name[:80]) for name in twice[:3])
    return f"two columns have the name {names}; keep one of them" if twice else ""
