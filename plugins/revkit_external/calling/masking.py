"""Secrets: taken from the environment by name when a call is made, and masked in all it gives."""

from __future__ import annotations

import base64
import json
import os
import re
import tempfile
from collections.abc import Iterable
from functools import cache
from urllib.parse import quote, quote_plus

MASK = "***"
SHORTEST = 6
CALL_FOLDER = "revkit-call-"
HOME_FOLDER = "revkit-home-"
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
    """Replaces secrets, as they are and as JSON, URLs and base64 write them, and the folders of
    calls, whose names are new each time: two runs are to leave the same records.

    A call's folder becomes ``<call>``, that of a kept process ``<home>``, also those of earlier
    calls that a kept process remembers; what Python's or the shell's makers of temporary files
    put into them loses the random part of its name.
    """

    def __init__(self, values: Iterable[str] = ()) -> None:
        forms = {form for value in values if len(value) >= SHORTEST for form in _forms(value)}
        self._forms = sorted(forms, key=lambda form: (-len(form), form))

    def __call__(self, text: str) -> str:
        for form in self._forms:
            text = text.replace(form, MASK)
        text = re.sub(_folders(tempfile.gettempdir()), r"<\1>", text)
        return _TEMPORARY.sub(r"\1*", text)


_TEMPORARY = re.compile(r"((?:<call>(?:/home)?|<home>)/tmp\.?)[A-Za-z0-9_]{8,10}(?![A-Za-z0-9_])")


@cache
def _folders(place: str) -> str:
    """A pattern for the folders of calls: by their whole path, quoted or not, or by their name."""
    bases = dict.fromkeys((place, os.path.realpath(place)))
    forms = [form for base in bases for form in (f"{base}/", quote(f"{base}/", safe=""))]
    whole = "|".join(re.escape(form) for form in sorted(forms, key=len, reverse=True))
    return rf"(?:{whole})?revkit-(call|home)-[a-z0-9_]{{8}}(?![a-z0-9_])"


def _forms(value: str) -> Iterable[str]:
    yield value
    yield json.dumps(value)[1:-1]
    yield json.dumps(value, ensure_ascii=False)[1:-1]
    yield quote(value, safe="")
    yield quote_plus(value)
    yield base64.b64encode(value.encode("utf-8", "surrogateescape")).decode().rstrip("=")
