"""Prevent redirects to another host in the clients that litellm builds.

litellm sends through httpx, by its own clients and by those of the OpenAI SDK, and all of these
follow redirects, with headers and body. Passing other clients in reaches some providers only. So
the public methods by which every client sends are wrapped once; outside of `no_redirects` they do
what they did.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from revkit.http import MOST_REDIRECTS, HttpError, origin

if TYPE_CHECKING:
    import httpx

_CLIENTS = ("httpx", "httpx2")  # the OpenAI SDK has come with either
_REFUSALS: ContextVar[list[str] | None] = ContextVar("refusals", default=None)
_USED: ContextVar[list[Any] | None] = ContextVar("used", default=None)


@contextmanager
def no_redirects() -> Iterator[list[str]]:
    """Raise an exception for redirects to another host within the block, and add its text to the
    list, because libraries may hide the exception.
    """
    refusals: list[str] = []
    token = _REFUSALS.set(refusals)
    try:
        yield refusals
    finally:
        _REFUSALS.reset(token)


@contextmanager
def clients_used() -> Iterator[list[Any]]:
    """Collect the asynchronous clients that send within the block, for libraries that make one for
    each request and leave it open.
    """
    used: list[Any] = []
    token = _USED.set(used)
    try:
        yield used
    finally:
        _USED.reset(token)


@functools.cache
def guard() -> None:
    """Wrap the methods by which litellm and its imported SDKs send requests; once for a process,
    after litellm is imported.
    """
    import aiohttp

    for name in _CLIENTS:
        module: Any = sys.modules.get(name)
        if module is not None:
            module.Client.send = _guarded(module.Client.send)
            module.AsyncClient.send = _guarded_async(module.AsyncClient.send)
    session: Any = aiohttp.ClientSession
    session.post = _without_redirects(session.post)


def _guarded(send: Any) -> Any:
    @functools.wraps(send)
    def guarded(client: Any, request: httpx.Request, **options: Any) -> httpx.Response:
        refusals = _REFUSALS.get()
        if refusals is None:
            response: httpx.Response = send(client, request, **options)
            return response
        follow = _follows(client, options)
        for _ in range(MOST_REDIRECTS + 1):
            response = send(client, request, **{**options, "follow_redirects": False})
            if response.next_request is None:
                return response
            problem = _problem(request, response.next_request)
            if not (problem or follow):
                return response
            response.close()
            _refuse(problem, refusals)
            request = response.next_request
        raise _refused(f"more than {MOST_REDIRECTS} redirects", refusals)

    return guarded


def _guarded_async(send: Any) -> Any:
    @functools.wraps(send)
    async def guarded(client: Any, request: httpx.Request, **options: Any) -> httpx.Response:
        used = _USED.get()
        if used is not None and client not in used:
            used.append(client)
        refusals = _REFUSALS.get()
        if refusals is None:
            response: httpx.Response = await send(client, request, **options)
            return response
        follow = _follows(client, options)
        for _ in range(MOST_REDIRECTS + 1):
            response = await send(client, request, **{**options, "follow_redirects": False})
            if response.next_request is None:
                return response
            problem = _problem(request, response.next_request)
            if not (problem or follow):
                return response
            await response.aclose()
            _refuse(problem, refusals)
            request = response.next_request
        raise _refused(f"more than {MOST_REDIRECTS} redirects", refusals)

    return guarded


def _without_redirects(post: Any) -> Any:
    """Disable redirects in aiohttp, which offers no check between a redirect and the next
    request.
    """

    @functools.wraps(post)
    def guarded(session: Any, url: Any, **options: Any) -> Any:
        if _REFUSALS.get() is not None:
            options["allow_redirects"] = False
        return post(session, url, **options)

    return guarded


def _follows(client: Any, options: dict[str, Any]) -> bool:
    requested = options.get("follow_redirects")
    return requested if isinstance(requested, bool) else bool(client.follow_redirects)


def _problem(request: httpx.Request, after: httpx.Request) -> str:
    """Return why the redirect from ``request`` to ``after`` is not followed, or ""."""
    try:
        home, other = origin(str(request.url)), origin(str(after.url))
    except HttpError as error:
        return error.detail
    return "" if home == other else f"redirect to another host ({other[1]}) is not followed"


def _refuse(problem: str, refusals: list[str]) -> None:
    if problem:
        raise _refused(problem, refusals)


def _refused(problem: str, refusals: list[str]) -> HttpError:
    refusals.append(problem)
    return HttpError("redirect", problem)
