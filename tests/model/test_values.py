"""Canonical JSON and digests."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from revkit.model.values import (
    canonical_bytes,
    canonical_json,
    digest_of,
    digest_of_text,
    is_number,
    quoted,
    uniform_of,
)

_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)  # fmt: skip


def shuffled(value: Any, draw: random.Random) -> Any:
    if isinstance(value, dict):
        items = [(key, shuffled(item, draw)) for key, item in value.items()]
        draw.shuffle(items)
        return dict(items)
    return [shuffled(item, draw) for item in value] if isinstance(value, list) else value


@given(_json, st.randoms())
def test_the_order_of_keys_means_nothing(value: Any, draw: random.Random) -> None:
    other = shuffled(value, draw)
    assert canonical_json(other) == canonical_json(value)
    assert digest_of(other) == digest_of(value)
    assert json.loads(canonical_bytes(value)) == value


def test_known_forms() -> None:
    assert canonical_json({"b": [1, 2.0, None], "a": "é"}) == '{"a":"é","b":[1,2.0,null]}'
    # SHA-256 of the two characters {}, from sha256sum.
    assert digest_of({}) == "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
    assert digest_of(1) != digest_of(1.0) != digest_of("1")
    for value in (float("nan"), float("inf"), {"a": float("-inf")}):
        with pytest.raises(ValueError, match="not JSON compliant"):
            canonical_json(value)


def test_lone_surrogates_become_escapes() -> None:
    body = canonical_bytes({"a": "x\udcffé"})
    assert body == '{"a":"x\\udcffé"}'.encode()
    assert json.loads(body) == {"a": "x\udcffé"}
    assert digest_of("\udcff") != digest_of("\udcfe")


@given(
    st.text(st.characters(exclude_categories=()), max_size=30),
    st.sampled_from(['"', "\\", "\n\r\t", "\x00", "\x1f\b\f", "\x7f\u2028", "\ud835", "é–π", ""]),
    st.dictionaries(st.text(max_size=3), st.none() | st.integers() | st.text(max_size=5)),
)
def test_long_texts_are_written_as_json_writes_them(
    text: str, sign: str, others: dict[str, Any]
) -> None:
    value: dict[str, Any] = {**others, "text": (text + sign) * 3 + "x" * 2000 + sign, "at": others}
    wanted = json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    assert canonical_json(value) == wanted
    assert quoted(value["text"]) == json.dumps(value["text"], ensure_ascii=False)


def test_uniform_of_reads_the_first_64_bits_of_the_sha_256() -> None:
    # From sha256sum: SHA-256 of "abc" begins with ba7816bf8f01cfea.
    assert uniform_of(b"abc") == int("ba7816bf8f01cfea", 16) / 2**64


@given(st.binary(max_size=20))
def test_uniform_of_is_a_share_below_one_or_rounds_to_it(data: bytes) -> None:
    assert 0.0 <= uniform_of(data) <= 1.0


def test_digest_of_text_is_that_of_sha256sum() -> None:
    known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert digest_of_text("abc") == known
    assert digest_of_text("\ud800") != digest_of_text("\ud801")


@pytest.mark.parametrize("value", [0, -3, 0.5, float("inf")])
def test_numbers_are_numbers(value: float) -> None:
    assert is_number(value)


@pytest.mark.parametrize("value", [True, False, "1", None, [1], 1j])
def test_other_values_are_not_numbers(value: object) -> None:
    assert not is_number(value)
