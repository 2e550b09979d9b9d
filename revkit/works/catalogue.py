"""Catalogue: known works, and a search for the work that a reference entry names.

An entry is free text in any style, so nothing in it can be relied on to be the title or an author.
The rules, in this order:

1. The entry names an identifier of the work: it is found, if the entry also holds half of the
   title's words (all of them, side by side, for a short title). A real identifier under an invented
   title is the most frequent kind of forged reference.
2. The entry names another identifier of the same kind: it is another work.
3. The first author's family name must be in the entry, or those of half of the listed authors and
   at least two. The years must be close; an entry or a work without a year is not rejected for it.
4. The entry must hold the title: its words side by side, or the share ``overlap`` of those that
   carry meaning, as titles are misspelt and shortened.
5. A short title needs more, since its words are in many entries: they must be side by side and
   delimited (an author, a year or punctuation before, punctuation or a year after), half of the
   listed authors must be in the entry unless it or the catalogue cuts the list, and both must have
   a year, at most one apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from revkit.dataclass import dataclass
from revkit.model.work import Work
from revkit.works.identifiers import contradict, find_identifiers
from revkit.works.names import ET_AL, family_word, name_words
from revkit.works.same import identifiers_of
from revkit.works.title_keys import content_words, fold, is_short, title_key, title_words

_WORD = re.compile(r"[^\W_]+")
_UMLAUT = re.compile("([aou])e")
_CUT = re.compile(r"\bet\.? al\b|\band others\b|…")
_MOST_ENTRY = 4_000
_MOST_AUTHORS = 30
_HALF = 0.5
_SHORT_APART = 1
_FIRST_WORDS = 3


class _Sought:
    """One work of the catalogue, as it is looked for; its title is folded when it is needed."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.year = work.year
        people = [name for name in work.authors if name != ET_AL and name_words(name)]
        self.families = tuple(map(family_word, people[:_MOST_AUTHORS]))
        self.identifiers = identifiers_of(work)

    @cached_property
    def key(self) -> str:
        return title_key(self.work.title)

    @cached_property
    def words(self) -> frozenset[str]:
        return content_words(title_words(self.work.title))

    @cached_property
    def short(self) -> bool:
        return is_short(self.work.title)


@dataclass(frozen=True)
class _Entry:
    """One entry in folded form: its words, their positions, and the parts that it names."""

    text: str
    year: int | None
    places: tuple[tuple[int, int], ...]
    words: tuple[str, ...]

    @classmethod
    def of(cls, text: str, year: int | None) -> _Entry:
        folded = fold(text[:_MOST_ENTRY])
        found = [match.span() for match in _WORD.finditer(folded)]
        return cls(folded, year, tuple(found), tuple(folded[a:b] for a, b in found))

    @cached_property
    def held(self) -> frozenset[str]:
        """Its words, and the words of its names in the folding of names."""
        return frozenset(self.words)

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(_UMLAUT.sub(r"\1", word) for word in self.words)

    @cached_property
    def is_cut(self) -> bool:
        """Whether it leaves authors out."""
        return _CUT.search(self.text) is not None

    @cached_property
    def _letters(self) -> tuple[str, Mapping[int, int], Mapping[int, int]]:
        """Its letters without blanks, and the letters at which words start and end."""
        starts: dict[int, int] = {}
        ends: dict[int, int] = {}
        at = 0
        for number, word in enumerate(self.words):
            starts[at] = number
            at += len(word)
            ends[at] = number
        return "".join(self.words), starts, ends

    def spans(self, key: str) -> Iterable[tuple[int, int]]:
        """Return the first and last words of each place with the letters ``key``, as whole words.

        Blanks and hyphens do not count, so a broken word is found too.
        """
        letters, starts, ends = self._letters
        at = letters.find(key)
        while at >= 0:
            if at in starts and at + len(key) in ends:
                yield starts[at], ends[at + len(key)]
            at = letters.find(key, at + 1)

    def holds(self, key: str) -> bool:
        """Return whether it contains the letters ``key`` in sequence."""
        return any(True for _ in self.spans(key))

    def delimits(self, key: str, families: Sequence[str]) -> bool:
        """Whether ``key`` is in it as a part by itself, and not within a longer title."""
        return any(self._is_apart(first, last, families) for first, last in self.spans(key))

    def _is_apart(self, first: int, last: int, families: Sequence[str]) -> bool:
        before = self.text[self.places[first - 1][1] : self.places[first][0]] if first else "."
        after = self.text[self.places[last][1] :][:3].strip()
        word = _UMLAUT.sub(r"\1", self.words[first - 1]) if first else ""
        opened = bool(before.strip(" -'’")) or word.isdigit() or word in families or len(word) == 1
        closed = not after or not (after[0].isalpha() or after[0] in "-'’")
        return opened and closed


