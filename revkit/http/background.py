"""A background thread with an event loop, started on first use."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from contextvars import ContextVar
from functools import partial
from typing import Any, Generic, TypeVar, cast

T = TypeVar("T")


class _Errand(Generic[T]):
    """A coroutine for which a thread waits. It uses a bare lock, because futures cost a tenth more
    for each call.
    """

    __slots__ = ("coroutine", "done", "error", "rest", "result", "task")

    def __init__(self, coroutine: Coroutine[Any, Any, T]) -> None:
        self.coroutine = coroutine
        self.task: asyncio.Task[None] | None = None
        self.result: T | None = None
        self.error: BaseException | None = None
        self.rest: Callable[[], T] | None = None  # what the waiting thread does itself
        self.done = threading.Lock()
        self.done.acquire()

    async def carry(self) -> None:
        """Run the coroutine and release the waiting thread."""
        _CURRENT.set(self)
        try:
            self.result = await self.coroutine
        except BaseException as error:
            self.error = error
            if isinstance(error, asyncio.CancelledError):
                self.error = RuntimeError("the call was cancelled: its run has ended")
                raise
        finally:
            self.task = None  # its context has this errand: prompts would wait for the collector
            if self.rest is None:
                self.done.release()


_CURRENT: ContextVar[_Errand[Any]] = ContextVar("errand")


async def finish_in_caller(work: Callable[[], T]) -> T:
    """Let the thread that waits for this coroutine in `Background.run` do ``work`` and take what
    comes of it as the result, and return when it has; nothing but a clean-up may follow.

    So an event loop is not blocked, and no other thread is woken. Raises what ``work`` raises, as
    `Background.run` does.
    """
    loop = asyncio.get_running_loop()
    errand = _CURRENT.get()
    ended: asyncio.Future[T] = loop.create_future()

    def done() -> T:
        try:
            result = work()
        except BaseException as error:
            _report(loop, ended, partial(ended.set_exception, error))
            raise
        _report(loop, ended, partial(ended.set_result, result))
        return result

    errand.rest = done
    errand.done.release()
    return await ended


def _report(
    loop: asyncio.AbstractEventLoop, ended: asyncio.Future[T], how: Callable[[], None]
) -> None:
    def settle() -> None:
        if not ended.done():  # else it was cancelled
            how()

    with suppress(RuntimeError):  # the loop has been closed meanwhile
        loop.call_soon_threadsafe(settle)


class Background:
    """Runs coroutines for other threads. `close` ends it; it must not be used afterwards."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._closed = False
        self._errands: deque[_Errand[Any]] = deque()
        self._called = False

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run ``coroutine`` to its end and return its result; other threads may do the same."""
        errand = _Errand(coroutine)
        try:
            loop = self._started()
            self._errands.append(errand)
            if not self._called:  # one wake-up serves all errands of a moment
                self._called = True
                loop.call_soon_threadsafe(self._begin)
        except BaseException:
            coroutine.close()
            raise
        try:
            errand.done.acquire()
        except BaseException:
            loop.call_soon_threadsafe(_cancel, errand)  # an interrupted caller leaves no call
            raise
        if errand.rest is not None:
            return errand.rest()
        if errand.error is not None:
            raise errand.error
        return cast(T, errand.result)

    def _begin(self) -> None:
        self._called = False
        loop = asyncio.get_running_loop()
        while self._errands:
            errand = self._errands.popleft()
            errand.task = loop.create_task(errand.carry())

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._closed:
                raise RuntimeError("the language models of this run are closed")
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(
                    target=self._loop.run_forever, name=self._name, daemon=True
                )
                self._thread.start()
            return self._loop

    def close(self, last: Callable[[], Awaitable[None]]) -> None:
        """Cancel running coroutines, await ``last()``, and end the thread."""
        with self._lock:
            self._closed = True
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
        if loop is None or thread is None:
            return
        try:
            asyncio.run_coroutine_threadsafe(_ended(last), loop).result(timeout=30)
        finally:
            loop.call_soon_threadsafe(loop.stop)
            thread.join(timeout=30)
            if not thread.is_alive():
                loop.close()


def _cancel(errand: _Errand[Any]) -> None:
    if errand.task is not None:
        errand.task.cancel()


async def _ended(last: Callable[[], Awaitable[None]]) -> None:
    current = asyncio.current_task()
    others = [task for task in asyncio.all_tasks() if task is not current]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await last()
    await asyncio.get_running_loop().shutdown_asyncgens()
