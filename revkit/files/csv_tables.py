"""Tables of comma-separated values: the names of the columns, and the rows with their lines.

The quotes are those of RFC 4180 and are read strictly. A text behind a closing quote is the problem
of its row if the row is one line; over several lines it is an error with its line, as is a quote
that is never closed. A tolerant reader takes what follows an open quote, often the rest of the
file, for one cell.
"""

from __future__ import annotations

import csv
import io
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from revkit.dataclass import dataclass
from revkit.files.csv_cells import text_in_cell
from revkit.files.file_reader import Unreadable, decoded, read_bytes

_LIMIT = threading.Lock()
_BEHIND_QUOTE = (
    "a text behind a closing quote (double the quotes within a cell, and enclose it in quotes)"
)


@dataclass(frozen=True, slots=True)
class CsvRow:
    """One row: the line on which it begins, from 1, and its cells by the names of their columns.

    Cells are texts as `write_csv` got them: without the apostrophe before a formula. ``problem``
    states why the cells cannot be assigned to columns, and then there are none.
    """

    line: int
    cells: Mapping[str, str]
    problem: str = ""


class CsvTable:
    """A table: the ``names`` of its columns, without blanks around them, and its ``rows`` in order.

    ``mark`` separates the cells of a row. Rows without a text are passed over, as are columns
    without a name. A row with more or fewer cells than there are columns has a problem; with
    ``pad``, only one with more, and the cells that are missing at its end are empty. So has a row
    of one line with a text behind a closing quote. Raises `Unreadable`, with the line, for other
    quotes that do not match and for two columns of one name.
    """

    def __init__(self, text: str, mark: str = ",", *, pad: bool = False) -> None:
        lines = _read(text, mark)
        first = lines[0][1] if lines else []
        if isinstance(first, str):
            raise Unreadable(f"line 1: {first}")
        header = [cell.strip() for cell in first]
        if twice := named_twice(header):
            raise Unreadable(f"line 1: {twice}")
        self.names = tuple(header)
        self.rows = tuple(
            _row(number, cells, header, pad)
            for number, cells in lines[1:]
            if isinstance(cells, str) or any(cell.strip() for cell in cells)
        )

    @classmethod
    def read(cls, path: Path, most_bytes: int, mark: str = ",", *, pad: bool = False) -> CsvTable:
        """Read a file of at most ``most_bytes`` bytes. Raises `Unreadable` with the reason, for a
        file that cannot be read too.
        """
        return cls(decoded(read_bytes(path, most_bytes)).removeprefix("\ufeff"), mark, pad=pad)

    def missing(self, names: Sequence[str]) -> list[str]:
        """Return those of ``names`` that no column has."""
        return [name for name in names if name not in self.names]


def csv_rows(text: str, mark: str = ",") -> list[tuple[int, list[str]]]:
    """Return the cells of each row with the line on which it begins; an empty line is a row without
    cells. Raises `Unreadable`, with the line, for quotes that do not match.
    """
    rows = []
    for line, cells in _read(text, mark):
        if isinstance(cells, str):
            raise Unreadable(f"line {line}: {cells}")
        rows.append((line, cells))
    return rows


def _read(text: str, mark: str) -> list[tuple[int, list[str] | str]]:
    """Return, for each row, the line on which it begins and its cells, or why it has none."""
    with _LIMIT:
        # The limit on a cell is one for the process, and whole papers are longer than the usual
        # one; `text` is bounded by who read it.
        usual = csv.field_size_limit(len(text) + 1)
        try:
            return list(_rows(text, mark))
        finally:
            csv.field_size_limit(usual)


def _rows(text: str, mark: str) -> Iterator[tuple[int, list[str] | str]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    line = 1
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as error:
            # Over several lines, an open quote may have made one cell of whole rows.
            if reader.line_num > line or not str(error).startswith(f"'{mark}' expected"):
                raise Unreadable(f"line {line}: {error}") from None
            yield line, _BEHIND_QUOTE
        else:
            if cells is None:
                return
            yield line, cells
        line = reader.line_num + 1


def _row(line: int, cells: Sequence[str] | str, names: Sequence[str], pad: bool) -> CsvRow:
    if isinstance(cells, str):
        return CsvRow(line, {}, cells)
    missing = len(names) - len(cells)
    if missing < 0 or (missing and not pad):
        return CsvRow(line, {}, f"{len(cells)} cells, but {len(names)} columns")
    texts = [*map(text_in_cell, cells), *[""] * missing]
    return CsvRow(line, {n: text for n, text in zip(names, texts, strict=True) if n})


def named_twice(names: Sequence[str]) -> str:
    """Return the problem of columns of which two have one name; "" where none do."""
    twice = [name for name, count in Counter(names).items() if name and count > 1]
    listed = ", ".join(repr(name[:80]) for name in twice[:3])
    return f"two columns have the name {listed}; keep one of them" if twice else ""
