"""Applying: a map over a stream of scores, row by row, each row accounted for."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import IO, Any

from revkit.calibration.artifact import CalibrationMap
from revkit.calibration.scores import Format, ScoreRow, read_scores
from revkit.errors import BadScores, PaperError

COMMON, EXTRAPOLATED, PROBLEM = "common", "extrapolated", "calibration_problem"
_BATCH = 4096


@dataclass
class Applied:
    """How many rows were mapped, how many of these lie outside the anchors' range, and how many
    have no score on the common scale, for the reason in their own row."""

    rows: int = 0
    mapped: int = 0
    extrapolated: int = 0

    @property
    def failed(self) -> int:
        """Rows without a score on the common scale."""
        return self.rows - self.mapped


def apply_to_stream(
    found: CalibrationMap, source: IO[str], target: IO[str], format: Format, column: str
) -> Applied:
    """Copy rows from ``source`` to ``target`` with the score on the common scale beside them.

    Three columns are added: ``common`` (0-100, empty where there is none), ``extrapolated`` (true
    or false) and ``calibration_problem``. Memory does not grow with the stream. Raises `BadScores`
    for a stream that has such columns already or is not of its format.
    """
    done = Applied()
    writer: Any = None
    for row, common, extrapolated, problem in _mapped(found, read_scores(source, format, column)):
        taken = {COMMON, EXTRAPOLATED, PROBLEM} & set(row.cells)
        if taken:
            raise BadScores(f"there is a column {sorted(taken)[0]!r} already; rename it")
        done.rows += 1
        done.mapped += common is not None
        done.extrapolated += bool(extrapolated)
        told = {COMMON: common, EXTRAPOLATED: extrapolated, PROBLEM: problem}
        if format == "jsonl":
            line = json.dumps({**row.cells, **told}, ensure_ascii=False, allow_nan=False)
            target.write(line + "\n")
            continue
        if writer is None:
            mark = "\t" if format == "tsv" else ","
            names = [*row.cells, *told]
            writer = csv.DictWriter(target, names, delimiter=mark, lineterminator="\n")
            writer.writeheader()
        writer.writerow({**row.cells, **{name: _cell(value) for name, value in told.items()}})
    return done


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _mapped(
    found: CalibrationMap, rows: Iterator[ScoreRow]
) -> Iterator[tuple[ScoreRow, float | None, bool | None, str]]:
    while batch := list(islice(rows, _BATCH)):
        problems = [row.problem or _off_scale(found, row) for row in batch]
        good = [row.score for row, bad in zip(batch, problems, strict=True) if not bad]
        mapped = iter(found.apply([score for score in good if score is not None]))
        for row, problem in zip(batch, problems, strict=True):
            if problem:
                yield row, None, None, problem
            else:
                each = next(mapped)
                yield row, each.common, each.extrapolated, ""


def _off_scale(found: CalibrationMap, row: ScoreRow) -> str:
    assert row.score is not None
    try:
        found.scale.to_severity(row.score)
    except PaperError as error:
        return str(error)
    return ""
