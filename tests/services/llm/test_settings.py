"""Settings, prices, limits, troubles and secrets: expectations by hand."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from revkit.errors import OptionError
from revkit.model_settings import (
    Budget,
    ModelSettings,
    llm_from_options,
    llm_schema,
    llm_to_json,
    transport_of,
)
from revkit.services.llm.limits import Bucket
from revkit.services.llm.prices import ModelFacts, estimate_tokens, facts_of
from revkit.services.llm.trouble import trouble_of


def test_models_take_what_they_do_not_say_from_default() -> None:
    settings = llm_from_options(
        {
            "default": {"max-connections": 20, "timeout": 60},
            "models": {"openai/a": {"base-url": "http://localhost:1/v1", "timeout": 5}},
        }
    )
    assert settings.of("openai/a").timeout == 5
    assert settings.of("openai/a").max_connections == 20
    assert settings.of("openai/b") == settings.default
    assert llm_from_options(llm_to_json(settings)) == settings


def test_the_schema_is_one_and_takes_the_settings() -> None:
    import jsonschema

    jsonschema.Draft202012Validator.check_schema(llm_schema())
    validator = jsonschema.Draft202012Validator(llm_schema())
    assert validator.is_valid({"models": {"openai/a": {"base-url": "http://x/v1"}}})
    assert validator.is_valid(llm_to_json(llm_from_options({})))
    assert not validator.is_valid({"models": {"openai/a": {"base_url": "http://x/v1"}}})
    assert not validator.is_valid({"model": {}})


@pytest.mark.parametrize(
    ("options", "place", "text"),
    [
        ({"modles": {}}, "modles", "did you mean 'models'"),
        ({"models": []}, "models", "expected a mapping"),
        ({"models": {"m": 3}}, "models.m", "expected a mapping"),
        ({"models": {"m": {"time-out": 3}}}, "models.m.time-out", "did you mean 'timeout'"),
        ({"models": {"m": {"retries": -1}}}, "models.m.retries", "below the minimum"),
        ({"default": {"base-url": "localhost:8000"}}, "default.base-url", "http"),
        ({"default": {"base-url": "http://u:p@h/v1"}}, "default.base-url", "a user, key"),
        ({"default": {"base-url": "http://h/v1?key=x"}}, "default.base-url", "a user, key"),
        ({"default": {"base-url": "http://[x"}}, "default.base-url", "not an address"),
        (
            {"default": {"api-key-env": "sk-abc.def"}},
            "default.api-key-env",
            "the name of an environment variable",
        ),
        ({"default": {"usd-per-million-input": 1}}, "default.usd-per-million-output", "both"),
        ({"default": {"transport": "openai-compatible"}}, "default.transport", "base-url"),
    ],
)
def test_wrong_settings_are_told_by_place(
    options: dict[str, object], place: str, text: str
) -> None:
    with pytest.raises(OptionError) as caught:
        llm_from_options(options)
    assert caught.value.problems[0][0] == place
    assert text in caught.value.problems[0][1]
    assert "sk-abc" not in str(caught.value)


def test_transports_follow_from_name_and_address() -> None:
    local = ModelSettings(base_url="http://localhost:1/v1")
    assert transport_of("openai/a", local) == "openai-compatible"
    assert transport_of("hosted_vllm/a", local) == "openai-compatible"
    assert transport_of("ollama/a", local) == "litellm"
    assert transport_of("openai/gpt-4.1", ModelSettings()) == "litellm"


def test_budgets_are_checked() -> None:
    assert Budget(usd=5) == Budget(usd=5.0)
    with pytest.raises(OptionError):
        Budget(calls=-1)


def test_prices_come_from_settings_or_the_list() -> None:
    """gpt-4.1 at 2 and 8 dollars a million and half a dollar for cached prompts, as listed."""
    listed = facts_of("openai/gpt-4.1", ModelSettings())
    assert listed.usd(1_000_000, 0) == pytest.approx(2.0)
    assert listed.usd(1_000_000, 1_000_000, 1_000_000) == pytest.approx(8.5)
    assert listed.window is not None
    assert listed.window > 1_000_000
    own = ModelSettings(usd_per_million_input=1, usd_per_million_output=3)
    assert facts_of("openai/whatever", own).usd(1000, 1000) == pytest.approx(0.004)
    assert facts_of("openai/whatever", ModelSettings()).usd(1, 1) is None
    # Behind an address of one's own a name says nothing.
    elsewhere = ModelSettings(base_url="http://localhost:1/v1")
    assert facts_of("openai/gpt-4.1", elsewhere) == ModelFacts()


def test_dearer_prices_from_a_size_on() -> None:
    facts = ModelFacts(input_price=1.0, output_price=2.0, levels=((100, 3.0, 4.0),))
    assert facts.usd(100, 10) == 120.0
    assert facts.usd(101, 10) == 343.0
    assert facts.usd(None, 10) is None


def test_tokens_are_estimated_on_the_high_side() -> None:
    assert estimate_tokens(["a" * 350]) == 109
    assert estimate_tokens(["中" * 100]) >= 85


def test_a_bucket_hands_out_no_unit_twice() -> None:
    now = [0.0]
    bucket = Bucket(60, clock=lambda: now[0])
    assert [bucket.delay(1) for _ in range(3)] == [0.0, 1.0, 2.0]
    now[0] = 100.0  # unused time is worth a second at most
    assert [bucket.delay(1) for _ in range(3)] == [0.0, 0.0, 1.0]
    assert Bucket(None).delay(10**9) == 0.0


@pytest.mark.parametrize(
    ("status", "message", "trouble"),
    [
        (429, "slow down", "rate"),
        (500, "oops", "server"),
        (502, "", "server"),
        (529, "overloaded", "server"),
        (408, "", "server"),
        (401, "bad key", "key"),
        (403, "forbidden", "key"),
        (403, "blocked by content policy", "refusal"),
        (404, "no such model", "missing"),
        (400, "model `x` does not exist", "missing"),
        (400, "This model's maximum context length is 8192 tokens", "context"),
        (400, "prompt is too long: 210000 tokens > 200000 maximum", "context"),
        (500, "input exceeds the available context size", "context"),
        (413, "too large", "context"),
        (400, "content_filter triggered", "refusal"),
        (400, "no", "request"),
        (422, "field required", "request"),
        (301, "moved", "request"),
        (None, "", "server"),
    ],
)
def test_troubles(status: int | None, message: str, trouble: str) -> None:
    assert trouble_of(status, message, {}).trouble == trouble


@pytest.mark.parametrize(
    ("message", "parameter"),
    [
        ("Unsupported value: 'temperature' does not support 0", "temperature"),
        (
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
            "'max_completion_tokens' instead.",
            "max_tokens",
        ),
        ("json_schema is not supported", "response_format"),
        ("Invalid schema for response_format 'reply'", "response_format"),
        ("Unsupported: 'logprobs'", ""),
        ("temperature was fine", ""),
    ],
)
def test_parameters_that_a_provider_does_not_take(message: str, parameter: str) -> None:
    """goclaw 211."""
    sent = {"temperature": 0, "max_tokens": 5, "response_format": {}}
    assert trouble_of(400, message, {}, sent=sent).unsupported == parameter


def test_importing_the_services_imports_no_client() -> None:
    code = (
        "import sys, revkit.services.llm, revkit_llm.agent; "
        "heavy = {'aiohttp', 'litellm', 'openai', 'httpx', 'jsonschema', 'yaml', 'numpy'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    assert done.stdout.strip() == "[]"
