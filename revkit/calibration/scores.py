"""Scores: reading them from CSV or JSON Lines, one row at a time, without guessing.

A cell that is no plain number is a problem of its row, told and counted. "6,5" is not 65 and not
6.5; "NaN" is no score.
"""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Any, Literal

from revkit.errors import BadScores

Format = Literal["csv", "tsv", "jsonl"]
_NUMBER = re.compile(
    r"[+-]?(?:[0-9]{1,30}(?:\.[0-9]{0,30})?|\.[0-9]{1,30})(?:[eE][+-]?[0-9]{1,3})?"
)
_COMMA = re.compile(r"[+-]?[0-9]{1,30},[0-9]{1,30}")


@dataclass(frozen=True)
class ScoreRow:
    """One row: its cells, and the number under one of its columns or what is wrong with it."""

    line: int
    cells: Mapping[str, Any]
    score: float | None
    problem: str = ""


def number_in(cell: object) -> float:
    """The number in a cell. Raises `BadScores` for whatever is no plain finite number."""
    if isinstance(cell, bool) or cell is None:
        raise BadScores("no score" if cell is None else f"{cell} is no number")
    if isinstance(cell, int | float):
        value = float(cell)
    else:
        text = str(cell).strip()
        if not text:
            raise BadScores("no score")
        if _COMMA.fullmatch(text):
            raise BadScores(f"{text[:40]!r} has a decimal comma; write it with a point")
        if not _NUMBER.fullmatch(text):
            raise BadScores(f"{text[:40]!r} is no number")
        value = float(text)
    if not math.isfinite(value):
        raise BadScores(f"{value} is no finite number")
    return value


def format_of(name: str) -> Format:
    """The format that the ending of a file's name tells. Raises `BadScores` where it tells none."""
    ending = name.lower().rpartition(".")[2]
    if ending in ("csv", "tsv"):
        return "csv" if ending == "csv" else "tsv"
    if ending in ("jsonl", "ndjson"):
        return "jsonl"
    raise BadScores(f"{name}: its format is not clear; name it with --format (csv, tsv, jsonl)")


def read_scores(lines: IO[str], format: Format, column: str) -> Iterator[ScoreRow]:
    """Read rows with a number under ``column`` as they come.

    Raises `BadScores` where the header lacks the column, a row has another number of cells, or a
    line is no JSON object: from there on nothing could be trusted.
    """
    rows = _json_rows(lines) if format == "jsonl" else _csv_rows(lines, format, column)
    for line, cells in rows:
        try:
            if column not in cells:
                raise BadScores(f"no {column!r}")
            yield ScoreRow(line, cells, number_in(cells[column]))
        except BadScores as error:
            yield ScoreRow(line, cells, None, str(error))


def _csv_rows(lines: Iterable[str], format: Format, column: str) -> Iterator[tuple[int, Any]]:
    reader = csv.DictReader(lines, delimiter="\t" if format == "tsv" else ",", strict=True)
    try:
        names = reader.fieldnames or []
        if len(set(names)) < len(names):
            raise BadScores("two columns have one name; the first line must name the columns")
        if column not in names:
            known = ", ".join(names)[:200]
            raise BadScores(f"no column {column!r}; the first line names {known or 'nothing'}")
        for row in reader:
            if None in row or None in row.values():
                raise BadScores(f"line {reader.line_num}: not {len(names)} cells")
            yield reader.line_num, row
    except csv.Error as error:
        raise BadScores(f"line {reader.line_num}: {error}") from None


def _json_rows(lines: Iterable[str]) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise BadScores(f"line {number} is no JSON: {error}") from None
        if not isinstance(row, dict):
            raise BadScores(f"line {number} is no JSON object")
        yield number, row
