"""Limits on concurrent calls, retries, and the waiting time between them."""

from __future__ import annotations

import random
import re
import threading
from typing import get_args

from revkit.dataclass import dataclass
from revkit.errors import OptionError
from revkit.http import Backoff
from revkit.model.review import FailureKind
from revkit.options import option, unknown_name
from revkit_external.grammar import words

_SLOTS: dict[tuple[str, int], threading.BoundedSemaphore] = {}
_LOCK = threading.Lock()
_REASON = re.compile(r"(?:exit|status):\d{1,3}|signal:\d{1,2}")


def slots(key: str, count: int) -> threading.BoundedSemaphore:
    """Return the semaphore that all agents with the same ``key`` share."""
    with _LOCK:
        return _SLOTS.setdefault((key, count), threading.BoundedSemaphore(count))


@dataclass(frozen=True)
class Retry:
    """Retries: their number, and the failures to which they apply. The wait doubles from
    ``backoff`` seconds up to ``longest``.
    """

    max: int = option(2, help="Maximum number of retries.", minimum=0)
    on: str | tuple[str, ...] = option(
        ("timeout", "provider"),
        help="Failures that are retried: kinds of failure, exit:N, signal:N and status:N.",
        nonempty=True,
    )
    backoff: float = option(1.0, help="Seconds before the first retry.", minimum=0)
    longest: float = option(60.0, help="Maximum seconds between two attempts.", minimum=0)

    def __post_init__(self) -> None:
        known = (*get_args(FailureKind), "exit:1", "status:503")
        problems = [
            ("on", unknown_name("value", reason, known))
            for reason in words(self.on)
            if not _REASON.fullmatch(reason) and reason not in known
        ]
        if problems:
            raise OptionError("", problems)

    def again(self, tries: int, reasons: tuple[str, ...]) -> bool:
        """Return whether to retry after ``tries`` attempts, of which the last failed for
        ``reasons``.
        """
        return tries <= self.max and any(reason in words(self.on) for reason in reasons)

    def wait(self, tries: int, asked: float | None) -> float | None:
        """Return the seconds to wait before the next attempt: the time that the server requested,
        or the backoff with jitter. None if the server requests more than ``longest``.
        """
        return Backoff(self.backoff, self.longest).pause(
            tries,
            asked,
            random.random(),  # changes no result
        )
