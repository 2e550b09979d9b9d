"""What a file holds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DocumentText:
    """What a file holds: its text as Markdown, its title ("" where none was found), and notes on
    what a reader of the file does not see and on what was left out."""

    text: str
    title: str
    notes: tuple[str, ...]
