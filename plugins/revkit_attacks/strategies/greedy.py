"""The strategy `greedy`: places ranked by their importance, then taken together in that order."""

from __future__ import annotations

from typing import ClassVar

from revkit.contracts import Context, Search, SearchSpace, Strategy
from revkit.dataclass import dataclass
from revkit.options import option
from revkit_attacks.strategies.draws import shuffled, value_of, whole_sets


@dataclass(frozen=True)
class Greedy(Strategy):
    """Ranks blocks by what their edits alone do, then adds them to one another, best first.

    Starts with the fixed attack: all edits of each arm, then all. Then the edits of each block of
    the paper alone, in random order; with more blocks than ``ranking`` allows, neighbouring ones
    together. A block that does not make the sum worse stays in it. Where only verdicts are seen,
    all blocks rank alike, and their order is random (importance ranking: TextFooler and its kin,
    compared in arXiv 2009.06368).
    """

    name: ClassVar[str] = "greedy"
    version: ClassVar[str] = "1"
    ranking: float = option(
        0.5, help="Largest share of the budget that ranks blocks.", minimum=0.05, maximum=0.9
    )

    def search(self, space: SearchSpace, ctx: Context) -> Search:
        """Yield the fixed attack, single groups, then sums of them."""
        for units in whole_sets(space):
            if (yield units).met:
                return
        groups = space.groups(int(self.ranking * space.budget))
        ranked: list[tuple[float, int]] = []
        for place in shuffled(range(len(groups)), ctx.rng):
            tried = yield groups[place]
            if tried.met:
                return
            ranked.append((value_of(space, tried), place))
        ranked.sort(key=lambda found: -found[0])
        kept: list[int] = []
        best = -2.0
        for _, place in ranked:
            tried = yield [*kept, *groups[place]]
            if tried.met:
                return
            if value_of(space, tried) >= best:
                best = value_of(space, tried)
                kept += groups[place]
