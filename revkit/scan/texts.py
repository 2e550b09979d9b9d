"""Texts: hidden text in Markdown, plain text and LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from revkit.model.edits import apply_edits
from revkit.papers import find_hidden_text, visible_edits
from revkit.papers.hidden_text import TextForm
from revkit.scan.results import Gap, ScanResult, with_canaries

_MOST_PASSES = 20
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
    shown, gaps = text, [Gap(None, "hidden text", f"in more than {_MOST_PASSES} layers")]
    for _ in range(_MOST_PASSES):  # taking out one thing may bring two halves of another together
        edits = visible_edits(shown, form)
        if not edits:
            gaps = []
            break
        shown = apply_edits(shown, edits)
    return ScanResult(name, None, findings, shown, gaps=tuple(gaps))
