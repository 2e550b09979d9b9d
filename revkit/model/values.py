"""JSON values, their canonical form, and digests of content."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from json.encoder import encode_basestring
from typing import TypeAlias, TypeGuard, cast

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"


_ENCODER = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
)
_STRINGS = {str}
_LONG = 2000
# What must be escaped but is in no usual text.
_RARE = bytes(set(range(32)) - set(b"\t\n\r"))
_ESCAPES = ((b"\\", b"\\\\"), (b'"', b'\\"'), (b"\n", b"\\n"), (b"\r", b"\\r"), (b"\t", b"\\t"))


def quoted(text: str) -> str:
    """Return ``text`` as a JSON string: the output of json, for a long text in a tenth of the time,
    because json and ``str.replace`` look at each character in turn, and bytes are searched.
    """
    if len(text) < _LONG:
        return encode_basestring(text)
    try:
        data = text.encode()
    except UnicodeEncodeError:  # a lone surrogate
        return encode_basestring(text)
    if any(map(data.__contains__, _RARE)):
        return encode_basestring(text)
    for plain, escaped in _ESCAPES:
        data = data.replace(plain, escaped)
    return f'"{data.decode()}"'


def canonical_json(value: Json) -> str:
    """Return the canonical text of ``value``: sorted keys, no blanks, no NaN.

    Raises ``ValueError`` for NaN and infinities, which JSON has no form for.
    """
    if type(value) is dict:
        long = [k for k, v in value.items() if type(v) is str and len(v) >= _LONG]
        if long and set(map(type, value)) == _STRINGS:
            return _around(value, long)
    return _encoded(value)


def _encoder() -> Callable[[Json], str]:
    """Return the encoder of canonical JSON, made once: json makes one for each value, which takes
    longer than encoding a short one.
    """
    make = getattr(json.encoder, "c_make_encoder", None)
    if make is None:
        return _ENCODER.encode
    # Without the marks of the values around a value, which threads cannot share.
    encode = make(None, _ENCODER.default, encode_basestring, None, ":", ",", True, False, False)

    def encoded(value: Json) -> str:
        try:
            return "".join(encode(value, 0))
        except RecursionError:
            return _ENCODER.encode(value)  # states whether the value contains itself

    return encoded


_encoded = _encoder()


def _around(value: dict[str, Json], long: list[str]) -> str:
    """Return the canonical JSON of ``value``, with the texts under the keys ``long`` written
    separately.
    """
    parts: list[str] = []
    keys = sorted(value)
    start = 0
    for key in sorted(long):
        place = keys.index(key, start)
        if place > start:
            parts.append(_encoded({name: value[name] for name in keys[start:place]})[1:-1])
        parts.append(f"{encode_basestring(key)}:{quoted(cast(str, value[key]))}")
        start = place + 1
    if start < len(keys):
        parts.append(_encoded({name: value[name] for name in keys[start:]})[1:-1])
    return "{" + ",".join(parts) + "}"


def canonical_bytes(value: Json) -> bytes:
    """Return the canonical JSON of ``value`` in UTF-8; a lone surrogate becomes its JSON escape."""
    return canonical_json(value).encode("utf-8", "backslashreplace")


def uniform_of(data: bytes) -> float:
    """Return a number from 0 to below 1 that ``data`` determines: uniform over different data."""
    return int.from_bytes(hashlib.sha256(data).digest()[:8], "big") / 2**64


def is_number(value: object) -> TypeGuard[int | float]:
    """Return whether ``value`` is a number of JSON: a truth value is not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def digest_of_text(text: str) -> str:
    """Return the SHA-256 of ``text``, lone surrogates included, as 64 hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def digest_of(value: Json) -> str:
    """Return the SHA-256 of the canonical JSON of ``value``, as 64 hexadecimal digits."""
    return digest_of_text(canonical_json(value))
