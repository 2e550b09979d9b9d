"""How many calls at once, how often again, and how long to wait in between."""

from __future__ import annotations

import random
import re
import threading
from dataclasses import dataclass
from typing import Any, get_args

from revkit.http import Backoff
from revkit.model.review import FailureKind
from revkit_external.grammar import Place

_SLOTS: dict[tuple[str, int], threading.BoundedSemaphore] = {}
_LOCK = threading.Lock()
_REASON = re.compile(r"(?:exit|status):\d{1,3}|signal:\d{1,2}")


def slots(key: str, count: int) -> threading.BoundedSemaphore:
    """The semaphore that all agents with the same ``key`` share."""
    with _LOCK:
        return _SLOTS.setdefault((key, count), threading.BoundedSemaphore(count))


@dataclass(frozen=True)
class Retry:
    """``most`` further tries on the ``reasons`` named: kinds of failure, "exit:5", "signal:9",
    "status:503". The wait doubles from ``backoff`` seconds up to ``longest``."""

    most: int = 0
    reasons: tuple[str, ...] = ()
    backoff: float = 1.0
    longest: float = 60.0

    def again(self, tries: int, reasons: tuple[str, ...]) -> bool:
        """Whether to try again after ``tries`` tries, of which the last failed for ``reasons``."""
        return tries <= self.most and any(reason in self.reasons for reason in reasons)

    def wait(self, tries: int, asked: float | None) -> float | None:
        """Seconds to wait before the next try: what the server asked for, or the backoff with
        jitter. None where the server asks for more than ``longest``."""
        return Backoff(self.backoff, self.longest).pause(
            tries,
            asked,
            random.random(),  # changes no result
        )


def parse_retry(value: Any, place: Place) -> Retry:
    """Read ``retry: {max, on, backoff, longest}``."""
    if value is None:
        return Retry()
    keys = place.mapping(value, ("max", "on", "backoff", "longest"))
    reasons = (place / "on").words(keys.get("on", ["timeout", "provider"]))
    for reason in reasons:
        if not _REASON.fullmatch(reason):
            (place / "on").choice(reason, (*get_args(FailureKind), "exit:1", "status:503"))
    return Retry(
        (place / "max").whole(keys.get("max", 2)),
        reasons,
        (place / "backoff").number(keys.get("backoff", 1.0), 0.0),
        (place / "longest").number(keys.get("longest", 60.0), 0.0),
    )
