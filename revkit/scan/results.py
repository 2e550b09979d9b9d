"""Results: what the scan of one file found, and the text that its reader sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, get_args

from revkit.dataclass import dataclass
from revkit.model.values import Json
from revkit.papers import ChannelKind, HiddenText, OverrideKind, PageKind

Family = Literal["page", "override", "channel", "text"]
"""Where a text is hidden: on a page, by what glyphs claim, beside the pages, in a text file."""

_FAMILIES: dict[str, Family] = {
    **dict.fromkeys(get_args(PageKind), "page"),
    **dict.fromkeys(get_args(OverrideKind), "override"),
    **dict.fromkeys(get_args(ChannelKind), "channel"),
}


def family_of(finding: HiddenText) -> Family:
    """The family of a finding. Characters that hide text on a PDF page are an override."""
    if finding.page is not None and finding.kind == "tag-characters":
        return "override"
    return _FAMILIES.get(finding.kind, "text")


class CutOff(Exception):
    """A part of a file holds more than the scan reads; the text of the error is the reason."""


@dataclass(frozen=True)
class Gap:
    """A part of a file that could not be scanned: ``page``, or ``what`` of the page or the file."""

    page: int | None
    what: str
    reason: str

    @property
    def place(self) -> str:
        """The page and the part, for a message: "page 2", "annotations of page 2", "outline"."""
        if self.page is None:
            return self.what
        return f"page {self.page}" if self.what == "page" else f"{self.what} of page {self.page}"

    def to_json(self) -> dict[str, Json]:
        """The part and the reason."""
        return {"page": self.page, "what": self.what, "reason": self.reason}


@dataclass(frozen=True)
class ScanResult:
    """The scan of one file.

    ``text`` is what a reader sees, as Markdown for a PDF. ``pages`` counts the pages of the file,
    also those that could not be scanned; None where it has no pages. ``pictures`` holds for each
    finding the drawn part of its page, as a PNG in base64, "" without one. ``notes`` states what
    the scan cannot compare. ``gaps`` are the parts that could not be scanned: anything may be
    hidden in them, so a file with a gap is not clean, and ``text`` does not contain them.
    """

    name: str
    pages: int | None
    findings: tuple[HiddenText, ...]
    text: str
    title: str = ""
    notes: tuple[str, ...] = ()
    pictures: tuple[str, ...] = ()
    gaps: tuple[Gap, ...] = ()

    @property
    def is_clean(self) -> bool:
        """Whether the whole file was scanned, and nothing is hidden."""
        return not self.findings and not self.gaps

    @property
    def flagged_pages(self) -> tuple[int, ...]:
        """The pages with a finding on the page itself, in order; side channels flag no page."""
        pages = {
            each.page
            for each in self.findings
            if each.page is not None and family_of(each) != "channel"
        }
        return tuple(sorted(pages))

    def to_json(self) -> dict[str, Json]:
        """All but text and pictures."""
        return {
            "name": self.name,
            "pages": self.pages,
            "findings": [{**each.to_json(), "family": family_of(each)} for each in self.findings],
            "notes": list(self.notes),
            "gaps": [each.to_json() for each in self.gaps],
        }


def with_canaries(
    findings: Sequence[HiddenText], canaries: Sequence[str]
) -> tuple[HiddenText, ...]:
    """``findings``, each with the phrase of ``canaries`` that it holds.

    Letters and digits decide, so blanks and line ends do not.
    """
    folded = [(phrase, _folded(phrase)) for phrase in canaries if _folded(phrase)]
    return tuple(
        replace(
            each,
            canary=next((phrase for phrase, key in folded if key in _folded(each.says)), ""),
        )
        for each in findings
    )


def _folded(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum())


def finding_from_json(row: dict[str, Any]) -> HiddenText:
    """The finding that `HiddenText.to_json` wrote."""
    box = row["box"]
    return HiddenText(**{**row, "box": None if box is None else tuple(box)})


def gap_from_json(row: dict[str, Any]) -> Gap:
    """The gap that `Gap.to_json` wrote."""
    return Gap(**row)
