"""A background thread with an event loop, started on first use."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class _Errand(Generic[T]):
    """A coroutine and the future of its result."""

    __slots__ = ("coroutine", "future", "task")

    def __init__(self, coroutine: Coroutine[Any, Any, T]) -> None:
        self.coroutine = coroutine
        self.future: Future[T] = Future()
        self.task: asyncio.Task[None] | None = None

    async def carry(self) -> None:
        """Run the coroutine to its end and settle the future."""
        try:
            result = await self.coroutine
        except asyncio.CancelledError:
            self.future.set_exception(RuntimeError("the call was cancelled: its run has ended"))
            raise
        except BaseException as error:
            self.future.set_exception(error)
        else:
            self.future.set_result(result)
        finally:
            self.task = None  # it refers to this errand: prompts would wait for the collector


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
        """Run ``coroutine`` to its end and return its result; other threads may do the same.

        Raises `RuntimeError` in the event loop itself, which would wait for ever.
        """
        if threading.current_thread() is self._thread:
            coroutine.close()
            raise RuntimeError("a coroutine of the event loop must not wait for another one")
        errand = self._sent(coroutine)
        try:
            return errand.future.result()
        except BaseException:
            self._cancel(errand)  # an interrupted caller leaves no call
            raise

    def submit(self, coroutine: Coroutine[Any, Any, T]) -> Future[T]:
        """Begin to run ``coroutine`` and return the future of its result."""
        return self._sent(coroutine).future

    def _sent(self, coroutine: Coroutine[Any, Any, T]) -> _Errand[T]:
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
        return errand

    def _cancel(self, errand: _Errand[Any]) -> None:
        def cancel() -> None:
            if errand.task is not None:
                errand.task.cancel()

        with self._lock:
            if self._loop is not None and not errand.future.done():
                self._loop.call_soon_threadsafe(cancel)

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
                loop = asyncio.new_event_loop()
                thread = threading.Thread(target=loop.run_forever, name=self._name, daemon=True)
                try:
                    thread.start()
                except BaseException:
                    loop.close()
                    raise
                self._loop, self._thread = loop, thread
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


async def _ended(last: Callable[[], Awaitable[None]]) -> None:
    current = asyncio.current_task()
    others = [task for task in asyncio.all_tasks() if task is not current]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await last()
    await asyncio.get_running_loop().shutdown_asyncgens()
