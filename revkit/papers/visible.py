"""Visible text: the edits that leave of a text what its reader sees."""

from __future__ import annotations

import re

from revkit.model.edits import Edit
from revkit.model.latex_source import hidden_spans
from revkit.papers.hidden_text import WORDS, find_hidden_text, latin_of

_CLOSING_TAG = re.compile(r"\s{0,9}</[A-Za-z][A-Za-z0-9]{0,20}\s{0,9}>")


def visible_edits(text: str) -> tuple[Edit, ...]:
    """The edits that leave of ``text`` what a reader sees.

    Hidden text goes; letters of another script that look like Latin ones become these; LaTeX that
    TeX does not read, such as a comment, goes too, although it is not a finding.
    """
    spans: list[tuple[int, int, str, str]] = []
    for place in find_hidden_text(text):
        start, end = place.span
        if place.kind == "homoglyphs":
            spans.append((start, end, latin_of(text[start:end]), place.kind))
        else:
            spans.append((start, _closed(text, start, end), "", place.kind))
    spans += [(start, end, "", "latex-comment") for start, end in hidden_spans(text)]
    edits: list[Edit] = []
    last = -1
    for start, end, new, kind in sorted(spans):
        if end <= last:
            continue
        begin = max(start, last)
        note = "LaTeX that TeX does not read" if kind == "latex-comment" else _note(kind)
        edits.append(Edit(begin, end, new if begin == start else "", note, kind))
        last = end
    return tuple(edits)


def _note(kind: str) -> str:
    return f"hidden text: {dict(WORDS)[kind]}"  # type: ignore[index]


def _closed(text: str, start: int, end: int) -> int:
    """The end of a span with the brace or the tag that closes what it opens."""
    part = text[start:end]
    if part.startswith("<") and not part.startswith("<!--"):
        closing = _CLOSING_TAG.match(text, end)
        return closing.end() if closing else end
    if part.startswith("\\") and part.count("{") > part.count("}") and text[end : end + 1] == "}":
        return end + 1
    return end
