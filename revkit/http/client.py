"""The HTTP client: one exchange, with limits on every step and no redirect to another host.

aiohttp carries it. `Client` serves an event loop and keeps its connections; `exchange` serves
threads, one connection for each exchange.
"""

from __future__ import annotations

import asyncio
import functools
import io
import os
from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Literal
from urllib.parse import urljoin, urlsplit

from revkit.dataclass import dataclass
from revkit.http.background import Background
from revkit.http.values import one_line
from revkit.model.review import FailureKind

if TYPE_CHECKING:
    import aiohttp

Fault = Literal[
    "address",  # the URL is not the address of a server
    "unreachable",  # no connection was made, so that nothing can have been paid
    "certificate",  # the server's certificate is not trusted
    "broken",  # the connection broke, or what came was no HTTP
    "timeout",  # no complete answer in time
    "size",  # the answer is larger than allowed
    "redirect",  # a redirect to another host, or too many
]
MOST_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)
_LOCAL = ("localhost", "127.0.0.1", "::1")
_LARGE = 1 << 20  # bytes; aiohttp wants a larger body as a file


class HttpError(Exception):
    """A request without an answer: the fault, and a text that may contain words of the server (mask
    it).
    """

    def __init__(self, fault: Fault, detail: str) -> None:
        self.fault: Fault = fault
        self.detail = detail
        super().__init__(detail)

    @property
    def kind(self) -> FailureKind:
        """The kind of the `Failure` for this error."""
        if self.fault == "timeout":
            return "timeout"
        return "truncated" if self.fault == "size" else "provider"


@dataclass(frozen=True)
class Request:
    """A request. ``body`` is ready bytes; its type is in the headers. ``url`` is percent-encoded
    and sent unchanged.
    """

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None


@dataclass(frozen=True)
class Response:
    """A response, read to its end; the names of ``headers`` are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    url: str


def origin(url: str) -> tuple[str, str, int]:
    """Return scheme, host and port of ``url``. Raises `HttpError` ("address") if it has none."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise HttpError("address", f"{url!r} is not an address: {error}") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise HttpError("address", f"{url!r} is not the address of a server")
    return parts.scheme, parts.hostname, port or (443 if parts.scheme == "https" else 80)


def address_problem(url: str) -> str:
    """Return why ``url`` cannot be the address of a service to which a key is sent; "" if it
    can.
    """
    try:
        scheme, host, _ = origin(url)
        parts = urlsplit(url)
    except HttpError as error:
        return error.detail
    if parts.query or parts.username:
        return f"{url!r} is not the address of a service, such as https://example.org/v1"
    if scheme == "http" and host not in _LOCAL:
        return "an address other than this machine's own begins with https://"
    return ""


