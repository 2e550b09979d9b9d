"""Waiting times: ``Retry-After``, pauses between attempts, and request rates for each host."""

from __future__ import annotations

import email.utils
import re
import threading
import time
from collections.abc import Mapping
from datetime import UTC
from urllib.parse import urlsplit

from revkit.dataclass import dataclass

LONGEST_RETRY_AFTER = 366 * 86400.0
"""Seconds; a server that asks for more is read as if it asked for this."""

_SECONDS = re.compile(r"[0-9]{1,12}(?:\.[0-9]{0,9})?")
_LONGEST_DATE = 100


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Return the seconds from ``now`` (the clock's seconds) that the server asks to wait; None if
    it states none.

    Read are ``retry-after-ms`` and ``Retry-After`` as whole or decimal seconds or as a date
    (RFC 9110, section 10.2.3). A date without a zone is GMT, a moment that has passed is 0, and
    what cannot be read, such as a zone of many years, is ignored.
    """
    lower = {str(name).lower(): str(value).strip() for name, value in headers.items()}
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = lower.get(name, "")
        if _SECONDS.fullmatch(value):
            return min(float(value) / unit, LONGEST_RETRY_AFTER)
    try:
        moment = email.utils.parsedate_to_datetime(lower.get("retry-after", "")[:_LONGEST_DATE])
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        seconds = moment.timestamp() - (time.time() if now is None else now)
    except (ValueError, TypeError, OverflowError):
        return None
    return min(max(0.0, seconds), LONGEST_RETRY_AFTER)


@dataclass(frozen=True)
class Backoff:
    """Pauses between attempts: ``first`` seconds, doubled with each attempt, up to ``longest``."""

    first: float
    longest: float

    def pause(self, tries: int, requested: float | None, share: float) -> float | None:
        """Return the seconds to wait after ``tries`` attempts; None if the server asked for more
        than ``longest``.

        ``share`` is a random number from 0 to 1. It takes up to half off the pause, or, where the
        server asked for a time, adds up to a tenth of the pause to that time.
        """
        pause = min(self.first * 2.0 ** min(tries - 1, 30), self.longest) * (0.5 + 0.5 * share)
        if requested is None:
            return pause
        return requested + 0.1 * pause if requested <= self.longest else None


class Pace:
    """Limits the request rate of all threads of this process at each host."""

    def __init__(self) -> None:
        self._next: dict[str, float] = {}
        self._lock = threading.Lock()

    def wait(self, url: str, per_second: float) -> None:
        """Wait for the next turn at the host of ``url``, with at most ``per_second`` turns a
        second.
        """
        host = urlsplit(url).netloc
        with self._lock:
            now = time.monotonic()
            turn = max(now, self._next.get(host, 0.0))
            self._next[host] = turn + 1.0 / per_second
        if turn > now:
            time.sleep(turn - now)
