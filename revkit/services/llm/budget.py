"""The budget of an experiment: a call that would exceed it is refused before it is made."""

from __future__ import annotations

import asyncio

from revkit.model_settings import Budget, Cost


class BudgetGuard:
    """What of a `Budget` is spent and what calls in flight may still spend.

    A call in flight holds its estimate until it is settled. One that does not fit beside those in
    flight waits for them, since most cost less than estimated; one that does not fit beside what is
    spent is refused. ``before`` is what earlier commands spent. It lives in the gateway's event
    loop.
    """

    def __init__(self, budget: Budget, before: Cost | None = None) -> None:
        self._budget = budget
        self._changed = asyncio.Condition()
        before = before or Cost()
        self._calls = before.calls
        self._tokens = before.tokens
        self._usd = before.usd or 0.0
        self._held: list[Cost] = []
        self.limited = any(limit is not None for limit in (budget.usd, budget.calls, budget.tokens))

    async def hold(self, estimate: Cost) -> str:
        """Hold ``estimate``; return "" or why the call must not be made."""
        if not self.limited:
            return ""
        async with self._changed:
            while True:
                refusal = self._refusal(estimate, ())
                if refusal:
                    return refusal
                if not self._refusal(estimate, self._held):
                    self._held.append(estimate)
                    return ""
                await self._changed.wait()

    async def settle(self, estimate: Cost, spent: Cost) -> None:
        """Put what was ``spent`` in the place of ``estimate``."""
        self._calls += spent.calls
        self._tokens += spent.tokens
        self._usd += spent.usd or 0.0
        if not self.limited:
            return
        async with self._changed:
            self._held.remove(estimate)
            self._changed.notify_all()

    def _refusal(self, estimate: Cost, held: list[Cost] | tuple[()]) -> str:
        budget = self._budget
        calls = self._calls + sum(cost.calls for cost in held) + estimate.calls
        if budget.calls is not None and calls > budget.calls:
            return f"the budget of {budget.calls} calls is spent"
        tokens = self._tokens + sum(cost.tokens for cost in held) + estimate.tokens
        if budget.tokens is not None and tokens > budget.tokens:
            return (
                f"{self._tokens} of the budget of {budget.tokens} tokens are spent, and the next "
                f"call may take {estimate.tokens}"
            )
        if budget.usd is None:
            return ""
        if estimate.usd is None:
            return "the budget is in US dollars, and the price of the model is not known"
        if self._usd + sum(cost.usd or 0.0 for cost in held) + estimate.usd > budget.usd:
            return (
                f"{self._usd:.4f} of the budget of {budget.usd:g} US dollars are spent, and the "
                f"next call may take {estimate.usd:.4f}"
            )
        return ""
