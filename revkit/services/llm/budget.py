"""The budget of an experiment: a call that would exceed it is refused before it is made."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Sequence

from revkit.model_settings import Budget, Cost

_OLD = 1.0  # seconds
_NEAR = 64  # calls


class BudgetGuard:
    """The spent part of a `Budget`, and the amount that calls in flight may still spend.

    A call in flight holds its estimate until it is settled. One that does not fit beside those in
    flight waits for them, since most cost less than estimated; one that does not fit beside what is
    spent is refused. ``elsewhere`` returns what other commands spent on the experiment, earlier or
    at the same time; it is asked again at least once a second, and for every call that is near the
    end of the budget. It lives in the gateway's event loop.
    """

    def __init__(self, budget: Budget, elsewhere: Callable[[], Cost] = Cost) -> None:
        self._budget = budget
        self._changed = asyncio.Condition()
        self._elsewhere = elsewhere
        self._others = Cost()
        self._asked = -math.inf
        self._mine = Cost()
        self._held: list[Cost] = []
        self.limited = any(limit is not None for limit in (budget.usd, budget.calls, budget.tokens))

    async def hold(self, estimate: Cost) -> str:
        """Reserve ``estimate``; return "" or the reason why the call must not be made."""
        if not self.limited:
            return ""
        async with self._changed:
            while True:
                self._look(estimate)
                refusal = self._refusal(estimate, ())
                if refusal:
                    return refusal
                if not self._refusal(estimate, self._held):
                    self._held.append(estimate)
                    return ""
                await self._changed.wait()

    async def settle(self, estimate: Cost, spent: Cost) -> None:
        """Replace the reserved ``estimate`` by the amount ``spent``."""
        self._mine = _sum(self._mine, spent)
        if not self.limited:
            return
        async with self._changed:
            self._held.remove(estimate)
            self._changed.notify_all()

    def left(self) -> dict[str, float | int]:
        """What is left of each limit, without what calls in flight may still spend: never below 0,
        and empty without a limit.
        """
        if not self.limited:
            return {}
        spent, budget = _sum(self._others, self._mine), self._budget
        given = {
            "left_usd": None if budget.usd is None else round(budget.usd - (spent.usd or 0.0), 9),
            "left_calls": None if budget.calls is None else budget.calls - spent.calls,
            "left_tokens": None if budget.tokens is None else budget.tokens - spent.tokens,
        }
        return {name: max(0, left) for name, left in given.items() if left is not None}

    def _look(self, estimate: Cost) -> None:
        """Read what other commands spent, unless it was read just now and the budget is far from
        exhausted.
        """
        ahead = [*self._held, *([estimate] * _NEAR)]
        if time.monotonic() - self._asked > _OLD or self._refusal(estimate, ahead):
            self._others = self._elsewhere()
            self._asked = time.monotonic()

    def _refusal(self, estimate: Cost, reserved: Sequence[Cost]) -> str:
        budget = self._budget
        spent = _sum(self._others, self._mine)
        calls = spent.calls + sum(cost.calls for cost in reserved) + estimate.calls
        if budget.calls is not None and calls > budget.calls:
            return f"the budget of {budget.calls} calls is spent"
        tokens = spent.tokens + sum(cost.tokens for cost in reserved) + estimate.tokens
        if budget.tokens is not None and tokens > budget.tokens:
            return (
                f"{spent.tokens} of the budget of {budget.tokens} tokens are spent, and the next "
                f"call may take {estimate.tokens}"
            )
        if budget.usd is None:
            return ""
        if estimate.usd is None:
            return "the budget is in US dollars, and the price of the model is unknown"
        if (spent.usd or 0.0) + sum(
            cost.usd or 0.0 for cost in reserved
        ) + estimate.usd > budget.usd:
            return (
                f"{spent.usd or 0.0:.4f} of the budget of {budget.usd:g} US dollars are spent, and "
                f"the next call may take {estimate.usd:.4f}"
            )
        return ""


def _sum(one: Cost, other: Cost) -> Cost:
    usd = (one.usd or 0.0) + (other.usd or 0.0)
    return Cost(one.calls + other.calls, one.tokens + other.tokens, usd)
