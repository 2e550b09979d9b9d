"""Secrets: read from the environment when a call goes out, and masked wherever text leaves."""

from __future__ import annotations

import os
import re
import threading

MASK = "***"
_SHORTEST = 6
# What keys look like, for those that reached a message from elsewhere: "sk-...", "Bearer ...".
_FORMS = re.compile(
    r"\b(?:sk|gsk|xai|hf|ghp)[-_][A-Za-z0-9_\-]{12,200}|\bAIza[A-Za-z0-9_\-]{30,60}"
    r"|(?<=[Bb]earer )[A-Za-z0-9._~+/=\-]{8,2000}"
    r"|(?<=[?&]key=)[^&\s\"']{6,400}"
)


class Secrets:
    """The secrets that a gateway has used, and `mask`, which takes them out of a text."""

    def __init__(self) -> None:
        self._known: tuple[str, ...] = ()
        self._lock = threading.Lock()

    def read(self, name: str) -> str | None:
        """The value of environment variable ``name``, noted for masking; None where it is empty."""
        value = os.environ.get(name, "").strip()
        if not value:
            return None
        with self._lock:
            if value not in self._known:
                # The longest first, so that no rest of one stays behind.
                self._known = tuple(sorted((*self._known, value), key=len, reverse=True))
        return value

    def note_environment(self) -> None:
        """Note every variable whose name says that it holds a key, as libraries read them."""
        for name in list(os.environ):
            if re.search(r"(?:_KEY|_TOKEN|_SECRET|_PASSWORD|_KEY_ID)\Z", name.upper()):
                self.read(name)

    def mask(self, text: str) -> str:
        """``text`` without any secret: known ones, and what has the form of one."""
        for secret in self._known:
            if len(secret) >= _SHORTEST and secret in text:
                text = text.replace(secret, MASK)
        return _FORMS.sub(MASK, text)
