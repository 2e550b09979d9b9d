"""Messages about names that nothing has: the nearest name, or one list with a remedy."""

from __future__ import annotations

from typing import Any

import pytest

import revkit
from revkit.errors import SpecError

SPEC: dict[str, Any] = {
    "revkit": 1,
    "name": "n",
    "corpus": "synthetic",
    "perturbations": {"hedging": "hedging"},
    "agents": {"mine": "length-reader"},
    "metrics": ["flip-rate", "clean-accuracy"],
}


def message_of(**changes: Any) -> str:
    with pytest.raises(SpecError) as caught:
        revkit.validate({**SPEC, **changes})
    return str(caught.value)


@pytest.mark.parametrize(
    ("assertion", "meant"),
    [
        ("failure == 0", "'failures'"),
        ("fliprate[mine] < 0.2", "'flip_rate'"),
        ("Accuracy[mine] > 0.1", "'accuracy'"),
    ],
)
def test_the_name_that_was_meant_is_in_the_message(assertion: str, meant: str) -> None:
    message = message_of(**{"assert": [assertion]})
    assert "did you mean" in message
    assert meant in message


def test_a_count_is_meant_also_without_metrics() -> None:
    message = message_of(metrics=[], **{"assert": ["failure == 0"]})
    assert "did you mean 'failures'" in message


def test_counts_are_among_the_names_that_an_assertion_can_use() -> None:
    message = message_of(**{"assert": ["zzzz == 0"]})
    assert "failures, faults" in message
    assert "papers" in message


def test_the_known_names_of_a_kind_are_listed_once() -> None:
    families = {f"f{i}": f"zzqq{i}zzqq" for i in range(10)}
    message = message_of(perturbations=families)
    assert message.count("citation-injection") == 1
    assert message.count("--plugin FILE") == 1
    for name in families.values():
        assert f"unknown perturbation '{name}'" in message


def test_a_misspelt_key_is_one_problem() -> None:
    spec = {**SPEC, "corups": SPEC["corpus"]}
    del spec["corpus"]
    with pytest.raises(SpecError) as caught:
        revkit.validate(spec)
    [problem] = caught.value.problems
    assert "unknown key 'corups'; did you mean 'corpus'?" in problem.message


@pytest.mark.parametrize(
    ("settings", "used", "refused"),
    [
        ("openai/venue-model", "openai/venue-modle", True),
        ("openai/venue-model", "openai/venu-model", True),
        ("openai/venue-model", "openai/Venue-Model", True),
        ("openai/venue-model", "openai/venue-model", False),
        ("openai/gpt-4o", "openai/gpt-4", False),
        ("openai/gpt-4.1", "openai/gpt-4.0", False),
        ("openai/gpt-4o", "openai/gpt-4o-mini", False),
    ],
)
def test_settings_of_a_misspelt_model_are_a_problem(
    settings: str, used: str, refused: bool
) -> None:
    """Otherwise the papers would go to the public address of the model."""
    changes: dict[str, Any] = {
        "agents": {"mine": {"use": "llm", "with": {"model": used}}},
        "services": {"llm": {"models": {settings: {"base-url": "http://127.0.0.1:9/v1"}}}},
    }
    if refused:
        message = message_of(**changes)
        assert f"no component uses the model '{settings}', and '{used}' has no settings" in message
    else:
        revkit.validate({**SPEC, **changes})


def test_settings_of_a_misspelt_model_beside_a_default_address() -> None:
    """No call goes to a public address, so two names that differ by a letter may be two models."""
    models = {"hosted/modela": {"timeout": 60}}
    default = {"base-url": "http://127.0.0.1:9/v1"}
    agents = {"mine": {"use": "llm", "with": {"model": "hosted/modelb"}}}
    services = {"llm": {"default": default, "models": models}}
    revkit.validate({**SPEC, "agents": agents, "services": services})


def test_a_key_of_the_user_is_no_misspelt_key() -> None:
    spec = {**SPEC, "x-revkit": 1}
    del spec["revkit"]
    with pytest.raises(SpecError, match="'revkit' is missing"):
        revkit.validate(spec)
