"""Scans of papers: what a corpus does about text that a reader of a file does not see."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from revkit.files import Unreadable
from revkit.model.paper import HiddenNote
from revkit.papers import WORDS, HiddenText, shorten
from revkit.scan import ScanResult

ScanMode = Literal["none", "report", "strip", "refuse"]
"""Do not scan, note each finding, also leave out the text, or skip the paper."""


def judge_scan(scan: ScanResult, mode: ScanMode) -> tuple[HiddenNote, ...]:
    """The notes on the findings of ``scan``. Raises `Unreadable` where a person must decide: if a
    part was not scanned, if a reader sees no text, and in the mode "refuse" if there is a finding.
    """
    if scan.gaps:
        first = scan.gaps[0]
        raise Unreadable(
            f"scan: {len(scan.gaps)} parts of it cannot be scanned, first {first.place}: "
            f"{first.reason}"
        )
    if not scan.text.strip():
        raise Unreadable("scan: it has no text that a reader sees")
    notes = finding_notes(scan)
    if mode == "refuse" and notes:
        raise Unreadable(f"a person must decide: {'; '.join(notes)}")
    return notes


def finding_notes(scan: ScanResult) -> tuple[HiddenNote, ...]:
    """One note for each kind of hidden text that the scan of a file found: places and words."""
    counts = Counter(each.kind for each in scan.findings)
    first: dict[str, HiddenText] = {}
    for each in scan.findings:
        first.setdefault(each.kind, each)
    notes = []
    for each in first.values():
        places = "1 place" if counts[each.kind] == 1 else f"{counts[each.kind]} places"
        where = f", first on page {each.page}" if each.page is not None else ""
        said = f'scan: {WORDS[each.kind]} in {places}{where}, "{shorten(each.says)}"'
        notes.append(HiddenNote(said))
    return tuple(notes)
