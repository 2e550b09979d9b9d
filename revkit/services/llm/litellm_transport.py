"""The transport for every provider that litellm supports.

litellm is imported when first needed, with its look-ups, its noise, its retries and its callbacks
off: the gateway does what they would do, once for all transports.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import os
import re
from collections.abc import Mapping
from typing import Any

from revkit.http import Secrets, read_count
from revkit.model_settings import ModelSettings
from revkit.services.llm.caching import with_marks
from revkit.services.llm.redirects import guard, no_redirects
from revkit.services.llm.transport import Answer, Call, TransportError
from revkit.services.llm.trouble import trouble_of

# Where a key is needed in form only. A key of the environment must not go to an address of the
# user's own unless the settings name it.
_NO_KEY = "none"
# "litellm.NotFoundError: NotFoundError: OpenAIException - " before what the provider said.
_NOISE = re.compile(r"\A(?:(?:litellm\.)?\w{1,60}(?:Error|Exception|Timeout)(?::| -) ){1,6}")
_NO_PROVIDER = "LLM Provider NOT provided"
_NO_CREDENTIALS = re.compile(
    r"missing credentials|missing .{0,40}api.key|no key is set|unable to locate credentials",
    re.IGNORECASE,
)
_UNREACHABLE = (
    "cannot connect", "connect call failed", "connection refused", "name or service not known",
    "nodename nor servname", "temporary failure in name resolution", "no route to host",
)  # fmt: skip


@functools.cache
def load() -> Any:
    """Import litellm quietly: without look-ups, output or callbacks, at import and later."""
    for name in ("LITELLM_OFFLINE_MODE", "LITELLM_LOCAL_MODEL_COST_MAP"):
        os.environ.setdefault(name, "True")
    os.environ.setdefault("LITELLM_LOG", "CRITICAL")
    import litellm

    litellm.suppress_debug_info = True
    litellm.num_retries = 0
    litellm.callbacks = []
    litellm.success_callback = []
    litellm.failure_callback = []
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    guard()
    return litellm


class LiteLlm:
    """Sends calls through ``litellm.acompletion``."""

    def __init__(self, settings: ModelSettings, secrets: Secrets) -> None:
        self._settings = settings
        self._secrets = secrets
        self._litellm = load()
        self._supported: dict[str, frozenset[str] | None] = {}
        if settings.api_key_env is None:
            secrets.note_environment()

    async def send(self, call: Call) -> Answer:
        """Send once; see `Transport`."""
        parameters, dropped = self._parameters(call)
        arguments: dict[str, Any] = {
            "model": call.model,
            "messages": with_marks(call.messages, call.marks),
            "timeout": call.timeout,
            "num_retries": 0,
            "max_retries": 0,
            "no-log": True,
            "drop_params": False,
            **self.endpoint(call.model),
            **parameters,
        }
        try:
            # litellm's own timeout restarts with each byte: a slow drip must end, too.
            with no_redirects() as refusals:
                async with asyncio.timeout(call.timeout):
                    response = await self._litellm.acompletion(**arguments)
        except TimeoutError:
            raise TransportError(
                "timeout", f"no complete answer within {call.timeout:g} s"
            ) from None
        except Exception as error:  # whatever a provider's adapter raises
            if refusals:
                raise TransportError("request", refusals[0]) from None
            raise self.trouble(error, call.model, call.timeout, parameters) from None
        if refusals:
            raise TransportError("request", refusals[0])
        return _answer(response, dropped)

    def endpoint(self, model: str) -> dict[str, Any]:
        """Return the address and the key for ``model``, where the settings name them.

        Raises `TransportError` if a key that they name is missing.
        """
        settings = self._settings
        if (
            model.startswith("hosted_vllm/")
            and settings.base_url is None
            and not os.environ.get("HOSTED_VLLM_API_BASE")
        ):
            # litellm would send the paper to OpenAI.
            raise TransportError("missing", "a hosted_vllm model needs a base-url")
        found: dict[str, Any] = {}
        if settings.base_url is not None:
            found["api_base"] = settings.base_url.rstrip("/")
            found["api_key"] = _NO_KEY
        if settings.api_key_env is not None:
            key = self._secrets.read(settings.api_key_env)
            if key is None:
                name = settings.api_key_env
                raise TransportError("key", f"the environment variable {name} is not set")
            found["api_key"] = key
        return found

    def _parameters(self, call: Call) -> tuple[dict[str, Any], tuple[str, ...]]:
        """Return the parameters that the provider accepts, and the names of the others."""
        wanted: dict[str, Any] = dict(call.parameters)
        form = call.response_format()
        if form is not None:
            wanted["response_format"] = form
        supported = self._taken_by(call.model)
        if supported is None:
            return wanted, ()
        known = set(self._litellm.OPENAI_CHAT_COMPLETION_PARAMS)
        dropped = [name for name in wanted if name in known and name not in supported]
        sent = {name: value for name, value in wanted.items() if name not in dropped}
        return sent, tuple(dropped)

    def body_of(self, call: Call) -> tuple[dict[str, Any], tuple[str, ...]]:
        """Return the parameters of ``call`` under the names of the provider's own protocol, for a
        file that litellm passes on unchanged; and those that it does not take.
        """
        parameters, dropped = self._parameters(call)
        names = self._litellm.get_supported_openai_params(model=call.model) or ()
        if "max_completion_tokens" in names and "max_tokens" not in names:
            parameters = {
                "max_completion_tokens" if name == "max_tokens" else name: value
                for name, value in parameters.items()
            }
        return parameters, dropped

    def _taken_by(self, model: str) -> frozenset[str] | None:
        if model not in self._supported:
            try:
                names = self._litellm.get_supported_openai_params(model=model)
            except Exception:
                names = None
            if names and "max_completion_tokens" in names:
                names = [*names, "max_tokens"]
            self._supported[model] = frozenset(names) if names else None
        return self._supported[model]

    def trouble(
        self, error: Exception, model: str, timeout: float, parameters: Mapping[str, Any]
    ) -> TransportError:
        """Return the error of a request for ``model`` in the form that all transports share."""
        if isinstance(error, TransportError):
            return error
        litellm = self._litellm
        if isinstance(error, litellm.Timeout):
            return TransportError("timeout", f"no complete answer within {timeout:g} s")
        said = str(getattr(error, "message", "") or error).partition("Traceback (most recent")[0]
        message = _NOISE.sub("", " ".join(said.split()))[:800]
        if _NO_PROVIDER in message:
            return TransportError("missing", f"litellm does not know a provider for {model!r}")
        if _NO_CREDENTIALS.search(message):
            return TransportError("key", message)
        status = getattr(error, "status_code", None)
        status = status if isinstance(status, int) else None
        text_of_error = message if status is None else f"HTTP {status}: {message}"
        found = trouble_of(status, text_of_error, _headers(error), sent=parameters)
        if isinstance(error, litellm.ContextWindowExceededError):
            found.trouble = "context"
        elif isinstance(error, litellm.ContentPolicyViolationError):
            found.trouble = "refusal"
        elif isinstance(error, litellm.AuthenticationError):
            found.trouble = "key"
        elif isinstance(error, litellm.NotFoundError):
            found.trouble = "missing"
        elif found.trouble == "server":
            return _connection(error, message) or found
        return found

    async def probe(self, model: str) -> str:
        """Check the provider and its key without a call; see `Transport`."""
        try:
            self.endpoint(model)
            self._litellm.get_llm_provider(model)
        except TransportError as error:
            return error.message
        except Exception:
            return "litellm does not know this provider; write provider/model"
        if self._settings.api_key_env is not None or self._settings.base_url is not None:
            return ""
        try:
            found = self._litellm.validate_environment(model=model)
        except Exception:
            return ""
        missing = found.get("missing_keys") or []
        # Only a key without an alternative: clouds also have roles and profiles.
        sure = bool(missing) and all(name.endswith("_API_KEY") for name in missing)
        if found.get("keys_in_environment") or not sure:
            return ""
        return f"the environment variable {' or '.join(missing)} is not set"

    async def close(self) -> None:
        """Close litellm's connections, which it keeps for each event loop."""
        from litellm.llms.custom_httpx import async_client_cleanup

        cleanup: Any = async_client_cleanup
        await cleanup.close_litellm_async_clients()
        self._litellm.in_memory_llm_clients_cache.flush_cache()


