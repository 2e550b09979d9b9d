"""What the pages of `revkit view` show: rows of the database of runs, filtered, sorted, bounded."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from revkit.dataclass import dataclass

PAGE = 100
LONGEST = 200_000
PASSAGES = 60
_AROUND = 200
_EXCERPT = 300

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Listing:
    """How one kind of rows is listed: its columns with titles, and the columns to filter and to
    search by.
    """

    table: str
    columns: Mapping[str, str]
    filters: tuple[str, ...]
    searched: tuple[str, ...]
    joined: str = ""


LISTINGS: Mapping[str, Listing] = {
    "pairs": Listing(
        "pair",
        {
            "agent": "Agent",
            "paper": "Paper",
            "title": "Title",
            "family": "Family",
            "variant": "Variant",
            "before": "Accepts before",
            "after": "Accepts after",
            "flip": "Flip",
            "shift": "Score shift",
        },
        ("run", "agent", "family", "paper"),
        ("paper", "title", "agent", "family"),
        "LEFT JOIN (SELECT run AS r, paper AS p, title FROM paper) ON r = run AND p = paper",
    ),
    "reviews": Listing(
        "review",
        {
            "agent": "Agent",
            "paper": "Paper",
            "family": "Family",
            "variant": "Variant",
            "repeat": "Repeat",
            "accept": "Accept",
            "score": "Score",
            "failure": "Failure",
            "detail": "Reason",
            "text": "Text",
        },
        ("run", "agent", "family", "paper", "failure"),
        ("paper", "text", "detail", "raw"),
    ),
    "papers": Listing(
        "paper",
        {
            "paper": "Paper",
            "title": "Title",
            "accept": "Accepted",
            "decision": "Decision",
            "words": "Words",
        },
        ("run", "decision"),
        ("paper", "title", "text"),
    ),
    "variants": Listing(
        "variant",
        {
            "paper": "Paper",
            "family": "Family",
            "variant": "Variant",
            "outcome": "Outcome",
            "edits": "Edits",
            "rejected": "Reason",
        },
        ("run", "family", "outcome", "paper"),
        ("paper", "rejected"),
    ),
    "figures": Listing(
        "figure",
        {"source": "Table", "line": "Row", "field": "Column", "value": "Value", "unit": "Unit"},
        ("run", "source", "field"),
        ("source", "field", "value"),
    ),
    "calls": Listing(
        "call",
        {
            "label": "Components",
            "model": "Model",
            "replies": "Replies",
            "requests": "Requests",
            "prompt_tokens": "Prompt tokens",
            "completion_tokens": "Reply tokens",
            "usd": "US dollars",
        },
        ("run", "model"),
        ("label", "model"),
    ),
}


@dataclass(frozen=True)
class RowPage:
    """One page of rows, and how many there are."""

    rows: Sequence[Row]
    total: int
    page: int

    @property
    def pages(self) -> int:
        """The number of pages, at least 1."""
        return max(1, -(-self.total // PAGE))


@dataclass(frozen=True)
class Piece:
    """A part of a text: unchanged, deleted or inserted."""

    kind: Literal["same", "deleted", "inserted"]
    text: str


class RunData:
    """Reads the SQLite file that `write_database` wrote; nothing can be written through it."""

    def __init__(self, path: Path) -> None:
        self._database = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
        self._database.row_factory = sqlite3.Row
        self._database.execute("PRAGMA query_only = ON")

    def close(self) -> None:
        self._database.close()

    def runs(self) -> list[Row]:
        """The runs of the file."""
        return self._rows("SELECT * FROM run")

    def counts(self, run: str) -> dict[str, int]:
        """The number of rows of each listing."""
        return {
            name: self._count(listing.table, "run = ?", [run]) for name, listing in LISTINGS.items()
        }

    def choices(self, name: str, run: str) -> dict[str, list[str]]:
        """The values that occur in the columns to filter by, at most 200 of each."""
        listing = LISTINGS[name]
        return {
            column: [
                str(row[0])
                for row in self._rows(
                    f'SELECT DISTINCT "{column}" FROM "{listing.table}" WHERE run = ? '
                    f'AND "{column}" IS NOT NULL ORDER BY 1 LIMIT 200',
                    [run],
                )
            ]
            for column in listing.filters
            if column not in ("run", "paper")
        }

    def find(self, name: str, wanted: Mapping[str, str]) -> RowPage:
        """The rows of a listing. ``wanted`` has values of the columns to filter by, and ``q`` (a
        text to search for), ``only`` ("flipped", "unflipped" or "failed"), ``sort``, ``desc`` and
        ``page``.
        """
        listing = LISTINGS[name]
        where, values = _conditions(listing, wanted)
        source = f'(SELECT * FROM "{listing.table}" {listing.joined})'
        total = self._rows(f"SELECT count(*) AS n FROM {source} WHERE {where}", values)[0]["n"]
        sort = wanted.get("sort", "")
        order = f'"{sort}" IS NULL, "{sort}"' if sort in listing.columns else "1"
        direction = " DESC" if wanted.get("desc") and sort in listing.columns else ""
        page = _page_number(wanted.get("page", ""), 1)
        page = min(page, max(1, -(-total // PAGE)))
        rows = self._rows(
            f"SELECT * FROM {source} WHERE {where} ORDER BY {order}{direction} LIMIT ? OFFSET ?",
            [*values, PAGE, (page - 1) * PAGE],
        )
        return RowPage([_excerpts(row) for row in rows], total, page)

    def paper(self, run: str, paper: str) -> Row | None:
        """One paper with its text."""
        rows = self._rows("SELECT * FROM paper WHERE run = ? AND paper = ?", [run, paper])
        return rows[0] if rows else None

    def reviews(self, run: str, agent: str, paper: str, family: str, variant: int) -> list[Row]:
        """The reviews of one agent for one text, by repeat."""
        return self._rows(
            "SELECT * FROM review WHERE run = ? AND agent = ? AND paper = ? AND family = ? AND "
            "variant = ? ORDER BY repeat",
            [run, agent, paper, family, variant],
        )

    def edits(self, run: str, paper: str, family: str, variant: int) -> list[Row]:
        """The edits of one variant in the order of the text."""
        return self._rows(
            "SELECT * FROM edit WHERE run = ? AND paper = ? AND family = ? AND variant = ? "
            'ORDER BY start, "end"',
            [run, paper, family, variant],
        )

    def _count(self, table: str, where: str, values: Sequence[object]) -> int:
        row = self._rows(f'SELECT count(*) AS n FROM "{table}" WHERE {where}', values)[0]
        return int(row["n"])

    def _rows(self, statement: str, values: Sequence[object] = ()) -> list[Any]:
        return self._database.execute(statement, values).fetchall()


def _conditions(listing: Listing, wanted: Mapping[str, str]) -> tuple[str, list[object]]:
    parts, values = ["1"], list[object]()
    for column in listing.filters:
        if column in wanted:
            parts.append(f'"{column}" = ?')
            values.append(wanted[column])
    if text := wanted.get("q", "").strip().lower():
        places = " OR ".join(f'instr(lower("{each}"), ?) > 0' for each in listing.searched)
        parts.append(f"({places})")
        values += [text] * len(listing.searched)
    only = wanted.get("only", "")
    if listing.table == "pair" and only in _ONLY:
        parts.append(_ONLY[only])
    if listing.table == "review" and only == "failed":
        parts.append("failure <> ''")
    return " AND ".join(parts), values


_ONLY = {"flipped": "flip > 0", "unflipped": "flip = 0", "failed": "flip IS NULL"}


def _excerpts(row: Any) -> dict[str, Any]:
    """A row with the beginning of its long texts."""
    found = {}
    for name in row.keys():  # noqa: SIM118  (a row of SQLite iterates over its values)
        value = row[name]
        long = isinstance(value, str) and len(value) > _EXCERPT
        found[name] = value[:_EXCERPT] + " ..." if long else value
    return found


def _page_number(text: str, low: int) -> int:
    return max(low, int(text)) if text.isascii() and text.isdigit() and len(text) < 9 else low


def passages_of(text: str, edits: Sequence[Row]) -> list[list[Piece]]:
    """The text around each edit with what is deleted and inserted; near edits share a passage."""
    found: list[list[Piece]] = []
    last = -1
    for edit in edits[:PASSAGES]:
        start, end = int(edit["start"]), int(edit["end"])
        if found and start - last <= 2 * _AROUND:
            found[-1].append(Piece("same", text[last:start]))
        else:
            _close(found, text, last)
            found.append([Piece("same", text[max(0, start - _AROUND) : start])])
        found[-1] += [Piece("deleted", text[start:end]), Piece("inserted", str(edit["new"]))]
        last = end
    _close(found, text, last)
    return [[piece for piece in passage if piece.text] for passage in found]


def _close(found: Sequence[list[Piece]], text: str, last: int) -> None:
    if found:
        found[-1].append(Piece("same", text[last : last + _AROUND]))


def compared_lines(own: str, other: str) -> list[tuple[str, bool]]:
    """The lines of a text, each with whether the other text has no equal line."""
    known = {line.strip() for line in other[:LONGEST].split("\n")}
    return [(line, line.strip() not in known) for line in own[:LONGEST].split("\n")]
