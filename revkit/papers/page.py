"""Write readings of papers as one HTML page that loads nothing and runs no script."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from revkit.model.paper import Skipped
from revkit.papers.recognition import Reading

_STYLE = (
    "body{margin:0 auto;max-width:60rem;padding:1.5rem;font:1rem/1.5 system-ui,sans-serif;"
    "overflow-wrap:anywhere;color-scheme:light dark}"
    "table{border-collapse:collapse;width:100%;font-size:.92rem}"
    "td,th{text-align:left;padding:.2rem .6rem .2rem 0;vertical-align:top;"
    "border-bottom:1px solid #8884}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}"
    ".bad{color:#b4540a;font-weight:600}summary{cursor:pointer;margin:.4rem 0}"
    "h2{margin-top:2.5rem;border-top:1px solid #8886;padding-top:.8rem}"
)
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_PICTURES = "; img-src data:"
_MOST = 2_000


def spell_out(text: str, limit: int = 300) -> str:
    """Return untrusted ``text`` for a reader: limited in length, with hidden characters spelled
    out.
    """
    short = text if len(text) <= limit else text[:limit] + "…"
    return "".join(sign if sign.isprintable() else f"[U+{ord(sign):04X}]" for sign in short)


def safe(text: str, limit: int = 300) -> str:
    """Untrusted ``text`` as HTML: bounded, escaped, with what a screen hides spelled out."""
    return escape(spell_out(text, limit))


def html_page(title: str, parts: Iterable[str], *, pictures: bool = False) -> str:
    """One HTML page of ``parts``. It loads nothing and runs no script; with ``pictures``, those
    that the page itself holds are shown."""
    policy = _POLICY + (_PICTURES if pictures else "")
    whole = [
        "<!DOCTYPE html><html lang='en'><meta charset='utf-8'>",
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        f"<title>{safe(title)}</title><style>{_STYLE}</style>",
        f"<h1>{safe(title)}</h1>",
        *parts,
    ]
    return "\n".join(filter(None, whole)) + "\n"


def page_of(readings: Sequence[Reading], skipped: Sequence[Skipped] = ()) -> str:
    """Return one HTML page: a table of all papers, then each with its outline and its entries."""
    rows = "".join(map(_summary, readings, range(len(readings))))
    left = "".join(f"<li>{safe(each.id)}: {safe(each.reason)}</li>" for each in skipped)
    parts = [
        "<p>The score is the mean over title, abstract, sections, references, citations that "
        "match an entry, and text in blocks of a known kind.</p>",
        table(("paper", "score", "headings", "entries", "cited", "matched", "not read"), rows),
        f"<h2>Not loaded</h2><ul>{left}</ul>" if left else "",
        *map(_paper, readings, range(len(readings))),
    ]
    return html_page(f"What was understood of {len(readings)} papers", parts)


def table(head: Iterable[str], rows: str) -> str:
    """A table of HTML with these headings and rows."""
    cells = "".join(f"<th>{name}</th>" for name in head)
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{rows}</tbody></table>"


def row_of_cells(cells: Iterable[object]) -> str:
    """A row of a table; the cells are HTML already."""
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _summary(paper: Reading, number: int) -> str:
    read = paper.structure
    parts = [
        f"citations not linked ({read.unlinked})" if part == "citations" else part
        for part in paper.unread
    ]
    missing = f"<span class='bad'>{', '.join(parts)}</span>" if parts else ""
    link = f"<a href='#p{number}'>{safe(paper.id, 80)}</a>"
    counts = (read.headings, read.references, read.citations, read.matched)
    return row_of_cells((link, f"{paper.score:.2f}", *counts, missing))


def _paper(paper: Reading, number: int) -> str:
    outline = "".join(
        row_of_cells(
            (
                each.line,
                "&nbsp;" * 4 * max(0, each.level - 1) + (safe(each.title) or "<i>no heading</i>"),
                each.role,
                each.words,
            )
        )
        for each in paper.outline[:_MOST]
    )
    entries = "".join(
        row_of_cells((each.line, safe(each.label, 40), each.year or "", safe(each.text)))
        for each in paper.entries[:_MOST]
    )
    notes = "".join(f"<li>{safe(note)}</li>" for note in paper.notes)
    leaks = (
        f"<li class='bad'>holds its own reviews: {safe(', '.join(paper.leaks))}</li>"
        if paper.leaks
        else ""
    )
    hidden = "".join(
        f"<li class='bad'>line {each.line}: {each.kind} {safe(each.says)}</li>"
        for each in paper.hidden[:_MOST]
    )
    abstract = (
        f"<p>Abstract: “{safe(paper.abstract[0])}” … “{safe(paper.abstract[1])}”</p>"
        if paper.abstract
        else "<p class='bad'>No abstract was found.</p>"
    )
    title = safe(paper.title) or "<span class='bad'>no title was found</span>"
    return "\n".join(
        (
            f"<h2 id='p{number}'>{safe(paper.id, 80)}</h2>",
            f"<p><b>{title}</b></p><p>{safe(paper.source)}; score {paper.score:.2f}; citations "
            f"in the style {paper.citation_style}.</p>",
            abstract,
            f"<ul>{leaks}{notes}{hidden}</ul>" if leaks or notes or hidden else "",
            f"<details open><summary>Outline</summary>"
            f"{table(('line', 'heading', 'role', 'words'), outline)}</details>",
            f"<details><summary>{len(paper.entries)} entries of the reference list</summary>"
            f"{table(('line', 'label', 'year', 'entry'), entries)}</details>",
        )
    )
