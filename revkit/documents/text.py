"""The text of a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Look = Literal["hidden-mark", "background-colour", "tiny"]
"""Why a reader of a Word file does not see a text: the property that hides it, the colour of the
page, a size of two points or less."""


@dataclass(frozen=True, slots=True)
class Concealed:
    """A text of a file that its reader does not see."""

    look: Look
    text: str


@dataclass(frozen=True, slots=True)
class DocumentText:
    """The content of a file: its text as Markdown, its title ("" if none was found), and notes on
    hidden text and on omissions. ``hidden`` states whether the file holds text that a reader does
    not see; ``concealed`` lists these texts of a Word file, one for each paragraph.
    """

    text: str
    title: str
    notes: tuple[str, ...]
    hidden: bool = False
    concealed: tuple[Concealed, ...] = ()
