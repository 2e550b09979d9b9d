"""Read JSON, JSON Lines, Parquet and Arrow files of any size, one record at a time.

Three shapes are read: an array of records; one record, or several one after another; and an object
around an array of records (``{"notes": [...]}``). Files named .jsonl or .ndjson are read line by
line, so that a bad line costs that line only; blank lines are not records. In another file a
fault in one record leaves open where the next begins: reading ends there, unless each record is
one line.

A record with a key given twice in one object is skipped. Read leniently, with a note: NaN and
Infinity (null). A number with a decimal point keeps its digits, so an id 2604.01960 stays one.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from itertools import islice
from typing import Any, BinaryIO

from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.files import LINES, CorpusFile, Unreadable, decoded, lines_of, opened
from revkit.model.paper import Skipped
from revkit.venues.columnar import COLUMNAR, HUB_FILES, rows_of_columns
from revkit.venues.scanner import Malformed, Raw, scan
from revkit.venues.texts import excerpt

JSON_FILES = (".json", *LINES)
RECORD_FILES = (*JSON_FILES, *COLUMNAR)
"""The endings of the files that `records` reads."""


class Decimal(float):
    """A number with a decimal point or exponent, with its digits as written in ``text``."""

    __slots__ = ("text",)
    text: str

    def __new__(cls, text: str) -> Decimal:
        number = super().__new__(cls, text)
        number.text = text
        return number


@dataclass(frozen=True, slots=True)
class Record:
    """One JSON object, its place ("papers.jsonl:17") and its irregularities."""

    value: dict[str, Any]
    source: str
    notes: tuple[str, ...] = ()


def records(
    found: CorpusFile, max_bytes: int, *, alone: bool, wrapper: str = ""
) -> Iterator[Record | Skipped]:
    """Yield the records of a file in order; an unreadable record becomes a `Skipped`.

    ``max_bytes`` bounds one record; ``wrapper`` names the member that holds the list of records
    where an object is wrapped around it. Where the file as a whole is at fault (cannot be opened,
    not JSON, empty) and is ``alone``, that is a `RunError`; among others it is one more `Skipped`.
    """
    if found.path.name in HUB_FILES:
        return
    try:
        if found.name.casefold().endswith(COLUMNAR):
            yield from _columnar(found, max_bytes)
            return
        with opened(found.path) as file:
            yield from _read(file, found, max_bytes, wrapper)
    except Unreadable as error:
        if alone:
            raise RunError(f"{found.path}: {error}; correct the file or set another path") from None
        yield Skipped(found.name, str(error), found.name)


def _columnar(found: CorpusFile, max_bytes: int) -> Iterator[Record | Skipped]:
    empty = True
    for number, value, notes in rows_of_columns(found, max_bytes):
        empty = False
        source = f"{found.name}:{number}"
        if value is None:
            yield Skipped(source, f"larger than max-bytes ({max_bytes})", source)
        else:
            yield Record(value, source, notes)
    if empty:
        raise Unreadable("contains no record")


def _read(
    file: BinaryIO, found: CorpusFile, max_bytes: int, wrapper: str
) -> Iterator[Record | Skipped]:
    by_line = found.name.casefold().endswith(LINES)
    empty = True
    good = _Good()
    try:
        raws = (Raw(line, number) for number, line in lines_of(file, max_bytes))
        for raw in raws if by_line else scan(file, max_bytes, wrapper):
            for item in _unwrapped(raw, f"{found.name}:{raw.line}", max_bytes, wrapper, by_line):
                empty = False
                yield item
            good.note(raw)
    except Malformed as error:
        rest = _rest_by_line(found, good, max_bytes)
        if rest is None:
            reason = f"malformed JSON at {error}; the rest of the file is not read"
            raise Unreadable(reason) from None
        reported = False
        for raw in rest:
            for item in _unwrapped(raw, f"{found.name}:{raw.line}", max_bytes, wrapper, True):
                reported = reported or isinstance(item, Skipped)
                yield item
        if not reported:  # the fault is behind a whole record
            yield Skipped(found.name, f"malformed JSON at {error}", found.name)
        return
    if empty:
        raise Unreadable("contains no record")


@dataclass
class _Good:
    """The line of the last record that was read, and whether each of them was one line."""

    line: int = 0
    one_line: bool = True

    def note(self, raw: Raw) -> None:
        """Note a record that was read."""
        later = raw.line > self.line
        self.one_line = self.one_line and later and b"\n" not in (raw.data or b"")
        self.line = raw.line


def _rest_by_line(found: CorpusFile, good: _Good, max_bytes: int) -> Iterator[Raw] | None:
    """Return the lines behind the last record of a file that has a fault, where each of its records
    is one line, so that the next begins in a known place; None for other files.

    The comma behind a record of an array does not count.
    """
    if not good.one_line:
        return None
    with opened(found.path) as file:
        first = [line.strip() for _, line in islice(lines_of(file, max_bytes), 3) if line]
    listed = first[:1] == [b"["]
    if len(first) < 2 + listed or not any(_is_record(line) for line in first[listed : listed + 2]):
        return None
    return _lines_behind(found, good.line, max_bytes, listed=listed)


def _lines_behind(found: CorpusFile, last: int, max_bytes: int, *, listed: bool) -> Iterator[Raw]:
    with opened(found.path) as file:
        for number, line in lines_of(file, max_bytes):
            if number <= last or (listed and line is not None and line.strip() in (b"[", b"]")):
                continue
            yield Raw(line.strip().removesuffix(b",") if listed and line else line, number)


def _is_record(line: bytes) -> bool:
    try:
        return isinstance(parse(decoded(line.removesuffix(b",")))[0], dict)
    except (Malformed, Unreadable):
        return False


def _unwrapped(
    raw: Raw, source: str, max_bytes: int, wrapper: str, by_line: bool
) -> Iterator[Record | Skipped]:
    try:
        record = _record(raw, source, max_bytes)
    except Unreadable as error:
        yield Skipped(source, str(error), source)
        return
    except Malformed as error:
        if not by_line:
            raise
        yield Skipped(source, f"malformed JSON at {error}", source)
        return
    inner = record.value.get(wrapper) if wrapper and "id" not in record.value else None
    if not isinstance(inner, list):
        yield record
        return
    for number, value in enumerate(inner, start=1):
        place = f"{source}[{number}]"
        if isinstance(value, dict):
            yield Record(value, place, record.notes)
        else:
            yield Skipped(place, _not_an_object(value), place)


def _not_an_object(value: object) -> str:
    return f"not an object but {excerpt(json.dumps(value), 40)}"


def _record(raw: Raw, source: str, max_bytes: int) -> Record:
    if raw.data is None:
        raise Unreadable(f"larger than max-bytes ({max_bytes})")
    value, notes = parse(decoded(raw.data), raw.line, raw.column)
    if not isinstance(value, dict):
        raise Unreadable(_not_an_object(value))
    return Record(value, source, notes)


def parse(text: str, line: int = 1, column: int = 1) -> tuple[Any, tuple[str, ...]]:
    """Return the JSON value of ``text``, which begins at that place of its file, and notes.

    Raises `Malformed` with line, column and fault, and `Unreadable` for a key given twice.
    """
    try:
        return _PLAIN.decode(text), ()
    except Unreadable:
        raise
    except (ValueError, RecursionError):
        return _parsed_with_notes(text, line, column)


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Unreadable(
            f"key {excerpt(twice)} is given twice in one object: which one counts would be a "
            "guess; keep one of them"
        )
    return value


def _finite(digits: str) -> Decimal:
    number = Decimal(digits)
    if not math.isfinite(number):
        raise ValueError(digits)
    return number


def _no_constant(name: str) -> None:
    raise ValueError(name)


# Made once, as for each record it would take as long as reading a short one.
_PLAIN = json.JSONDecoder(
    object_pairs_hook=_members, parse_float=_finite, parse_constant=_no_constant
)


def _parsed_with_notes(text: str, line: int, column: int) -> tuple[Any, tuple[str, ...]]:
    """Return what `parse` does, for a text with a fault or a number that JSON does not have."""
    notes: dict[str, None] = {}

    def constant(name: str) -> None:
        notes[f"{name} is not JSON: read as null"] = None

    def number(digits: str) -> Decimal | None:
        found = Decimal(digits)
        if math.isfinite(found):
            return found
        notes[f"{excerpt(digits)} is too large for a number: read as null"] = None
        return None

    try:
        value = json.loads(
            text, parse_float=number, parse_constant=constant, object_pairs_hook=_members
        )
    except json.JSONDecodeError as error:
        before = column - 1 if error.lineno == 1 else 0
        place = f"line {line + error.lineno - 1}, column {before + error.colno}"
        raise Malformed(f"{place}: {error.msg}") from None
    except Unreadable:
        raise
    except RecursionError:
        raise Malformed(f"line {line}: nested too deeply") from None
    except ValueError as error:
        raise Malformed(f"line {line}: {error}") from None
    return value, tuple(notes)


def as_id(value: object) -> tuple[str, str]:
    """Return an id as text, whatever JSON made of it, and a note if it was a number with digits
    after the point (whose last zeros another program may have lost). "" if it is not an id.
    """
    if isinstance(value, str):
        return value.strip(), ""
    if isinstance(value, Decimal):
        return value.text, f"id {value.text} is written as a number: read as text"
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value), ""
    return "", ""
