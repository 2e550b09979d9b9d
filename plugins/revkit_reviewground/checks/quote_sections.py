"""Check whether a quotation is in the part of the paper that the review names."""

from __future__ import annotations

import re

from revkit.model.structure import SectionRole
from revkit_reviewground.checks.finding import Finding
from revkit_reviewground.checks.folded_text import fold
from revkit_reviewground.checks.paper_text import PaperText
from revkit_reviewground.checks.review_text import Quotation, ReviewField

_PART = (
    r"(?:(?P<abstract>abstract)|(?P<introduction>introduction|intro)"
    r"|(?P<related>related[\s-]works?(?:\s+section)?)"
    r"|(?P<experiments>experiments(?:\s+section)?|experimental\s+section|evaluation\s+section)"
    r"|(?P<conclusion>conclusions?(?:\s+section)?|concluding\s+section))"
)
_NAMED = re.compile(rf"\b(?:the|its|their)\s+{_PART}\b", re.IGNORECASE)
_TO_QUOTE = re.compile(r"[^.;:!?()\n\"“”«»]{0,50}[\s:,]*")
_AFTER = re.compile(
    rf"\W{{0,4}}\s*(?:\((?:in\s+)?(?:the\s+)?|(?:,\s*)?(?:in|from|according\s+to"
    rf"|as\s+\w+\s+in)\s+the\s+)"
    rf"{_PART}\b(?!\s+(?:of|to|and)\b)",
    re.IGNORECASE,
)
# Without numbers of sections, parts that only layout distinguishes count as one.
_MIDDLE: frozenset[SectionRole] = frozenset(("method", "experiments", "results", "appendix"))
_EARLY: frozenset[SectionRole] = frozenset(("introduction", "related-work"))
_ELSEWHERE: dict[str, frozenset[SectionRole]] = {
    "abstract": _MIDDLE | _EARLY | {"conclusion"},
    "introduction": _MIDDLE | {"abstract", "conclusion"},
    "related": _MIDDLE | {"abstract", "conclusion"},
    "experiments": _EARLY | {"abstract", "conclusion"},
    "conclusion": _MIDDLE | _EARLY | {"abstract"},
}
_ROLES: dict[str, SectionRole] = {
    "abstract": "abstract",
    "introduction": "introduction",
    "related": "related-work",
    "experiments": "experiments",
    "conclusion": "conclusion",
}
_MOST_PLACES = 50


def misplaced(paper: PaperText, field: ReviewField, quotation: Quotation) -> Finding | None:
    """Return a finding if the words next to ``quotation`` ascribe it to a part of the paper that
    exists, and the paper contains it only in other parts; the finding is always "suspect", since
    parts are known only by their headings. Sections with different numbers are different; without
    numbers, parts whose bounds depend on layout are not distinguished.
    """
    part = _ascribed(field, quotation)
    if not part:
        return None
    held = [block for block in paper.paper.blocks if block.role == _ROLES[part] and block.is_prose]
    spans = _places(paper, quotation.text)
    if not spans or not held:
        return None
    numbers = {_number(block.section) for block in held} - {""}
    for start, _ in spans:
        block = paper.block_at(start)
        other = _number(block.section) if block else ""
        if block is None or block.role == _ROLES[part] or _names(part, block.section):
            return None
        apart = other and (part == "abstract" or (numbers and other not in numbers))
        if not apart and paper.role_at(start) not in _ELSEWHERE[part]:
            return None
    place = paper.place(*spans[0])
    where = f"under {place.section!r}" if place.section else "elsewhere"
    return field.finding(
        "quote",
        quotation.start,
        quotation.end,
        f"the paper holds this quotation, but {where}, not where the review says",
        "suspect",
        place,
    )


def _names(part: str, heading: str) -> bool:
    match = re.search(_PART, heading, re.IGNORECASE)
    return match is not None and match[part] is not None


def _number(heading: str) -> str:
    """Return the number of the section of ``heading``, without the numbers of its subsections, or
    "".
    """
    match = re.match(r"[#*\s]{0,8}(?:(?i:section)\s+)?(\d{1,2})(?![\d%])", heading)
    return match[1] if match else ""


def _ascribed(field: ReviewField, quotation: Quotation) -> str:
    """Return the part that the review names next to a quotation, or ""."""
    before = field.text[max(0, quotation.start - 100) : max(0, quotation.start - 1)]
    before = before.rstrip("\"'`“‘«„*_")
    named = list(_NAMED.finditer(before))
    match = named[-1] if named and _TO_QUOTE.fullmatch(before, named[-1].end()) else None
    if match is None:
        match = _AFTER.match(field.text, quotation.end + 1)
    if match is None:
        return ""
    return next(name for name, found in match.groupdict().items() if found)


def _places(paper: PaperText, quote: str) -> list[tuple[int, int]]:
    wanted = fold(quote).text
    found: list[tuple[int, int]] = []
    for text in (paper.folded, paper.running):
        at = text.text.find(wanted) if wanted else -1
        while at >= 0 and len(found) < _MOST_PLACES:
            found.append(text.source(at, at + len(wanted)))
            at = text.text.find(wanted, at + 1)
    return found
