"""Read the two small files from which a map is fitted, completely and strictly."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from revkit.calibration.printable import printable
from revkit.calibration.scores import ScoreRow, format_of, number_in, read_scores
from revkit.errors import BadScores
from revkit.files import LineProblems, text_in_cell
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


def _each(path: Path, column: str, take: Callable[[ScoreRow], None]) -> None:
    """Give each row to ``take``. Raises `BadScores` with all rows that it refuses."""
    problems = LineProblems()
    for row in _rows(path, column):
        try:
            take(row)
        except BadScores as problem:
            problems.add(row.line, problem)
    if problems:
        raise BadScores(f"{path}, {problems}")


def _name(path: Path, row: ScoreRow) -> str:
    name = row.cells.get("id")
    if not isinstance(name, str | int) or isinstance(name, bool) or not str(name).strip():
        raise BadScores("no id")
    cell = str(name) if format_of(path.name) == "jsonl" else text_in_cell(str(name))
    return cell.strip()


def read_by_id(path: Path) -> dict[str, list[float]]:
    """Return the scores in ``path`` by the id of their item; several rows of one id are repeats.

    An item with an empty score has none. Raises `BadScores` for other cells that are not numbers:
    all of them together, each with its line.
    """
    by_id: dict[str, list[float]] = {}

    def take(row: ScoreRow) -> None:
        scores = by_id.setdefault(_name(path, row), [])
        if row.score is not None:
            scores.append(row.score)
        elif not row.missing:
            raise BadScores(row.problem)

    _each(path, "score", take)
    return by_id


def read_consensus(path: Path) -> dict[str, Consensus]:
    """Return the consensus severities in ``path`` by id, with their standard errors from column
    ``se`` if present. Raises `BadScores` for duplicate ids, severities outside 0-100 and cells that
    are not numbers: all of them together, each with its line.
    """
    by_id: dict[str, Consensus] = {}

    def take(row: ScoreRow) -> None:
        name = _name(path, row)
        if row.score is None:
            raise BadScores("no consensus" if row.missing else row.problem)
        if name in by_id:
            raise BadScores(f"the id {printable(name)!r} appears twice")
        if not is_severity(row.score):
            raise BadScores(f"{row.score:g} is not a severity from 0 to 100")
        by_id[name] = Consensus(row.score, _error(row))

    _each(path, "consensus", take)
    return by_id


def _error(row: ScoreRow) -> float | None:
    cell = row.cells.get("se")
    if cell is None or str(cell).strip() == "":
        return None
    try:
        error = number_in(cell)
    except BadScores as problem:
        raise BadScores(f"se: {problem}") from None
    if error < 0:
        raise BadScores("se: a standard error must not be below 0")
    return error
