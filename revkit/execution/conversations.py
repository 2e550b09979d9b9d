"""Items that only wait for language models: coroutines in the event loop of the calls.

A thread for each of them would take longer than its work, because threads take turns.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, wait
from typing import Any, Generic, TypeVar

from revkit.services.llm import ModelGateway

T = TypeVar("T")


class Conversations(Generic[T]):
    """At most ``most`` coroutines at once in the event loop of ``gateway``. None begins once
    ``stop`` is set.
    """

    def __init__(self, gateway: ModelGateway, most: int, stop: threading.Event) -> None:
        self._gateway = gateway
        self._turns = asyncio.Semaphore(most)
        self._stop = stop
        self._open: set[Future[T]] = set()

    def submit(self, begin: Callable[[], Coroutine[Any, Any, T]]) -> Future[T]:
        """Run the coroutine that ``begin`` returns, when it has its turn."""
        future: Future[T] = Future()
        self._open.add(future)
        future.add_done_callback(self._open.discard)
        self._gateway.begin(self._carry(future, begin))
        return future

    async def _carry(self, future: Future[T], begin: Callable[[], Coroutine[Any, Any, T]]) -> None:
        try:
            async with self._turns:
                if self._stop.is_set():
                    future.cancel()
                if not future.set_running_or_notify_cancel():
                    return
                result = await begin()
        except BaseException as error:  # handed on to whoever asks for the result
            if not future.cancelled():
                future.set_exception(error)
            if isinstance(error, asyncio.CancelledError):
                raise
        else:
            future.set_result(result)

    def cancel(self) -> None:
        """Cancel the coroutines that have not begun."""
        for future in list(self._open):
            future.cancel()

    def wait(self) -> None:
        """Wait for all that were submitted."""
        wait(list(self._open))
