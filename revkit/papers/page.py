"""Write readings of papers as one HTML page that loads nothing and runs no script."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from revkit.model.paper import Skipped
from revkit.papers.reading import Reading

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
_MOST = 2_000


def spell_out(text: str, limit: int = 300) -> str:
    """Return untrusted ``text`` for a reader: limited in length, with hidden characters spelled
    out.
    """
    short = text if len(text) <= limit else text[:limit] + "…"
    return "".join(sign if sign.isprintable() else f"[U+{ord(sign):04X}]" for sign in short)


def _safe(text: str, limit: int = 300) -> str:
    return escape(spell_out(text, limit))


def page_of(readings: Sequence[Reading], skipped: Sequence[Skipped] = ()) -> str:
    """Return one HTML page: a table of all papers, then each with its outline and its entries."""
    rows = "".join(map(_summary, readings, range(len(readings))))
    left = "".join(f"<li>{_safe(each.id)}: {_safe(each.reason)}</li>" for each in skipped)
    parts = [
        "<!DOCTYPE html><html lang='en'><meta charset='utf-8'>",
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        f"<title>What was understood of {len(readings)} papers</title><style>{_STYLE}</style>",
        f"<h1>What was understood of {len(readings)} papers</h1>",
        "<p>The score is the mean over title, abstract, sections, references, citations that "
        "match an entry, and text in blocks of a known kind.</p>",
        _table(("paper", "score", "headings", "entries", "cited", "matched", "not read"), rows),
        f"<h2>Not loaded</h2><ul>{left}</ul>" if left else "",
        *map(_paper, readings, range(len(readings))),
    ]
    return "\n".join(filter(None, parts)) + "\n"


def _table(head: Iterable[str], rows: str) -> str:
    cells = "".join(f"<th>{name}</th>" for name in head)
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{rows}</tbody></table>"


def _row(cells: Iterable[object]) -> str:
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _summary(paper: Reading, number: int) -> str:
    read = paper.structure
    missing = f"<span class='bad'>{', '.join(paper.unread)}</span>" if paper.unread else ""
    link = f"<a href='#p{number}'>{_safe(paper.id, 80)}</a>"
    counts = (read.headings, read.references, read.citations, read.matched)
    return _row((link, f"{paper.score:.2f}", *counts, missing))


def _paper(paper: Reading, number: int) -> str:
    outline = "".join(
        _row(
            (
                each.line,
                "&nbsp;" * 4 * max(0, each.level - 1) + (_safe(each.title) or "<i>no heading</i>"),
                each.role,
                each.words,
            )
        )
        for each in paper.outline[:_MOST]
    )
    entries = "".join(
        _row((each.line, _safe(each.label, 40), each.year or "", _safe(each.text)))
        for each in paper.entries[:_MOST]
    )
    notes = "".join(f"<li>{_safe(note)}</li>" for note in paper.notes)
    leaks = (
        f"<li class='bad'>holds its own reviews: {_safe(', '.join(paper.leaks))}</li>"
        if paper.leaks
        else ""
    )
    hidden = "".join(
        f"<li class='bad'>line {each.line}: {each.kind} {_safe(each.says)}</li>"
        for each in paper.hidden[:_MOST]
    )
    abstract = (
        f"<p>Abstract: “{_safe(paper.abstract[0])}” … “{_safe(paper.abstract[1])}”</p>"
        if paper.abstract
        else "<p class='bad'>No abstract was found.</p>"
    )
    title = _safe(paper.title) or "<span class='bad'>no title was found</span>"
    return "\n".join(
        (
            f"<h2 id='p{number}'>{_safe(paper.id, 80)}</h2>",
            f"<p><b>{title}</b></p><p>{_safe(paper.source)}; score {paper.score:.2f}; citations "
            f"in the style {paper.citation_style}.</p>",
            abstract,
            f"<ul>{leaks}{notes}{hidden}</ul>" if leaks or notes or hidden else "",
            f"<details open><summary>Outline</summary>"
            f"{_table(('line', 'heading', 'role', 'words'), outline)}</details>",
            f"<details><summary>{len(paper.entries)} entries of the reference list</summary>"
            f"{_table(('line', 'label', 'year', 'entry'), entries)}</details>",
        )
    )
