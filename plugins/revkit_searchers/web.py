"""Asking a service for JSON over HTTP, by the standard library: bounded in every respect.

Each try has one deadline for all of it, however slowly bytes drip. Replies that mean "later" (429,
5xx, no answer) are asked for again after the time that the server names in ``Retry-After``, or
after a time that doubles from one second, with jitter; a server that asks for more patience than
allowed is not asked again. Redirects are not followed, since a key may be in the request. Proxies
are those of the environment (``HTTPS_PROXY``, ``NO_PROXY``).
"""

from __future__ import annotations

import contextlib
import email.utils
import http.client
import json
import random
import socket
import ssl
import threading
import time
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote, quote_plus, urlencode, urlsplit

from revkit.model.review import FailureKind
from revkit_searchers.cleaning import plain

_CHUNK = 65536
_MOST_BYTES = 20_000_000
_MOST_TOLD = 200
_LATER = (408, 425, 429, 500, 502, 503, 504)
_LOCAL = ("localhost", "127.0.0.1", "::1")
_NEXT: dict[str, float] = {}
_PACING = threading.Lock()


class WebError(Exception):
    """No usable reply: the kind and text of the `Failure`."""

    def __init__(self, kind: FailureKind, detail: str) -> None:
        self.kind: FailureKind = kind
        self.detail = detail
        super().__init__(detail)


class _LaterError(Exception):
    """Worth another try, after ``wait`` seconds where the server says so."""

    def __init__(self, kind: FailureKind, detail: str, wait: float | None = None) -> None:
        self.kind: FailureKind = kind
        self.detail = detail
        self.wait = wait
        super().__init__(detail)


@dataclass(frozen=True)
class Patience:
    """Bounds: seconds of one try, tries, the longest wait between two, requests each second.

    ``later`` are further statuses that mean "later".
    """

    timeout: float
    attempts: int
    longest_wait: float
    per_second: float
    later: tuple[int, ...] = ()


@dataclass(frozen=True)
class Request:
    """A GET for JSON. ``secret`` is what no message may show."""

    url: str
    parameters: Mapping[str, str]
    headers: Mapping[str, str] = field(default_factory=dict)
    secret: str = ""

    def masked(self, text: str) -> str:
        """``text`` in plain form without the secret, as it is and as an address writes it."""
        for form in {self.secret, quote(self.secret, safe=""), quote_plus(self.secret)} - {""}:
            text = text.replace(form, "***")
        return plain(text, _MOST_TOLD)


def address_problem(url: str) -> str:
    """Why ``url`` cannot be the address of a service; "" where it can."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        _ = parts.port
    except ValueError as error:
        return f"{url!r} is no address: {error}"
    if parts.scheme not in ("http", "https") or not host or parts.query or parts.username:
        return f"{url!r} is no address of a service, such as https://example.org/v1"
    if parts.scheme == "http" and host not in _LOCAL:
        return "an address other than this machine's own begins with https://"
    return ""


def ask(request: Request, patience: Patience, rng: random.Random) -> object:
    """Return the JSON that the service answers; raise `WebError` where it gives none in the end."""
    for attempt in range(1, patience.attempts + 1):
        _pace(request.url, patience.per_second)
        try:
            return _once(request, patience)
        except _LaterError as error:
            asked = error.wait
            told = error.detail
            if asked is not None and asked > patience.longest_wait:
                raise WebError(
                    error.kind,
                    f"{told}; it asks to wait {asked:.0f} s, and {patience.longest_wait:g} s is "
                    "the longest allowed",
                ) from None
            if attempt == patience.attempts:
                tries = f" ({attempt} tries)" if attempt > 1 else ""
                raise WebError(error.kind, told + tries) from None
        time.sleep(_wait(attempt, asked, patience.longest_wait, rng))
    raise AssertionError("there is at least one try")


def _wait(attempt: int, asked: float | None, longest: float, rng: random.Random) -> float:
    """Never less than the server asks; else 1 s, 2 s, 4 s ..., a random half of it taken off."""
    if asked is not None:
        return asked + 0.1 * rng.random()
    return float(min(longest, 2.0 ** min(attempt - 1, 10)) * (0.5 + 0.5 * rng.random()))


def _pace(url: str, per_second: float) -> None:
    """Wait for this process's next turn at the host of ``url``."""
    host = urlsplit(url).netloc
    with _PACING:
        now = time.monotonic()
        turn = max(now, _NEXT.get(host, 0.0))
        _NEXT[host] = turn + 1.0 / per_second
    if turn > now:
        time.sleep(turn - now)


