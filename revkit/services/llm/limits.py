"""Limits of a model: calls in flight, requests and tokens a minute, pauses the server asked for."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from types import TracebackType

from revkit.model_settings import ModelSettings


class Bucket:
    """Lets through ``per_minute`` units a minute, with at most a second's worth at once.

    `delay` books units and returns the seconds to wait for them: first come, first served, and no
    unit is ever handed out twice.
    """

    def __init__(
        self, per_minute: float | None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate = None if per_minute is None else per_minute / 60.0
        self._clock = clock
        self._free = clock()

    def delay(self, units: float) -> float:
        """Book ``units`` and return the seconds until they may be used."""
        if self._rate is None:
            return 0.0
        now = self._clock()
        # Unused time is worth a second at most: a burst after a pause would break the limit.
        start = max(self._free, now - 1.0)
        self._free = start + units / self._rate
        return max(0.0, start - now)


class Limits:
    """The limits of one model. Everything here happens in the gateway's event loop."""

    def __init__(self, settings: ModelSettings) -> None:
        self._slots = asyncio.Semaphore(settings.max_connections)
        self._requests = Bucket(settings.requests_per_minute)
        self._tokens = Bucket(settings.tokens_per_minute)
        self._paused_until = 0.0

    def pause(self, seconds: float) -> None:
        """Hold back all calls of the model for ``seconds``, as its server asked of one."""
        self._paused_until = max(self._paused_until, time.monotonic() + seconds)

    async def admit(self, tokens: int) -> None:
        """Wait until a request of ``tokens`` may be sent."""
        wait = max(self._requests.delay(1), self._tokens.delay(tokens))
        if wait > 0:
            await asyncio.sleep(wait)
        while (wait := self._paused_until - time.monotonic()) > 0:
            await asyncio.sleep(wait)

    async def __aenter__(self) -> None:
        await self._slots.acquire()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._slots.release()
