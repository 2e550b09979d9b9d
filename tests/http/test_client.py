"""The client: deadline, size, redirects and faults, against servers on loopback."""

from __future__ import annotations

import gzip
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from revkit.http import (
    AskError,
    HttpError,
    Patience,
    Query,
    Request,
    address_problem,
    ask,
    exchange,
    origin,
)

KEY = "zq-SECRETkey9931-B"


def get(url: str, **options: Any) -> Any:
    return exchange(Request("GET", url), **{"timeout": 5.0, "most": 1000, **options})


def fault(url: str, **options: Any) -> HttpError:
    with pytest.raises(HttpError) as caught:
        get(url, **options)
    return caught.value


def test_an_exchange(server: Any) -> None:
    server.answer = lambda path: (201, {"X-Name": "Value"}, b"made")
    request = Request("POST", f"{server.url}/a%2Fb%201?q=%C3%A4", {"X-Key": KEY}, b"body")
    response = exchange(request, timeout=5.0, most=1000)
    assert (response.status, response.body, response.url) == (201, b"made", request.url)
    assert response.headers["x-name"] == "Value"
    method, path, headers, body = server.seen[0]
    assert (method, path, body) == ("POST", "/a%2Fb%201?q=%C3%A4", b"body")
    assert (headers["x-key"], headers["user-agent"]) == (KEY, "revkit")


def test_a_large_body_arrives(server: Any) -> None:
    data = bytes(3_000_000)
    exchange(Request("POST", server.url, {}, data), timeout=20.0, most=1000)
    assert server.seen[0][3] == data


def test_many_threads_at_once(server: Any) -> None:
    with ThreadPoolExecutor(8) as pool:
        bodies = list(pool.map(lambda _: get(server.url).body, range(40)))
    assert bodies == [b"ok"] * 40
    assert sum(thread.name == "revkit-http" for thread in threading.enumerate()) == 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("redirects", [0, 5])
def test_no_redirect_to_another_host(server: Any, other: Any, status: int, redirects: int) -> None:
    server.answer = lambda path: (status, {"Location": f"{other.url}/steal"}, b"")
    error = fault(server.url, redirects=redirects)
    assert (error.fault, error.kind) == ("redirect", "provider")
    assert error.detail == "redirect to another host (127.0.0.2) is not followed"
    assert other.seen == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_within_the_host(server: Any, status: int) -> None:
    def answer(path: str) -> tuple[int, dict[str, str], bytes]:
        return (200, {}, b"here") if path == "/new" else (status, {"Location": "/new"}, b"")

    server.answer = answer
    request = Request("POST", server.url, {"X-Key": KEY, "Content-Type": "text/plain"}, b"paper")
    response = exchange(request, timeout=5.0, most=1000, redirects=5)
    assert (response.body, response.url) == (b"here", f"{server.url}/new")
    method, _, headers, body = server.seen[1]
    kept = status in (307, 308)
    assert (method, body) == (("POST", b"paper") if kept else ("GET", b""))
    assert headers["x-key"] == KEY
    assert exchange(request, timeout=5.0, most=1000).status == status


def test_redirects_come_to_an_end(server: Any) -> None:
    server.answer = lambda path: (302, {"Location": path + "x"}, b"")
    error = fault(server.url, redirects=5)
    assert (error.fault, error.detail, len(server.seen)) == (
        "redirect",
        "more than 5 redirects",
        6,
    )


def test_a_reply_that_drips_ends_at_the_deadline(server: Any) -> None:
    server.answer = lambda path: (200, {}, b"x" * 500)
    server.drip = 0.02
    started = time.monotonic()
    error = fault(server.url, timeout=0.4)
    assert (error.fault, error.kind) == ("timeout", "timeout")
    assert time.monotonic() - started < 1.5


@pytest.mark.parametrize("packed", [False, True])
def test_a_reply_is_bounded_also_where_it_was_packed(server: Any, packed: bool) -> None:
    data = bytes(5_000_000)
    body, headers = (gzip.compress(data), {"Content-Encoding": "gzip"}) if packed else (data, {})
    server.answer = lambda path: (200, headers, body)
    error = fault(server.url, most=1_000_000)
    assert (error.fault, error.kind) == ("size", "truncated")


def test_a_reply_that_breaks_off(server: Any) -> None:
    server.answer = lambda path: (200, {"Content-Length": "100"}, b"short")
    assert fault(server.url).fault == "broken"


def test_nobody_there() -> None:
    error = fault("http://127.0.0.1:9/")
    assert error.fault == "unreachable"
    assert error.detail == "http://127.0.0.1:9 cannot be reached: Connection refused"


@pytest.mark.parametrize("url", ["ftp://x", "http://", "x", "http://[", "http://x:99999", ""])
def test_no_address(url: str) -> None:
    with pytest.raises(HttpError) as caught:
        origin(url)
    assert caught.value.fault == "address"


@pytest.mark.parametrize("tail", ["a b", "a\r\nX: y", "ä", "\x7f"])
def test_an_address_must_be_encoded(server: Any, tail: str) -> None:
    assert fault(f"{server.url}/{tail}").fault == "address"
    assert server.seen == []


def test_addresses_for_keys() -> None:
    assert address_problem("https://example.org/v1") == ""
    assert address_problem("http://127.0.0.1:8000") == ""
    for url in ("http://example.org", "ftp://x", "https://x?y=1", "https://a:b@c", "http://["):
        assert address_problem(url)


PATIENCE = Patience(timeout=5.0, attempts=2, longest_wait=0.02, per_second=1000.0)


def test_a_reply_in_json_is_masked(server: Any) -> None:
    server.answer = lambda path: (200, {}, f'\ufeff{{"next": "?api_key={KEY}", "n": 1}}'.encode())
    query = Query(server.url, {"q": "a b&c"}, {}, KEY)
    assert ask(query, PATIENCE, random.Random(0)) == {"next": "?api_key=***", "n": 1}
    assert server.seen[0][1] == "/?q=a+b%26c"


def test_no_redirect_of_a_search_to_another_host(server: Any, other: Any) -> None:
    server.answer = lambda path: (307, {"Location": other.url}, b"")
    with pytest.raises(AskError) as caught:
        ask(Query(server.url, {}), PATIENCE, random.Random(0))
    assert caught.value.detail == "redirect to another host (127.0.0.2) is not followed"
    assert (len(server.seen), other.seen) == (1, [])


def test_an_absurd_zone_is_a_try_like_others(server: Any) -> None:
    zone = {"Retry-After": "Mon, 01 Jan 2024 00:00:00 +99999999999999"}
    server.answer = lambda path: (503, zone, b"busy")
    with pytest.raises(AskError) as caught:
        ask(Query(server.url, {}), PATIENCE, random.Random(0))
    assert caught.value.detail == "status 503: busy (2 tries)"
