"""Read human scores of reviews from a CSV file, with the line and the remedy of every fault."""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path

from revkit.calibration.scores import number_in
from revkit.dataclass import dataclass
from revkit.errors import BadScores
from revkit.files import Unreadable, located
from revkit.files.csv_tables import CsvRow, CsvTable
from revkit_reviewbench.dimensions import HIGHEST, LOWEST, NAMES, name_of

OVERALL = "overall"
_REQUIRED = ("paper", "agent", "score")
_MOST_BYTES = 100_000_000


class HumanScoresProblem(ValueError):
    """The file does not contain human scores; the text states the fault and its place."""


@dataclass(frozen=True, slots=True)
class HumanScore:
    """One human score of the review that ``agent`` wrote of ``paper``.

    ``dimension`` is one of the eight, or "overall"; ``line`` is the line of the file.
    """

    paper: str
    agent: str
    dimension: str
    score: float
    line: int


def range_of(dimension: str) -> tuple[float, float]:
    """Return the lowest and highest score of a dimension, or of the overall score."""
    if dimension == OVERALL:
        return float(LOWEST), float(HIGHEST)
    return (-2.0, 0.0) if dimension == NAMES[-1] else (0.0, 2.0)


def read_human_scores(path: str, scale: tuple[float, float] | None) -> tuple[HumanScore, ...]:
    """Read ``path``: the columns paper, agent, score, and optionally dimension; others are ignored.

    Scores are on the dimension's own range, or from ``scale[0]`` to ``scale[1]``, which is then
    mapped onto it linearly. Raises `HumanScoresProblem`.
    """
    try:
        place = located(path).expanduser()
        status = place.stat()
        if status.st_size > _MOST_BYTES:
            raise HumanScoresProblem(f"{path} has more than {_MOST_BYTES:,} bytes")
        return _read(str(place), status.st_mtime_ns, status.st_size, path, scale)
    except (OSError, ValueError) as error:
        if isinstance(error, HumanScoresProblem):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        raise HumanScoresProblem(f"{path} cannot be read: {reason}") from None


@lru_cache(maxsize=4)
def _read(
    place: str,
    modified: int,  # noqa: ARG001  (with the size, part of the cache key of the file)
    size: int,  # noqa: ARG001
    path: str,
    scale: tuple[float, float] | None,
) -> tuple[HumanScore, ...]:
    try:
        table = CsvTable.read(Path(place), _MOST_BYTES, pad=True)
    except Unreadable as error:
        raise HumanScoresProblem(f"{path}: {error}") from None
    if missing := table.missing(_REQUIRED):
        raise HumanScoresProblem(f"{path} has no column {missing[0]!r} in its first line")
    scores = [_score(row, path, scale) for row in table.rows]
    if not scores:
        raise HumanScoresProblem(f"{path} contains no score")
    return tuple(scores)


def _score(row: CsvRow, path: str, scale: tuple[float, float] | None) -> HumanScore:
    where, cells = f"{path}:{row.line}", row.cells
    if row.problem:
        raise HumanScoresProblem(f"{where}: {row.problem}")
    title = cells.get("dimension", "").strip()
    dimension = OVERALL if title.casefold() in ("", OVERALL) else name_of(title)
    if not dimension:
        raise HumanScoresProblem(
            f"{where}: {title[:60]!r} is not a dimension; known: {', '.join(NAMES)}"
        )
    low, high = range_of(dimension)
    first, last = scale or (low, high)
    try:
        value = number_in(cells["score"])
    except BadScores:
        value = math.nan
    if not first <= value <= last:
        raise HumanScoresProblem(
            f"{where}: {cells['score'][:40]!r} is not a score from {first:g} to "
            f"{last:g}; name the range of people's scores with human-scale"
        )
    if scale is not None:
        value = low + (value - first) / (last - first) * (high - low)
    paper, agent = (cells[name].strip() for name in ("paper", "agent"))
    if not paper or not agent:
        raise HumanScoresProblem(f"{where}: paper or agent is empty")
    return HumanScore(paper, agent, dimension, value, row.line)
