"""Collections of works in files: JSON Lines, JSON, BibTeX, CSV.

Nothing is dropped silently: an entry that cannot be used is reported with file, line and reason.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.files import Unreadable, located
from revkit.files.csv_tables import CsvTable
from revkit.model.strict_json import NotStrictJson, strict_json
from revkit.model.work import Work
from revkit.works import Entry, IrregularEntry, entry_of, merge, parse_bibtex

DEFAULT = Path(__file__).parent / "works.jsonl"
MOST_BYTES = 2_000_000_000
FORMATS = (".jsonl", ".ndjson", ".json", ".bib", ".csv", ".tsv")


@dataclass(frozen=True, eq=False)
class FileOfWorks:
    """The content of one file. ``irregular`` states place and reason for each entry that cannot be
    used.
    """

    path: str
    digest: str
    entries: tuple[Entry, ...]
    irregular: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Collection:
    """The works of all files, each once, in an order that does not depend on the order of the
    files.

    ``texts`` holds, place by place, what is searched: title, keywords and abstract.
    """

    files: tuple[FileOfWorks, ...]
    works: tuple[Work, ...]
    texts: tuple[str, ...]

    @property
    def irregular(self) -> tuple[str, ...]:
        """Return the places of entries that cannot be used, with reasons."""
        return tuple(message for file in self.files for message in file.irregular)

    @property
    def counts(self) -> dict[str, int]:
        """Return the number of works, and the numbers of other entries by reason."""
        entries = sum(len(file.entries) for file in self.files)
        return {
            "works": len(self.works),
            "duplicates-merged": entries - len(self.works),
            "irregular": len(self.irregular),
            "without-year": sum(work.year is None for work in self.works),
            "years-unreadable": sum(e.unclear_year for file in self.files for e in file.entries),
            "without-abstract": sum(not work.abstract for work in self.works),
        }


def read_collection(paths: Sequence[str]) -> Collection:
    """Read ``paths``, or the included collection if there are none.

    Raises `RunError` where a file cannot be read at all or is of no known format.
    """
    files = tuple(_file(path) for path in (paths or (str(DEFAULT),)))
    return _collection(files)


def _file(path: str) -> FileOfWorks:
    try:
        path = str(located(path))
        state = Path(path).stat()
    except (OSError, ValueError) as error:
        raise RunError(f"the collection {path} cannot be read: {error}") from None
    return _parsed(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=8)
def _parsed(path: str, _changed: int, size: int) -> FileOfWorks:
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        raise RunError(
            f"the collection {path} does not have one of the formats {', '.join(FORMATS)}"
        )
    if size > MOST_BYTES:
        raise RunError(f"the collection {path} has more than {MOST_BYTES:,} bytes")
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise RunError(f"the collection {path} cannot be read: {error.strerror}") from None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RunError(
            f"the collection {path} is not UTF-8 at byte {error.start}; convert it first"
        ) from None
    entries: list[Entry] = []
    irregular: list[str] = []
    name = Path(path).name
    for line, found in _entries(text, suffix, path):
        if isinstance(found, Entry):
            entries.append(found)
        else:
            irregular.append(f"{name}, line {line}: {found}")
    digest = hashlib.sha256(content).hexdigest()
    return FileOfWorks(path, digest, tuple(entries), tuple(irregular))


def _entries(text: str, suffix: str, path: str) -> Iterator[tuple[int, Entry | str]]:
    if suffix == ".bib":
        parsed = parse_bibtex(text)
        yield from parsed.entries
        yield from parsed.irregular
    elif suffix in (".csv", ".tsv"):
        yield from _rows(text, path)
    elif suffix == ".json":
        yield from _records(text, path)
    else:
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                yield number, _from_json(line)


def _from_json(line: str) -> Entry | str:
    try:
        record = strict_json(line)
    except NotStrictJson as error:
        return f"it is not JSON: {error}"
    return _entry(record)


def _entry(record: object) -> Entry | str:
    if not isinstance(record, Mapping):
        return "it is not an object"
    try:
        return entry_of(record)
    except IrregularEntry as error:
        return str(error)


def _records(text: str, path: str) -> Iterator[tuple[int, Entry | str]]:
    """Return a list of works, or the list in a reply of a service. Entries are counted by position,
    not by line.
    """
    try:
        value = strict_json(text)
    except NotStrictJson as error:
        raise RunError(
            f"the collection {path} is not JSON: {error}; JSON Lines end in .jsonl"
        ) from None
    if isinstance(value, Mapping):
        value = next((value[k] for k in ("data", "results", "works", "items") if k in value), value)
    if not isinstance(value, list):
        raise RunError(f"the collection {path} contains no list of works")
    for number, record in enumerate(value, 1):
        yield number, _entry(record)


def _rows(text: str, path: str) -> Iterator[tuple[int, Entry | str]]:
    head = text.partition("\n")[0]
    delimiter = max(",;\t", key=lambda sign: (head.count(sign), sign == ","))
    try:
        table = CsvTable(text, delimiter)
    except Unreadable as error:
        raise RunError(f"the collection {path}: {error}") from None
    if not any(name.lower() in ("title", "display_name", "paper_title") for name in table.names):
        raise RunError(f"the collection {path} has no column 'title' in its first line")
    for row in table.rows:
        yield row.line, f"it has {row.problem}" if row.problem else _entry(row.cells)


@lru_cache(maxsize=4)
def _collection(files: tuple[FileOfWorks, ...]) -> Collection:
    entries = sorted(
        (entry for file in files for entry in file.entries),
        key=lambda entry: (
            entry.work.title.casefold(),
            entry.work.identifier,
            entry.work.year or 0,
            repr(entry),
        ),
    )
    works = tuple(merge(entry.work for entry in entries))
    keywords: dict[str, str] = {}
    for entry in entries:
        keywords.setdefault(entry.work.title, entry.keywords)
    texts = tuple(
        "\n".join(part for part in (w.title, keywords.get(w.title, ""), w.abstract) if part)
        for w in works
    )
    return Collection(files, works, texts)
