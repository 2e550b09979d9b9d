"""A pool of threads that compute items, and are abandoned after a deadline.

Python cannot end a thread. One that passes its deadline is left alone as a daemon: its result no
longer counts, another thread takes its place, and the process does not wait for it at its end.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from types import TracebackType
from typing import Generic, TypeVar

from revkit.errors import RunError

T = TypeVar("T")
_Work = Callable[[], T]


class Pool(Generic[T]):
    """A pool of ``workers`` threads. As a context manager it waits at its end for the running
    tasks, at most ``deadline`` seconds for each. No task begins once ``stop`` is set.
    """

    def __init__(self, workers: int, deadline: float, stop: threading.Event | None = None) -> None:
        self._deadline = deadline
        self._stop = stop or threading.Event()
        self._most = workers
        self._threads = 0
        self._abandoned = 0
        self._tasks: SimpleQueue[tuple[Future[T], _Work[T], bool] | None] = SimpleQueue()
        self._lock = threading.Condition()
        self._open: set[Future[T]] = set()
        self._running: dict[Future[T], float] = {}

    def submit(self, work: _Work[T], *, limited: bool = True) -> Future[T]:
        """Compute ``work`` in a thread; the deadline applies only if it is ``limited``."""
        future: Future[T] = Future()
        with self._lock:
            self._open.add(future)
            if self._threads - self._abandoned < self._most:
                self._start()
        self._tasks.put((future, work, limited))
        return future

    def overdue(self) -> list[Future[T]]:
        """Abandon the tasks that passed the deadline, and return them; they never get a result."""
        latest = time.monotonic() - self._deadline
        with self._lock:
            late = [future for future, since in self._running.items() if since < latest]
            for future in late:
                self._leave(future)
                self._abandoned += 1
                self._start()
        return late

    def cancel(self) -> None:
        """Cancel the tasks that no thread has started."""
        with self._lock:
            waiting = [future for future in self._open if future.cancel()]
            self._open.difference_update(waiting)
            self._lock.notify_all()

    def __enter__(self) -> Pool[T]:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        while True:
            self.overdue()
            with self._lock:
                if not self._open:
                    break
                self._lock.wait(timeout=1.0)
        for _ in range(self._threads):
            self._tasks.put(None)

    def _start(self) -> None:
        """Start a thread. Where the system has none left, the others do its work."""
        name = f"revkit_{self._threads + 1}"
        try:
            threading.Thread(target=self._work, name=name, daemon=True).start()
        except (RuntimeError, MemoryError) as error:
            if self._threads > self._abandoned:
                return
            self._open.clear()  # nobody will compute them
            raise RunError(
                f"the system starts no thread ({error}): raise the limit of memory or of "
                "processes, and run the same command again; all answers are stored"
            ) from error
        self._threads += 1

    def _leave(self, future: Future[T]) -> None:
        self._running.pop(future, None)
        self._open.discard(future)
        self._lock.notify_all()

    def _work(self) -> None:
        """Compute tasks until there are no more.

        Where the system has no memory left for the loop itself, the thread ends: its task gets the
        error, and so do the waiting ones if no other thread is left.
        """
        task: tuple[Future[T], _Work[T], bool] | None = None
        try:
            while (task := self._tasks.get()) is not None and self._compute(*task):
                task = None
        except MemoryError as error:
            with self._lock:
                self._abandoned += 1
                lost = [] if task is None else [task[0]]
                if self._abandoned >= self._threads:
                    lost += [each for each in self._open if not each.running()]
                for future in dict.fromkeys(lost):
                    if not future.done():
                        future.set_exception(error)
                    self._leave(future)

    def _compute(self, future: Future[T], work: _Work[T], limited: bool) -> bool:
        """Compute one task; return whether this thread goes on."""
        with self._lock:
            if self._stop.is_set() and future.cancel():
                self._leave(future)
                return True
            if future not in self._open or not future.set_running_or_notify_cancel():
                return True
            if limited:
                self._running[future] = time.monotonic()
        result: T | None = None
        error: BaseException | None = None
        try:
            result = work()
        except BaseException as raised:  # handed on to whoever asks for the result
            error = raised
        with self._lock:
            if future not in self._open:
                return False  # given up, and another thread is in its place
            self._running.pop(future, None)
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type]
        with self._lock:
            self._leave(future)
        return True
