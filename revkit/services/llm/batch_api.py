"""The batch functions of providers: send a file of calls, look at a batch, fetch its results.

An endpoint of one's own with the OpenAI protocol is asked directly, every other provider through
litellm. litellm passes files on to the providers with this protocol and returns their result files
unchanged. It rewrites files for other providers, whose results have other forms: those are reached
through a litellm proxy.
"""

from __future__ import annotations

import asyncio
import json
import secrets as random_names
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

from revkit.dataclass import dataclass
from revkit.http import Secrets, read_count
from revkit.model_settings import ModelSettings, transport_of
from revkit.services.llm.openai_compatible import (
    OpenAICompatible,
    json_of,
    message_of,
    served_name,
)
from revkit.services.llm.redirects import clients_used, no_redirects
from revkit.services.llm.transport import Call, TransportError
from revkit.services.llm.trouble import trouble_of

PROVIDERS = ("openai", "azure", "hosted_vllm", "litellm_proxy")
PATH = "/v1/chat/completions"
WINDOW = "24h"
ENDED = frozenset(("completed", "failed", "expired", "cancelled"))
_MARK = "revkit"
_SECONDS = 600.0  # for a file
_LARGEST = 1 << 30  # bytes of results
_PAGE, _MOST_PAGES = 100, 100


@dataclass(frozen=True)
class RemoteBatch:
    """A batch as its provider reports it: the files of results and of errors ("" if none), the
    finished and all calls, and why the batch failed as a whole.
    """

    id: str
    status: str
    output: str = ""
    errors: str = ""
    done: int = 0
    total: int = 0
    problem: str = ""
    code: str = ""


class BatchApi(ABC):
    """The batches of one model. Everything but `line` runs in the gateway's event loop, and raises
    `TransportError` where there is no answer.
    """

    def line(self, key: str, call: Call) -> tuple[bytes, tuple[str, ...]]:
        """Return ``call`` as a line of a file, and the parameters that the provider does not
        take.
        """
        name, parameters, dropped = self._body(call)
        body = {"model": name, "messages": list(call.messages), **parameters}
        row = {"custom_id": key, "method": "POST", "url": PATH, "body": body}
        return json.dumps(row).encode() + b"\n", dropped

    async def find(self, marker: str) -> str:
        """Return the number of the batch with ``marker``; "" if the provider lists none."""
        after = ""
        for _ in range(_MOST_PAGES):
            page = await self._page(after)
            rows = [_mapping(each) for each in page.get("data") or ()]
            for row in rows:
                if _mapping(row.get("metadata")).get(_MARK) == marker:
                    return str(row["id"])
            if not rows or not page.get("has_more"):
                return ""
            after = str(rows[-1]["id"])
        return ""

    async def look(self, number: str) -> RemoteBatch:
        """Return what the provider reports about a batch."""
        found = await self._batch(number)
        counts = _mapping(found.get("request_counts"))
        errors = _mapping(found.get("errors")).get("data") or ()
        first = _mapping(errors[0]) if errors else {}
        done = (read_count(counts.get("completed")) or 0) + (read_count(counts.get("failed")) or 0)
        return RemoteBatch(
            number,
            str(found.get("status") or ""),
            str(found.get("output_file_id") or ""),
            str(found.get("error_file_id") or ""),
            done,
            read_count(counts.get("total")) or 0,
            str(first.get("message") or ""),
            str(first.get("code") or ""),
        )

    @abstractmethod
    def problem(self) -> str:
        """Return why batches cannot be used for the model, or ""."""

    @abstractmethod
    async def upload(self, data: bytes) -> str:
        """Send a file of calls and return its number. Sending it again costs nothing."""

    @abstractmethod
    async def create(self, file: str, marker: str) -> str:
        """Start a batch of the calls in ``file`` and return its number."""

    @abstractmethod
    async def content(self, file: str) -> bytes:
        """Return the content of a file."""

    @abstractmethod
    async def close(self) -> None:
        """Close all connections."""

    @abstractmethod
    def _body(self, call: Call) -> tuple[str, dict[str, Any], tuple[str, ...]]:
        """Return the model's name at the provider, the parameters, and those that are dropped."""

    @abstractmethod
    async def _page(self, after: str) -> Mapping[str, Any]:
        """Return a page of the list of batches, the newest first, after the number ``after``."""

    @abstractmethod
    async def _batch(self, number: str) -> Mapping[str, Any]:
        """Return the batch object of the protocol."""


