"""Find the values of a source in a document."""

from __future__ import annotations

import re
from dataclasses import field
from typing import Any

from revkit.dataclass import dataclass
from revkit.model.values import Json
from revkit_external.parse.documents import Document
from revkit_external.parse.mapping import Source
from revkit_external.parse.patterns import matches
from revkit_external.parse.trouble import ReadingError, excerpt

_NOT = re.compile(
    r"(?i)\b(?:not|no|never|cannot|neither|nor|without|unable|refuse|decline|\w{1,12}n['\u2019]t)"
    r"(?:[\s*_\"'\u2018\u201c`]{1,8}[\w-]{1,20}){0,3}[\s*_\"'\u2018\u201c`]{1,8}$"
)
_RANGE = re.compile(r"\s{0,3}(?:-|\u2013|\u2014|to\b)\s{0,3}\d")
_OF = re.compile(r"\s{0,3}(?:/|out of|of)\s{0,3}(\d{1,4}(?:\.\d{1,3})?)(?![\d%])")


@dataclass(frozen=True)
class Candidate:
    """One value as read, its place, and the surrounding text if it was captured from a text."""

    value: Json
    place: str
    before: str = ""
    after: str = ""

    @property
    def negation(self) -> str:
        """Return the words that negate the value in its own clause ("not recommend"), else ""."""
        clause = re.split(r"[.:;!?\n,]", self.before[-120:])[-1]
        found = _NOT.search(clause)
        return found[0].strip() if found else ""

    def number_trouble(self, high: float | None) -> str:
        """Return why the captured digits are only a part of a number, else ""."""
        text = str(self.value).strip()
        if re.search(r"\d[.,]?$", self.before) or re.match(r"[.,]?\d", self.after):
            return f"{text!r} is only a part of the number there"
        if re.search(r"(?:^|[\s(:=])[-\u2212]$", self.before):
            return f"{text!r} follows a minus sign that is not captured"
        if _RANGE.match(self.after):
            return f"{text!r} is the beginning of a range"
        found = _OF.match(self.after)
        if found and high is not None and float(found[1]) != high:
            return f"{text!r} is of {found[1]}, not of {high:g} as in the scale"
        return ""


@dataclass
class Selection:
    """The result of a source. ``missing`` names members of a list without a value, ``order`` all
    members; ``reached`` states that the list or section exists and was read to its end, ``there``
    that it exists, even if a pattern found nothing in it.
    """

    candidates: list[Candidate] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    reached: bool = False
    order: list[str] = field(default_factory=list)
    there: bool = False


def select(document: Document, source: Source) -> Selection:
    """Return all values at ``source``, in order."""
    if source.steps is not None:
        walk = source.steps.walk(document.data)
        found = Selection(
            [Candidate(value, place) for place, value in walk.found if value is not None],
            walk.missing + [place for place, value in walk.found if value is None],
            walk.reached,
            walk.order,
        )
    elif source.column:
        found = _column(document.data, source.column)
    elif source.heading:
        found = _heading(document, source)
    else:
        found = Selection([Candidate(document.text, "")], reached=True)
    found.there = found.reached
    return _capture(found, source.regex) if source.regex else found


def _column(row: dict[str, Any], name: str) -> Selection:
    if name not in row:
        raise ReadingError("schema", f"the row has no column {name!r}; it has {', '.join(row)}")
    value = row[name]
    if value is None or (isinstance(value, str) and not value.strip()):
        return Selection()
    return Selection([Candidate(value, name)], reached=True)


def _heading(document: Document, source: Source) -> Selection:
    wanted = source.heading.casefold()
    found = Selection()
    for section in document.sections:
        if section.title.rstrip(":").strip().casefold() != wanted:
            continue
        found.reached = True
        place = f"line {section.line}"
        texts = section.items if source.items else (section.text,) if section.text else ()
        found.candidates += [Candidate(text, place) for text in texts]
    return found


def _capture(found: Selection, pattern: str) -> Selection:
    """Apply ``pattern`` to each value; a value without a match becomes a member without a value."""
    result = Selection(missing=list(found.missing), order=found.order, there=found.there)
    for candidate in found.candidates:
        text = candidate.value if isinstance(candidate.value, str) else None
        if isinstance(candidate.value, int | float) and not isinstance(candidate.value, bool):
            text = repr(candidate.value)
        if text is None:
            raise ReadingError(
                "schema",
                f"a pattern needs text at {candidate.place}, not {excerpt(candidate.value)}",
            )
        hits = matches(pattern, text)
        if not hits and candidate.place:
            result.missing.append(candidate.place)
        for hit in hits:
            line = text.count("\n", 0, hit.start) + 1
            place = candidate.place or f"line {line}"
            if hit.value is None or not hit.value.strip():
                result.missing.append(place)
                continue
            before = text[max(0, hit.start - 120) : hit.start]
            result.candidates.append(
                Candidate(hit.value, place, before, text[hit.end : hit.end + 40])
            )
    return result
