"""Same work: decide whether two records are one publication, and merge such records.

The rules, in this order:

1. Equal identifiers: one work.
2. Different identifiers of one kind: two works, whatever their titles (`contradict` lists the
   exceptions). Introductions, surveys and yearly reports share their titles.
3. Else the titles must name one work (`same_title`), the authors must agree (`authors_agree`) and
   the years must be at most `YEARS_APART` apart. A year or authors that one record lacks are not
   counted against it, as many sources list neither.
4. A short title (`is_short`) names no work by itself. Authors and year that one record has must
   then be in the other too; two records that both lack them are the same record found twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from revkit.model.work import Work
from revkit.works.identifiers import any_identifier, comparable, contradict
from revkit.works.names import authors_agree
from revkit.works.title_keys import content_words, is_short, title_key, title_words

YEARS_APART = 3
"""Years from a preprint to its publication; more would take a second edition for the first."""

_ALIKE = 0.8
_MOST_MISSPELT = 2
_FEWEST_WORDS = 4
_FEWEST_SUBTITLE = 2


def same_title(one: str, other: str) -> bool:
    """Return whether two titles name one work: equal when folded, or almost equal.

    Titles of one work differ in articles, in the spelling of at most two words, and one may lack
    the subtitle. They do not differ in a word or a number: "Attention Is All You Need" and
    "Attention Is Not All You Need" are two, and so are parts 1 and 2. A title of fewer
    than four words must be equal.
    """
    first, second = title_words(one), title_words(other)
    if not first or not second:
        return False
    if title_key(one) == title_key(other):
        return True
    if min(len(first), len(second)) < _FEWEST_WORDS:
        return False
    return _spelled_alike(first, second) or _one_lacks_subtitle(one, other)


def _spelled_alike(first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    mine, theirs = content_words(first), content_words(second)
    left = [word for word in first if word in mine - theirs]
    right = [word for word in second if word in theirs - mine]
    if len(left) != len(right) or len(left) > _MOST_MISSPELT:
        return False
    return all(map(_misspelt, left, right))


def _misspelt(one: str, other: str) -> bool:
    """Return whether two words differ only by a letter or an ending; numbers must be equal."""
    if one.isdigit() or other.isdigit():
        return False
    return SequenceMatcher(None, one, other, autojunk=False).ratio() >= _ALIKE


def _one_lacks_subtitle(one: str, other: str) -> bool:
    """Return whether one title equals the other without its part after the colon, dash or question
    mark.
    """
    short, long = sorted((one, other), key=len)
    main = short.strip().rstrip(".:?!")
    for sign in (": ", " - ", " – ", " — ", "? ", ". "):
        head, found, tail = long.partition(sign)
        if found and title_key(head) == title_key(main):
            words = title_words(tail)
            return len(words) >= _FEWEST_SUBTITLE and not any(w.isdigit() for w in words)
    return False


def identifiers_of(work: Work) -> frozenset[str]:
    """Return the identifiers by which ``work`` is compared."""
    return comparable((work.identifier,)) if work.identifier else frozenset()


def same_work(one: Work, other: Work) -> bool:
    """Return whether two records are one publication, by the rules of this module."""
    mine, theirs = identifiers_of(one), identifiers_of(other)
    if mine & theirs:
        return True
    return not contradict(mine, theirs) and _agree(one, other)


def _agree(one: Work, other: Work) -> bool:
    """Return whether title, authors and years belong to one work."""
    if not same_title(one.title, other.title):
        return False
    agree = authors_agree(one.authors, other.authors)
    apart = None if one.year is None or other.year is None else abs(one.year - other.year)
    if is_short(one.title) and not (
        bool(one.authors) == bool(other.authors) and (one.year is None) == (other.year is None)
    ):
        return False
    return agree is not False and (apart is None or apart <= YEARS_APART)


def find_same(work: Work, others: Sequence[Work]) -> int | None:
    """Return the index of the first of ``others`` that is the same publication as ``work``, or
    None.

    One with an equal identifier comes before one with an equal title.
    """
    mine = identifiers_of(work)
    for index, other in enumerate(others):
        if mine & identifiers_of(other):
            return index
    return next((i for i, other in enumerate(others) if same_work(work, other)), None)


def filled(first: Work, other: Work) -> Work:
    """Return ``first`` with missing fields filled from ``other``, a record of the same work."""
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


class Publications:
    """Records of works, grouped by publication.

    All records of a publication count: one that agrees with a preprint by its title, and has
    another DOI than the publication to which the preprint belongs, is a separate work.

    With ``misspelt``, titles that are nearly equal count too (`same_title`). Each record is then
    compared with all publications, which suits the results of searches; without it, time is linear
    in the number of records.
    """

    def __init__(self, *, misspelt: bool = False) -> None:
        self._misspelt = misspelt
        self._records: list[list[Work]] = []
        self._identifiers: list[set[str]] = []
        self._by_identifier: dict[str, int] = {}
        self._by_title: dict[str, list[int]] = {}

    def place(self, work: Work) -> tuple[int, bool]:
        """Add a record. Returns the number of its publication, from 0, and whether it is new."""
        mine = identifiers_of(work)
        known = self._find(work, mine)
        place = len(self._records) if known is None else known
        if known is None:
            self._records.append([])
            self._identifiers.append(set())
        self._records[place].append(work)
        self._identifiers[place] |= mine
        for identifier in mine:
            self._by_identifier.setdefault(identifier, place)
        places = self._by_title.setdefault(title_key(work.title), [])
        if place not in places:
            places.append(place)
        return place, known is None

    def _find(self, work: Work, mine: frozenset[str]) -> int | None:
        known = [self._by_identifier[each] for each in mine if each in self._by_identifier]
        if known:
            return min(known)
        places: Sequence[int] = (
            range(len(self._records))
            if self._misspelt
            else self._by_title.get(title_key(work.title), ())
        )
        for place in places:
            if not contradict(mine, self._identifiers[place]) and any(
                _agree(record, work) for record in self._records[place]
            ):
                return place
        return None


def merge(works: Iterable[Work]) -> list[Work]:
    """Return ``works`` in order, each once; missing fields of the first record come from the
    other.
    """
    publications = Publications()
    merged: list[Work] = []
    for work in works:
        place, new = publications.place(work)
        if new:
            merged.append(work)
        else:
            merged[place] = filled(merged[place], work)
    return merged


class Excluded:
    """Works that a search must not return: by title (folded) or by identifier."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._identifiers = {any_identifier(text) for text in texts} - {""}
        self._titles = {title_key(text) for text in texts} - {""}

    def __contains__(self, work: object) -> bool:
        return isinstance(work, Work) and (
            title_key(work.title) in self._titles
            or (bool(work.identifier) and any_identifier(work.identifier) in self._identifiers)
        )
