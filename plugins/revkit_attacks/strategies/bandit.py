"""The strategy `bandit`: arms as the arms of a bandit, pulled by an upper confidence bound."""

from __future__ import annotations

import math
from itertools import count
from typing import ClassVar

from revkit.contracts import Context, Search, SearchSpace, Strategy
from revkit.dataclass import dataclass
from revkit.options import option
from revkit_attacks.strategies.draws import shuffled, value_of

_SHARES = (1.0, 0.5, 0.25)


@dataclass(frozen=True)
class Bandit(Strategy):
    """Learns which arm works, and how much of it: UCB1 over arms and shares of their edits.

    Each arm offers all, a half and a quarter of its edits, drawn anew at each pull; so do all arms
    together. The reward is the gain on the agent's scale (0 to 1), and 1 for the event.
    """

    name: ClassVar[str] = "bandit"
    version: ClassVar[str] = "1"
    exploration: float = option(
        0.3, help="Weight of the bound: 0 pulls the best mean only.", minimum=0, maximum=10
    )

    def search(self, space: SearchSpace, ctx: Context) -> Search:
        """Yield one draw for each pull."""
        arms = list(space.arms.values())
        if len(arms) > 1:
            arms.append(tuple(unit.number for unit in space.units))
        pulls = [(arm, share) for share in _SHARES for arm in arms]
        rewards: list[list[float]] = [[] for _ in pulls]
        for time in count(1):
            place = self._choose(rewards, time)
            arm, share = pulls[place]
            drawn = shuffled(arm, ctx.rng)[: max(1, round(share * len(arm)))]
            tried = yield drawn
            if tried.met:
                return
            rewards[place].append(max(0.0, value_of(space, tried)))

    def _choose(self, rewards: list[list[float]], time: int) -> int:
        """The first pull that was not tried, else that of the highest bound."""
        for place, found in enumerate(rewards):
            if not found:
                return place
        bounds = [
            sum(found) / len(found) + self.exploration * math.sqrt(2 * math.log(time) / len(found))
            for found in rewards
        ]
        return max(range(len(bounds)), key=bounds.__getitem__)