class DirectBatches(BatchApi):
    """Batches at an endpoint with the OpenAI protocol."""

    def __init__(self, model: str, settings: ModelSettings, secrets: Secrets) -> None:
        self._name = served_name(model)
        self._endpoint = OpenAICompatible(settings, secrets)

    def problem(self) -> str:
        """Return "": whether the endpoint has batches is known when it is asked."""
        return ""

    def _body(self, call: Call) -> tuple[str, dict[str, Any], tuple[str, ...]]:
        form = call.response_format()
        more = {} if form is None else {"response_format": form}
        return self._name, {**call.parameters, **more}, ()

    async def upload(self, data: bytes) -> str:
        """Send a file of calls and return its number."""
        border = f"revkit-{random_names.token_hex(16)}"
        head = (
            f'--{border}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nbatch\r\n'
            f'--{border}\r\nContent-Disposition: form-data; name="file"; filename="calls.jsonl"\r\n'
            "Content-Type: application/jsonl\r\n\r\n"
        )
        body = b"".join((head.encode(), data, f"\r\n--{border}--\r\n".encode()))
        kind = f"multipart/form-data; boundary={border}"
        return _number(await self._json("POST", "/files", body, kind))

    async def create(self, file: str, marker: str) -> str:
        """Start a batch of the calls in ``file`` and return its number."""
        wanted = {
            "input_file_id": file,
            "endpoint": PATH,
            "completion_window": WINDOW,
            "metadata": {_MARK: marker},
        }
        return _number(await self._json("POST", "/batches", json.dumps(wanted).encode()))

    async def content(self, file: str) -> bytes:
        """Return the content of a file."""
        return await self._read("GET", f"/files/{quote(file, safe='')}/content")

    async def _page(self, after: str) -> Mapping[str, Any]:
        query = urlencode({"limit": _PAGE, **({"after": after} if after else {})})
        return await self._json("GET", f"/batches?{query}")

    async def _batch(self, number: str) -> Mapping[str, Any]:
        return await self._json("GET", f"/batches/{quote(number, safe='')}")

    async def _json(
        self, method: str, path: str, data: bytes | None = None, kind: str = "application/json"
    ) -> Mapping[str, Any]:
        body = await self._read(method, path, data, kind)
        return _mapping(json_of(body.decode("utf-8", "replace")))

    async def _read(
        self, method: str, path: str, data: bytes | None = None, kind: str = "application/json"
    ) -> bytes:
        headers = {**self._endpoint.key_headers(), "Content-Type": kind}
        response = await self._endpoint.request(method, path, data, headers, _SECONDS, _LARGEST)
        if response.status == 200:
            return response.body
        text = response.body.decode("utf-8", "replace")
        said = message_of(response.status, text)
        raise trouble_of(response.status, said, response.headers, raw=text[:4000])

    async def close(self) -> None:
        """Close all connections."""
        await self._endpoint.close()


class LiteLlmBatches(BatchApi):
    """Batches through litellm's functions."""

    def __init__(self, model: str, settings: ModelSettings, secrets: Secrets) -> None:
        from revkit.services.llm.litellm_transport import LiteLlm, load

        self._model = model
        self._litellm = load()
        self._transport = LiteLlm(settings, secrets)
        try:
            self._name, self._provider, _, _ = self._litellm.get_llm_provider(model)
        except Exception:
            self._name, self._provider = served_name(model), ""

    def problem(self) -> str:
        """Return why batches cannot be used for the model, or ""."""
        if self._provider in PROVIDERS:
            return ""
        return (
            f"services.llm: batch: the provider of model {self._model!r} has no batches with the "
            f"OpenAI protocol; providers that have: {', '.join(PROVIDERS)}. Set batch: false for "
            "this model, or reach it through a litellm proxy"
        )

    def _body(self, call: Call) -> tuple[str, dict[str, Any], tuple[str, ...]]:
        return self._name, *self._transport.body_of(call)

    async def upload(self, data: bytes) -> str:
        """Send a file of calls and return its number."""
        file = ("calls.jsonl", data, "application/jsonl")
        return _number(_mapping(await self._asked("acreate_file", file=file, purpose="batch")))

    async def create(self, file: str, marker: str) -> str:
        """Start a batch of the calls in ``file`` and return its number."""
        found = await self._asked(
            "acreate_batch",
            completion_window=WINDOW,
            endpoint=PATH,
            input_file_id=file,
            metadata={_MARK: marker},
        )
        return _number(_mapping(found))

    async def content(self, file: str) -> bytes:
        """Return the content of a file."""
        found = await self._asked("afile_content", file_id=file)
        return bytes(found.content)

    async def _page(self, after: str) -> Mapping[str, Any]:
        more = {"after": after} if after else {}
        return _mapping(await self._asked("alist_batches", limit=_PAGE, **more))

    async def _batch(self, number: str) -> Mapping[str, Any]:
        return _mapping(await self._asked("aretrieve_batch", batch_id=number))

    async def _asked(self, function: str, **arguments: Any) -> Any:
        with clients_used() as clients:
            try:
                return await self._sent(function, arguments)
            finally:
                if self._provider != "azure":  # whose clients litellm keeps
                    for client in clients:
                        await client.aclose()

    async def _sent(self, function: str, arguments: Mapping[str, Any]) -> Any:
        try:
            with no_redirects() as refusals:
                async with asyncio.timeout(_SECONDS):
                    return await getattr(self._litellm, function)(
                        custom_llm_provider=self._provider,
                        timeout=_SECONDS,
                        max_retries=0,
                        **self._transport.endpoint(self._model),
                        **arguments,
                    )
        except TimeoutError:
            text = f"no complete answer within {_SECONDS:g} s"
            raise TransportError("timeout", text) from None
        except Exception as error:  # whatever a provider's adapter raises
            if refusals:
                raise TransportError("request", refusals[0]) from None
            raise self._transport.trouble(error, self._model, _SECONDS, {}) from None

    async def close(self) -> None:
        """Close all connections."""
        await self._transport.close()


def batch_api(model: str, settings: ModelSettings, secrets: Secrets) -> BatchApi:
    """Return the batch functions for ``model``."""
    if transport_of(model, settings) == "openai-compatible":
        return DirectBatches(model, settings, secrets)
    return LiteLlmBatches(model, settings, secrets)


def _number(found: Mapping[str, Any]) -> str:
    number = found.get("id")
    if not isinstance(number, str) or not number:
        raise TransportError("server", "the answer has no id")
    return number


def _mapping(value: Any) -> Mapping[str, Any]:
    """Return a JSON object, or one of litellm's objects as one; {} for anything else."""
    if isinstance(value, Mapping):
        return value
    dump = getattr(value, "model_dump", None)
    found = dump() if dump is not None else {}
    return found if isinstance(found, Mapping) else {}
