"""The processors of this machine. Imports only the standard library."""

from __future__ import annotations

import os


def processor_count() -> int:
    """Return how many processors this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):  # not on macOS
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
