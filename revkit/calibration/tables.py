"""Tables: the two small files from which a map is fitted, read whole and without guessing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from revkit.calibration.printable import printable
from revkit.calibration.scores import ScoreRow, format_of, number_in, read_scores
from revkit.errors import BadScores
from revkit.files import text_in_cell
from revkit.model.consensus import Consensus

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


def _bad(path: Path, row: ScoreRow, told: object) -> BadScores:
    return BadScores(f"{path}, line {row.line}: {told}")


def _name(path: Path, row: ScoreRow) -> str:
    name = row.cells.get("id")
    if not isinstance(name, str | int) or isinstance(name, bool) or not str(name).strip():
        raise _bad(path, row, "no id")
    cell = str(name) if format_of(path.name) == "jsonl" else text_in_cell(str(name))
    return cell.strip()


def read_by_id(path: Path) -> dict[str, list[float]]:
    """The scores in ``path`` by the id of their item; several rows of one id are repeats.

    An empty score is none: its item is there, without it. Raises `BadScores` with the line for any
    other cell that is no number.
    """
    found: dict[str, list[float]] = {}
    for row in _rows(path, "score"):
        scores = found.setdefault(_name(path, row), [])
        if row.score is not None:
            scores.append(row.score)
        elif not row.missing:
            raise _bad(path, row, row.problem)
    return found


def read_consensus(path: Path) -> dict[str, Consensus]:
    """The consensus severities in ``path`` by id, with their standard errors where column ``se``
    has them. Raises `BadScores` with the line: an id twice, a severity off 0-100, no number."""
    found: dict[str, Consensus] = {}
    for row in _rows(path, "consensus"):
        name = _name(path, row)
        if row.score is None:
            raise _bad(path, row, "no consensus" if row.missing else row.problem)
        if name in found:
            raise _bad(path, row, f"the id {printable(name)!r} is there twice")
        if not 0.0 <= row.score <= 100.0:
            raise _bad(path, row, f"{row.score:g} is no severity from 0 to 100")
        found[name] = Consensus(row.score, _error(path, row))
    return found


def _error(path: Path, row: ScoreRow) -> float | None:
    given = row.cells.get("se")
    if given is None or str(given).strip() == "":
        return None
    try:
        error = number_in(given)
    except BadScores as problem:
        raise _bad(path, row, f"se: {problem}") from None
    if error < 0:
        raise _bad(path, row, "se: a standard error below 0")
    return error
