"""Planted flaws: sets of flaws with a given severity, drawn uniformly from all such sets."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache

from revkit_asc.simulation.prose import points

MOST = 100


@cache
def _ways() -> tuple[tuple[int, ...], ...]:
    """Return in how many ways the aspects from index i on can add up to each severity."""
    top = sum(grades[2] for grades in points().values())
    ways = [[1, *[0] * top]]
    for grades in reversed(list(points().values())):
        after = ways[-1]
        ways.append(
            [sum(after[s - p] for p in grades if p <= s) for s in range(top + 1)]
        )  # fmt: skip
    return tuple(tuple(row) for row in reversed(ways))


def nearest(severity: float) -> int:
    """Return the severity nearest to ``severity``, from 0 to 100, that a set of flaws can have."""
    reachable = [s for s in range(MOST + 1) if _ways()[0][s]]
    return min(reachable, key=lambda s: (abs(s - severity), s))


def draw_flaws(severity: float, rng: random.Random) -> Mapping[str, int]:
    """Draw the grade (0 sound, 1 minor, 2 grave) of each aspect, so that the points add up to
    `nearest` (``severity``).
    """
    rest = nearest(severity)
    ways = _ways()
    flaws: dict[str, int] = {}
    for index, (name, grades) in enumerate(points().items()):
        draw = rng.random() * ways[index][rest]
        counts = [ways[index + 1][rest - cost] if cost <= rest else 0 for cost in grades]
        grade = 0
        while draw >= counts[grade]:
            draw -= counts[grade]
            grade += 1
        flaws[name] = grade
        rest -= grades[grade]
    return flaws


def severity_of(flaws: Mapping[str, int]) -> float:
    """Return the severity of a set of flaws: the sum of their points, at most 100."""
    return float(min(MOST, sum(points()[name][grade] for name, grade in flaws.items())))
