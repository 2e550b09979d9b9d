"""Settings of models: endpoints, request limits, and the budget of a run.

They say nothing of keys but the name of the environment variable that holds one. In YAML::

    services:
      llm:
        default: {max-connections: 20, retries: 4}
        models:
          openai/phi-4: {base-url: "http://localhost:8000/v1", context-window: 16384}
          anthropic/claude-opus-4-1: {requests-per-minute: 50}
    budget: {usd: 5, calls: 10000}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, ClassVar, Literal, cast
from urllib.parse import urlsplit

from revkit.dataclass import dataclass
from revkit.errors import OptionError, UnknownOption
from revkit.model.values import Json
from revkit.options import (
    check_options,
    from_options,
    option,
    options_of,
    schema_of,
    unknown_name,
)

# Providers whose endpoints speak the OpenAI protocol, so that a base URL is all that is needed.
_COMPATIBLE = ("openai/", "hosted_vllm/")


@dataclass(frozen=True)
class ModelSettings:
    """The endpoint and the request limits of one model.

    A model without a base URL goes through litellm, which finds its endpoint and reads its key from
    the provider's usual environment variable. ``openai/NAME`` and ``hosted_vllm/NAME`` with a base
    URL are called directly, at a twentieth of the processor time.
    """

    name: ClassVar[str] = "model"
    base_url: str | None = option(
        None, help="The endpoint, such as http://localhost:8000/v1; none: the provider's own."
    )
    api_key_env: str | None = option(
        None, help="Name of the environment variable that contains the key (never the key itself)."
    )
    transport: Literal["auto", "litellm", "openai-compatible"] = option(
        "auto",
        help="auto: openai-compatible for openai/ and hosted_vllm/ with a base-url, else litellm.",
    )
    max_connections: int = option(
        16,
        help="Maximum number of calls in flight; temporarily fewer if the server is overloaded.",
        minimum=1,
        maximum=4096,
    )
    requests_per_minute: float | None = option(
        None, help="Maximum number of requests a minute; none: no limit.", minimum=0.001
    )
    tokens_per_minute: float | None = option(
        None,
        help="Maximum number of estimated tokens a minute, prompts and replies; none: no limit.",
        minimum=1,
    )
    timeout: float = option(300.0, help="Seconds for one request in total.", minimum=0.01)
    retries: int = option(
        4, help="Maximum number of retries after a temporary failure.", minimum=0, maximum=100
    )
    backoff: float = option(
        1.0, help="Seconds before the first retry; doubled each time.", minimum=0
    )
    longest_wait: float = option(
        120.0,
        help="Maximum seconds to wait before a retry; if a server asks for more, the call fails.",
        minimum=0,
    )
    context_window: int | None = option(
        None,
        help="Tokens that fit the model's window, prompt and reply; none: from litellm's list.",
        minimum=1,
    )
    usd_per_million_input: float | None = option(
        None,
        help="Price of a million prompt tokens; none: from litellm's list.",
        minimum=0,
        maximum=1_000_000,
    )
    usd_per_million_output: float | None = option(
        None,
        help="Price of a million reply tokens; none: from litellm's list.",
        minimum=0,
        maximum=1_000_000,
    )
    batch: bool = option(
        False,
        help="Send calls as batches: about half the price at most providers, within 24 hours.",
    )
    batch_least: int = option(
        10,
        help="Fewer calls than this that are left in a round are made one by one.",
        minimum=1,
    )
    batch_most: int = option(
        50_000, help="Maximum number of calls of one batch.", minimum=1, maximum=50_000
    )
    batch_price: float = option(
        0.5,
        help="Price of a call in a batch, as a share; used if litellm's list has none for batches.",
        minimum=0,
        maximum=1,
    )
    batch_wait: float | None = option(
        None,
        help="Maximum hours that a command waits for batches; 0: it ends once they are sent; none: "
        "no limit. The same command continues later.",
        minimum=0,
    )

    def __post_init__(self) -> None:
        check_options(self)
        problems = [*self._url_problems(), *self._key_problems()]
        if (self.usd_per_million_input is None) != (self.usd_per_million_output is None):
            problems.append(("usd-per-million-output", "set both prices or neither"))
        if self.transport == "openai-compatible" and self.base_url is None:
            problems.append(("transport", "openai-compatible needs a base-url"))
        if problems:
            raise OptionError("model", problems)

    def _url_problems(self) -> list[tuple[str, str]]:
        if self.base_url is None:
            return []
        try:
            parts = urlsplit(self.base_url)
            fine = parts.scheme in ("http", "https") and bool(parts.hostname)
        except ValueError:
            return [("base-url", "is not an address")]
        if not fine:
            return [("base-url", "must be an http:// or https:// address")]
        if parts.username or parts.password or parts.query or parts.fragment:
            text = (
                "must not contain a user, key or query; name the variable of a key in api-key-env"
            )
            return [("base-url", text)]
        return []

    def _key_problems(self) -> list[tuple[str, str]]:
        name = self.api_key_env
        if name is None or (name.isidentifier() and name.isascii()):
            return []
        # The value may be a key that was put here by mistake: do not repeat it.
        return [("api-key-env", "must be the name of an environment variable, not the key itself")]


@dataclass(frozen=True, slots=True)
class Cost:
    """Requests, tokens and dollars of language models; ``usd`` is None if a price is unknown."""

    calls: int = 0
    tokens: int = 0
    usd: float | None = 0.0


@dataclass(frozen=True)
class Budget:
    """The limits on spending of one experiment, over all commands that run it with one store; a
    call that would exceed a limit is not made.

    ``calls`` counts requests, repetitions included. ``tokens`` counts prompts and replies. ``usd``
    needs the price of every model that is asked. Stored answers cost nothing, whichever experiment
    paid for them.
    """

    name: ClassVar[str] = "budget"
    usd: float | None = option(None, help="Maximum cost in US dollars.", minimum=0)
    calls: int | None = option(
        None, help="Maximum number of requests, retries included.", minimum=0
    )
    tokens: int | None = option(
        None, help="Maximum number of tokens, prompts and replies.", minimum=0
    )

    def __post_init__(self) -> None:
        check_options(self)


@dataclass(frozen=True)
class LlmServices:
    """The settings of all models: ``models`` by name, ``default`` for every other one."""

    models: Mapping[str, ModelSettings] = field(default_factory=dict)
    default: ModelSettings = field(default_factory=ModelSettings)

    def of(self, model: str) -> ModelSettings:
        """Return the settings of ``model``."""
        return self.models.get(model, self.default)

    @property
    def most_connections(self) -> int:
        """The highest number of connections of any model, which is the number of threads that can
        wait for it.
        """
        return max(each.max_connections for each in (self.default, *self.models.values()))

    @property
    def batches(self) -> bool:
        """Whether the calls of some model are sent as batches."""
        return any(each.batch for each in (self.default, *self.models.values()))

    def identity(self) -> dict[str, Json]:
        """Return the settings that decide which model answers: transport and endpoint, without
        limits.
        """
        return {
            "default": endpoint_identity(self.default),
            "models": {name: endpoint_identity(each) for name, each in self.models.items()},
        }


def transport_of(model: str, settings: ModelSettings) -> Literal["litellm", "openai-compatible"]:
    """Return the transport that serves ``model``."""
    if settings.transport != "auto":
        return settings.transport
    direct = settings.base_url is not None and model.startswith(_COMPATIBLE)
    return "openai-compatible" if direct else "litellm"


def endpoint_identity(settings: ModelSettings) -> Json:
    """Return what identifies an endpoint in a cache key: its address, independent of transport and
    API key.
    """
    return None if settings.base_url is None else settings.base_url.rstrip("/")


def llm_schema() -> dict[str, Json]:
    """Return the JSON Schema of ``services.llm``."""
    model = schema_of(ModelSettings)
    return {
        "type": "object",
        "properties": {
            "default": {**model, "description": "Settings of every model; models override them."},
            "models": {
                "type": "object",
                "additionalProperties": model,
                "description": "Settings by the model's name in litellm.",
            },
        },
        "additionalProperties": False,
    }


def budget_schema() -> dict[str, Json]:
    """Return the JSON Schema of ``budget``."""
    return schema_of(Budget)


def llm_from_options(options: Mapping[str, Any]) -> LlmServices:
    """Build the settings from ``services.llm`` in YAML.

    Raises `OptionError` with all problems; their names are paths ("models.openai/phi-4.timeout").
    """
    problems: list[tuple[str, str]] = [
        (str(key), UnknownOption(unknown_name("key", str(key), ("default", "models"))))
        for key in options
        if key not in ("default", "models")
    ]
    shared = options.get("default", {})
    models = options.get("models", {})
    for name, value in (("default", shared), ("models", models)):
        if not isinstance(value, Mapping):
            problems.append((name, f"expected a mapping, not {value!r}"))
    if problems:
        raise OptionError("llm", problems)
    default = _settings("default", shared, problems)
    built = {}
    for name, value in models.items():
        path = f"models.{name}"
        if not isinstance(value, Mapping):
            problems.append((path, f"expected a mapping, not {value!r}"))
        elif default is not None:
            built[str(name)] = _settings(path, {**shared, **value}, problems)
    if problems:
        raise OptionError("llm", problems)
    return LlmServices(cast(Any, built), default or ModelSettings())


def _settings(
    path: str, options: Mapping[str, Any], problems: list[tuple[str, str]]
) -> ModelSettings | None:
    try:
        return cast(ModelSettings, from_options(ModelSettings, options))
    except OptionError as error:
        problems.extend((f"{path}.{name}" if name else path, text) for name, text in error.problems)
    return None


def llm_to_json(settings: LlmServices) -> dict[str, Json]:
    """Return the settings in the form of YAML, with every default written out."""
    return {
        "default": options_of(settings.default),
        "models": {name: options_of(each) for name, each in settings.models.items()},
    }