def _once(request: Request, patience: Patience) -> object:
    deadline = time.monotonic() + patience.timeout
    try:
        status, headers, body = _exchange(request, deadline)
    except TimeoutError:
        raise _LaterError("timeout", f"no answer in {patience.timeout:g} s") from None
    except ssl.SSLCertVerificationError as error:
        told = request.masked(f"the server's certificate is not trusted ({error.verify_message})")
        raise WebError("provider", told) from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        told = request.masked(f"{type(error).__name__}: {error}")
        raise _LaterError("provider", f"the exchange broke off ({told})") from None
    if status == 200:
        try:
            value: object = json.loads(body.decode("utf-8"))
        except (ValueError, RecursionError):
            start = request.masked(body[:200].decode("utf-8", "replace"))
            # A page of a proxy or of an overloaded server: another try may find the service.
            raise _LaterError("unparseable", f"the reply is no JSON: {start!r}") from None
        return value
    told = f"status {status}: {request.masked(_message(body))}".removesuffix(": ")
    if status in (*_LATER, *patience.later):
        raise _LaterError("provider", told, _retry_after(headers))
    raise WebError("provider", told)


def _exchange(request: Request, deadline: float) -> tuple[int, Mapping[str, str], bytes]:
    sockets: list[socket.socket] = []
    url = f"{request.url}?{urlencode(request.parameters)}"
    headers = {"Accept": "application/json", "User-Agent": "revkit", **request.headers}
    question = urllib.request.Request(url, headers=headers)
    left = deadline - time.monotonic()
    over = threading.Timer(left, _hang_up, [sockets])
    over.daemon = True
    over.start()
    body = bytearray()
    try:
        with _opener(request.url, sockets).open(question, timeout=max(0.001, left)) as response:
            while part := response.read1(_CHUNK):
                body += part
                if len(body) > _MOST_BYTES:
                    raise WebError("truncated", f"the reply has more than {_MOST_BYTES:,} bytes")
            if response.length:
                raise http.client.IncompleteRead(bytes(body), response.length)
            found = {name.lower(): value for name, value in response.getheaders()}
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)  # urllib wraps what happened
        if time.monotonic() >= deadline or isinstance(reason, TimeoutError):
            raise TimeoutError from None
        raise reason if isinstance(reason, OSError) else error from None
    finally:
        over.cancel()
    if time.monotonic() >= deadline:  # a body that was cut there may look whole
        raise TimeoutError
    return response.status, found, bytes(body)


def _hang_up(sockets: list[socket.socket]) -> None:
    for each in sockets:
        with contextlib.suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)


def _opener(url: str, sockets: list[socket.socket]) -> urllib.request.OpenerDirector:
    """What opens addresses: it notes its sockets, and lets every status through as it is."""

    class Plain(http.client.HTTPConnection):
        def connect(self) -> None:
            super().connect()
            sockets.append(self.sock)

    class Secure(http.client.HTTPSConnection):
        def connect(self) -> None:
            super().connect()
            sockets.append(self.sock)

    class PlainHandler(urllib.request.HTTPHandler):
        def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
            return self.do_open(Plain, req)

    class SecureHandler(urllib.request.HTTPSHandler):
        def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
            return self.do_open(Secure, req, context=ssl.create_default_context())

    opener = urllib.request.OpenerDirector()
    local = urlsplit(url).hostname in _LOCAL
    opener.add_handler(urllib.request.ProxyHandler({} if local else None))
    opener.add_handler(PlainHandler())
    opener.add_handler(SecureHandler())
    return opener


def _message(body: bytes) -> str:
    """What a service says of an error: in JSON under "error" or "message", else its first words."""
    text = body[:2000].decode("utf-8", "replace")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if isinstance(value, Mapping):
        parts = [value.get(key) for key in ("error", "message")]
        return "; ".join(part for part in parts if isinstance(part, str))
    return text


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, given as a number or a date; None where the server does not say."""
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.replace(".", "", 1).isdigit():
        return float(text[:12])
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
