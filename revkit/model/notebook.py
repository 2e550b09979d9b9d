"""HTML for notebooks: small, escaped, bounded. Text of papers and models is hostile."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from revkit.model.edits import Edit

MOST_ROWS = 20
MOST_COLUMNS = 12
MOST_LETTERS = 600
_AROUND = 80


def escaped(text: object, limit: int = MOST_LETTERS) -> str:
    """``text`` for HTML: control and direction characters as escapes, cut at ``limit``."""
    from html import escape  # with all names of characters; few commands print HTML

    whole = str(text)
    shown = "".join(
        f"\\u{ord(each):04x}"
        if unicodedata.category(each)[0] == "C" and each not in "\n\t"
        else each
        for each in whole[:limit]
    )
    return escape(shown) + ("..." if len(whole) > limit else "")


def html_facts(title: str, facts: Mapping[str, object], paragraphs: Iterable[str] = ()) -> str:
    """A title, facts by name, and paragraphs of text (escaped here)."""
    rows = "".join(
        f'<tr><th style="text-align:left">{escaped(name)}</th>'
        f'<td style="text-align:left">{escaped(value)}</td></tr>'
        for name, value in facts.items()
    )
    texts = "".join(f'<p style="white-space:pre-wrap">{escaped(each)}</p>' for each in paragraphs)
    return f"<div><strong>{escaped(title)}</strong><table>{rows}</table>{texts}</div>"


def html_rows(
    title: str,
    header: Sequence[str],
    rows: Sequence[Sequence[object]],
    notes: Iterable[str] = (),
) -> str:
    """A table with at most `MOST_ROWS` rows and `MOST_COLUMNS` columns, and what it leaves out."""
    wide = len(header) - MOST_COLUMNS
    head = "".join(f"<th>{escaped(each, 80)}</th>" for each in header[:MOST_COLUMNS])
    body = "".join(
        "<tr>" + "".join(f"<td>{_cell(each)}</td>" for each in row[:MOST_COLUMNS]) + "</tr>"
        for row in rows[:MOST_ROWS]
    )
    left = [f"{len(rows) - MOST_ROWS:,} more rows"] if len(rows) > MOST_ROWS else []
    left += [f"{wide} more columns"] if wide > 0 else []
    last = f"<p>{', '.join(left)}</p>" if left else ""
    listed = "".join(f"<li>{escaped(note, 300)}</li>" for note in notes)
    return (
        f"<div><strong>{escaped(title)}</strong><table><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table>{last}{f'<ul>{listed}</ul>' if listed else ''}</div>"
    )


def _cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else escaped(value, 80)


def html_edits(text: str, edits: Sequence[Edit], most: int = 10) -> str:
    """Each edit in its place: the text around it, deleted text struck out, new text underlined."""
    parts = []
    for edit in sorted(edits, key=lambda each: each.start)[:most]:
        before = text[max(0, edit.start - _AROUND) : edit.start]
        after = text[edit.end : edit.end + _AROUND]
        old, new = text[edit.start : edit.end], edit.new
        parts.append(
            f'<p style="white-space:pre-wrap">...{escaped(before)}'
            + (f"<del>{escaped(old)}</del>" if old else "")
            + (f"<ins>{escaped(new)}</ins>" if new else "")
            + f"{escaped(after)}...</p>"
        )
    more = len(edits) - most
    return "".join(parts) + (f"<p>{more} more edits</p>" if more > 0 else "")
