"""The order in which pages choose what they show of several groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


def in_turns(queues: Sequence[Sequence[T]]) -> Iterator[T]:
    """Yield the first element of each queue, then the second of each, and so on."""
    for i in range(max(map(len, queues), default=0)):
        for queue in queues:
            if i < len(queue):
                yield queue[i]
