"""Read BibTeX files, including irregular ones.

Understood are braces and quotes, strings joined by ``#``, ``@string``, month names, ``@comment``
and ``@preamble``, parentheses around an entry, a line break before the key, a comma after the last
field, and text between entries. An entry that does not end, or whose fields cannot be read, is
irregular: it is reported with its line, and reading goes on at the next "@" that begins a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from revkit.works.identifiers import arxiv
from revkit.works.names import names_of
from revkit.works.records import Entry, IrregularEntry, entry_of
from revkit.works.tex import from_tex

_START = re.compile(r"@[ \t]{0,20}([A-Za-z]{1,30})\s{0,20}([{(])")
_NEXT = re.compile(r"^[ \t]{0,20}@[ \t]{0,20}[A-Za-z]{1,30}\s{0,20}[{(]", re.MULTILINE)
_NAME = re.compile(r"\s*([^\s=,{}()\"#%']{1,80})\s*=\s*")
_BARE = re.compile(r"[^\s,{}()\"#%='=]{1,200}")
_BLANK = re.compile(r"(?:\s|%[^\n]*\n)*")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MOST_VALUE = 1_000_000  # characters


@dataclass
class Parsed:
    """The content of a file: works with their lines, and irregular entries with their lines."""

    entries: list[tuple[int, Entry]] = field(default_factory=list)
    irregular: list[tuple[int, str]] = field(default_factory=list)


class _BrokenError(ValueError):
    """An entry that cannot be read; the text states why."""


def parse_bibtex(text: str) -> Parsed:
    """Return all works of ``text``, and all entries that are not works."""
    parsed = Parsed()
    strings = {month: month for month in _MONTHS}
    place, line, counted = 0, 1, 0
    while (start := _START.search(text, place)) is not None:
        line += text.count("\n", counted, start.start())
        counted = start.start()
        kind = start.group(1).lower()
        close = "}" if start.group(2) == "{" else ")"
        following = _NEXT.search(text, start.end())
        limit = following.start() if following else len(text)
        try:
            if kind in ("comment", "preamble"):  # may hold whole entries
                place = _end_of_braces(text, start.end(), close)
            else:
                # No entry reaches into the next, so a broken one costs only itself.
                piece = text[start.end() : limit]
                place = start.end() + _read(piece, kind, close, strings, parsed, line)
        except _BrokenError as error:
            parsed.irregular.append((line, str(error)))
            place = limit
    return parsed


def _read(
    text: str, kind: str, close: str, strings: dict[str, str], parsed: Parsed, line: int
) -> int:
    """Read one entry, and return its end."""
    if kind == "string":
        fields, end = _fields(text, 0, close, strings)
        strings.update(fields)
        return end
    fields, end = _fields(text, _key_end(text, 0, close), close, strings)
    try:
        parsed.entries.append((line, _entry(fields)))
    except IrregularEntry as error:
        parsed.irregular.append((line, str(error)))
    return end


def _key_end(text: str, place: int, close: str) -> int:
    """Return where the fields begin: after the key and its comma. A key may be missing or
    irregular.
    """
    depth = 0  # keys may hold accents in braces
    for at in range(place, min(len(text), place + 500)):
        sign = text[at]
        if depth == 0 and sign == ",":
            return at + 1
        if depth == 0 and sign == "=":  # no key: the first field is in its place
            return place
        if depth == 0 and sign == close:
            return at
        depth += (sign == "{") - (sign == "}")
    raise _BrokenError("its key has no end")


def _fields(
    text: str, place: int, close: str, strings: dict[str, str]
) -> tuple[dict[str, str], int]:
    fields: dict[str, str] = {}
    while True:
        place = _skip(text, place)
        while text.startswith(",", place):
            place = _skip(text, place + 1)
        if text.startswith(close, place):
            return fields, place + 1
        name = _NAME.match(text, place)
        if name is None:
            raise _BrokenError(
                "the entry has no end" if place >= len(text) else "a field has no name and value"
            )
        value, place = _value(text, name.end(), close, strings)
        fields.setdefault(name.group(1).lower(), value)


def _value(text: str, place: int, close: str, strings: dict[str, str]) -> tuple[str, int]:
    """Return one value: pieces joined by "#"."""
    pieces: list[str] = []
    while True:
        place = _skip(text, place)
        sign = text[place : place + 1]
        if sign == "{":
            end = _end_of_braces(text, place + 1, "}")
            pieces.append(text[place + 1 : end - 1])
        elif sign == '"':
            end = _end_of_quotes(text, place + 1)
            pieces.append(text[place + 1 : end - 1])
        else:
            bare = _BARE.match(text, place)
            if bare is None:
                raise _BrokenError("a field has no value")
            end = bare.end()
            pieces.append(strings.get(bare.group().lower(), bare.group()))
        place = _skip(text, end)
        if not text.startswith("#", place):
            break
        place += 1
    if place < len(text) and text[place] not in (",", close):
        raise _BrokenError("a comma is missing between two fields, or an entry does not end")
    return "".join(pieces), place


def _skip(text: str, place: int) -> int:
    found = _BLANK.match(text, place)
    return found.end() if found else place


_BRACES = re.compile(r"\\.|[{}]", re.DOTALL)
_QUOTES = re.compile(r'\\.|[{}"]', re.DOTALL)
_ROUND = re.compile(r"\\.|[{})]", re.DOTALL)


def _signs(pattern: re.Pattern[str], text: str, place: int) -> Iterator[re.Match[str]]:
    return pattern.finditer(text, place, place + _MOST_VALUE)


def _end_of_braces(text: str, place: int, close: str) -> int:
    """Return the position after the brace that closes the group around ``place``."""
    depth = 0
    for found in _signs(_BRACES if close == "}" else _ROUND, text, place):
        sign = found.group()
        if sign == close and depth == 0:
            return found.end()
        depth += (sign == "{") - (sign == "}")
    raise _BrokenError("a brace is not closed")


def _end_of_quotes(text: str, place: int) -> int:
    """Return the position after the quote that closes the string around ``place``; within braces it
    is text.
    """
    depth = 0
    for found in _signs(_QUOTES, text, place):
        sign = found.group()
        if sign == '"' and depth == 0:
            return found.end()
        depth += (sign == "{") - (sign == "}")
        if depth < 0:
            break
    raise _BrokenError("a quote is not closed")


def _entry(fields: dict[str, str]) -> Entry:
    people = fields.get("author") or fields.get("editor") or ""
    record: dict[str, object] = {
        name: from_tex(fields[name])
        for name in ("title", "year", "date", "abstract", "keywords")
        if name in fields
    }
    record |= {name: _verbatim(fields[name]) for name in ("url", "doi") if name in fields}
    venue = next(
        (
            fields[name]
            for name in ("booktitle", "journal", "journaltitle", "school", "institution")
            if fields.get(name, "").strip()
        ),
        "",
    )
    record["venue"] = from_tex(venue)
    record["arxiv"] = _arxiv_number(fields)
    entry = entry_of(record)
    authors = names_of([from_tex(_unbraced(name)) for name in _split_people(people)])
    return replace(entry, work=replace(entry.work, authors=authors))


def _verbatim(text: str) -> str:
    """Return an address or DOI without TeX's escapes, but with its own dashes and tildes."""
    text = re.sub(r"\\([_%&#~$])(?:\{\})?", r"\1", text.replace("\\url", ""))
    return "".join(text.replace("{", "").replace("}", "").split())


