"""What strategies share: random subsets of units, and bests of what was tried."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from revkit.contracts import SearchSpace, Try


def some_of(units: Sequence[int], rng: random.Random) -> list[int]:
    """A random subset of ``units`` in random order: first how dense it is, then each unit; at least
    one of them."""
    chance = rng.random()
    drawn = [unit for unit in units if rng.random() < chance]
    return shuffled(drawn or [rng.choice(units)], rng)


def shuffled(units: Iterable[int], rng: random.Random) -> list[int]:
    """``units`` in random order: of two that overlap, the first is applied."""
    drawn = list(units)
    rng.shuffle(drawn)
    return drawn


def whole_sets(space: SearchSpace) -> list[Sequence[int]]:
    """The sets that a fixed attack would try: all units of each arm, then all of all arms."""
    arms: list[Sequence[int]] = list(space.arms.values())
    return arms if len(arms) == 1 else [*arms, [unit.number for unit in space.units]]


def value_of(space: SearchSpace, tried: Try) -> float:
    """How good a try is for a search that compares them: its gain; below any gain where it was
    refused or could not be read."""
    return space.gain(tried) if tried.outcome in ("met", "missed") else -2.0
