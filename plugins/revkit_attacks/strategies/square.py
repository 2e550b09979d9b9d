"""The strategy `square`: windows of edits switched on or off, of shrinking size."""

from __future__ import annotations

from typing import ClassVar

from revkit.contracts import Context, Search, SearchSpace, Strategy
from revkit.dataclass import dataclass
from revkit.options import option
from revkit_attacks.strategies.draws import some_of, value_of, whole_sets


@dataclass(frozen=True)
class Square(Strategy):
    """Random search by neighbouring edits: a window of them is drawn anew, and kept if not worse.

    It starts from the best of the fixed attack. The window begins at ``start`` of all units and
    halves at fixed shares of the budget, as the squares of the Square attack do (Andriushchenko et
    al. 2020).
    """

    name: ClassVar[str] = "square"
    version: ClassVar[str] = "1"
    start: float = option(
        0.5, help="Share of the units in the first window.", minimum=0.01, maximum=1
    )

    def search(self, space: SearchSpace, ctx: Context) -> Search:
        """Yield the fixed attack, then changes of the best set."""
        units = [unit.number for unit in space.units]
        best: frozenset[int] = frozenset()
        value = -3.0
        asked = 0
        for chosen in whole_sets(space):
            tried = yield chosen
            asked += 1
            if tried.met:
                return
            if value_of(space, tried) > value:
                best, value = frozenset(tried.units), value_of(space, tried)
        while True:
            size = self._window(asked / space.budget, len(units))
            first = ctx.rng.randrange(len(units) - size + 1)
            window = units[first : first + size]
            changed = (best - set(window)) | set(some_of(window, ctx.rng))
            if ctx.rng.random() < 0.5:
                changed = best - set(window)
            tried = yield sorted(changed) or window
            asked += 1
            if tried.met:
                return
            if value_of(space, tried) >= value:
                best, value = frozenset(tried.units), value_of(space, tried)

    def _window(self, spent: float, units: int) -> int:
        """The size of the window after a share of the budget: halved at a twentieth, a fifth, two
        fifths, three fifths and four fifths of it."""
        halvings = sum(spent >= share for share in (0.05, 0.2, 0.4, 0.6, 0.8))
        return max(1, min(units, round(units * self.start / (1 << halvings))))
