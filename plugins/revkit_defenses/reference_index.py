"""A local index of works that exist, and the search in it for an entry of a reference list."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from revkit.errors import RunError

_SPACING_ACCENTS = re.compile("[´`¨¸ˆ˜˚ˇ˘˙˝^~]+")
_COMBINING = re.compile("[\u0300-\u036f]+")
_WORD = re.compile(r"[^\W_]+")
_SHORT = frozenset(("a", "an", "and", "the", "of", "for", "in", "on", "to", "with", "by", "via"))
_SUFFIXES = frozenset(("jr", "sr", "ii", "iii", "iv"))


def plain_words(text: str) -> list[str]:
    """Return the words of ``text`` in lower case, without accents and punctuation."""
    if not text.isascii():
        text = _SPACING_ACCENTS.sub("", text)
        text = _COMBINING.sub("", unicodedata.normalize("NFKD", text))
    return _WORD.findall(text.casefold())


@dataclass(frozen=True, slots=True)
class Work:
    """One work of the index: its title's words (short ones left out), first author, year."""

    title: frozenset[str]
    family: str
    year: int | None
    identifier: str


@dataclass(frozen=True)
class Index:
    """Works by their first author's family name, by identifier, and venues known as a whole."""

    by_family: Mapping[str, Sequence[Work]]
    by_identifier: Mapping[str, Work]
    venues: tuple[str, ...]
    digests: tuple[str, ...]

    def has(self, entry: str, year: int | None, overlap: float, years_apart: int) -> bool:
        """Whether the index holds the work that ``entry`` names.

        The entry must hold at least the share ``overlap`` of the title's words, the first author's
        family name, and a year at most ``years_apart`` away (an entry without a year is not held
        against it). The same identifier stands for author and year, and half of the title's words
        then suffice. An entry that names a venue which is known as a whole is held too.
        """
        sequence = plain_words(entry)
        words = set(sequence)
        for family in sorted(words & self.by_family.keys()):
            for work in self.by_family[family]:
                near = year is None or work.year is None or abs(year - work.year) <= years_apart
                if near and _share(work.title, words) >= overlap:
                    return True
        lower = entry.casefold()
        for number in _numbers(lower):
            known = self.by_identifier.get(number)
            if known is not None and _share(known.title, words) >= 0.5:
                return True
        if not self.venues:
            return False
        joined = f" {' '.join(sequence)} "
        return any(venue in joined for venue in self.venues)


def _share(title: frozenset[str], words: set[str]) -> float:
    return len(title & words) / len(title)


def _numbers(entry: str) -> list[str]:
    """The identifiers that an entry names: arXiv numbers, DOIs, identifiers of the ACL."""
    found = re.findall(r"(?<!\d)\d{4}\.\d{4,5}(?!\d)|10\.\d{4,9}/[^\s,;)\]]{1,100}", entry)
    found += re.findall(r"aclanthology\.org/([a-z0-9.-]{4,40})", entry)
    return [number.rstrip("./") for number in found]


def read_index(paths: Sequence[str]) -> Index:
    """Read one index from several JSON Lines files. Raises `RunError` with file and line."""
    by_family: dict[str, list[Work]] = {}
    by_identifier: dict[str, Work] = {}
    venues: list[str] = []
    digests: list[str] = []
    for path in paths:
        try:
            content = Path(path).read_bytes()
        except OSError as error:
            raise RunError(f"the index {path} cannot be read: {error.strerror}") from None
        works, known = _parse(content, path)
        digests.append(hashlib.sha256(content).hexdigest())
        venues.extend(known)
        for work in works:
            by_family.setdefault(work.family, []).append(work)
            if work.identifier:
                by_identifier[work.identifier] = work
    return Index(by_family, by_identifier, tuple(venues), tuple(digests))


@lru_cache(maxsize=8)
def _parse(content: bytes, path: str) -> tuple[tuple[Work, ...], tuple[str, ...]]:
    works: list[Work] = []
    venues: list[str] = []
    try:
        lines = content.decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise RunError(f"the index {path} is not UTF-8 at byte {error.start}") from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            if not isinstance(record, dict):
                raise ValueError("expected an object")
            if "title" in record:
                works.append(_work(record))
            else:
                words = plain_words(str(record.get("venue", "")))
                if not words:
                    raise ValueError("a line needs a title, or a venue that is known as a whole")
                venues.append(f" {' '.join(words)} ")
        except ValueError as error:
            raise RunError(f"the index {path}, line {number}: {error}") from None
    return tuple(works), tuple(venues)


def _work(record: Mapping[str, object]) -> Work:
    title, authors, year = record["title"], record.get("authors"), record.get("year")
    if not isinstance(title, str) or not plain_words(title):
        raise ValueError("title must be text")
    if not isinstance(authors, list) or not authors or not isinstance(authors[0], str):
        raise ValueError("authors must be a list of names")
    if year is not None and (isinstance(year, bool) or not isinstance(year, int)):
        raise ValueError("year must be a whole number")
    name = plain_words(authors[0])
    while len(name) > 1 and name[-1] in _SUFFIXES:
        name.pop()
    if not name:
        raise ValueError("authors must be a list of names")
    words = frozenset(plain_words(title))
    return Work(
        title=words - _SHORT or words,
        family=name[-1],
        year=year,
        identifier=str(record.get("identifier") or "").partition(":")[2].casefold().rstrip("./"),
    )
