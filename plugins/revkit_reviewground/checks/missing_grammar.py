"""Patterns of denial around the words that name a thing in a review, read once from
``missing-wordings.toml``.

`BEFORE` ends where the thing is named, `AFTER` starts where its name ends. All are bounded, and
ignore case.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from revkit.dataclass import dataclass

WordingKind: TypeAlias = Literal["before", "after", "state"]


@dataclass(frozen=True)
class Wording:
    """One wording of a denial: its kind, its pattern, and an example that it matches."""

    kind: WordingKind
    pattern: str
    example: str


@dataclass(frozen=True)
class Wordings:
    """The table of wordings: rows in the order in which they are tried, and the fragments and the
    frame of each kind with which they are joined."""

    rows: tuple[Wording, ...]
    fragments: Mapping[str, str]
    frames: Mapping[str, str]

    def expression(self, kind: WordingKind) -> str:
        """Return the expression that matches every wording of a kind."""
        rows = "|".join(row.pattern for row in self.rows if row.kind == kind)
        return self.filled(self.frames[kind].replace("{}", rows))

    def filled(self, source: str) -> str:
        """Return an expression with its fragments."""
        if "<STATE>" in source:
            source = source.replace("<STATE>", self.expression("state"))
        for name, fragment in self.fragments.items():
            source = source.replace(f"<{name}>", fragment)
        return source


def read_wordings(text: str) -> Wordings:
    """Return the table in a TOML text.

    Raises `ValueError` for a row without a wording or an example, another key, or a fragment that
    no wording has.
    """
    table = tomllib.loads(text)
    kinds: tuple[WordingKind, ...] = get_args(WordingKind)
    unknown = sorted(table.keys() - {"fragments", "frames", *kinds})
    if unknown:
        raise ValueError(f"unknown tables of wordings: {', '.join(unknown)}")
    wordings = Wordings(
        tuple(_row(kind, row) for kind in kinds for row in table[kind]),
        {name: pattern_of(value) for name, value in table["fragments"].items()},
        {kind: pattern_of(table["frames"][kind]) for kind in kinds},
    )
    sources = [*wordings.frames.values(), *(row.pattern for row in wordings.rows)]
    unused = [name for name in wordings.fragments if not any(f"<{name}>" in s for s in sources)]
    if unused:
        raise ValueError(f"no wording has the fragments {', '.join(unused)}")
    return wordings


def _row(kind: WordingKind, row: Mapping[str, Any]) -> Wording:
    if row.keys() != {"wording", "example"}:
        raise ValueError(f"a row of {kind} has the keys {', '.join(sorted(row))}")
    return Wording(kind, pattern_of(row["wording"]), row["example"])


def pattern_of(value: str | list[str]) -> str:
    """Return the source of a pattern that a table gives as one text or as parts."""
    return value if isinstance(value, str) else "".join(value)


WORDINGS = read_wordings(
    (Path(__file__).parent / "missing-wordings.toml").read_text(encoding="utf-8")
)
DONE = WORDINGS.fragments["DONE"]
BEFORE = re.compile(WORDINGS.expression("before"), re.IGNORECASE)
AFTER = re.compile(WORDINGS.expression("after"), re.IGNORECASE)
