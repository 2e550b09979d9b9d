"""The index of the defense: existing works, and venues of which every work counts as known."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from revkit.errors import RunError
from revkit.files import located
from revkit.works import Catalogue, Work, any_identifier, fold_words, names_of


@dataclass(frozen=True)
class Index:
    """Known works, known venues (their words separated by blanks), and the digests of the files."""

    works: tuple[Work, ...]
    venues: tuple[str, ...]
    digests: tuple[str, ...]

    def catalogue(self, overlap: float, years_apart: int) -> Catalogue:
        """Return the works as a catalogue with these tolerances; see `revkit.works.Catalogue`."""
        return Catalogue(self.works, overlap, years_apart)

    def names_venue(self, entry: str) -> bool:
        """Return whether ``entry`` names a venue whose works all count as known."""
        if not self.venues:
            return False
        joined = f" {' '.join(fold_words(entry))} "
        return any(venue in joined for venue in self.venues)


def read_index(paths: Sequence[str]) -> Index:
    """Read one index from several JSON Lines files. Raises `RunError` with file and line."""
    works: list[Work] = []
    venues: list[str] = []
    digests: list[str] = []
    for path in paths:
        try:
            content = located(path).read_bytes()
        except OSError as error:
            raise RunError(f"the index {path} cannot be read: {error.strerror}") from None
        except ValueError as error:
            raise RunError(f"the index {path} cannot be read: {error}") from None
        found, known = _parse(content, path)
        digests.append(hashlib.sha256(content).hexdigest())
        works.extend(found)
        venues.extend(known)
    return Index(tuple(works), tuple(venues), tuple(digests))


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
                words = fold_words(str(record.get("venue", "")))
                if not words:
                    raise ValueError("a line needs a title, or a venue that is known as a whole")
                venues.append(f" {' '.join(words)} ")
        except (ValueError, RecursionError) as error:
            raise RunError(f"the index {path}, line {number}: {error}") from None
    return tuple(works), tuple(venues)


def _work(record: Mapping[str, object]) -> Work:
    title, authors, year = record["title"], record.get("authors"), record.get("year")
    if not isinstance(title, str) or not fold_words(title):
        raise ValueError("title must be text")
    if not isinstance(authors, list) or not authors or not isinstance(authors[0], str):
        raise ValueError("authors must be a list of names")
    if year is not None and (isinstance(year, bool) or not isinstance(year, int)):
        raise ValueError("year must be a whole number")
    names = names_of([str(name) for name in authors])
    if not names:
        raise ValueError("authors must be a list of names")
    cut = ("et al.",) if record.get("et_al") is True and names[-1] != "et al." else ()
    return Work(title, (*names, *cut), year, identifier=_identifier(record))


def _identifier(record: Mapping[str, object]) -> str:
    return any_identifier(str(record.get("identifier") or ""))
