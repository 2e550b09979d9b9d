"""Secrets: taken from the environment by name when a call is made, and masked in all it gives."""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Iterable
from urllib.parse import quote, quote_plus

MASK = "***"
SHORTEST = 6
_SUSPECT = re.compile(r"(?i)(?:key|token|secret|passw(?:or)?d|credential)s?$")


class MissingSecretError(Exception):
    """A secret that is not in the environment, or too short to be masked safely."""


def secret(name: str) -> str:
    """The value of environment variable ``name``."""
    value = os.environ.get(name, "")
    if not value:
        raise MissingSecretError(f"the environment variable {name} is not set; it holds a secret")
    if len(value) < SHORTEST:
        raise MissingSecretError(
            f"the environment variable {name} has fewer than {SHORTEST} characters, which cannot "
            "be masked without hiding other text"
        )
    return value


def looks_secret(name: str) -> bool:
    """Whether a variable of this name holds a secret by the usual custom."""
    return _SUSPECT.search(name) is not None


class Mask:
    """Replaces secrets, as they are and as JSON, URLs and base64 write them, and ``places``."""

    def __init__(self, values: Iterable[str] = (), places: Iterable[tuple[str, str]] = ()) -> None:
        forms = {form for value in values if len(value) >= SHORTEST for form in _forms(value)}
        self._forms = sorted(forms, key=lambda form: (-len(form), form))
        self._places = tuple(places)

    def __call__(self, text: str) -> str:
        for form in self._forms:
            text = text.replace(form, MASK)
        for place, name in self._places:
            text = text.replace(place, name)
        return text


def _forms(value: str) -> Iterable[str]:
    yield value
    yield json.dumps(value)[1:-1]
    yield json.dumps(value, ensure_ascii=False)[1:-1]
    yield quote(value, safe="")
    yield quote_plus(value)
    yield base64.b64encode(value.encode("utf-8", "surrogateescape")).decode().rstrip("=")
