"""Make untrusted text safe to print on a terminal."""

from __future__ import annotations


def printable(text: object, limit: int = 200) -> str:
    """Return ``text`` in at most ``limit`` characters, in which characters that a terminal would
    act on or not show are spelled out: control characters, direction marks, and characters of zero
    width.
    """
    whole = str(text)
    if len(whole) > limit:
        whole = whole[:limit] + "..."
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in whole)
