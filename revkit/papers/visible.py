"""Visible text: the edits that leave of a text what its reader sees."""

from __future__ import annotations

from revkit.model.edits import Edit
from revkit.model.latex_source import hidden_spans
from revkit.papers.hidden_text import (
    WORDS,
    TextForm,
    find_hidden_text,
    unseen_markup,
)
from revkit.papers.look_alikes import latin_of


def visible_edits(text: str, form: TextForm | None = None) -> tuple[Edit, ...]:
    """The edits that leave of ``text`` what a reader sees, shown as ``form`` states (default: by
    how the text begins).

    Hidden text goes; letters of another script that look like Latin ones become these; what no
    reader sees and is not a finding goes too: LaTeX that TeX does not read, such as a comment,
    comments of HTML with fewer than four words, programs and style sheets. What was not evaluated
    stays.
    """
    spans: list[tuple[int, int, str, str]] = []
    for place in find_hidden_text(text, form):
        if place.kind == "not-evaluated":
            continue
        start, end = place.span
        new = latin_of(text[start:end]) if place.kind == "homoglyphs" else ""
        spans.append((start, end, new, place.kind))
    spans += [
        (place.start, place.end, "", place.kind)
        for place in unseen_markup(text, form)
        if not place.says.strip() and place.kind != "not-evaluated"
    ]
    if form != "plain":
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
