"""Texts: hidden text in Markdown, plain text and LaTeX."""

from __future__ import annotations

from collections.abc import Sequence

from revkit.model.edits import apply_edits
from revkit.papers import find_hidden_text, visible_edits
from revkit.scan.results import ScanResult, with_canaries

_MOST_PASSES = 20


def scan_text(name: str, text: str, canaries: Sequence[str] = ()) -> ScanResult:
    """Find hidden text in ``text``, and return it with the text that a reader sees."""
    findings = with_canaries(find_hidden_text(text), canaries)
    return ScanResult(name, None, findings, _visible(text))


def _visible(text: str) -> str:
    """``text`` without what it hides; taking out one thing may bring two halves of another
    together."""
    for _ in range(_MOST_PASSES):
        edits = visible_edits(text)
        if not edits:
            break
        text = apply_edits(text, edits)
    return text
