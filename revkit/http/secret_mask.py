"""Masking: secrets are read from the environment by name and replaced in every outgoing text.

A secret is recognised as it is and as JSON, addresses, HTML, base64 and hexadecimal digits write
it, and backwards. Of a form with more than 16 characters a beginning of 16 or more is recognised as
well, since servers quote keys that they have cut. This is a guard against servers and models that
repeat what they were sent, not against one that hides a key on purpose: whoever holds it can write
it in any code.
"""

from __future__ import annotations

import base64
import html
import json
import os
import re
import threading
from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import quote, quote_plus

from revkit.model.values import Json

MASK = "***"
SHORTEST = 6
"""Characters; a shorter secret could not be masked without hiding other text."""

_BEGINNING = 16
# Pieces of base64 and reversed words of a shorter secret could be ordinary words.
_LONG = 12
_NAMES = re.compile(r"(?:key|token|secret|passw(?:or)?d|credential|key_id)s?\Z", re.IGNORECASE)
# What keys look like, for those that reached a message from elsewhere: "sk-...", "Bearer ...".
_SHAPES = re.compile(
    r"\b(?:sk|gsk|xai|hf|ghp)[-_][A-Za-z0-9_\-]{12,200}|\bAIza[A-Za-z0-9_\-]{30,60}"
    r"|(?<=[Bb]earer )[A-Za-z0-9._~+/=\-]{8,2000}"
    r"|(?<=[?&]key=)[^&\s\"']{6,400}"
)


class MissingSecretError(Exception):
    """A secret is not in the environment, or is too short to be masked safely."""


def read_secret(name: str) -> str:
    """Return the value of environment variable ``name``. Raises `MissingSecretError`."""
    value = os.environ.get(name, "")
    if not value:
        raise MissingSecretError(
            f"the environment variable {name} is not set; it contains a secret"
        )
    if len(value) < SHORTEST:
        raise MissingSecretError(
            f"the environment variable {name} has fewer than {SHORTEST} characters, which cannot "
            "be masked without hiding other text"
        )
    return value


def looks_secret(name: str) -> bool:
    """Return whether the name of a variable indicates a secret by common convention."""
    return _NAMES.search(name) is not None


class Mask:
    """Replaces secrets in texts; ``values`` of fewer than `SHORTEST` characters are not
    replaced.
    """

    def __init__(self, values: Iterable[str] = ()) -> None:
        forms = {
            form for value in values if len(value) >= SHORTEST for form in forms_of_secret(value)
        }
        # The longest first, so that no rest of one is left behind.
        self._forms = sorted(forms, key=lambda form: (-len(form), form))
        self._beginnings: dict[str, list[str]] = {}
        for form in self._forms:
            if len(form) > _BEGINNING:
                self._beginnings.setdefault(form[:_BEGINNING], []).append(form)

    def __call__(self, text: str) -> str:
        """Return ``text`` with `MASK` instead of each secret."""
        for form in self._forms:
            if form in text:
                text = text.replace(form, MASK)
        for beginning, forms in self._beginnings.items():
            if beginning in text:
                text = _without_beginning(text, beginning, forms)
        return text

    def json(self, value: Json) -> Json:
        """Return ``value`` with all its strings masked, including the keys of objects."""
        if not self._forms:
            return value
        if isinstance(value, str):
            return self(value)
        if isinstance(value, Mapping):
            return {self(key): self.json(each) for key, each in value.items()}
        if isinstance(value, Sequence):
            return [self.json(each) for each in value]
        return value


class Secrets:
    """The secrets that one client has used, read when a request is sent. Any thread may use it."""

    def __init__(self) -> None:
        self._given: frozenset[str] = frozenset()
        self._guessed: frozenset[str] = frozenset()
        self._mask = Mask()
        self._storage_mask = Mask()
        self._lock = threading.Lock()

    def read(self, name: str) -> str | None:
        """Return the value of environment variable ``name`` and register it for masking; None if it
        is empty.
        """
        value = os.environ.get(name, "").strip()
        if not value:
            return None
        if value not in self._given:
            self._note({value}, set())
        return value

    def note_environment(self) -> None:
        """Register every variable whose name indicates a key, in the same way as libraries read
        them.
        """
        secrets = {value.strip() for name, value in os.environ.items() if looks_secret(name)}
        self._note(set(), secrets)

    def _note(self, secrets: set[str], guessed: set[str]) -> None:
        with self._lock:
            self._given |= secrets
            self._guessed |= guessed
            self._mask = Mask(self._given | self._guessed)
            # A short value that was only guessed to be a key may be a word of a review.
            self._storage_mask = Mask(
                self._given | {value for value in self._guessed if len(value) >= _BEGINNING}
            )

    def mask(self, text: str) -> str:
        """Return a message without any secret: known secrets, and strings in the form of a
        secret.
        """
        return _SHAPES.sub(MASK, self._mask(text))

    @property
    def storage_mask(self) -> Mask:
        """Return the mask for stored text, which replaces known secrets only. Values guessed by the
        names of variables count from 16 characters on.
        """
        return self._storage_mask


def _without_beginning(text: str, beginning: str, forms: Sequence[str]) -> str:
    parts = []
    position = 0
    while (start := text.find(beginning, position)) >= 0:
        end = start + max(_shared(text, start, form) for form in forms)
        parts += [text[position:start], MASK]
        position = end
    return "".join([*parts, text[position:]])


def _shared(text: str, start: int, form: str) -> int:
    """Return how many characters of ``form`` are in ``text`` from ``start`` on."""
    count = _BEGINNING
    while text[start + count : start + count + 1] == form[count : count + 1] != "":
        count += 1
    return count


def forms_of_secret(value: str) -> Iterable[str]:
    """Yield ``value`` as it is and as JSON, HTML, addresses, hexadecimal digits and base64 write
    it, and backwards if it is long; a form may occur twice.
    """
    data = value.encode("utf-8", "surrogateescape")
    yield value
    yield json.dumps(value)[1:-1]
    yield json.dumps(value, ensure_ascii=False)[1:-1]
    yield html.escape(value)
    for quoted in (quote(data), quote(data, safe=""), quote_plus(data)):
        yield quoted
        yield re.sub(r"%[0-9A-F]{2}", lambda match: match[0].lower(), quoted)
    yield data.hex()
    yield data.hex().upper()
    for encoded in _base64(data):
        yield encoded
        yield encoded.translate({ord("+"): "-", ord("/"): "_"})
    if len(value) >= _LONG:
        yield value[::-1]


def _base64(data: bytes) -> Iterable[str]:
    """Return ``data`` in base64: alone, and as a part of a longer text, such as ``user:key``."""
    alone = base64.b64encode(data).decode()
    yield alone
    yield alone.rstrip("=")
    if len(data) < _LONG:
        return
    for before in range(3):
        text = base64.b64encode(bytes(before) + data).decode().rstrip("=")
        # Characters that bytes before or after decide as well are left out.
        yield text[(0, 2, 3)[before] : len(text) - ((before + len(data)) % 3 > 0)]
