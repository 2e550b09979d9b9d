"""The pool of threads: a thread that has no memory left leaves no task waiting."""

from __future__ import annotations

import time
from concurrent.futures import Future

import pytest

from revkit.execution import pool as module
from revkit.execution.pool import Pool


def test_tasks_of_a_thread_without_memory_get_the_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Clock:
        left = 2

        @classmethod
        def monotonic(cls) -> float:
            cls.left -= 1
            if cls.left < 0:
                raise MemoryError
            return time.monotonic()

    with Pool[int](1, 60.0) as pool:
        monkeypatch.setattr(module, "time", Clock)
        futures: list[Future[int]] = [pool.submit(lambda: 7) for _ in range(4)]
        found = [future.exception(timeout=10) for future in futures]
        monkeypatch.undo()
    assert [type(each) for each in found] == [type(None)] * 2 + [MemoryError] * 2


def test_other_threads_do_the_waiting_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    class Clock:
        calls = 0

        @classmethod
        def monotonic(cls) -> float:
            cls.calls += 1
            if cls.calls == 1:
                raise MemoryError
            return time.monotonic()

    with Pool[int](2, 60.0) as pool:
        monkeypatch.setattr(module, "time", Clock)
        futures = [pool.submit(lambda: 7) for _ in range(6)]
        found = [future.exception(timeout=10) for future in futures]
        monkeypatch.undo()
    assert sorted(type(each).__name__ for each in found) == ["MemoryError"] + ["NoneType"] * 5
