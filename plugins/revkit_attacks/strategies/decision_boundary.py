"""The strategy `decision-boundary`: finds a success, then shrinks it while it holds."""

from __future__ import annotations

from typing import ClassVar

from revkit.contracts import Context, Search, SearchSpace, Strategy
from revkit.dataclass import dataclass
from revkit_attacks.strategies.draws import some_of, whole_sets


@dataclass(frozen=True)
class DecisionBoundary(Strategy):
    """Needs verdicts only: finds a success by the fixed attack or random sets, then spends the rest
    of the budget on smaller ones.

    From a success it leaves out a random part, a half of the set at first; each failure halves the
    part. What is left is the smallest success of the search (the idea of decision-based attacks
    such as HopSkipJump, over sets of edits).
    """

    name: ClassVar[str] = "decision-boundary"
    version: ClassVar[str] = "1"

    def search(self, space: SearchSpace, ctx: Context) -> Search:
        """Yield starts until one succeeds, then parts of it."""
        units = [unit.number for unit in space.units]
        starts = list(whole_sets(space))
        while True:
            tried = yield starts.pop(0) if starts else some_of(units, ctx.rng)
            if tried.met:
                break
        kept = tried.units
        size = len(kept) // 2
        while len(kept) > 1 and size:
            dropped = set(ctx.rng.sample(kept, size))
            tried = yield [unit for unit in kept if unit not in dropped]
            if tried.met:
                kept = tried.units
                size = min(size, len(kept) // 2)
            else:
                size //= 2
