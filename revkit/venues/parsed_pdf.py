"""Parsed PDF: convert the output of a PDF parser (PeerRead, science-parse) to Markdown text.

Line breaks within a section stay as they are. A line that would begin a heading by accident ("# of
steps") gets a backslash, the only character that is added to the running text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from revkit.model.paper import LeftOut
from revkit.venues.draft import Draft
from revkit.venues.texts import plural

_NUMBERED = re.compile(r"(?:[0-9]{1,3}|[A-Z])((?:\.[0-9]{1,3}){0,4})\.?\s")
_HASH = re.compile(r"^( {0,3})(?=#{1,6}(?:[ \t]|$))", re.MULTILINE)


def has_text(sections: object) -> bool:
    """Return whether any of ``sections`` contains text."""
    return isinstance(sections, list) and any(
        isinstance(section, dict)
        and isinstance(text := section.get("text"), str)
        and text.strip() != ""
        for section in sections
    )


def markdown_of(
    metadata: Mapping[str, Any], record: Mapping[str, Any], draft: Draft
) -> tuple[str, str]:
    """Return title and text of a parsed paper.

    Title, then text that is before the first heading, abstract, sections, references. Title
    and abstract come from ``record`` (the submission's own form) where the parser found none; of
    two titles the submission's is taken. "2.1 Data" becomes a heading one level below "2 Method".
    """
    own = draft.line(record.get("title"), "title")
    found = draft.line(metadata.get("title"), "parsed title")
    if own and found and _letters(own) != _letters(found):
        draft.note("the parsed title differs from the submission's")
    title = own or found
    if not title:
        draft.note("no title")
    abstract = draft.text(metadata.get("abstractText"), "abstract").strip()
    if not abstract:
        abstract = draft.text(record.get("abstract"), "abstract").strip()
        draft.note("abstract of the submission form" if abstract else "no abstract")
    front, body = _sections(metadata.get("sections"), draft)
    parts = [f"# {title}"] if title else []
    parts += front
    if abstract:
        parts += ["## Abstract", _escaped(abstract, draft)]
    parts += body
    entries = _references(metadata.get("references"), draft)
    if entries:
        parts += ["## References", "\n".join(entries)]
    return title, "\n\n".join(parts) + "\n"


def _letters(title: str) -> str:
    return "".join(c for c in title.casefold() if c.isalnum())


def _escaped(text: str, draft: Draft) -> str:
    escaped, count = _HASH.subn(r"\1\\", text)
    if count:
        draft.note(f"escaped {plural(count, 'line')} that would be parsed as a heading")
    return escaped


def _sections(sections: object, draft: Draft) -> tuple[list[str], list[str]]:
    """Return the text before the first heading, and the text after it, as blocks of Markdown."""
    front: list[str] = []
    body: list[str] = []
    empty = 0
    for number, section in enumerate(sections if isinstance(sections, list) else [], start=1):
        if not isinstance(section, dict):
            draft.note(LeftOut(f"section {number} is not an object: left out"))
            continue
        heading = draft.line(section.get("heading"), "heading")
        text = draft.text(section.get("text"), "text").strip("\n")
        into = body if heading or body else front
        if heading:
            into.append(f"{'#' * _level(heading)} {heading}")
        if text.strip():
            into.append(_escaped(text, draft))
        else:
            empty += 1
    if empty:
        draft.note(f"{plural(empty, 'section')} with a heading only")
    return front, body


def _level(heading: str) -> int:
    numbered = _NUMBERED.match(heading)
    return 2 + (numbered.group(1).count(".") if numbered else 0)


def _references(references: object, draft: Draft) -> list[str]:
    """Return the reference list, numbered in the order of the file; empty entries are left out."""
    if references is None:
        return []
    if not isinstance(references, list):
        draft.note(LeftOut("references is not a list: left out"))
        return []
    entries: list[str] = []
    empty = 0
    for reference in references:
        entry = _reference(reference, draft) if isinstance(reference, dict) else ""
        if entry:
            entries.append(f"{len(entries) + 1}. {entry}")
        else:
            empty += 1
    if empty:
        draft.note(f"left out {plural(empty, 'reference')} without content")
    return entries


def _reference(reference: Mapping[str, Any], draft: Draft) -> str:
    authors = ", ".join(a.rstrip(" .") for a in draft.strings(reference.get("author"), "authors"))
    title = draft.line(reference.get("title"), "reference").rstrip(" .")
    venue = draft.line(reference.get("venue"), "venue").rstrip(" .,")
    year = reference.get("year")
    known = isinstance(year, int) and not isinstance(year, bool) and 1000 <= year <= 2999
    if known and str(year) not in venue and not title.endswith(str(year)):
        venue = f"{venue}, {year}" if venue else str(year)
    parts = [part for part in (authors, title, venue) if part]
    return " ".join(part if part.endswith(("?", "!")) else part + "." for part in parts)
