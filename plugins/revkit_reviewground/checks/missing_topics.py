"""Topics of "missing" claims, read once from ``missing.toml``: their names and their evidence."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from revkit.dataclass import dataclass
from revkit_reviewground.checks.missing_grammar import pattern_of


@dataclass(frozen=True)
class Topic:
    """One topic of "missing" claims; `None` if there is no such pattern.

    ``named`` matches the topic in a review. ``heads`` matches a heading, a caption or a table that
    shows the topic for certain. ``text`` matches running text that shows it; ``firm`` and
    ``captions`` say whether such text, or a caption, contradicts "the paper has none" for certain,
    or makes it only suspect, because the words can mean something lesser. ``implied`` matches
    a statement that denies the topic without a "no". ``cues`` are words in small letters, of which
    each match of ``text`` or ``heads`` holds one. ``reported`` marks what a method may well do
    without: it counts as called missing only where the paper's account of it is; ``discussed``
    marks what is there by being discussed, so that "not discussed" denies it. ``facets`` separate
    things that one topic holds: where the review's words match the first pattern, what shows it
    must match the second.
    Case is ignored.
    """

    name: str
    named: re.Pattern[str]
    heads: re.Pattern[str] | None
    text: re.Pattern[str] | None
    cues: tuple[str, ...]
    firm: bool = False
    captions: bool = True
    implied: re.Pattern[str] | None = None
    reported: bool = False
    discussed: bool = False
    facets: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = ()

    def needed(self, named: str) -> re.Pattern[str] | None:
        """Return the pattern that evidence on ``named``, a review's words for the topic, must
        match.
        """
        for asked, needed in self.facets:
            if asked.search(named):
                return needed
        return None


def _read() -> tuple[Topic, ...]:
    text = (Path(__file__).parent / "missing.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    fragments = {name: pattern_of(value) for name, value in table["fragments"].items()}
    return tuple(_topic(row, fragments) for row in table["topic"])


def _topic(row: Mapping[str, Any], fragments: Mapping[str, str]) -> Topic:
    def pattern(value: str | list[str]) -> re.Pattern[str]:
        source = pattern_of(value)
        for name, fragment in fragments.items():
            source = source.replace(f"<{name}>", fragment)
        return re.compile(rf"(?<![A-Za-z])(?:{source})", re.IGNORECASE)

    return Topic(
        row["name"],
        pattern(row["named"]),
        pattern(row["heads"]) if "heads" in row else None,
        pattern(row["text"]) if "text" in row else None,
        tuple(row["cues"].split()),
        row.get("firm", False),
        row.get("captions", True),
        pattern(row["implied"]) if "implied" in row else None,
        row.get("reported", False),
        row.get("discussed", False),
        tuple((pattern(asked), pattern(needed)) for asked, needed in row.get("facets", ())),
    )


TOPICS: tuple[Topic, ...] = _read()
