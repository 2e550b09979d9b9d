"""Match citations with the entries of the reference list."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property

from revkit.model.paper import Paper
from revkit.model.structure import Citation
from revkit.works import fold_words

_YEAR = re.compile(r"((?:19|20)\d\d)([a-z]?)(?!\w)")
# Ends the first name of an entry.
_NEXT_NAME = re.compile(r",|;|\(| and | & | et al")
_FIRST_NAME = re.compile(r"\bet\.? al\b|,|&| and ")
# How far into an entry its authors reach, in characters.
_AUTHORS = 120


class CitedEntries:
    """The reference list of one paper, in which the works of citations are looked up.

    Labels decide where marks are numbers, labels or keys; where such a list has no labels, numbers
    count its entries. An author-year key names the entries of its year whose first author has its
    first family name; without any, those that have it among the authors. Where several are left,
    the letter behind the year decides ("2018b").
    """

    def __init__(self, paper: Paper) -> None:
        self._paper = paper
        self._names: dict[int, str] = {}

    @cached_property
    def _labels(self) -> dict[str, int]:
        return {entry.label: place for place, entry in enumerate(self._paper.references)}

    @cached_property
    def _counted(self) -> bool:
        return self._paper.citation_style == "numeric" and not any(self._labels)

    @cached_property
    def _years(self) -> dict[int, list[int]]:
        years: dict[int, list[int]] = {}
        for place, entry in enumerate(self._paper.references):
            if entry.year is not None:
                years.setdefault(entry.year, []).append(place)
        return years

    def places(self, citation: Citation) -> list[list[int]]:
        """Return for each key of ``citation`` the entries that it can mean, by index in the list;
        an empty list if it means none.
        """
        if citation.style == "author-year":
            return [self._by_name(key) for key in citation.keys]
        return [self._by_label(key) for key in citation.keys]

    def _by_label(self, key: str) -> list[int]:
        if key in self._labels:
            return [self._labels[key]]
        if self._counted and key.isdigit() and 1 <= int(key) <= len(self._paper.references):
            return [int(key) - 1]
        return []

    def _by_name(self, key: str) -> list[int]:
        year = _YEAR.search(key)
        name = fold_words(_FIRST_NAME.split(key, maxsplit=1)[0])
        if year is None or not name:
            return []
        sought = f" {' '.join(name)} "
        candidates: Sequence[int] = self._years.get(int(year[1]), ())
        found = [place for place in candidates if sought in self._names_of(place)]
        for decides in (self._is_first(sought), self._has_letter(year[0])):
            if len(found) > 1:
                found = [place for place in found if decides(place)] or found
        return found

    def _is_first(self, sought: str) -> Callable[[int], bool]:
        def decides(place: int) -> bool:
            first = _NEXT_NAME.split(self._paper.references[place].text[:_AUTHORS], maxsplit=1)[0]
            return sought in f" {' '.join(fold_words(first))} "

        return decides

    def _has_letter(self, year: str) -> Callable[[int], bool]:
        """A test whether an entry has the year with its letter; all pass for a year without one."""
        if year.isdigit():
            return lambda place: True
        written = re.compile(rf"(?<!\w){year}(?!\w)")
        return lambda place: written.search(self._paper.references[place].text) is not None

    def _names_of(self, place: int) -> str:
        names = self._names.get(place)
        if names is None:
            text = self._paper.references[place].text[:_AUTHORS]
            names = self._names[place] = f" {' '.join(fold_words(text))} "
        return names
