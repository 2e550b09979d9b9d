"""Page: scans as one HTML page that loads nothing and runs no script."""

from __future__ import annotations

from collections.abc import Sequence

from revkit.model.paper import Skipped
from revkit.papers import WORDS, HiddenText
from revkit.papers.page import html_page, row_of_cells, safe, table
from revkit.scan.results import ScanResult, family_of

_MOST = 500
_LIMITS = (
    "A finding states where a program reads text that a reader does not see. It does not state who "
    "put it there: venues hide marks in files that they send to reviewers, programs that convert "
    "files leave text behind, and a white area may cover names. A text without a finding may still "
    "try to persuade, in plain sight."
)


def page_of_scans(results: Sequence[ScanResult], skipped: Sequence[Skipped] = ()) -> str:
    """Return one HTML page: a table of all files, then the findings of each, with the drawn part
    of the page beside the text that a program reads there, and what could not be scanned."""
    rows = "".join(
        row_of_cells(
            (
                f"<a href='#f{number}'>{safe(each.name, 80)}</a>",
                "" if each.pages is None else each.pages,
                len(each.findings),
                ", ".join(map(str, each.flagged_pages[:20])),
                len(each.gaps) or "",
            )
        )
        for number, each in enumerate(results)
    )
    left = "".join(f"<li class='bad'>{safe(e.id)}: {safe(e.reason)}</li>" for e in skipped)
    parts = [
        f"<p>{_LIMITS}</p>",
        table(("file", "pages", "findings", "on pages", "parts not scanned"), rows),
        f"<h2>Not scanned</h2><ul>{left}</ul>" if left else "",
        *(
            _file(number, each)
            for number, each in enumerate(results)
            if each.notes or not each.is_clean
        ),
    ]
    return html_page(f"Hidden text in {len(results)} files", parts, pictures=True)


def _file(number: int, result: ScanResult) -> str:
    pictures = result.pictures or ("",) * len(result.findings)
    shown = list(zip(result.findings, pictures, strict=True))[:_MOST]
    rows = "".join(_finding(finding, picture) for finding, picture in shown)
    notes = "".join(f"<li>{safe(note)}</li>" for note in result.notes)
    notes += "".join(
        f"<li class='bad'>not scanned: {safe(gap.place)}: {safe(gap.reason)}</li>"
        for gap in result.gaps[:_MOST]
    )
    unlisted = len(result.gaps) - _MOST
    more = len(result.findings) - len(shown)
    return "\n".join(
        (
            f"<h2 id='f{number}'>{safe(result.name, 80)}</h2>",
            f"<ul>{notes}</ul>" if notes else "",
            f"<p>and {unlisted} more parts not scanned</p>" if unlisted > 0 else "",
            table(("where", "how", "drawn", "what a program reads", "evidence"), rows)
            if rows
            else "",
            f"<p>and {more} more findings</p>" if more else "",
        )
    )


def _finding(finding: HiddenText, picture: str) -> str:
    where = f"page {finding.page}" if finding.page else ""
    where = f"line {finding.line}" if finding.line else where or "file"
    drawn = f"<img alt='drawn part of the page' src='data:image/png;base64,{picture}'>"
    known = f"<br><b>known mark of a venue: {safe(finding.canary)}</b>" if finding.canary else ""
    how = f"{WORDS[finding.kind]}<br><small>{family_of(finding)}: {finding.kind}</small>{known}"
    return row_of_cells(
        (where, how, drawn if picture else "", safe(finding.says), safe(finding.evidence))
    )
