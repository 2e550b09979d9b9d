"""Read the two small files from which a map is fitted, completely and strictly."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from revkit.calibration.printable import printable
from revkit.calibration.scores import ScoreRow, format_of, number_in, read_scores
from revkit.errors import BadScores
from revkit.files import text_in_cell
from revkit.model.consensus import Consensus
from revkit.model.review import is_severity

LARGEST = 200_000_000


def _rows(path: Path, column: str) -> Iterator[ScoreRow]:
    form = format_of(path.name)
    try:
        if path.stat().st_size > LARGEST:
            raise BadScores(f"{path} is larger than {LARGEST:,} bytes")
        with path.open("rb") as file:
            try:
                yield from read_scores(file, form, column)
            except BadScores as error:
                raise BadScores(f"{path}: {error}") from None
    except OSError as error:
        raise BadScores(f"{path} cannot be read: {error.strerror}") from None


def _bad(path: Path, row: ScoreRow, problem: object) -> BadScores:
    return BadScores(f"{path}, line {row.line}: {problem}")


def _name(path: Path, row: ScoreRow) -> str:
    name = row.cells.get("id")
    if not isinstance(name, str | int) or isinstance(name, bool) or not str(name).strip():
        raise _bad(path, row, "no id")
    cell = str(name) if format_of(path.name) == "jsonl" else text_in_cell(str(name))
    return cell.strip()


def read_by_id(path: Path) -> dict[str, list[float]]:
    """Return the scores in ``path`` by the id of their item; several rows of one id are repeats.

    An item with an empty score has none. Raises `BadScores` with the line for any
    other cell that is not a number.
    """
    by_id: dict[str, list[float]] = {}
    for row in _rows(path, "score"):
        scores = by_id.setdefault(_name(path, row), [])
        if row.score is not None:
            scores.append(row.score)
        elif not row.missing:
            raise _bad(path, row, row.problem)
    return by_id


def read_consensus(path: Path) -> dict[str, Consensus]:
    """Return the consensus severities in ``path`` by id, with their standard errors from column
    ``se`` if present. Raises `BadScores` with the line: a duplicate id, a severity outside 0-100, a
    cell that is not a number.
    """
    by_id: dict[str, Consensus] = {}
    for row in _rows(path, "consensus"):
        name = _name(path, row)
        if row.score is None:
            raise _bad(path, row, "no consensus" if row.missing else row.problem)
        if name in by_id:
            raise _bad(path, row, f"the id {printable(name)!r} appears twice")
        if not is_severity(row.score):
            raise _bad(path, row, f"{row.score:g} is not a severity from 0 to 100")
        by_id[name] = Consensus(row.score, _error(path, row))
    return by_id


def _error(path: Path, row: ScoreRow) -> float | None:
    cell = row.cells.get("se")
    if cell is None or str(cell).strip() == "":
        return None
    try:
        error = number_in(cell)
    except BadScores as problem:
        raise _bad(path, row, f"se: {problem}") from None
    if error < 0:
        raise _bad(path, row, "se: a standard error must not be below 0")
    return error
