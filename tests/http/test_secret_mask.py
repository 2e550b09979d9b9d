"""The mask: a key in every code in which servers and models repeat it, and nothing else."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from revkit.http import (
    MASK,
    Mask,
    MissingSecretError,
    Secrets,
    looks_secret,
    read_secret,
)

KEY = 'zq+SECRET/key"9931-B&ä'


def _code(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


CODES: dict[str, Callable[[str], str]] = {
    "raw": str,
    "json": lambda key: json.dumps(key)[1:-1],
    "json, not only ASCII": lambda key: json.dumps(key, ensure_ascii=False)[1:-1],
    "url": lambda key: quote(key, safe=""),
    "url, slash as it is": quote,
    "form": quote_plus,
    "url, small digits": lambda key: quote(key, safe="").replace("%2F", "%2f").replace("%2B", "%2b")
    .replace("%22", "%22").replace("%C3%A4", "%c3%a4"),
    "html": html.escape,
    "base64": _code,
    "base64 without padding": lambda key: _code(key).rstrip("="),
    "base64 for URLs": lambda key: base64.urlsafe_b64encode(key.encode()).decode(),
    "hex": lambda key: key.encode().hex(),
    "HEX": lambda key: key.encode().hex().upper(),
    "reversed": lambda key: key[::-1],
}  # fmt: skip


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("key", [KEY, "abcdef-123456-789", "A" * 3000 + "end"])
def test_each_code_is_masked(code: str, key: str) -> None:
    written = CODES[code](key)
    masked = Mask([key])(f"bad key <{written}>, sorry")
    assert masked.startswith(f"bad key <{MASK}")
    assert masked.endswith(">, sorry")
    assert len(masked) < len("bad key <***>, sorry") + 3  # padding of base64


@pytest.mark.parametrize("before", ["", "u", "me", "you", "user"])
@pytest.mark.parametrize("after", ["", ":", "::", "x\n"])
@pytest.mark.parametrize(
    "key", ["zq-SECRETkey9931-B", "zq-SECRETkey9931-Bc", "zq-SECRETkey9931-Bcd"]
)
def test_a_key_within_base64_is_masked(before: str, after: str, key: str) -> None:
    """As in ``Authorization: Basic``; at most one letter of the code that holds a part is left."""
    masked = Mask([key])(f"Basic {_code(before + key + after)}")
    (left, right) = masked.split(MASK)
    shown = left.removeprefix("Basic ") + right
    assert len(shown) <= len(_code(before + "xx")) + len(_code("xx" + after))
    assert len(masked) < len(_code(key))


@pytest.mark.parametrize("length", [16, 17, 20, 30])
def test_the_beginning_of_a_key_is_masked_from_sixteen_characters(length: int) -> None:
    key = "sk-live-0123456789-abcdefghij-XYZ"
    assert Mask([key])(f"key {key[:length]}... is wrong") == "key ***... is wrong"
    code = _code(key)
    assert Mask([key])(f"{code[: length + 4]}!") == "***!"


def test_fifteen_characters_are_not() -> None:
    key = "sk-live-0123456789-abcdefghij-XYZ"
    assert Mask([key])(key[:15]) == key[:15]


def test_of_two_keys_with_one_beginning_neither_leaves_a_rest() -> None:
    one, other = "sk-proj-0123456789-AAAAAAA", "sk-proj-0123456789-BBBBBBBBB"
    masked = Mask([one, other])(f"{other} {one} {other[:22]} {one[:24]} sk-proj-0123456789-C")
    assert masked == "*** *** *** *** ***C"


def test_short_values_are_left_alone() -> None:
    assert Mask(["none", ""])("none of these") == "none of these"


def test_a_json_value_is_masked_in_texts_and_keys() -> None:
    value: Any = {"a": [1, KEY, None, {KEY: True}], "b": 1.5}
    assert Mask([KEY]).json(value) == {"a": [1, MASK, None, {MASK: True}], "b": 1.5}


@given(st.text(), st.text(min_size=6, max_size=40))
def test_the_secret_is_never_left(text: str, key: str) -> None:
    masked = Mask([key])(f"{text}{key}{text}")
    assert key not in masked.replace(MASK, "\0") or set(key) <= {"*"}


@given(st.text(alphabet="abcdef ", max_size=200))
def test_other_text_stays_as_it_is(text: str) -> None:
    assert Mask(["0123456789-0123456789"])(text) == text


def test_masking_is_linear() -> None:
    key = "a" * 40
    text = "a" * 15 + "b"
    assert Mask([key])(text * 20_000) == text * 20_000
    assert Mask([key])("a" * 1_000_000) == MASK * 25_000


def test_secrets_of_a_client(monkeypatch: pytest.MonkeyPatch) -> None:
    secrets = Secrets()
    monkeypatch.setenv("SOME_KEY", "abcdef-123456")
    monkeypatch.setenv("SOME_LONGER_KEY", "abcdef-123456-789")
    assert secrets.read("SOME_KEY") == "abcdef-123456"
    secrets.note_environment()
    text = "key abcdef-123456-789 and abcdef-123456; Bearer QWERTY123456 sk-proj-0123456789abcdef"
    masked = secrets.mask(text)
    for part in ("abcdef", "789", "QWERTY", "0123456789abcdef"):
        assert part not in masked
    assert secrets.mask("a plain text") == "a plain text"
    assert secrets.read("NOT_SET_ANYWHERE") is None


def test_what_is_stored_loses_known_secrets_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A review may say "Bearer authentication"; a short value may be a word of it."""
    monkeypatch.setenv("GIVEN_KEY", "quokka")
    monkeypatch.setenv("MY_SIGNING_KEY", "primary")
    monkeypatch.setenv("OTHER_API_KEY", "0123456789abcdef")
    secrets = Secrets()
    secrets.read("GIVEN_KEY")
    secrets.note_environment()
    text = "Bearer authentication is the primary method; quokka 0123456789abcdef"
    assert secrets.storage_mask(text) == "Bearer authentication is the primary method; *** ***"
    assert "primary" not in secrets.mask(text)


def test_a_secret_is_read_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_KEY", "abcdef")
    monkeypatch.setenv("SHORT_KEY", "abc")
    assert read_secret("A_KEY") == "abcdef"
    with pytest.raises(MissingSecretError, match="SHORT_KEY has fewer than 6"):
        read_secret("SHORT_KEY")
    with pytest.raises(MissingSecretError, match="NO_KEY is not set"):
        read_secret("NO_KEY")


@pytest.mark.parametrize("name", ["API_KEY", "token", "AWS_SECRET_ACCESS_KEY", "X_PASSWORD",
                                  "AWS_ACCESS_KEY_ID", "OpenAI_Keys", "DB_PASSWD"])  # fmt: skip
def test_names_that_hold_secrets(name: str) -> None:
    assert looks_secret(name)
    assert not looks_secret(f"{name}_FILE")
