"""Ratings of several criteria in one row, and the texts that were rated, as a judge's authors
publish them.

A wide table has one row for each question, and a column for each text or each rating. A template
names such columns: ``{generator}_subtle_{rubric}`` is a column of texts, ``$.ratings.{rubric}`` is
the member of an object in a row of JSON.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from revkit.dataclass import dataclass
from revkit.errors import OptionError
from revkit.files import CorpusFile, Unreadable
from revkit.files.spreadsheets import cell_text, rows_of
from revkit.model.intake import clean_text
from revkit.options import option
from revkit_external.call.attempt import CallError
from revkit_external.parse.paths import Steps, compile_path

RUBRIC, RATING, TEXT = "rubric", "rating", "text"
_LARGEST_SHEET = 100_000_000
_MOST_RATINGS = 2_000_000
_MOST_OF_A_ROW = 2_000
_PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_-]{0,63})\}")

Row = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class WideTable:
    """Where the ratings of one kind of texts, and the texts themselves, are."""

    rating: str = option(
        help="Template of the places of the ratings in a row: columns, or members of an object "
        "('$.ratings.{rubric}'). It must contain {rubric}.",
        nonempty=True,
    )
    text: str = option(
        help="Template of the column of the text that was rated, with {rubric} and columns of the "
        "row of ratings as placeholders.",
        nonempty=True,
    )
    ratings: str = option("", help="The file of the ratings; by default the agent's 'file'.")
    texts: str = option("", help="The table of the texts; by default the file of the ratings.")
    on: Mapping[str, str] | None = option(
        None,
        help="Columns of the ratings and the columns of the texts with the same values, which join "
        "the rows of two files. A value must occur in one row of the texts only.",
    )
    where: Mapping[str, str] | None = option(
        None, help="Columns of the ratings and their required values. None: all rows."
    )

    def __post_init__(self) -> None:
        problems = []
        if "rubric" not in _PLACEHOLDER.findall(self.rating):
            problems.append(("rating", "must contain {rubric}"))
        if self.rating.startswith("$"):
            try:
                _object_path(self.rating)
            except ValueError as error:
                problems.append(("rating", str(error)))
        if bool(self.texts) != bool(self.on):
            problems.append(("on", "goes with 'texts': it joins the rows of two files"))
        if problems:
            raise OptionError("", problems)


def text_key(text: str) -> str:
    """Return what two copies of a text have in common: its characters apart from blanks, control
    characters and the escapes of a spreadsheet.
    """
    return " ".join(clean_text(cell_text(text)[0])[0].split())


def rated_texts(tables: Sequence[WideTable], file: str, read: Any) -> list[dict[str, Any]]:
    """Return one row for each rating of a text: its ``text`` (a key), ``rubric``, ``rating``, and
    what identifies it. ``read`` returns the rows of a file that is not a spreadsheet.

    A text that an earlier table contains keeps its ratings of that table. Raises `CallError`.
    """
    found: list[dict[str, Any]] = []
    known: set[tuple[str, str]] = set()
    files: dict[str, list[Row]] = {}

    def rows(name: str) -> list[Row]:
        if name not in files:
            files[name] = _table(Path(name), read)
        return files[name]

    for number, table in enumerate(tables):
        of_table = list(_of_table(table, table.ratings or file, rows, f"tables[{number}]"))
        found += [row for row in of_table if (row[TEXT], row[RUBRIC]) not in known]
        known |= {(row[TEXT], row[RUBRIC]) for row in of_table}
        if len(found) > _MOST_RATINGS:
            raise CallError("crashed", f"more than {_MOST_RATINGS:,} ratings in 'tables'")
    return found


def _of_table(table: WideTable, ratings: str, rows: Any, place: str) -> Iterator[dict[str, Any]]:
    wanted = dict(table.where or {})
    joined = dict(table.on or {})
    texts = _by_key(rows(table.texts), list(joined.values()), table.texts) if joined else None
    for number, row in enumerate(rows(ratings), 1):
        missing = [name for name in (*wanted, *joined) if name not in row]
        if missing:
            raise CallError("crashed", f"{ratings}, row {number}: no column {missing[0]!r}")
        if any(str(row[name]).strip() != value for name, value in wanted.items()):
            continue
        about = {name: str(row[name]) for name in (*wanted, *joined)}
        if texts is None:
            source: Row = row
        else:
            source = texts.get(tuple(text_key(str(row[name])) for name in joined), {})
        for names, rating in _ratings(table.rating, row, f"{place}.rating"):
            values = {**row, **names, "rubric": names["rubric"].casefold()}
            text = source.get(_filled(table.text, values, f"{place}.text"))
            if isinstance(text, str) and text.strip():
                yield {
                    **about,
                    **names,
                    TEXT: text_key(text),
                    RUBRIC: values["rubric"],
                    RATING: rating if isinstance(rating, str | int | float) else None,
                }


def _by_key(rows: Sequence[Row], names: Sequence[str], file: str) -> dict[tuple[str, ...], Row]:
    """Return the rows by the values of the columns ``names``. Raises `CallError` for two rows with
    the same values, since which text was rated would be a guess.
    """
    found: dict[tuple[str, ...], Row] = {}
    for number, row in enumerate(rows, 1):
        if any(name not in row for name in names):
            raise CallError("crashed", f"{file} has no column {names[0]!r} in row {number}")
        key = tuple(text_key(str(row[name])) for name in names)
        if key in found:
            raise CallError("crashed", f"{file}: two rows with {', '.join(names)} = {key[0][:80]}")
        found[key] = row
    return found


def _ratings(template: str, row: Row, place: str) -> Iterator[tuple[dict[str, str], Any]]:
    """Yield the placeholders and the value of each rating in a row."""
    if template.startswith("$"):
        walk = _object_path(template).walk(row)
        members = walk.found[0][1] if walk.found else {}
        if not isinstance(members, Mapping):
            raise CallError("crashed", f"{place}: {template} leads to no object of ratings")
        pairs = [({"rubric": str(name)}, value) for name, value in members.items()]
    else:
        pattern = _pattern(template)
        pairs = [
            (match.groupdict(), value)
            for name, value in row.items()
            if (match := pattern.fullmatch(name))
        ]
    if len(pairs) > _MOST_OF_A_ROW:
        raise CallError("crashed", f"{place}: more than {_MOST_OF_A_ROW:,} ratings in one row")
    yield from pairs


def _object_path(template: str) -> Steps:
    path, dot, name = template.rpartition(".")
    if not dot or name != "{rubric}" or "{" in path:
        raise ValueError("a path must end in '.{rubric}', the only placeholder in it")
    return compile_path(path)


def _pattern(template: str) -> re.Pattern[str]:
    """Return the pattern of the names of columns: a placeholder is one part without "_"."""
    parts = _PLACEHOLDER.split(template)
    seen: set[str] = set()
    pattern = ""
    for number, part in enumerate(parts):
        if number % 2 == 0:
            pattern += re.escape(part)
        elif part in seen:
            pattern += f"(?P={part})"
        else:
            pattern += f"(?P<{part}>[^_]+)"
            seen.add(part)
    return re.compile(pattern)


def _filled(template: str, values: Row, place: str) -> str:
    def value(match: re.Match[str]) -> str:
        found = values.get(match[1])
        if not isinstance(found, str | int):
            raise CallError("crashed", f"{place}: the row has no text in the column {match[1]!r}")
        return str(found)

    return _PLACEHOLDER.sub(value, template)


def _table(path: Path, read: Any) -> list[Row]:
    if path.suffix.casefold() != ".xlsx":
        rows: list[Row] = read(path, "auto")
        return rows
    try:
        return [cells for _, cells in rows_of(CorpusFile(path, path.name), _LARGEST_SHEET)]
    except Unreadable as error:
        raise CallError("crashed", f"{path}: {error}") from None
