"""Read scores from CSV or JSON Lines, one row at a time, strictly.

A cell that is not a plain number is a problem of its row, reported and counted. "6,5" is neither 65
nor 6.5; "NaN" is not a score.
"""

from __future__ import annotations

import csv
import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Literal, cast

from revkit.calibration.lines import Lines
from revkit.calibration.printable import printable
from revkit.dataclass import dataclass
from revkit.errors import BadScores

Format = Literal["csv", "tsv", "jsonl"]
_SEPARATORS = re.compile(r"[\x1c-\x1f]")
_NUMBER = re.compile(
    r"[+-]?(?:[0-9]{1,30}(?:\.[0-9]{0,30})?|\.[0-9]{1,30})(?:[eE][+-]?[0-9]{1,3})?"
)
_COMMA = re.compile(r"[+-]?[0-9]{1,30}(?:[.,][0-9]{1,30}){0,8},[0-9]{1,30}")


@dataclass(frozen=True)
class ScoreRow:
    """One row: its cells, and the number in one column, or the problem with it.

    ``missing`` states that the cell is empty, which may be right: a failure has no score.
    """

    line: int
    cells: Mapping[str, Any]
    score: float | None
    problem: str = ""
    missing: bool = False


class NoScore(BadScores):
    """A cell is empty."""

    code = "no_score"


def number_in(cell: object) -> float:
    """Return the number in a cell. Raises `BadScores` for anything but a plain finite number.

    Text that is a number counts as one, also in JSON.
    """
    if type(cell) is str and _NUMBER.fullmatch(cell):
        value = float(cell)
    elif isinstance(cell, bool) or cell is None:
        if cell is None:
            raise NoScore("no score")
        raise BadScores(f"{str(cell).lower()} is not a number")
    elif isinstance(cell, int | float):
        try:
            value = float(cell)
        except OverflowError:
            value = math.inf
    elif isinstance(cell, str):
        # `strip` removes separators of records, which Python does not take as part of a number.
        value = _number_in_text(cell if _SEPARATORS.search(cell) else cell.strip())
    else:
        kind = "an object" if isinstance(cell, Mapping) else "a list"
        raise BadScores(f"{kind} is not a number")
    if not math.isfinite(value):
        raise BadScores(f"{'not a number' if value != value else 'too large'}: {value}")
    return value


def numbers_in(cells: Sequence[object]) -> tuple[list[float], dict[int, str]]:
    """Return the number in each cell, NaN if there is none, and the problems by position."""
    kinds = set(map(type, cells))
    if kinds <= {str} and all(map(_NUMBER.fullmatch, cast(Any, cells))):
        return list(map(float, cast(Any, cells))), {}
    if kinds <= {float}:
        return list(cast(Any, cells)), {}
    scores: list[float] = []
    problems: dict[int, str] = {}
    for index, cell in enumerate(cells):
        try:
            if isinstance(cell, BadScores):
                raise cell
            scores.append(number_in(cell))
        except BadScores as error:
            problems[index] = str(error)
            scores.append(math.nan)
    return scores, problems


def _number_in_text(text: str) -> float:
    if not text:
        raise NoScore("no score")
    if _COMMA.fullmatch(text):
        raise BadScores(
            f"{text[:40]!r} has a comma; write numbers with a decimal point and without thousands "
            "separators"
        )
    if not _NUMBER.fullmatch(text):
        raise BadScores(f"{printable(repr(text[:40]))} is not a number")
    return float(text)


def format_of(name: str) -> Format:
    """Return the format by the ending of a file's name. Raises `BadScores` for any other ending."""
    ending = Path(name).suffix.lower()[1:]
    if ending in ("csv", "tsv"):
        return "csv" if ending == "csv" else "tsv"
    if ending in ("jsonl", "ndjson"):
        return "jsonl"
    raise BadScores(f"{printable(name)}: unknown format; the name must end in .csv, .tsv or "
                    ".jsonl, or use --format")  # fmt: skip


