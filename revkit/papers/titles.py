"""Titles: the title at the head of a text."""

from __future__ import annotations

import re

from revkit.model.latex_source import latex_title
from revkit.model.paper import Paper

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(\S.*)")
# Blocks in which a title may be.
_FRONT = 6
_NO_TITLE = re.compile(r"(?:[0-9]+(?:\.[0-9]+)*\.?\s|abstract\b|introduction\b|references\b)", re.I)


def find_title(text: str) -> str:
    """Return the title at the head of ``text``, or "" if none is found.

    It is the last ``\\title{...}`` of LaTeX source, or the first Markdown heading among the first
    ten lines with text; a heading on the very next line continues it. "Abstract", "Introduction"
    and numbered headings are not titles. In a text without such a heading it is the heading before
    the abstract, where the text has one.
    """
    title = latex_title(text)
    if title:
        return title
    head = text[:20_000]
    parts: list[str] = []
    printed = 0
    for line in head.split("\n"):
        heading = _HEADING.fullmatch(line.rstrip())
        if heading and not (parts and _NO_TITLE.match(heading.group(2))):
            parts.append(heading.group(2).rstrip("# \t"))
        elif parts:
            break
        elif line.strip():
            printed += 1
            if printed >= 10 or line.startswith("```"):
                break
    title = " ".join(" ".join(parts).split())
    if title:
        return "" if _NO_TITLE.match(title) else title
    return "" if "\n#" in text else _first_heading(text)


def _first_heading(text: str) -> str:
    """The heading at the front of a text whose headings have no marks."""
    for block in Paper("title", text).blocks[:_FRONT] if text.strip() else ():
        if block.kind == "heading":
            found = " ".join(text[block.start : block.end].strip("*_ ").split())
            return found if block.role == "front" and not _NO_TITLE.match(found) else ""
    return ""
