"""JSON values, their canonical form, and digests of content."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"


def canonical_json(value: Json) -> str:
    """Return the one text that stands for ``value``: sorted keys, no blanks, no NaN.

    Raises ``ValueError`` for NaN and infinities, which JSON has no form for.
    """
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def canonical_bytes(value: Json) -> bytes:
    """Return the canonical JSON of ``value`` in UTF-8; a lone surrogate becomes its JSON escape."""
    return canonical_json(value).encode("utf-8", "backslashreplace")


def digest_of(value: Json) -> str:
    """Return the SHA-256 of the canonical JSON of ``value``, as 64 hexadecimal digits."""
    return hashlib.sha256(canonical_json(value).encode("utf-8", "surrogatepass")).hexdigest()
