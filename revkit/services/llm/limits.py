"""Limits of a model: calls in flight, requests and tokens a minute, pauses that the server
requests.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from types import TracebackType

from revkit.model_settings import ModelSettings

# Open files of a run besides its connections: records, store, reports, modules that are imported.
_OTHER_FILES = 32
# Answers, in rounds of all calls in flight, until half of the connections have become all again.
_ROUNDS = 16


class Bucket:
    """Admits ``per_minute`` units a minute, with at most the units of one second at once.

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
        """Reserve ``units`` and return the seconds until they may be used."""
        if self._rate is None:
            return 0.0
        now = self._clock()
        # Unused time is worth a second at most: a burst after a pause would break the limit.
        start = max(self._free, now - 1.0)
        self._free = start + units / self._rate
        return max(0.0, start - now)


class Slots:
    """At most ``most`` calls in flight, temporarily fewer if the server is overloaded.

    `eased` halves what is allowed, once for all calls that were in flight together; each answer
    gives a part of it back (additive increase, multiplicative decrease: Chiu and Jain 1989,
    "Analysis of the increase and decrease algorithms for congestion avoidance").
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._allowed = float(most)
        self._taken = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._eased_at = float("-inf")

    @property
    def allowed(self) -> int:
        """The number of calls that may be in flight now."""
        return int(self._allowed)

    async def take(self) -> None:
        """Wait for a slot; waiting calls are served in order."""
        if self._taken < int(self._allowed) and not self._waiting:
            self._taken += 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # the slot came, and nobody is there to use it
                self.give()
            raise

    def give(self) -> None:
        """Release a slot."""
        self._taken -= 1
        self._wake()

    def eased(self, started: float) -> None:
        """Halve the number of slots, because a call sent at ``started`` found the server
        overloaded.
        """
        if started > self._eased_at:
            self._eased_at = time.monotonic()
            self._allowed = max(1.0, self._allowed / 2)

    def answered(self) -> None:
        """Restore a part of the slots that were taken away."""
        if self._allowed < self._most:
            step = self._most / (2 * _ROUNDS * self._allowed)
            self._allowed = min(float(self._most), self._allowed + step)
            self._wake()

    def _wake(self) -> None:
        while self._waiting and self._taken < int(self._allowed):
            turn = self._waiting.popleft()
            if not turn.done():
                self._taken += 1
                turn.set_result(None)


def most_connections() -> int | None:
    """Return how many connections the limit of open files of this process allows (at least 1); None
    if there is no limit.
    """
    try:
        import resource
    except ImportError:  # Windows
        return None
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if most == resource.RLIM_INFINITY else max(1, most - _OTHER_FILES)


class Limits:
    """The limits of one model. All methods run in the gateway's event loop."""

    def __init__(self, settings: ModelSettings) -> None:
        possible = most_connections() or settings.max_connections
        self.slots = Slots(min(settings.max_connections, possible))
        self._requests = Bucket(settings.requests_per_minute)
        self._tokens = Bucket(settings.tokens_per_minute)
        self._paused_until = 0.0

    def pause(self, seconds: float) -> None:
        """Delay all calls of the model for ``seconds``, as its server requested."""
        self._paused_until = max(self._paused_until, time.monotonic() + seconds)

    async def admit(self, tokens: int) -> None:
        """Wait until a request of ``tokens`` may be sent."""
        wait = max(self._requests.delay(1), self._tokens.delay(tokens))
        if wait > 0:
            await asyncio.sleep(wait)
        while (wait := self._paused_until - time.monotonic()) > 0:
            await asyncio.sleep(wait)

    async def __aenter__(self) -> None:
        await self.slots.take()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.slots.give()
