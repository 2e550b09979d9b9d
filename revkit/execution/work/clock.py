"""The seconds that each agent took for its reviews."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from revkit.model.values import Json
from revkit.spec import AgentStep


class ReviewClock:
    """Counts the reviews that this process computed, and their seconds, by agent.

    Seconds are those between request and answer, with waiting for a service, a lock or another
    thread; so they belong to this run on this machine, and no record or table holds them. Reviews
    from the store and from other processes do not count.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[tuple[int, ...], tuple[int, float]] = {}

    @contextmanager
    def timing(self, step: AgentStep) -> Iterator[None]:
        """Add the time of the body to the agent of ``step`` with its defenses."""
        start = time.perf_counter()
        try:
            yield
        finally:
            seconds = time.perf_counter() - start
            with self._lock:
                count, total = self._counts.get(_key(step), (0, 0.0))
                self._counts[_key(step)] = count + 1, total + seconds

    def to_json(self, steps: Mapping[str, AgentStep]) -> dict[str, Json]:
        """The reviews and seconds of each of ``steps`` that computed a review, by name."""
        found: dict[str, Json] = {}
        with self._lock:
            for name, step in steps.items():
                count, total = self._counts.get(_key(step), (0, 0.0))
                if count:
                    found[name] = {"reviews": count, "seconds": round(total, 3)}
        return found


def _key(step: AgentStep) -> tuple[int, ...]:
    return (id(step.component), *map(id, step.defenses))
