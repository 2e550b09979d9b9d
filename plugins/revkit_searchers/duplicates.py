"""The same work twice: told by identifier, or by title and first author, and merged into one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from revkit.model.work import Work
from revkit_searchers.cleaning import folded_words
from revkit_searchers.entries import ET_AL
from revkit_searchers.identifiers import any_identifier

_YEARS_APART = 3
_SUFFIXES = frozenset(("jr", "sr", "ii", "iii", "iv"))


def title_key(title: str) -> str:
    """The words of a title without case, accents and punctuation."""
    return " ".join(folded_words(title))


def family(work: Work) -> str:
    """The last name of the first author, folded; "" where there is none."""
    name = folded_words(work.authors[0]) if work.authors and work.authors[0] != ET_AL else []
    while len(name) > 1 and name[-1] in _SUFFIXES:
        name.pop()
    return name[-1] if name else ""


def merge(works: Iterable[Work]) -> list[Work]:
    """Return ``works`` in order, each once; what the first of two lacks comes from the other.

    Two are the same where they share an identifier, or the words of the title and the first
    author's family name, with at most three years between them (what one lacks is not held against
    it). So a preprint and its publication are one work, with the year and venue of the one that
    comes first here, and a book and an article of one name stay two.
    """
    kept: list[Work] = []
    by_identifier: dict[str, int] = {}
    by_title: dict[str, list[int]] = {}
    for work in works:
        key, name = title_key(work.title), family(work)
        place = by_identifier.get(work.identifier) if work.identifier else None
        if place is None:
            for candidate in by_title.get(key, ()):
                if _alike(kept[candidate], work, name):
                    place = candidate
                    break
        if place is None:
            place = len(kept)
            kept.append(work)
        else:
            kept[place] = _filled(kept[place], work)
        if work.identifier:
            by_identifier.setdefault(work.identifier, place)
        places = by_title.setdefault(key, [])
        if place not in places:
            places.append(place)
    return kept


def _alike(kept: Work, work: Work, name: str) -> bool:
    near = kept.year is None or work.year is None or abs(kept.year - work.year) <= _YEARS_APART
    return near and (not name or family(kept) in ("", name))


def _filled(first: Work, other: Work) -> Work:
    return replace(
        first,
        authors=first.authors or other.authors,
        year=other.year if first.year is None else first.year,
        venue=first.venue or other.venue,
        identifier=first.identifier or other.identifier,
        abstract=first.abstract or other.abstract,
        url=first.url or other.url,
        score=other.score if first.score is None else first.score,
    )


class Excluded:
    """Works that are not to be found: by title (case, accents, punctuation aside) or identifier."""

    def __init__(self, given: Sequence[str]) -> None:
        self._identifiers = {any_identifier(text) for text in given} - {""}
        self._titles = {title_key(text) for text in given} - {""}

    def __contains__(self, work: object) -> bool:
        return isinstance(work, Work) and (
            title_key(work.title) in self._titles
            or (bool(work.identifier) and work.identifier in self._identifiers)
        )
