"""Tables: the two small files from which a map is fitted, read whole and without guessing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from revkit.calibration.scores import ScoreRow, format_of, number_in, read_scores
from revkit.errors import BadScores
from revkit.model.consensus import Consensus

LARGEST = 200_000_000


def _rows(path: Path, column: str) -> Iterator[ScoreRow]:
    try:
        if path.stat().st_size > LARGEST:
            raise BadScores(f"{path} is larger than {LARGEST:,} bytes")
        with path.open(encoding="utf-8-sig", newline="") as file:
            yield from read_scores(file, format_of(path.name), column)
    except OSError as error:
        raise BadScores(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise BadScores(f"{path} is not UTF-8: byte {error.start}") from None


def _known(path: Path, row: ScoreRow) -> tuple[str, float]:
    name = row.cells.get("id")
    name = "" if name is None else str(name).strip()
    if not name:
        raise BadScores(f"{path}, line {row.line}: no id")
    if row.score is None:
        raise BadScores(f"{path}, line {row.line}: {row.problem}")
    return name, row.score


def read_by_id(path: Path) -> dict[str, list[float]]:
    """The scores in ``path`` by the id of their item; several rows of one id are repeats.

    An empty score is none: its item is there, without it. Raises `BadScores` with the line for any
    other cell that is no number.
    """
    found: dict[str, list[float]] = {}
    for row in _rows(path, "score"):
        if row.problem == "no score" and str(row.cells.get("id") or "").strip():
            found.setdefault(str(row.cells["id"]).strip(), [])
            continue
        name, score = _known(path, row)
        found.setdefault(name, []).append(score)
    return found


def read_consensus(path: Path) -> dict[str, Consensus]:
    """The consensus severities in ``path`` by id, with their standard errors where column ``se``
    has them. Raises `BadScores` with the line: an id twice, a severity off 0-100, no number."""
    found: dict[str, Consensus] = {}
    for row in _rows(path, "consensus"):
        name, severity = _known(path, row)
        if name in found:
            raise BadScores(f"{path}, line {row.line}: the id {name!r} is there twice")
        if not 0.0 <= severity <= 100.0:
            raise BadScores(f"{path}, line {row.line}: {severity:g} is no severity from 0 to 100")
        given = row.cells.get("se")
        error = None if given is None or str(given).strip() == "" else number_in(given)
        if error is not None and error < 0:
            raise BadScores(f"{path}, line {row.line}: a standard error below 0")
        found[name] = Consensus(severity, error)
    return found
