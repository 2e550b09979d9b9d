"""The transport for endpoints with the OpenAI protocol, over aiohttp."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from revkit.http import Client, Fault, HttpError, Request, Response, Secrets, read_json
from revkit.model.values import quoted
from revkit.model_settings import ModelSettings
from revkit.services.llm.caching import with_marks
from revkit.services.llm.transport import Answer, Call, TransportError, Trouble, answer_of
from revkit.services.llm.trouble import names_account, trouble_of

_LARGEST = 32 * 1024 * 1024
_HEADERS = {"Content-Type": "application/json", "Accept": "application/json"}
_TROUBLES: Mapping[Fault, Trouble] = {
    "timeout": "timeout",
    "size": "size",
    "redirect": "request",
    "address": "request",
}


class OpenAICompatible:
    """Sends calls to ``settings.base_url`` + /chat/completions, for all models of an endpoint."""

    def __init__(self, settings: ModelSettings, secrets: Secrets) -> None:
        self._settings = settings
        self._secrets = secrets
        self._base = (settings.base_url or "").rstrip("/")
        self._client = Client()

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
        response = await self.request(
            "POST", "/chat/completions", data, self.key_headers(), call.timeout
        )
        status, text = response.status, response.body.decode("utf-8", "replace")
        if status == 200:
            return answer_of(json_of(text))
        said = message_of(status, text)
        raise trouble_of(status, said, response.headers, sent=body, raw=text[:4000])

    async def probe(self, model: str) -> str:
        """Ask the endpoint for its list of models; see `Transport`."""
        try:
            response = await self.request(
                "GET", "/models", None, self.key_headers(), min(self._settings.timeout, 15.0)
            )
        except TransportError as error:
            return error.message
        status, text = response.status, response.body.decode("utf-8", "replace")
        if status in (401, 403):
            return trouble_of(status, message_of(status, text), response.headers).message
        try:
            listed = [str(each["id"]) for each in read_json(text)["data"]]
        except (ValueError, TypeError, KeyError):
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
        """Return the header with the key, if one is configured. Raises `TransportError` ("key")."""
        name = self._settings.api_key_env
        if name is None:
            return {}
        key = self._secrets.read(name)
        if key is None:
            raise TransportError("key", f"the environment variable {name} is not set")
        if not key.isascii() or any(c.isspace() for c in key):
            raise TransportError("key", f"the environment variable {name} contains no key")
        return {"Authorization": f"Bearer {key}"}

    async def request(
        self,
        method: str,
        path: str,
        data: bytes | None,
        headers: Mapping[str, str],
        timeout: float,
        most: int = _LARGEST,
    ) -> Response:
        """Send one request to ``path`` of the endpoint and read at most ``most`` bytes.

        Raises `TransportError` if there is no answer.
        """
        request = Request(method, self._base + path, {**_HEADERS, **headers}, data)
        try:
            return await self._client.send(request, timeout=timeout, most=most)
        except HttpError as error:
            raise TransportError(
                _TROUBLES.get(error.fault, "connection"),
                error.detail,
                unreachable=error.fault in ("unreachable", "certificate"),
            ) from None

    async def close(self) -> None:
        """Close all connections."""
        await self._client.close()


def served_name(model: str) -> str:
    """Return the model's name at its endpoint, without the provider prefix of litellm."""
    return model.partition("/")[2] or model


def written(body: Mapping[str, Any]) -> bytes:
    """Return the body as JSON, with long texts written by a fast method."""
    rest = json.dumps({**body, "messages": None}, ensure_ascii=False)
    turns = (
        f'{{"role":{quoted(each["role"])},"content":{_content(each["content"])}}}'
        for each in body["messages"]
    )
    text = rest.replace('"messages": null', f'"messages": [{",".join(turns)}]', 1)
    return text.encode("utf-8", "surrogatepass")


def _content(content: Any) -> str:
    return quoted(content) if isinstance(content, str) else json.dumps(content, ensure_ascii=False)


def json_of(text: str) -> Any:
    """Return the value of a JSON answer. Raises `TransportError` ("server")."""
    try:
        return read_json(text)
    except ValueError:
        raise TransportError(
            "server", f"the answer is not JSON: {text[:200]!r}", status=200, raw=text[:4000]
        ) from None


def message_of(status: int, text: str) -> str:
    """Return the message in the server's error body, on one line."""
    said = text[:20000]
    try:
        body = read_json(said)
        error = body.get("error", body) if isinstance(body, dict) else body
        if isinstance(error, dict):
            said = str(error.get("message") or error.get("detail") or error)
            param = error.get("param")
            if isinstance(param, str) and param not in said:
                said += f" ({param})"
            codes = [error.get("code"), error.get("type")]
            said += "".join(
                f" ({code})"
                for code in dict.fromkeys(each for each in codes if isinstance(each, str))
                if code not in said and names_account(code)
            )
        else:
            said = str(error)
    except ValueError:
        pass
    return f"HTTP {status}: {' '.join(said.split())[:500]}"
