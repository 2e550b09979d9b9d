"""Reporters: a finished run in the terminal, as Markdown to paste, and as one page to look at.

They print what the metrics measured and never compute a figure of their own, so a number in a
report is the number in the table of the same name.
"""

from __future__ import annotations

from revkit import Register, hookimpl
from revkit_reports.html import Html
from revkit_reports.markdown import Markdown
from revkit_reports.terminal import Terminal

__all__ = [
    "Html",
    "Markdown",
    "Terminal",
]


@hookimpl
def register_reporters(register: Register) -> None:
    """Register ``terminal``, ``markdown`` and ``html``."""
    for component in (
        Html,
        Markdown,
        Terminal,
    ):
        register(component)
