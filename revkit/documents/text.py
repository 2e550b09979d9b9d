"""The text of a file."""

from __future__ import annotations

from typing import Literal

from revkit.dataclass import dataclass

Look = Literal["hidden-mark", "background-colour", "tiny", "no-width", "off-page"]
"""Why a reader of a Word file does not see a text: the property that hides it or its row, the
colour of its ground (page, shade, cell or box), a size, width or line height of two points or less,
letters that lie on each other, or a place outside the page."""
IN_PARAGRAPH = "runs of a paragraph"


@dataclass(frozen=True, slots=True)
class Concealed:
    """A text of a file that its reader does not see, and the kind of its place: "runs of a
    paragraph", "text box", "header" or "footer"."""

    look: Look
    text: str
    place: str = IN_PARAGRAPH


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
