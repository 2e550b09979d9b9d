"""Read the numbers of result tables, written with pipes or in HTML."""

from __future__ import annotations

import re
from functools import cached_property

from revkit.dataclass import dataclass
from revkit.model.paper import Paper

_TAG = re.compile(r"<[^<>]{0,200}>")
_ROW_START = re.compile(r"<tr\b", re.IGNORECASE)
_CELL_START = re.compile(r"<t[dh]\b[^<>]{0,200}>", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.])[-−+]?(\d{0,6}\.\d{1,6}|\d{1,6})(?![\w.]*[A-Za-z])")
_SPREAD = re.compile(r"(?:±|\\pm|\+/-)\s{0,3}\$?\s{0,3}(\d{0,6}\.?\d{1,6})")
_OURS = re.compile(r"\b(?:ours|our|proposed|this work)\b", re.IGNORECASE)
_LOWER_IS_BETTER = re.compile(
    r"↓|\\downarrow|\b(?:error|loss|perplexity|nll|rmse|mse|mae|wer|ppl|risk|regret|time)\b",
    re.IGNORECASE,
)
_MOST_CHARACTERS = 20_000


@dataclass(frozen=True, slots=True)
class TableLine:
    """One row of numbers, each a pair of a value and its spread (None without a spread)."""

    name: str
    numbers: tuple[tuple[float, float | None], ...]
    own: bool


@dataclass(frozen=True)
class ResultTable:
    """A table with at least two rows of numbers. ``text`` includes its caption, if there is one."""

    text: str
    lines: tuple[TableLine, ...]

    @cached_property
    def columns(self) -> int:
        """The most frequent length of a row (the larger one in a tie)."""
        widths = [len(line.numbers) for line in self.lines]
        return max(widths, key=lambda width: (widths.count(width), width))

    @property
    def has_spread(self) -> bool:
        """Whether any number of the table has a spread."""
        return any(spread is not None for line in self.lines for _, spread in line.numbers)

    def gains(self) -> list[float]:
        """Return, for each column, the difference between the paper's own row and the best other
        row.

        In units of both spreads together, or 0.5 for a lead and -0.5 for none if no spread is
        given. The own row is the bold one or the one that says so; without one there is no answer.
        """
        own = [line for line in self.lines if line.own and len(line.numbers) == self.columns]
        others = [line for line in self.lines if not line.own and len(line.numbers) == self.columns]
        if not own or not others:
            return []
        sign = -1.0 if _LOWER_IS_BETTER.search(self.text) else 1.0
        gains = []
        for column in range(self.columns):
            mine, my_spread = max(line.numbers[column] for line in own[-1:])
            best, spread = max(
                (line.numbers[column] for line in others), key=lambda pair: sign * pair[0]
            )
            lead = sign * (mine - best)
            if my_spread is None or spread is None or my_spread + spread == 0.0:
                gains.append(0.5 if lead > 0.0 else -0.5)
            else:
                gains.append(lead / (my_spread + spread))
        return gains


def result_tables(paper: Paper) -> list[ResultTable]:
    """Return the tables of ``paper`` with at least two rows of numbers, in the order of the
    text.
    """
    found = []
    for block in paper.blocks:
        if block.kind == "table":
            text = paper.text[block.start : min(block.end, block.start + _MOST_CHARACTERS)]
            lines = tuple(_lines(text))
            if len(lines) > 1:
                found.append(ResultTable(text, lines))
    return found


def _lines(text: str) -> list[TableLine]:
    if _ROW_START.search(text):
        rows = [_CELL_START.split(row)[1:] for row in _ROW_START.split(text)[1:]]
    else:
        rows = [row.strip().strip("|").split("|") for row in text.split("\n") if "|" in row]
    lines = []
    for row in rows:
        cells = [_TAG.sub("", cell).strip() for cell in row]
        numbers = tuple(pair for cell in cells[1:] if (pair := _number(cell)) is not None)
        if numbers:
            own = "**" in row[0] or "<b>" in row[0] or _OURS.search(cells[0]) is not None
            lines.append(TableLine(cells[0], numbers, own))
    return lines


def _number(cell: str) -> tuple[float, float | None] | None:
    found = _NUMBER.search(cell[:80])
    if found is None or len(cell) > 80:
        return None
    spread = _SPREAD.search(cell)
    sign = -1.0 if found[0][0] in "-−" else 1.0
    return sign * float(found[1]), float(spread[1]) if spread else None
