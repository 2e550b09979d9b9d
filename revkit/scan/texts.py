"""Texts: hidden text in Markdown, plain text and LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import PurePath

from revkit.model.edits import apply_edits
from revkit.papers import find_hidden_text, shorten, visible_edits
from revkit.papers.hidden_text import TextForm
from revkit.scan.results import Gap, ScanResult, with_canaries

_MOST_PASSES = 20
_FEWEST_PASSES = 4  # for a text of any length
_MOST_READ = 1_500_000  # characters in all passes over one text
_MOST_FILES = 500
_FEW = 3
_INPUT = re.compile(r"(?<!%)\\(?:input|include|subfile)(?![A-Za-z@])\s?\{([^{}\n]{1,200})\}")
_LINK = re.compile(r"<link\s[^<>]{0,400}stylesheet[^<>]{0,400}>", re.IGNORECASE)
_ADDRESS = re.compile(r"href\s{0,3}=\s{0,3}(\"[^\"]{1,300}\"|'[^']{1,300}'|[^\s>]{1,300})", re.I)
_IMPORT = re.compile(r"@import\s{1,3}(?:url\()?\s{0,3}[\"']?([^\"'()\s;]{1,300})", re.IGNORECASE)
_FORMS: dict[str, TextForm] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".html": "html",
    ".htm": "html",
    ".tex": "latex",
    ".txt": "plain",
}


def scan_text(name: str, text: str, canaries: Sequence[str] = ()) -> ScanResult:
    """Find hidden text in ``text``, and return it with the text that a reader sees.

    The ending of ``name`` states how a reader sees the text; that of ``.txt`` sees all markup.
    """
    form = _FORMS.get(PurePath(name).suffix.lower())
    findings = with_canaries(find_hidden_text(text, form), canaries)
    passes = max(_FEWEST_PASSES, min(_MOST_PASSES, _MOST_READ // max(1, len(text))))
    shown, gaps = text, [Gap(None, "hidden text", f"in more than {passes} layers")]
    for _ in range(passes):  # taking out one thing may bring two halves of another together
        edits = visible_edits(shown, form)
        if not edits:
            gaps = []
            break
        shown = apply_edits(shown, edits)
    notes = tuple(_notes(text, form))
    return ScanResult(name, None, findings, shown, notes=notes, gaps=tuple(gaps))


def _notes(text: str, form: TextForm | None) -> Iterator[str]:
    """What was not evaluated, because it is in other files."""
    files: list[str] = []
    if form == "latex":
        files = [match[1].strip() for match in islice(_INPUT.finditer(text), _MOST_FILES)]
        what = "macros, colours and styles of files that it inputs"
    elif form != "plain":
        for match in islice(_LINK.finditer(text), _MOST_FILES):
            address = _ADDRESS.search(match[0])
            files.append(address[1].strip("\"'") if address else "a link")
        files += [match[1] for match in islice(_IMPORT.finditer(text), _MOST_FILES)]
        what = "style sheets in other files"
    if files:
        named = ", ".join(shorten(each) for each in files[:_FEW])
        more = f" and {len(files) - _FEW} more" if len(files) > _FEW else ""
        yield f"not evaluated: {what}: {named}{more}"
