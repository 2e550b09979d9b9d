"""The text of a file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DocumentText:
    """The content of a file: its text as Markdown, its title ("" if none was found), and notes on
    hidden text and on omissions. ``hidden`` states whether the file holds text that a reader does
    not see.
    """

    text: str
    title: str
    notes: tuple[str, ...]
    hidden: bool = False
