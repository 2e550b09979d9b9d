"""Titles: the title at the head of a text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from revkit.errors import RevkitError
from revkit.files import parse_source
from revkit.model.latex_source import latex_title
from revkit.model.paper import Paper

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(\S.*)")
_UNDERLINE = re.compile(r" {0,3}(?:={2,200}|-{2,200})[ \t]{0,20}")
_TEXT = re.compile(r" {0,3}[^\W_]")
_YAML_KEY = re.compile(r"[A-Za-z][\w-]{0,40}:")
# A list, a mapping and an alias are not titles, and may be deep.
_YAML_TITLE = re.compile(r"title:[ \t]{1,20}[^\s\[{&*!]")
# Blocks in which a title may be.
_FRONT = 6
_NO_TITLE = re.compile(r"(?:[0-9]+(?:\.[0-9]+)*\.?\s|abstract\b|introduction\b|references\b)", re.I)


def find_title(text: str) -> str:
    """Return the title at the head of ``text``, or "" if none is found.

    It is the last ``\\title{...}`` of LaTeX source, the ``title:`` of YAML at the start, or the
    first Markdown heading, with marks or underlined, among the first ten lines with text; a
    heading with marks on the very next line continues it. "Abstract", "Introduction"
    and numbered headings are not titles. In a text without such a heading it is the heading before
    the abstract, where the text has one.
    """
    title = latex_title(text)
    if title:
        return title
    lines = text[:20_000].split("\n")
    title, first = _yaml_title(lines)
    if title:
        return title
    parts: list[str] = []
    printed = 0
    for number, line in enumerate(lines[first:], first):
        if not parts and _is_underlined(lines, number):
            parts.append(line)
            break
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


def _yaml_title(lines: Sequence[str]) -> tuple[str, int]:
    """Return the title in the YAML at the start, "" without one, and the line behind the YAML."""
    if lines[0].strip() != "---":
        return "", 0
    end = next((n for n, line in enumerate(lines[1:200], 1) if line.strip() in ("---", "...")), 0)
    if not end or not any(map(_YAML_KEY.match, lines[1:end])):
        return "", 0
    place = next((n for n in range(1, end) if _YAML_TITLE.match(lines[n])), 0)
    if not place:
        return "", end + 1
    rest = takewhile(lambda line: line[:1] in (" ", "\t"), lines[place + 1 : end])
    try:
        value = parse_source("\n".join((lines[place], *rest))).value
    except RevkitError:
        return "", end + 1
    title = value.get("title") if isinstance(value, dict) else None
    return (" ".join(title.split()) if isinstance(title, str) else ""), end + 1


def _is_underlined(lines: Sequence[str], number: int) -> bool:
    """Return whether a line is a Markdown heading that the next line underlines."""
    following = lines[number + 1] if number + 1 < len(lines) else ""
    return (
        _UNDERLINE.fullmatch(following) is not None
        and _TEXT.match(lines[number]) is not None
        and (number == 0 or not lines[number - 1].strip())
    )


def _first_heading(text: str) -> str:
    """The heading at the front of a text whose headings have no marks."""
    for block in Paper("title", text).blocks[:_FRONT] if text.strip() else ():
        if block.kind == "heading":
            found = " ".join(text[block.start : block.end].strip("*_ ").split())
            return found if block.role == "front" and not _NO_TITLE.match(found) else ""
    return ""
