"""The perturbations of tables: `worse-values` changes results, `table-layout` only their layout."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import ClassVar, Literal

from revkit.contracts import Context, Perturbation
from revkit.dataclass import dataclass
from revkit.model import Block, Check, Edit, Paper, Rejection
from revkit.options import option
from revkit_attacks.planting import structure_check

_CELL = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"\s*:?-{2,}:?\s*\Z")
_VALUE = re.compile(r"(?<![\d.])\d{1,4}\.\d{1,4}(?![\d.])")


@dataclass(frozen=True)
class Cell:
    """One cell of a table: the span of its text, with the blanks around it."""

    start: int
    end: int
    text: str


def rows_of(paper: Paper, block: Block) -> list[list[Cell]]:
    """Return the rows of a table of Markdown, with the rule below the head; empty for another."""
    rows = []
    for match in re.finditer(r"[^\n]+", paper.text[block.start : block.end]):
        start = block.start + match.start()
        bars = [start + bar.start() for bar in _CELL.finditer(match[0])]
        if len(bars) < 3:
            continue
        rows.append([Cell(a + 1, b, paper.text[a + 1 : b]) for a, b in pairwise(bars)])
    return rows if len(rows) > 3 and all(_RULE.match(cell.text) for cell in rows[1]) else []


def _tables(paper: Paper) -> Iterator[list[list[Cell]]]:
    for block in paper.blocks:
        rows = rows_of(paper, block) if block.kind == "table" else []
        if rows:
            yield rows


@dataclass(frozen=True)
class WorseValues(Perturbation):
    """Change the results of a paper's own method so that it is worst, in tables and in prose.

    The method's own row is the one in bold; a table without one is left out. Each of its values
    becomes smaller than all others of the column, by the difference between the largest and the
    smallest value, and the same number in prose is replaced with it. The paper then reports that
    its method does worse than every baseline, and a reviewer that reads the results lowers its
    score. Differences that the prose states are left as they are. Higher values are taken to be
    better, so tables whose caption mentions an error, a loss, a time or perplexity are left out.
    `table-layout` is the placebo.
    """

    name: ClassVar[str] = "worse-values"
    version: ClassVar[str] = "1"
    expect: ClassVar[Literal["decrease"]] = "decrease"
    target: ClassVar[str] = "soundness"

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return a replacement for each value in a table, and for each mention in prose."""
        changed: dict[str, str] = {}
        edits: list[Edit] = []
        for rows in _tables(paper):
            if not _LOWER.search(_caption_of(paper, rows)):
                edits += _worse(rows, changed)
        if not edits:
            return Rejection("no table of Markdown with values of a method in bold")
        for block in paper.blocks:
            if block.is_prose:
                for match in _VALUE.finditer(paper.text, block.start, block.end):
                    if match[0] in changed:
                        new = changed[match[0]]
                        edits.append(Edit(match.start(), match.end(), new, "value in prose"))
        return edits

    def units(self, paper: Paper, edits: Sequence[Edit]) -> Sequence[Sequence[Edit]]:
        """Return all changes as one group, since they only make sense together."""
        return [tuple(edits)]

    def gates(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Check]:
        """Blocks, citations and references are as they were, and no old value is left in prose."""
        return [structure_check(paper, paper.edited(edits))]


_LOWER = re.compile(
    r"\b(?:errors?|loss(?:es)?|perplexity|times?|seconds|latency|distances?|rmse|mae|mse|fid)\b",
    re.IGNORECASE,
)


def _caption_of(paper: Paper, rows: Sequence[Sequence[Cell]]) -> str:
    """The head of a table and the paragraph before it."""
    start = rows[0][0].start - 1
    before = paper.text[max(0, start - 400) : start].rstrip().rpartition("\n\n")[2]
    return before + " ".join(cell.text for cell in rows[0])


def _worse(rows: Sequence[Sequence[Cell]], changed: dict[str, str]) -> list[Edit]:
    body = rows[2:]
    own = next((row for row in body if row[0].text.strip().startswith("**")), ())
    edits: list[Edit] = []
    for column, cell in enumerate(own[1:], 1):
        match = _VALUE.search(cell.text)
        others = [
            float(found[0])
            for row in body
            if row is not own and len(row) > column and (found := _VALUE.search(row[column].text))
        ]
        if match is None or not others:
            continue
        low, high = min(*others, float(match[0])), max(*others, float(match[0]))
        digits = len(match[0].partition(".")[2])
        new = f"{max(0.0, low - max(high - low, 10.0**-digits)):.{digits}f}"
        if new == match[0]:
            continue
        changed[match[0]] = new
        edits.append(Edit(cell.start + match.start(), cell.start + match.end(), new, "value"))
    return edits


@dataclass(frozen=True)
class TableLayout(Perturbation):
    """Change the layout of tables, and nothing that they say: the placebo of `worse-values`.

    ``change`` is "padding" (wider cells) or "alignment" (all columns centred). A fair score does
    not change.
    """

    name: ClassVar[str] = "table-layout"
    version: ClassVar[str] = "1"

    change: Literal["padding", "alignment"] = option("padding", help="What is changed.")

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return the edits of all tables of Markdown."""
        edits = []
        for rows in _tables(paper):
            cells = rows[1] if self.change == "alignment" else [c for r in rows for c in r]
            for cell in cells:
                old = cell.text
                new = " :---: " if self.change == "alignment" else _padded(old)
                edits.append(Edit(cell.start, cell.end, new, "layout of a table"))
        return edits or Rejection("no table of Markdown")

    def units(self, paper: Paper, edits: Sequence[Edit]) -> Sequence[Sequence[Edit]]:
        """Return all changes as one group."""
        return [tuple(edits)]

    def gates(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Check]:
        """What the cells say, and all blocks, citations and references, are as they were."""
        after = paper.edited(edits)
        before, now = (
            [
                [cell.text.strip() for cell in row]
                for rows in _tables(each)
                for row in _without_rule(rows)
            ]
            for each in (paper, after)
        )
        same = before == now
        return [
            Check("cells-kept", float(same), 1.0, same, "count"),
            structure_check(paper, after),
        ]


def _without_rule(rows: Sequence[Sequence[Cell]]) -> Iterator[Sequence[Cell]]:
    yield rows[0]
    yield from rows[2:]


def _padded(text: str) -> str:
    return text.replace("-", "---", 1) if _RULE.match(text) else f"  {text.strip()}   "
