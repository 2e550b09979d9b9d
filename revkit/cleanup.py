"""What must be undone when the process ends at once: programs that run, and folders of calls."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator

_LONGEST = 4.0


class Cleanup:
    """The actions that undo what runs now.

    After `run`, no thread leaves a `held` block or a `release`: what it would report of a program
    that was killed here is not a result.
    """

    def __init__(self) -> None:
        # Reentrant: a signal handler may interrupt its own thread inside of the lock.
        self._lock = threading.RLock()
        self._actions: dict[object, tuple[bool, Callable[[], object]]] = {}

    def hold(self, action: Callable[[], object], *, last: bool = False) -> object:
        """Register an action, and return the key for `release`. Those with ``last`` run after all
        others: folders are removed after the programs that write into them.
        """
        key = object()
        with self._lock:
            self._actions[key] = (last, action)
        return key

    def release(self, key: object) -> None:
        """Drop an action; a key that is not known is ignored."""
        with self._lock:
            self._actions.pop(key, None)

    @contextlib.contextmanager
    def held(self, action: Callable[[], object], *, last: bool = False) -> Iterator[None]:
        """Register an action for as long as the block runs."""
        key = self.hold(action, last=last)
        try:
            yield
        finally:
            self.release(key)

    def run(self) -> None:
        """Run all actions, side by side and for a few seconds at most. Only for a process that ends
        right after: the lock is kept.
        """
        self._lock.acquire()
        actions = list(self._actions.values())
        for last in (False, True):
            _run_all([action for late, action in actions if late is last])


def _run_all(actions: list[Callable[[], object]]) -> None:
    threads = [threading.Thread(target=_quiet, args=(each,), daemon=True) for each in actions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(_LONGEST)


def _quiet(action: Callable[[], object]) -> None:
    with contextlib.suppress(Exception):
        action()


CLEANUP = Cleanup()
