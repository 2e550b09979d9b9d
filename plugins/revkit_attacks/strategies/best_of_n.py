"""The strategies without feedback: `best-of-n`, `random` and `resubmit`."""

from __future__ import annotations

from typing import ClassVar

from revkit.contracts import Context, Search, SearchSpace, Strategy
from revkit.dataclass import dataclass
from revkit_attacks.strategies.draws import some_of


@dataclass(frozen=True)
class BestOfN(Strategy):
    """Draws a fixed attack again and again, until one is a success: the baseline of all searches.

    Each query takes a random arm and a random part of its edits, of a density drawn anew. Nothing
    is learned from the answers (best-of-N sampling, arXiv 2412.03556).
    """

    name: ClassVar[str] = "best-of-n"
    version: ClassVar[str] = "1"

    def search(self, space: SearchSpace, ctx: Context) -> Search:
        """Yield independent draws."""
        arms = list(space.arms.values())
        while not (yield some_of(ctx.rng.choice(arms), ctx.rng)).met:
            pass


@dataclass(frozen=True)
class RandomSets(Strategy):
    """Draws sets of edits over all arms together, until one is a success; nothing is learned."""

    name: ClassVar[str] = "random"
    version: ClassVar[str] = "1"

    def search(self, space: SearchSpace, ctx: Context) -> Search:
        """Yield independent draws."""
        units = [unit.number for unit in space.units]
        while not (yield some_of(units, ctx.rng)).met:
            pass


@dataclass(frozen=True)
class Resubmit(Strategy):
    """Submits the unchanged paper again until it succeeds: what the noise of a reviewer gives away.

    A search that does not exceed this one found noise. An agent that always answers the same
    resists it.
    """

    name: ClassVar[str] = "resubmit"
    version: ClassVar[str] = "1"

    def search(self, space: SearchSpace, ctx: Context) -> Search:
        """Yield the empty set."""
        while not (yield ()).met:
            pass