def read_scores(source: IO[bytes] | IO[str], format: Format, column: str) -> Iterator[ScoreRow]:
    """Read rows with a number in ``column``, one at a time; empty lines are skipped.

    Raises `BadScores` where the header lacks the column, a row has another number of cells, or a
    line is not a JSON object: the rest could not be trusted.
    """
    lines = Lines(source)
    if format == "jsonl":
        rows = json_dicts(lines)
    else:
        table = CsvRows(lines, format)
        table.place(column)
        rows = ((lines.number, dict(zip(table.names, row, strict=True))) for row in table)
    for line, cells in rows:
        try:
            yield ScoreRow(line, cells, number_in(cell_of(cells, column)))
        except BadScores as error:
            yield ScoreRow(line, cells, None, str(error), isinstance(error, NoScore))


class CsvRows:
    """The rows of a CSV stream after its header, as lists with the length of ``names``.

    Raises `BadScores` for a header that names a column twice, and for a row of another length.
    """

    def __init__(self, lines: Lines, format: Format) -> None:
        mark = "\t" if format == "tsv" else ","
        self._lines = lines
        self._reader = csv.reader(lines, delimiter=mark, strict=True)
        self.names: Sequence[str] = self._next() or ()
        if len(set(self.names)) < len(self.names):
            twice = Counter(self.names).most_common(1)[0][0]
            raise BadScores(f"the first line has two columns {printable(twice, 40)!r}")

    def _next(self) -> list[str] | None:
        try:
            return next(self._reader)
        except StopIteration:
            return None
        except csv.Error as error:
            raise self._broken(error) from None

    def __iter__(self) -> Iterator[list[str]]:
        count = len(self.names)
        try:
            for row in self._reader:
                if len(row) == count:
                    yield row
                elif row:
                    raise BadScores(
                        f"line {self._lines.number}: {len(row)} cells, but the first line has "
                        f"{count}"
                    )
        except csv.Error as error:
            raise self._broken(error) from None

    def _broken(self, error: csv.Error) -> BadScores:
        text = str(error)
        if "new-line character" in text:
            text = "a line ends with a carriage return only; save the file with line feeds"
        return BadScores(f"line {self._lines.number}: {text}")

    def place(self, column: str) -> int:
        """Return the index of ``column``. Raises `BadScores` if there is none."""
        if column not in self.names:
            known = printable(", ".join(self.names)) or "nothing"
            raise BadScores(f"no column {column!r}; the first line has {known}")
        return self.names.index(column)


class Doubled(dict[str, Any]):
    """A JSON object with duplicate keys, which ``twice`` lists."""

    twice: frozenset[str] = frozenset()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    doubled = Doubled(members)
    counts = Counter(name for name, _ in pairs)
    doubled.twice = frozenset(name for name, count in counts.items() if count > 1)
    return doubled


_DECODER = json.JSONDecoder(object_pairs_hook=_object)


def json_object(text: str, line: int) -> dict[str, Any]:
    """Return the JSON object in a line. Raises `BadScores` with the line number if the line is not
    an object.
    """
    try:
        row = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise BadScores(f"line {line}, column {error.colno}, is not JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise BadScores(f"line {line} is not JSON: {error}") from None
    if not isinstance(row, dict):
        raise BadScores(f"line {line} is not a JSON object")
    return row


def json_dicts(lines: Lines) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Return the JSON objects of a stream, one in each line."""
    for text in lines:
        if not text.isspace():
            yield lines.number, json_object(text, lines.number)


def cell_of(cells: Mapping[str, Any], column: str) -> Any:
    """Return the cell in ``column``. Raises `BadScores` if there is none, or more than one."""
    if column not in cells:
        raise BadScores(f"no {column!r}")
    if isinstance(cells, Doubled) and column in cells.twice:
        raise BadScores(f"{column!r} appears twice")
    return cells[column]