@dataclass(frozen=True)
class Catalogue:
    """Works that are known to exist.

    ``overlap`` is the least share of a title's words that an entry must hold (0 to 1),
    ``years_apart`` the most years between an entry and a work: 2 from a preprint to its
    publication.
    """

    works: tuple[Work, ...]
    overlap: float = 0.8
    years_apart: int = 2

    def find(self, entry: str, year: int | None) -> Work | None:
        """Return the work that ``entry``, of ``year``, names; None if the catalogue has none.

        Time is linear in the number of works that share an author's name with the entry.
        """
        read = _Entry.of(entry, year)
        identifiers = find_identifiers(entry)
        for identifier in sorted(identifiers & self._by_identifier.keys()):
            for sought in self._by_identifier[identifier]:
                if _has_title(read, sought, _HALF):
                    return sought.work
        for sought in self._candidates(read):
            if identifiers and contradict(identifiers, sought.identifiers):
                continue
            if self._matches(read, sought):
                return sought.work
        return None

    def find_identifier(self, entry: str) -> Work | None:
        """The work that an identifier in ``entry`` names, whatever title is beside it."""
        for identifier in sorted(find_identifiers(entry) & self._by_identifier.keys()):
            return self._by_identifier[identifier][0].work
        return None

    def find_title(self, entry: str) -> Work | None:
        """The first work whose title ``entry`` holds, side by side and delimited.

        Authors and years do not count. Short titles are left out: too many entries hold them.
        """
        read = _Entry.of(entry, None)
        for first in range(len(read.words) - _FIRST_WORDS + 1):
            for sought in self._by_first_words.get(read.words[first : first + _FIRST_WORDS], ()):
                if read.delimits(sought.key, sought.families):
                    return sought.work
        return None

    @cached_property
    def _by_first_words(self) -> Mapping[tuple[str, ...], Sequence[_Sought]]:
        found: dict[tuple[str, ...], list[_Sought]] = {}
        for sought in self._sought:
            words = tuple(_WORD.findall(fold(sought.work.title)))[:_FIRST_WORDS]
            if not sought.short and len(words) == _FIRST_WORDS:
                found.setdefault(words, []).append(sought)
        return found

    def _candidates(self, read: _Entry) -> list[_Sought]:
        """The works with an author in the entry and a year close enough, in their order."""
        places = {p for word in read.names & self._by_family.keys() for p in self._by_family[word]}
        found = [self._sought[place] for place in sorted(places)]
        if read.year is None:
            return found
        year, apart = read.year, self.years_apart
        return [s for s in found if s.year is None or -apart <= s.year - year <= apart]

    def _matches(self, read: _Entry, sought: _Sought) -> bool:
        if sought.short:
            if read.year is None or sought.year is None:
                return False
            return abs(read.year - sought.year) <= _SHORT_APART and _is_short_named(read, sought)
        return _has_authors(read, sought) and _has_title(read, sought, self.overlap)

    @cached_property
    def _sought(self) -> tuple[_Sought, ...]:
        return tuple(map(_Sought, self.works))

    @cached_property
    def _by_identifier(self) -> Mapping[str, Sequence[_Sought]]:
        found: dict[str, list[_Sought]] = {}
        for sought in self._sought:
            for identifier in sought.identifiers:
                found.setdefault(identifier, []).append(sought)
        return found

    @cached_property
    def _by_family(self) -> Mapping[str, Sequence[int]]:
        found: dict[str, list[int]] = {}
        for place, sought in enumerate(self._sought):
            for family in {*sought.families, *_turned(sought)} - {""}:
                found.setdefault(family, []).append(place)
        return found


def _turned(sought: _Sought) -> Sequence[str]:
    """Return the family name of the first author, if the two parts of the name are swapped."""
    first = next(iter(sought.work.authors), "")
    words = name_words(first)
    return words[:1] if len(words) == 2 and len(words[0]) > 1 else ()


def _has_title(read: _Entry, sought: _Sought, share: float) -> bool:
    if read.holds(sought.key):
        return True
    return not sought.short and len(sought.words & read.held) >= share * len(sought.words)


def _has_authors(read: _Entry, sought: _Sought) -> bool:
    """Return whether the first author is in the entry, or half of the others and at least two."""
    if sought.families[:1] and sought.families[0] in read.names:
        return True
    turned = _turned(sought)
    if turned and turned[0] in read.names:
        forename = name_words(sought.work.authors[0])[-1]
        if forename in read.names or forename[0] in read.names:
            return True
    shared = sum(family in read.names for family in sought.families)
    return shared >= max(2, (len(sought.families) + 1) // 2)


def _is_short_named(read: _Entry, sought: _Sought) -> bool:
    if not _has_authors(read, sought) or not read.delimits(sought.key, sought.families):
        return False
    shared = sum(family in read.names for family in sought.families)
    whole = len(sought.families) == len(sought.work.authors) and not read.is_cut
    return not whole or shared >= (len(sought.families) + 1) // 2