class Client:
    """Sends requests in one event loop and keeps connections open; close it in the same loop.

    Proxies are those of the environment (``HTTPS_PROXY``, ``NO_PROXY``), none for this machine.
    """

    def __init__(self, *, keep: bool = True) -> None:
        self._keep = keep
        self._session: aiohttp.ClientSession | None = None
        self._proxies: dict[tuple[str, str, int], str | None] = {}

    async def send(
        self, request: Request, *, timeout: float, most: int, redirects: int = 0
    ) -> Response:
        """Send ``request`` and read the answer, within ``timeout`` seconds in total and up to
        ``most`` bytes.

        Up to ``redirects`` redirects within the same host and port are followed; a response that
        asks for more than none is returned as it is where ``redirects`` is 0. One to another host
        raises `HttpError` ("redirect"): the headers may hold a key and the body a paper.
        """
        try:
            # One limit for connecting, waiting and reading: a slow drip must end, too.
            async with asyncio.timeout(timeout):
                return await self._sent(request, most, redirects)
        except TimeoutError:
            raise HttpError("timeout", f"no complete answer within {timeout:g} s") from None

    async def _sent(self, request: Request, most: int, redirects: int) -> Response:
        home = origin(request.url)
        for _ in range(redirects + 1):
            response = await self._once(request, home, most)
            target = response.headers.get("location")
            if response.status not in _REDIRECTS or target is None:
                return response
            url = urljoin(request.url, target)
            other = origin(url)
            if other != home:
                text = f"redirect to another host ({other[1]}) is not followed"
                raise HttpError("redirect", text)
            if not redirects:
                return response
            request = _redirected(request, response.status, url)
        raise HttpError("redirect", f"more than {redirects} redirects")

    async def _once(self, request: Request, home: tuple[str, str, int], most: int) -> Response:
        import aiohttp
        import yarl

        if not (request.url.isascii() and request.url.isprintable() and " " not in request.url):
            raise HttpError("address", f"{request.url!r} is not an address: not percent-encoded")
        body = request.body
        try:
            async with self._open().request(
                request.method,
                yarl.URL(request.url, encoded=True),
                data=io.BytesIO(body) if body is not None and len(body) > _LARGE else body,
                headers=request.headers,
                proxy=self._proxy(home),
                allow_redirects=False,
            ) as response:
                raw = await _read(response, most)
                headers = {name.lower(): value for name, value in response.headers.items()}
                return Response(response.status, headers, raw, request.url)
        except aiohttp.ClientConnectorCertificateError as error:
            text = f"the server's certificate is not trusted: {_plain(error)}"
            raise HttpError("certificate", text) from None
        except aiohttp.ClientConnectorError as error:
            text = f"{home[0]}://{urlsplit(request.url).netloc} cannot be reached: {_plain(error)}"
            raise HttpError("unreachable", text) from None
        except TimeoutError:
            raise
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise HttpError("broken", f"the connection broke: {_plain(error)}") from None

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            import aiohttp

            # Who sends limits the exchanges in flight; a second limit here would only hide it.
            connector = (
                aiohttp.TCPConnector(limit=0, ttl_dns_cache=300)
                if self._keep
                else aiohttp.TCPConnector(force_close=True)
            )
            self._session = aiohttp.ClientSession(
                connector=connector,
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(total=None),
                headers={"User-Agent": "revkit"},
            )
        return self._session

    def _proxy(self, home: tuple[str, str, int]) -> str | None:
        """Return the proxy that the environment names for ``home``; looked up once, since this is
        slow.
        """
        if home not in self._proxies:
            from urllib.request import getproxies, proxy_bypass

            scheme, host, _ = home
            direct = host in _LOCAL or proxy_bypass(host)
            self._proxies[home] = None if direct else getproxies().get(scheme)
        return self._proxies[home]

    async def close(self) -> None:
        """Close all connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None


def exchange(request: Request, *, timeout: float, most: int, redirects: int = 0) -> Response:
    """Send ``request`` from any thread and wait for the answer; see `Client.send`."""
    import aiohttp  # noqa: F401  (not in the event loop, where other exchanges would wait for it)

    headers = {"Accept-Encoding": "identity", **request.headers}
    plain = Request(request.method, request.url, headers, request.body)
    return _background(os.getpid()).run(_exchanged(plain, timeout, most, redirects))


async def _exchanged(request: Request, timeout: float, most: int, redirects: int) -> Response:
    client = Client(keep=False)
    try:
        return await client.send(request, timeout=timeout, most=most, redirects=redirects)
    finally:
        await client.close()


@functools.cache
def _background(_process: int) -> Background:
    """Return the event loop of all threads of a process; a forked process gets another."""
    return Background("revkit-http")


def _redirected(request: Request, status: int, url: str) -> Request:
    if status in (307, 308) or request.method in ("GET", "HEAD"):
        return Request(request.method, url, request.headers, request.body)
    headers = {k: v for k, v in request.headers.items() if k.lower() != "content-type"}
    return Request("GET", url, headers)


async def _read(response: aiohttp.ClientResponse, most: int) -> bytes:
    parts = []
    size = 0
    async for part in response.content.iter_any():
        parts.append(part)
        size += len(part)
        if size > most:
            raise HttpError("size", f"the answer is larger than {most} bytes")
    return b"".join(parts)


def _plain(error: BaseException) -> str:
    reason = getattr(error, "os_error", None)
    number = getattr(reason, "errno", None)
    # asyncio writes "Connect call failed" over what the system says; looking up a name has its
    # own, negative numbers.
    known = os.strerror(number) if isinstance(number, int) and number > 0 else None
    text = known or getattr(reason, "strerror", None) or str(error) or type(error).__name__
    return one_line(str(text), 300)
