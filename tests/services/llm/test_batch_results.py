"""Result files of batches: whatever a line holds, no call gets another one's result."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from revkit.http import Mask
from revkit.model_settings import Cost, ModelSettings
from revkit.services.llm.batch_api import RemoteBatch
from revkit.services.llm.batch_results import DAMAGED, FOREIGN, TWICE, answer_in, read_results
from revkit.services.llm.prices import ModelFacts, facts_of

FACTS = ModelFacts(input_price=1.0, output_price=2.0)
KEYS = [bytes([number]) * 32 for number in range(6)]
CALLS = {key: ("agents.a", Cost(1, 100, 50.0)) for key in KEYS}
DONE = RemoteBatch("b", "completed")


def line(key: bytes | str, text: str = "fine", status: int = 200, **more: Any) -> str:
    name = key if isinstance(key, str) else key.hex()
    body = {
        "model": "m",
        "choices": [{"message": {"content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 4},
    }
    return json.dumps(
        {"custom_id": name, "response": {"status_code": status, "body": body}, **more}
    )


def read(*lines: str, remote: RemoteBatch = DONE, mask: Mask | None = None) -> Any:
    return read_results(CALLS, remote, ["\n".join(lines).encode()], FACTS, mask or Mask())


def test_results_are_found_by_key_in_any_order() -> None:
    lines = [line(key, f"text {number}") for number, key in enumerate(KEYS)]
    random.Random(1).shuffle(lines)
    found = read(*lines)
    assert [each.key for each in found.arrived] == KEYS
    texts = [answer_in(each.body).text for each in found.arrived]
    assert texts == [f"text {number}" for number in range(6)]
    assert {each.charged for each in found.arrived} == {Cost(1, 7, 11.0)}  # 3 + 2 * 4
    assert found.odd == {}


def test_the_first_usable_line_counts() -> None:
    first = line(KEYS[0], "first")
    bad = line(KEYS[1], status=500)
    found = read(first, line(KEYS[0], "second"), bad, line(KEYS[1], "late"))
    by_key = {each.key: each for each in found.arrived}
    assert answer_in(by_key[KEYS[0]].body).text == "first"
    assert answer_in(by_key[KEYS[1]].body).text == "late"
    assert found.odd == {TWICE: 2}


@pytest.mark.parametrize(
    ("odd", "sort"),
    [
        ('{"custom_id": "', DAMAGED),
        ("[]", DAMAGED),
        ('{"custom_id": 3}', DAMAGED),
        ('{"custom_id": "not hex"}', DAMAGED),
        ('{"custom_id": "' + "\u00e9" + '"}', DAMAGED),
        (line(b"\xff" * 32), FOREIGN),
        (line("ab"), FOREIGN),
    ],
)
def test_a_line_that_belongs_to_nobody_is_counted(odd: str, sort: str) -> None:
    found = read(odd)
    assert found.odd == {sort: 1}
    assert {each.outcome for each in found.arrived} == {"missing"}


def test_what_a_call_without_a_result_may_have_cost() -> None:
    [missing, *_] = read().arrived
    assert missing.charged == Cost(1, 100, 50.0)  # a completed batch may have charged for it
    [expired, *_] = read(remote=RemoteBatch("b", "expired")).arrived
    assert (expired.outcome, expired.charged) == ("expired", Cost(1, 0, 0.0))
    row = {"custom_id": KEYS[0].hex(), "response": None, "error": {"code": "batch_expired"}}
    [call, *_] = read(json.dumps(row)).arrived
    assert (call.outcome, call.charged) == ("expired", Cost(1, 0, 0.0))


def test_secrets_in_results_are_masked() -> None:
    found = read(line(KEYS[0], "the key is sk-secret-value"), mask=Mask(["sk-secret-value"]))
    assert "sk-secret-value" not in found.arrived[0].body
    assert answer_in(found.arrived[0].body).text == "the key is ***"


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(["custom_id", "response", "error", "body", "status_code", "code", "x"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=6,
)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(_VALUES, max_size=4), st.binary(max_size=40))
def test_no_content_of_a_file_raises_or_answers(values: list[Any], noise: bytes) -> None:
    lines = [json.dumps(value).encode() for value in values]
    named = [
        json.dumps({**value, "custom_id": KEYS[0].hex()}).encode()
        for value in values
        if isinstance(value, dict)
    ]
    found = read_results(CALLS, DONE, [b"\n".join([*lines, noise, *named])], FACTS, Mask())
    assert [each.key for each in found.arrived] == KEYS
    assert all(each.outcome != "answered" for each in found.arrived)


def test_batch_prices_are_those_of_the_list_or_a_share() -> None:
    single = facts_of("gpt-4o", ModelSettings())
    batch = single.in_batches(0.9)
    assert (batch.input_price, batch.output_price) == (1.25e-6, 5e-6)  # as litellm's list states
    assert batch.usd(1000, 1000, 1000) == pytest.approx(1000 * 1.25e-6 + 1000 * 5e-6)
    given_prices = ModelSettings(usd_per_million_input=2.0, usd_per_million_output=4.0)
    shared = facts_of("gpt-4o", given_prices).in_batches(0.5)
    assert shared.usd(1_000_000, 1_000_000) == pytest.approx(3.0)
    assert ModelFacts().in_batches(0.5).usd(1, 1) is None
