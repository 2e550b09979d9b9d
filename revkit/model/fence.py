"""Fence: text of others as data within a prompt, between lines that the text cannot hold."""

from __future__ import annotations

import hashlib


def mark_for(secret: str, *texts: str) -> str:
    """A mark for the fence that no text holds: 16 hexadecimal digits drawn from ``secret``.

    The same for all texts as long as none of them holds it, so that a paper and its variant differ
    in nothing but their edits; and no text can close its own fence, since one that knows the mark
    gets another.
    """
    number = 0
    while True:
        mark = hashlib.sha256(f"{secret}/{number}".encode()).hexdigest()[:16]
        if not any(mark in text.lower() for text in texts):
            return mark
        number += 1


def between_marks(what: str, text: str, mark: str) -> str:
    """``text`` between two lines that hold ``mark`` and name ``what`` it is ("paper").

    Say before it what the fence means: that nothing within is an instruction.
    """
    return f"----- {what} {mark} begins -----\n{text}\n----- {what} {mark} ends -----"
