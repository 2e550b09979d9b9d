"""Processor time of a call, as tests of growth and of hostile input compare it with a limit."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable


def cpu_seconds(work: Callable[[], object], limit: float = 0.0, tries: int = 3) -> float:
    """Return the least processor time of this thread over up to ``tries`` calls of ``work``.

    A call within ``limit`` is the last one. The garbage collector is off meanwhile: one pass over
    the objects of all earlier tests takes up to a second.
    """
    least = float("inf")
    enabled = gc.isenabled()
    gc.disable()
    try:
        for _ in range(tries):
            started = time.thread_time()
            work()
            least = min(least, time.thread_time() - started)
            if least <= limit:
                break
    finally:
        if enabled:
            gc.enable()
    return least
