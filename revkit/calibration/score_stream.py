"""Apply a map to a stream of scores, row by row; every row is counted."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Any, TypeVar

from revkit.calibration.artifact import CalibrationMap
from revkit.calibration.lines import Lines
from revkit.calibration.scores import CsvRows, Format, cell_of, json_object, numbers_in
from revkit.errors import BadScores, PaperError

T = TypeVar("T")
COMMON, EXTRAPOLATED, PROBLEM = "common", "extrapolated", "calibration_problem"
ADDED = (COMMON, EXTRAPOLATED, PROBLEM)
_BATCH = 4096


@dataclass
class Applied:
    """The number of mapped rows, the number of them outside the anchors' range, and the number of
    rows without a score on the common scale, whose reason is in the row.
    """

    rows: int = 0
    mapped: int = 0
    extrapolated: int = 0

    @property
    def failed(self) -> int:
        """The number of rows without a score on the common scale."""
        return self.rows - self.mapped


# A score on the common scale (None: none), whether it is extrapolated, and what is wrong.
Outcome = tuple[float | None, bool | None, str]


def apply_to_stream(
    found: CalibrationMap,
    source: IO[bytes] | IO[str],
    target: IO[str],
    format: Format,
    column: str,
) -> Applied:
    """Copy rows from ``source`` to ``target``, and add the score on the common scale.

    Three columns are added: ``common`` (0-100, empty where there is none), ``extrapolated`` (true
    or false) and ``calibration_problem``. The rest of a row is copied unchanged; in CSV,
    cells are quoted only where needed. Memory does not grow with the stream, and available rows
    are written before more are awaited. Raises `BadScores` for a stream that has such columns
    already or is not in its format.
    """
    done = Applied()
    lines = Lines(source)
    texts = (_json_texts if format == "jsonl" else _csv_texts)(found, lines, format, column, done)
    for text in texts:
        target.write(text)
        target.flush()
    return done


def _csv_texts(
    found: CalibrationMap, lines: Lines, format: Format, column: str, done: Applied
) -> Iterator[str]:
    rows = CsvRows(lines, format)
    place = rows.place(column)
    _refuse_existing(rows.names, "")
    parts: list[str] = []
    # The writer quotes a bare carriage return only where its own line end holds one.
    mark, end = "\t" if format == "tsv" else ",", "\r\n"
    writer = csv.writer(_Parts(parts.append), delimiter=mark, lineterminator=end)
    writer.writerow([*rows.names, *ADDED])
    for batch in _batches(rows, lines):
        for row, outcome in zip(batch, _mapped(found, [row[place] for row in batch]), strict=True):
            row += _cells(outcome)
        _count(done, batch)
        writer.writerows(batch)
        yield _take_text(parts)
    if parts:
        yield _take_text(parts)


class _Parts:
    def __init__(self, write: Any) -> None:
        self.write = write


def _take_text(parts: list[str]) -> str:
    text = "".join([part[:-2] + "\n" for part in parts])
    parts.clear()
    return text


def _cells(outcome: Outcome) -> list[Any]:
    common, extrapolated, problem = outcome
    if problem:
        return ["", "", problem]
    return [common, "true" if extrapolated else "false", ""]


def _count(done: Applied, batch: Sequence[list[Any]]) -> None:
    done.rows += len(batch)
    done.mapped += sum(row[-1] == "" for row in batch)
    done.extrapolated += sum(row[-2] == "true" for row in batch)


def _json_texts(
    found: CalibrationMap, lines: Lines, _: Format, column: str, done: Applied
) -> Iterator[str]:
    for batch in _batches(_json_rows(lines, column), lines):
        outcomes = _mapped(found, [cell for _, cell in batch])
        written = [_json_line(text, each) for (text, _), each in zip(batch, outcomes, strict=True)]
        done.rows += len(batch)
        done.mapped += sum(not problem for _, _, problem in outcomes)
        done.extrapolated += sum(bool(outside) for _, outside, _ in outcomes)
        yield "".join(written)


def _json_rows(lines: Lines, column: str) -> Iterator[tuple[str, Any]]:
    """Return the text of each row, and the cell in ``column`` or the error of reading it."""
    for text in lines:
        if text.isspace():
            continue
        row = json_object(text, lines.number)
        _refuse_existing(row, f"line {lines.number}: ")
        try:
            yield text, cell_of(row, column)
        except BadScores as error:
            yield text, error


def _json_line(text: str, outcome: Outcome) -> str:
    """Return the text of the row with three more members; the rest is unchanged byte for byte."""
    head = text.strip()[:-1].rstrip()
    comma = "" if head == "{" else ", "
    common, extrapolated, problem = outcome
    score, flag = ("null", "null") if problem else (repr(common), str(extrapolated).lower())
    why = json.dumps(problem, ensure_ascii=False) if problem else '""'
    return f'{head}{comma}"{COMMON}": {score}, "{EXTRAPOLATED}": {flag}, "{PROBLEM}": {why}}}\n'


def _refuse_existing(names: Iterable[str], place: str) -> None:
    existing = [name for name in ADDED if name in names]
    if existing:
        raise BadScores(
            f"{place}the column {existing[0]!r} exists already; rename it, or leave it out"
        )


def _batches(rows: Iterable[T], lines: Lines) -> Iterator[list[T]]:
    batch: list[T] = []
    for row in rows:
        batch.append(row)
        if lines.dry or len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _mapped(found: CalibrationMap, cells: Sequence[Any]) -> list[Outcome]:
    scores, problems = numbers_in(cells)
    mapped, outside = found.common(scores)
    outcomes: list[Outcome] = [
        (value, flag, "") for value, flag in zip(mapped.tolist(), outside.tolist(), strict=True)
    ]
    for index in (mapped != mapped).nonzero()[0].tolist():
        outcomes[index] = None, None, problems.get(index) or _off_scale(found, scores[index])
    return outcomes


def _off_scale(found: CalibrationMap, score: float) -> str:
    try:
        found.scale.to_severity(score)
    except PaperError as error:
        return str(error)
    raise AssertionError(f"{score} was not mapped")
