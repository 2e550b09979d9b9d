"""Read human scores of reviews from a CSV file, with the line and the remedy of every fault."""

from __future__ import annotations

import csv
import math
from functools import lru_cache

from revkit.dataclass import dataclass
from revkit.files import located, text_in_cell
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
    scores = []
    with open(place, encoding="utf-8-sig", newline="") as file:
        rows = csv.DictReader(file)
        missing = [name for name in _REQUIRED if name not in (rows.fieldnames or ())]
        if missing:
            raise HumanScoresProblem(f"{path} has no column {missing[0]!r} in its first line")
        names = list(rows.fieldnames or ())
        if twice := [name for name in names if name and names.count(name) > 1]:
            raise HumanScoresProblem(f"{path} has two columns {twice[0][:80]!r} in its first line")
        try:
            for row in rows:
                scores.append(_score(row, rows.line_num, path, scale))  # noqa: PERF401
        except csv.Error as error:
            raise HumanScoresProblem(f"{path}:{rows.line_num}: {error}") from None
    if not scores:
        raise HumanScoresProblem(f"{path} contains no score")
    return tuple(scores)


def _score(
    row: dict[str, str | None], line: int, path: str, scale: tuple[float, float] | None
) -> HumanScore:
    where = f"{path}:{line}"
    title = (row.get("dimension") or "").strip()
    dimension = OVERALL if title.casefold() in ("", OVERALL) else name_of(title)
    if not dimension:
        raise HumanScoresProblem(
            f"{where}: {title[:60]!r} is not a dimension; known: {', '.join(NAMES)}"
        )
    low, high = range_of(dimension)
    first, last = scale or (low, high)
    try:
        value = float(row.get("score") or "")
    except ValueError:
        value = math.nan
    if not first <= value <= last:
        raise HumanScoresProblem(
            f"{where}: {(row.get('score') or '')[:40]!r} is not a score from {first:g} to "
            f"{last:g}; name the range of people's scores with human-scale"
        )
    if scale is not None:
        value = low + (value - first) / (last - first) * (high - low)
    paper, agent = (text_in_cell(row.get(name) or "").strip() for name in ("paper", "agent"))
    if not paper or not agent:
        raise HumanScoresProblem(f"{where}: paper or agent is empty")
    return HumanScore(paper, agent, dimension, value, line)
