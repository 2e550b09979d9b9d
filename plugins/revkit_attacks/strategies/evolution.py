"""The strategy `evolution`: a small population of sets, crossed and mutated."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import ClassVar

from revkit.contracts import Context, Search, SearchSpace, Strategy
from revkit.dataclass import dataclass
from revkit.options import option
from revkit_attacks.strategies.draws import some_of, value_of, whole_sets

_Member = tuple[float, frozenset[int]]


@dataclass(frozen=True)
class Evolution(Strategy):
    """A steady-state genetic search: two parents give one child, which replaces the worst member.

    The population starts with the fixed attack and random sets. Parents are the better of two drawn
    members; each unit comes from either parent, and flips with the chance ``mutation`` over the
    number of units.
    """

    name: ClassVar[str] = "evolution"
    version: ClassVar[str] = "1"
    population: int = option(6, help="Members of the population.", minimum=2, maximum=1000)
    mutation: float = option(
        1.0, help="Expected number of units that mutate in a child.", minimum=0, maximum=100
    )

    def search(self, space: SearchSpace, ctx: Context) -> Search:
        """Yield the first members, then children."""
        units = [unit.number for unit in space.units]
        first: list[Sequence[int]] = list(whole_sets(space))[: self.population]
        members: list[_Member] = []
        while len(members) < self.population:
            chosen = first[len(members)] if len(members) < len(first) else some_of(units, ctx.rng)
            tried = yield chosen
            if tried.met:
                return
            members.append((value_of(space, tried), frozenset(tried.units)))
        while True:
            child = self._child(members, units, ctx.rng)
            tried = yield sorted(child) or [ctx.rng.choice(units)]
            if tried.met:
                return
            worst = min(range(len(members)), key=lambda place: members[place][0])
            if value_of(space, tried) >= members[worst][0]:
                members[worst] = (value_of(space, tried), frozenset(tried.units))

    def _child(self, members: list[_Member], units: list[int], rng: random.Random) -> set[int]:
        pair = [max(rng.sample(members, 2), key=lambda member: member[0])[1] for _ in range(2)]
        child = {unit for unit in units if unit in pair[rng.randrange(2)]}
        flips = {unit for unit in units if rng.random() < self.mutation / len(units)}
        return child ^ flips
