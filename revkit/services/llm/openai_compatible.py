"""Transport for endpoints that speak the OpenAI protocol, over aiohttp."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from revkit.model.values import quoted
from revkit.model_settings import ModelSettings
from revkit.services.llm.caching import with_marks
from revkit.services.llm.secret import Secrets
from revkit.services.llm.transport import Answer, Call, TransportError, answer_of
from revkit.services.llm.trouble import trouble_of

if TYPE_CHECKING:
    import aiohttp

_LARGEST = 32 * 1024 * 1024
_HEADERS = {"Content-Type": "application/json", "Accept": "application/json"}


class OpenAICompatible:
    """Sends calls to ``settings.base_url`` + /chat/completions, for all models of an endpoint."""

    def __init__(self, settings: ModelSettings, secrets: Secrets) -> None:
        self._settings = settings
        self._secrets = secrets
        self._base = (settings.base_url or "").rstrip("/")
        self._session: aiohttp.ClientSession | None = None
        self._proxy: str | None = None

    async def send(self, call: Call) -> Answer:
        """Send once; see `Transport`."""
        body: dict[str, Any] = {
            "model": served_name(call.model),
            "messages": with_marks(call.messages, call.marks) if call.marks else call.messages,
            **call.parameters,
        }
        form = call.response_format()
        if form is not None:
            body["response_format"] = form
        data = written(body)
        status, headers, raw = await self._request(
            "POST", "/chat/completions", data, self.key_headers(), call.timeout
        )
        text = raw.decode("utf-8", "replace")
        if status == 200:
            return answer_of(_json(text))
        raise trouble_of(status, _message(status, text), headers, sent=body, raw=text[:4000])

    async def probe(self, model: str) -> str:
        """Ask the endpoint for its list of models; see `Transport`."""
        try:
            status, headers, raw = await self._request(
                "GET", "/models", None, self.key_headers(), min(self._settings.timeout, 15.0)
            )
        except TransportError as error:
            return error.message
        text = raw.decode("utf-8", "replace")
        if status in (401, 403):
            return trouble_of(status, _message(status, text), headers).message
        try:
            listed = [str(each["id"]) for each in json.loads(text)["data"]]
        except (ValueError, TypeError, KeyError, RecursionError):
            return ""  # not every server has such a list
        name = served_name(model)
        # Some servers add a default tag ("name:latest"), some serve patterns ("*").
        known_names = {*listed, *(each.partition(":")[0] for each in listed)}
        wild = any("*" in each for each in listed)
        if status == 200 and listed and name not in known_names and not wild:
            known = ", ".join(sorted(listed)[:8])
            return f"the server has no model {name!r}; it has {known}"
        return ""

    def key_headers(self) -> dict[str, str]:
        """The header that carries the key, where one is named; raises `TransportError` ("key")."""
        name = self._settings.api_key_env
        if name is None:
            return {}
        key = self._secrets.read(name)
        if key is None:
            raise TransportError("key", f"the environment variable {name} is not set")
        if not key.isascii() or any(c.isspace() for c in key):
            raise TransportError("key", f"the environment variable {name} holds no key")
        return {"Authorization": f"Bearer {key}"}

    async def _request(
        self, method: str, path: str, data: bytes | None, headers: Mapping[str, str], timeout: float
    ) -> tuple[int, Mapping[str, str], bytes]:
        import aiohttp

        session = self._open()
        try:
            # One limit for connecting, waiting and reading: a slow drip must end, too.
            async with (
                asyncio.timeout(timeout),
                session.request(
                    method,
                    self._base + path,
                    data=data,
                    headers={**_HEADERS, **headers},
                    proxy=self._proxy,
                    allow_redirects=False,
                ) as response,
            ):
                raw = await self._read(response)
                return response.status, response.headers, raw
        except TimeoutError:
            raise TransportError("timeout", f"no whole answer within {timeout:g} s") from None
        except aiohttp.ClientConnectorError as error:
            raise TransportError(
                "connection", f"{self._base} cannot be reached: {_plain(error)}", unreachable=True
            ) from None
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise TransportError("connection", f"the connection broke: {_plain(error)}") from None

    async def _read(self, response: aiohttp.ClientResponse) -> bytes:
        parts = []
        size = 0
        async for part in response.content.iter_any():
            parts.append(part)
            size += len(part)
            if size > _LARGEST:
                raise TransportError("server", f"the answer is larger than {_LARGEST} bytes")
        return b"".join(parts)

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None:
            import aiohttp

            # The gateway limits the calls in flight; a second limit here would only hide it.
            connector = aiohttp.TCPConnector(limit=0, ttl_dns_cache=300)
            self._session = aiohttp.ClientSession(
                connector=connector,
                cookie_jar=aiohttp.DummyCookieJar(),
                timeout=aiohttp.ClientTimeout(total=None),
            )
            self._proxy = _proxy(self._base)
        return self._session

    async def close(self) -> None:
        """Close all connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None


def served_name(model: str) -> str:
    """The model's name at its endpoint: without the provider that litellm puts before it."""
    return model.partition("/")[2] or model


def written(body: Mapping[str, Any]) -> bytes:
    """The body as JSON, its long texts written the quick way."""
    rest = json.dumps({**body, "messages": None}, ensure_ascii=False)
    turns = (
        f'{{"role":{quoted(each["role"])},"content":{_content(each["content"])}}}'
        for each in body["messages"]
    )
    text = rest.replace('"messages": null', f'"messages": [{",".join(turns)}]', 1)
    return text.encode("utf-8", "surrogatepass")


def _content(content: Any) -> str:
    return quoted(content) if isinstance(content, str) else json.dumps(content, ensure_ascii=False)


def _proxy(base: str) -> str | None:
    """The proxy that the environment names for ``base``; looked up once, since it is slow."""
    from urllib.parse import urlsplit
    from urllib.request import getproxies, proxy_bypass

    parts = urlsplit(base)
    if parts.hostname is None or proxy_bypass(parts.hostname):
        return None
    return getproxies().get(parts.scheme)


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise TransportError(
            "server", f"the answer is no JSON: {text[:200]!r}", status=200, raw=text[:4000]
        ) from None


def _message(status: int, text: str) -> str:
    """What the server says in its error body, in one line."""
    said = text[:20000]
    try:
        body = json.loads(said)
        error = body.get("error", body) if isinstance(body, dict) else body
        if isinstance(error, dict):
            said = str(error.get("message") or error.get("detail") or error)
            param = error.get("param")
            if isinstance(param, str) and param not in said:
                said += f" ({param})"
        else:
            said = str(error)
    except (ValueError, RecursionError):
        pass
    return f"HTTP {status}: {' '.join(said.split())[:500]}"


def _plain(error: BaseException) -> str:
    reason = getattr(error, "os_error", None)
    text = getattr(reason, "strerror", None) or str(error) or type(error).__name__
    return " ".join(str(text).split())[:300]
