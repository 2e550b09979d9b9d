"""Request JSON from a service, with a limited number of retries."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from dataclasses import field
from typing import Any
from urllib.parse import urlencode

from revkit.dataclass import dataclass
from revkit.http.client import HttpError, Request, exchange
from revkit.http.delays import Backoff, Pace, retry_after
from revkit.http.secret_mask import Mask
from revkit.http.values import one_line, read_json
from revkit.model.review import FailureKind

_LATER = (408, 425, 429, 500, 502, 503, 504)
_PACE = Pace()


class AskError(Exception):
    """No usable reply: the kind and the masked text of the `Failure`.

    ``again`` says whether another try may help, ``after`` how many seconds to wait the server
    asked for.
    """

    def __init__(
        self, kind: FailureKind, detail: str, *, again: bool = False, after: float | None = None
    ) -> None:
        self.kind: FailureKind = kind
        self.detail = detail
        self.again = again
        self.after = after
        super().__init__(detail)


@dataclass(frozen=True)
class Patience:
    """Limits: seconds of one attempt, number of attempts, the longest wait between two, requests
    each second.

    ``later`` are further statuses that mean "try again later", ``most`` the bytes of one reply.
    """

    timeout: float
    attempts: int
    longest_wait: float
    per_second: float
    later: tuple[int, ...] = ()
    most: int = 20_000_000


@dataclass(frozen=True)
class Query:
    """A GET request for JSON. ``secret`` must not appear in a message or in the reply."""

    url: str
    parameters: Mapping[str, str]
    headers: Mapping[str, str] = field(default_factory=dict)
    secret: str = ""


def ask(query: Query, patience: Patience, rng: random.Random) -> Any:
    """Return the JSON reply of the service, masked. Raises `AskError` if there is none.

    Replies that mean "later" (429, 5xx, no answer) are asked for again after the time that the
    server names in ``Retry-After``, or after a time that doubles from one second, with jitter.
    A server that asks for more patience than allowed is not asked again. No redirect is followed.
    """
    mask = Mask([query.secret])
    backoff = Backoff(1.0, patience.longest_wait)
    tries = 0
    while True:
        tries += 1
        _PACE.wait(query.url, patience.per_second)
        try:
            return _once(query, patience, mask)
        except AskError as error:
            if not error.again:
                raise
            pause = backoff.pause(tries, error.after, rng.random())
            if pause is None:
                raise AskError(
                    error.kind,
                    f"{error.detail}; the server asks to wait {error.after:.0f} s, but at most "
                    f"{patience.longest_wait:g} s are allowed",
                ) from None
            if tries == patience.attempts:
                count = f" ({tries} tries)" if tries > 1 else ""
                raise AskError(error.kind, error.detail + count) from None
        time.sleep(pause)


def _once(query: Query, patience: Patience, mask: Mask) -> Any:
    headers = {"Accept": "application/json", **query.headers}
    request = Request("GET", f"{query.url}?{urlencode(query.parameters)}", headers)
    try:
        response = exchange(request, timeout=patience.timeout, most=patience.most)
    except HttpError as error:
        again = error.fault in ("timeout", "broken", "unreachable")
        raise AskError(error.kind, one_line(mask(error.detail)), again=again) from None
    if response.status == 200:
        try:
            return mask.json(read_json(response.body))
        except ValueError:
            start = one_line(mask(response.body[:200].decode("utf-8", "replace")))
            # A page of a proxy or of an overloaded server: another try may find the service.
            raise AskError("unparseable", f"the reply is not JSON: {start!r}", again=True) from None
    said = one_line(mask(_message(response.body)))
    raise AskError(
        "provider",
        f"status {response.status}: {said}".removesuffix(": "),
        again=response.status in (*_LATER, *patience.later),
        after=retry_after(response.headers),
    )


def _message(body: bytes) -> str:
    """Return the error message of a service: in JSON under "error" or "message", else its first
    words.
    """
    text = body[:2000].decode("utf-8", "replace")
    try:
        value = read_json(text)
    except ValueError:
        return text
    if isinstance(value, Mapping):
        parts = [value.get(key) for key in ("error", "message")]
        return "; ".join(part for part in parts if isinstance(part, str))
    return text
