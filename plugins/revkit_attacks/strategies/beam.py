"""The strategy `beam`: several sets at once, each extended by one group of edits."""

from __future__ import annotations

from typing import ClassVar

from revkit.contracts import Context, Search, SearchSpace, Strategy
from revkit.dataclass import dataclass
from revkit.options import option
from revkit_attacks.strategies.draws import shuffled, value_of

_Scored = tuple[float, tuple[int, ...]]


@dataclass(frozen=True)
class Beam(Strategy):
    """Keeps the best ``width`` sets of each length, and extends each by ``tries`` further groups.

    The first level is single groups: blocks, or neighbouring blocks together where there are more
    than half of the budget.
    """

    name: ClassVar[str] = "beam"
    version: ClassVar[str] = "1"
    width: int = option(2, help="Sets that are kept of each length.", minimum=1, maximum=100)
    tries: int = option(3, help="Extensions tried of each set.", minimum=1, maximum=100)

    def search(self, space: SearchSpace, ctx: Context) -> Search:
        """Yield single groups, then extensions of the best sets."""
        groups = space.groups(max(1, space.budget // 2))
        level: list[_Scored] = []
        for place in shuffled(range(len(groups)), ctx.rng):
            tried = yield groups[place]
            if tried.met:
                return
            level.append((value_of(space, tried), (place,)))
        for _ in groups[1:]:
            level.sort(key=lambda each: -each[0])
            found: dict[tuple[int, ...], float] = {}
            for _, chosen in level[: self.width]:
                others = shuffled(set(range(len(groups))) - set(chosen), ctx.rng)
                for place in others[: self.tries]:
                    longer = tuple(sorted((*chosen, place)))
                    if longer in found:
                        continue
                    tried = yield [unit for each in longer for unit in groups[each]]
                    if tried.met:
                        return
                    found[longer] = value_of(space, tried)
            level = [(value, longer) for longer, value in found.items()]
