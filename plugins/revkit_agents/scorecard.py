"""The scorecard of the control agents: rows with counts and points, and the review computed from
them.

A score is 1 plus the points of all rows, rounded half up, on a scale of 1 to 10; so the most points
of all rows together are 9.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from revkit.dataclass import dataclass
from revkit.model.review import Review, Scale

MOST_POINTS = 9.0


@dataclass(frozen=True, slots=True)
class Row:
    """One row: the count, and the ``share`` in [0, 1] of the ``most`` points that it earns."""

    name: str
    counted: float
    share: float
    most: float

    @property
    def points(self) -> float:
        """The points of the row, from 0 to ``most``."""
        return self.share * self.most


def ten_points(accept_at: int) -> Scale:
    """Return a scale of whole numbers from 1 to 10, higher is better, that accepts from
    ``accept_at``.
    """
    values = tuple(float(value) for value in range(1, 11))
    return Scale("control-1-10", 1.0, 10.0, accept_at=float(accept_at), values=values)


def weighted(rows: Sequence[Row], total: float) -> list[Row]:
    """Return ``rows`` with their maximum points scaled so that they add up to ``total``."""
    whole = sum(row.most for row in rows)
    factor = total / whole if whole else 0.0
    return [Row(row.name, row.counted, row.share, row.most * factor) for row in rows]


def graded(rows: Sequence[Row], accept_at: int) -> Review:
    """Return the review with the points of ``rows`` as its score and the scorecard in its
    details.
    """
    raw = 1.0 + sum(row.points for row in rows)
    score = min(10, max(1, math.floor(raw + 0.5)))
    verdict = "accept" if score >= accept_at else "reject"
    lines = [
        f"- {row.name}: {_number(row.counted)}, {row.points:.2f} of {row.most:.2f} points"
        for row in rows
    ]
    return Review(
        accept=score >= accept_at,
        score=float(score),
        text=f"Score {score} of 10: {verdict} (accepts from {accept_at}).\n" + "\n".join(lines),
        details={
            "raw": round(raw, 4),
            "accept-at": accept_at,
            "scorecard": [
                {
                    "row": row.name,
                    "counted": row.counted
                    if isinstance(row.counted, bool)
                    else round(row.counted, 4),
                    "points": round(row.points, 4),
                    "most": round(row.most, 4),
                }
                for row in rows
            ],
        },
    )


def doublings(value: float, typical: float, span: float) -> float:
    """Return the share of points for a count: 0.5 at ``typical``, 0 at ``span / 2`` doublings below
    it, and 1 at ``span / 2`` doublings above it.
    """
    if value <= 0.0:
        return 0.0
    return clipped(0.5 + math.log2(value / typical) / span)


def clipped(share: float) -> float:
    """Return ``share`` limited to [0, 1]."""
    return min(1.0, max(0.0, share))


def _number(value: float) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.0f}" if value == int(value) else f"{value:.2f}"