def _answer(response: Any, dropped: tuple[str, ...]) -> Answer:
    try:
        choice = response.choices[0]
        message = choice.message
    except (AttributeError, IndexError, TypeError):
        raise TransportError("server", "the answer contains no message") from None
    usage = getattr(response, "usage", None)
    details = getattr(usage, "prompt_tokens_details", None)
    extra = getattr(message, "provider_specific_fields", None)
    refusal = getattr(message, "refusal", None)
    if not refusal and isinstance(extra, Mapping):
        refusal = extra.get("refusal")
    content = message.content
    return Answer(
        text=content if isinstance(content, str) else "",
        finish_reason=str(choice.finish_reason or ""),
        refusal=refusal if isinstance(refusal, str) else "",
        model=str(getattr(response, "model", "") or ""),
        prompt_tokens=read_count(getattr(usage, "prompt_tokens", None)),
        completion_tokens=read_count(getattr(usage, "completion_tokens", None)),
        cached_tokens=read_count(getattr(details, "cached_tokens", None)),
        written_tokens=read_count(getattr(details, "cache_write_tokens", None)) or 0,
        dropped=dropped,
    )


def _headers(error: Exception) -> dict[str, str]:
    found: dict[str, str] = {}
    for each in (
        getattr(getattr(error, "response", None), "headers", None),
        getattr(error, "litellm_response_headers", None),
    ):
        if each:
            found.update({str(name): str(value) for name, value in dict(each).items()})
    return found


def _connection(error: Exception, message: str) -> TransportError | None:
    """Return the connection problem behind ``error``, if it is one."""
    chain = _chain(error)
    for text in reversed(chain):
        if any(sign in text.lower() for sign in _UNREACHABLE):
            text_of_error = " ".join(text.split())[:300]
            return TransportError(
                "connection", f"cannot be reached: {text_of_error}", unreachable=True
            )
    if type(error).__name__ == "APIConnectionError":
        return TransportError("connection", f"the connection broke: {message}")
    return None


def _chain(error: BaseException | None) -> list[str]:
    texts: list[str] = []
    while error is not None and len(texts) < 8:
        texts.append(str(error))
        error = error.__cause__ or error.__context__
    return texts
