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
