"""One HTTP exchange, by the standard library: every step bounded, no redirect to another host."""

from __future__ import annotations

import email.utils
import http.client
import json
import secrets
import socket
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import SplitResult, urlencode, urljoin, urlsplit

from revkit_external.calling.attempt import CallError

_MOST_REDIRECTS = 5
_CHUNK = 65536


@dataclass(frozen=True)
class Request:
    """What is sent. ``body`` is ready bytes; its type is in the headers."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None


@dataclass(frozen=True)
class Response:
    """What came back, read to its end."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    url: str


def origin(url: str) -> tuple[str, str, int]:
    """Scheme, host and port of ``url``; `CallError` where it is no address of a server."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise CallError("provider", f"http: {url!r} is no address: {error}") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise CallError("provider", f"http: {url!r} is no address of a server")
    return parts.scheme, parts.hostname, port or (443 if parts.scheme == "https" else 80)


def exchange(request: Request, *, deadline: float, most: int) -> Response:
    """Send ``request`` and read the answer, up to ``deadline`` (monotonic) and ``most`` bytes.

    Redirects within the same host are followed; one to another host is a `CallError`, since the
    headers may hold a key and the body a paper.
    """
    home = origin(request.url)
    for _ in range(_MOST_REDIRECTS + 1):
        response = _once(request, deadline, most)
        target = response.headers.get("location")
        if response.status not in (301, 302, 303, 307, 308) or target is None:
            return response
        url = urljoin(request.url, target)
        if origin(url) != home:
            raise CallError(
                "provider", f"http: redirect to another host ({origin(url)[1]}) is not followed"
            )
        if response.status in (307, 308) or request.method in ("GET", "HEAD"):
            request = Request(request.method, url, request.headers, request.body)
        else:
            kept = {k: v for k, v in request.headers.items() if k.lower() != "content-type"}
            request = Request("GET", url, kept)
    raise CallError("provider", f"http: more than {_MOST_REDIRECTS} redirects")


def _once(request: Request, deadline: float, most: int) -> Response:
    parts = urlsplit(request.url)
    connection = _connect(origin(request.url), deadline)
    try:
        connection.request(
            request.method,
            _target(parts),
            body=request.body,
            headers={
                "Accept-Encoding": "identity",
                "User-Agent": "revkit",
                "Connection": "close",
                **request.headers,
            },
        )
        sock = connection.sock
        response = connection.getresponse()
        body = _body(response, sock, deadline, most)
        headers = {name.lower(): value for name, value in response.getheaders()}
        return Response(response.status, headers, body, request.url)
    except TimeoutError:
        raise CallError("timeout", "timeout: the server did not answer in time") from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        told = f"{type(error).__name__}: {error}"[:200]
        raise CallError("provider", f"http: the exchange broke off ({told})") from None
    finally:
        connection.close()


def _connect(place: tuple[str, str, int], deadline: float) -> http.client.HTTPConnection:
    scheme, host, port = place
    seconds = _left(deadline)
    if scheme == "https":
        return http.client.HTTPSConnection(
            host, port, timeout=seconds, context=ssl.create_default_context()
        )
    return http.client.HTTPConnection(host, port, timeout=seconds)


def _left(deadline: float) -> float:
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise CallError("timeout", "timeout: the time for all steps is over")
    return seconds


def _target(parts: SplitResult) -> str:
    path = parts.path or "/"
    return f"{path}?{parts.query}" if parts.query else path


def _body(
    response: http.client.HTTPResponse, sock: socket.socket, deadline: float, most: int
) -> bytes:
    """Read to the end; each read waits no longer than the deadline, however slowly bytes drip."""
    body = bytearray()
    while True:
        sock.settimeout(_left(deadline))
        part = response.read1(_CHUNK)
        if not part:
            break
        body += part
        if len(body) > most:
            raise CallError("truncated", f"output: the response has more than {most} bytes")
    expected = response.length
    if expected:
        raise http.client.IncompleteRead(bytes(body), expected)
    return bytes(body)


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds that the server asks to wait, from ``Retry-After``; None where it does not say."""
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    if not text:
        return None
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - now)
    except (TypeError, ValueError):
        return None


def json_body(value: Any) -> tuple[bytes, str]:
    """``value`` as a JSON body and its type."""
    return json.dumps(value, ensure_ascii=False).encode(), "application/json"


def form_body(fields: Mapping[str, str]) -> tuple[bytes, str]:
    """Fields as a form's body and its type."""
    return urlencode(fields).encode(), "application/x-www-form-urlencoded"


def multipart_body(parts: Mapping[str, tuple[str, bytes]]) -> tuple[bytes, str]:
    """Fields (file name "") and files as a multipart body and its type."""
    mark = secrets.token_hex(16)
    body = bytearray()
    for name, (file, data) in parts.items():
        body += f'--{mark}\r\nContent-Disposition: form-data; name="{_quoted(name)}"'.encode()
        if file:
            body += f'; filename="{_quoted(file)}"\r\n'.encode()
            body += b"Content-Type: application/octet-stream"
        body += b"\r\n\r\n" + data + b"\r\n"
    body += f"--{mark}--\r\n".encode()
    return bytes(body), f"multipart/form-data; boundary={mark}"


def _quoted(text: str) -> str:
    return text.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
