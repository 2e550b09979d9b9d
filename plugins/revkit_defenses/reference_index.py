"""The index of the defense: existing works, and venues whose works all count as known."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache

from revkit.contracts import Defense
from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.files import LineProblems, located
from revkit.model.strict_json import strict_json
from revkit.model.values import Json
from revkit.options import options_of
from revkit.works import Catalogue, Work, any_identifier, fold_words, is_short, names_of

_DATE = re.compile(r"(?:19|20)\d\d(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?")


@dataclass(frozen=True)
class Index:
    """Known works, known venues (their words between blanks), the digests of the files, and the
    earliest of their dates ("2026-04-28", "2026-04" or "2026"; "" where one has none)."""

    works: tuple[Work, ...]
    venues: tuple[str, ...]
    digests: tuple[str, ...]
    date: str = ""

    def catalogue(self, overlap: float, years_apart: int) -> Catalogue:
        """The works, to be searched with these tolerances; see `revkit.works.Catalogue`."""
        return Catalogue(with_main_titles(self.works), overlap, years_apart)

    def names_venue(self, entry: str) -> bool:
        """Return whether ``entry`` names a venue whose works all count as known."""
        if not self.venues:
            return False
        joined = f" {' '.join(fold_words(entry))} "
        return any(venue in joined for venue in self.venues)


def with_main_titles(works: Sequence[Work]) -> tuple[Work, ...]:
    """``works``, and behind them those that have a subtitle without it: entries leave it out. A
    main title that is too short to identify a work is not added."""
    shortened = (
        replace(work, title=head)
        for work in works
        if (head := work.title.partition(":")[0]) != work.title and not is_short(head)
    )
    return (*works, *shortened)


def read_index(paths: Sequence[str]) -> Index:
    """Read one index from several JSON Lines files. Raises `RunError` with file and line."""
    works: list[Work] = []
    venues: list[str] = []
    digests: list[str] = []
    dates: list[str] = []
    for path in paths:
        try:
            content = located(path).read_bytes()
        except OSError as error:
            raise RunError(f"the index {path} cannot be read: {error.strerror}") from None
        except ValueError as error:
            raise RunError(f"the index {path} cannot be read: {error}") from None
        found, known, date = _parse(content, path)
        dates.append(date)
        digests.append(hashlib.sha256(content).hexdigest())
        works.extend(found)
        venues.extend(known)
    return Index(tuple(works), tuple(venues), tuple(digests), min(dates, default=""))


class IndexedDefense(Defense):
    """A defense with an option ``index``: the paths of the files of an index."""

    index: tuple[str, ...]

    def identity(self) -> Json:
        """Return the options, with the SHA-256 of each index file instead of its path."""
        return {**options_of(self), "index": list(self.works_index.digests)}

    def files_needed(self) -> Sequence[str]:
        """Return the files of the index."""
        return self.index

    @cached_property
    def works_index(self) -> Index:
        """The index. Raises `RunError` where a file of it cannot be read."""
        return read_index(self.index)


@lru_cache(maxsize=8)
def _parse(content: bytes, path: str) -> tuple[tuple[Work, ...], tuple[str, ...], str]:
    works: list[Work] = []
    venues: list[str] = []
    date = ""
    problems = LineProblems()
    try:
        lines = content.decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise RunError(f"the index {path} is not UTF-8 at byte {error.start}") from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = strict_json(line)
            if not isinstance(record, dict):
                raise ValueError("expected an object")
            if "title" in record:
                works.append(_work(record))
            elif "index-date" in record:
                date = _date(record["index-date"])
            else:
                words = fold_words(str(record.get("venue", "")))
                if not words:
                    raise ValueError(
                        "a line needs a title, a venue (all of its works count as known), or an "
                        "index-date"
                    )
                venues.append(f" {' '.join(words)} ")
        except (ValueError, RecursionError) as error:
            problems.add(number, error)
    if problems:
        raise RunError(f"the index {path}, {problems}")
    return tuple(works), tuple(venues), date


def _date(value: object) -> str:
    if not isinstance(value, str) or not _DATE.fullmatch(value):
        raise ValueError("index-date must be a date such as 2026-04-28, 2026-04 or 2026")
    return value


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
    abstract = record.get("abstract")
    if abstract is not None and not isinstance(abstract, str):
        raise ValueError("abstract must be text")
    named = _identifier(record)
    return Work(title, (*names, *cut), year, abstract=abstract or "", identifier=named)


def _identifier(record: Mapping[str, object]) -> str:
    return any_identifier(str(record.get("identifier") or ""))