def _arxiv_number(fields: dict[str, str]) -> str:
    kind = fields.get("archiveprefix", fields.get("eprinttype", "arxiv")).lower()
    if "eprint" in fields and kind == "arxiv":
        return fields["eprint"]
    return next(
        (
            n
            for k in ("url", "journal", "note")
            if (n := arxiv(_named(from_tex(fields.get(k, "")))))
        ),
        "",
    )


def _named(text: str) -> str:
    """Return the arXiv number in "arXiv preprint arXiv:2401.00001", or the address unchanged."""
    found = re.search(r"arxiv\s{0,3}:\s{0,3}([\w./-]{5,30})", text[:500], re.IGNORECASE)
    return found.group(1) if found else text[:500]


def _split_people(text: str) -> Iterator[str]:
    """Split names at "and" outside of braces."""
    depth, start = 0, 0
    for found in re.finditer(r"\\.|[{}]|(?<!\s)\s+and(?:\s+|\Z)", text, re.IGNORECASE | re.DOTALL):
        sign = found.group()
        if sign[0].isspace():
            if depth == 0:
                yield text[start : found.start()]
                start = found.end()
        else:
            depth += (sign == "{") - (sign == "}")
    yield text[start:]


def _unbraced(name: str) -> str:
    """Return a name in braces without them, as an organisation: its commas do not separate parts of
    a name.
    """
    inner = name.strip()
    if inner.startswith("{") and _is_one_group(inner):
        return inner.replace(",", "")
    return inner


def _is_one_group(text: str) -> bool:
    try:
        return _end_of_braces(text, 1, "}") == len(text)
    except _BrokenError:
        return False
