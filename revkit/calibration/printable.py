"""Printable: text from a file that a stranger may have written, safe to put on a terminal."""

from __future__ import annotations


def printable(text: object, limit: int = 200) -> str:
    """``text`` in at most ``limit`` characters, with whatever a terminal would act on, or would
    not show, spelled out: controls, marks that turn the direction, zero-width ones."""
    whole = str(text)
    if len(whole) > limit:
        whole = whole[:limit] + "..."
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in whole)
