"""Lay out text tables for a terminal: cells wrap, then intervals move below their values, and only
then is a table split into parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from revkit.dataclass import dataclass
from revkit_reports.headline import TableView
from revkit_reports.visible import letters, width

GAP = 2
LONGEST = 40
NARROWEST = 12
DEEPEST = 3

Lines = Sequence[str]
Style = Literal["inline", "tight", "stacked"]


@dataclass(frozen=True)
class TablePart:
    """Some columns of a table that fit beside each other: their indices, their widths in
    characters, and where their intervals are.
    """

    columns: Sequence[int]
    sizes: Sequence[int]
    style: Style


def lay_out(found: TableView, room: int) -> list[str]:
    """Lay out ``found`` in ``room`` columns of a terminal, as one text for each of `parts_of`."""
    return [
        _ruled(*lines_of(found, part), [not found.numbers[i] for i in part.columns])
        for part in parts_of(found, room)
    ]


def parts_of(found: TableView, room: int) -> list[TablePart]:
    """Return the parts of ``found`` that fit in ``room`` characters: one line for each row if it
    fits, else with wrapped names, else with intervals without blanks, else with intervals below
    their values. A table that is still too wide is split into parts; columns without an interval
    come after those with one.
    """
    every = range(len(found.columns))
    tries: tuple[tuple[Style, bool], ...] = (
        ("inline", False), ("inline", True), ("tight", True), ("stacked", True),
    )  # fmt: skip
    for style, wrapped in tries:
        sizes = _sizes(found, every, style, room if wrapped else 0)
        if _total(sizes) <= room:
            return [TablePart(every, sizes, style)]
    names = [i for i in every if not found.numbers[i]]
    measured = [i for i in every if found.numbers[i] and found.measured[i]]
    bare = [i for i in every if found.numbers[i] and not found.measured[i]]
    if measured and bare:
        chosen = sorted([*names, *measured])
        sizes = _sizes(found, chosen, "stacked", room)
        if _total(sizes) <= room:
            return [
                TablePart(chosen, sizes, "stacked"),
                *_in_parts(found, [*names, *bare], room),
            ]
    return _in_parts(found, every, room)


def _in_parts(found: TableView, chosen: Sequence[int], room: int) -> list[TablePart]:
    """Return groups of the columns ``chosen`` that fit, each with the names of the rows before
    it.
    """
    every = sorted(chosen)
    sizes = dict(zip(every, _sizes(found, every, "stacked", room), strict=True))
    lead = [i for i in every if not found.numbers[i]]
    if not lead or _total([sizes[i] for i in lead]) > room * 0.6:
        lead = every[:1]
    groups: list[list[int]] = []
    for index in (i for i in every if i not in lead):
        if not groups or _total([sizes[i] for i in (*groups[-1], index)]) > room:
            groups.append(list(lead))
        groups[-1].append(index)
    return [
        TablePart(group, _sizes(found, group, "stacked", room), "stacked")
        for group in groups or [list(lead)]
    ]


def _total(sizes: Sequence[int]) -> int:
    return sum(sizes) + GAP * max(0, len(sizes) - 1)


def _texts(found: TableView, index: int, style: Style) -> list[list[str]]:
    """Return the cells of a column, each as its lines before any wrapping."""
    if style == "inline":
        return [[row[index].inline] for row in found.rows]
    if style == "tight":
        return [[f"{row[index].value} {row[index].tight}".rstrip()] for row in found.rows]
    return [[row[index].value, *([row[index].tight] * bool(row[index].low))] for row in found.rows]


def _sizes(found: TableView, chosen: Sequence[int], style: Style, room: int) -> list[int]:
    """Return the widths of columns; with a ``room``, titles and names wrap as far as necessary."""
    cells = {i: [line for cell in _texts(found, i, style) for line in cell] for i in chosen}
    natural = {i: max(map(width, (found.columns[i], *cells[i]))) for i in chosen}
    if not room:
        return list(natural.values())
    sizes = {}
    for i in chosen:
        words = [word for text in (found.columns[i], *cells[i]) for word in text.split()]
        body = max(map(width, cells[i]), default=0)
        if found.numbers[i]:
            sizes[i] = min(max(_title_size(found.columns[i]), body), LONGEST)
        else:
            longest = max(map(width, words), default=0)
            sizes[i] = min(natural[i], max(min(longest, LONGEST), NARROWEST if i else 0))
    for i in chosen:
        spare = room - _total(list(sizes.values()))
        if spare > 0 and not found.numbers[i]:
            sizes[i] = min(natural[i], sizes[i] + spare)
    return list(sizes.values())


def _title_size(title: str) -> int:
    """Return the least width at which a title takes at most `DEEPEST` lines and breaks no word."""
    size = max((width(word) for word in title.split()), default=0)
    while size < LONGEST and len(wrap(title, size)) > DEEPEST:
        size += 1
    return size


def lines_of(found: TableView, part: TablePart) -> tuple[list[Lines], list[list[Lines]]]:
    """Return the lines of each title of ``part``, and of each cell of its rows."""
    rows: list[list[Lines]] = [
        [
            [line for text in cell for line in wrap(text, size)]
            for cell, size in zip(cells, part.sizes, strict=True)
        ]
        for cells in zip(*(_texts(found, i, part.style) for i in part.columns), strict=True)
    ]
    pairs = zip(part.columns, part.sizes, strict=True)
    return [wrap(found.columns[i], size) for i, size in pairs], rows


def wrap(text: str, size: int) -> list[str]:
    """Wrap ``text`` into lines of at most ``size`` columns, between words; a longer word is
    broken.
    """
    if width(text) <= size:
        return [text]
    lines = [""]
    for word in text.split():
        joined = f"{lines[-1]} {word}" if lines[-1] else word
        if width(joined) <= size:
            lines[-1] = joined
            continue
        if lines[-1]:
            lines.append("")
        for letter in letters(word):
            if lines[-1] and width(lines[-1] + letter) > size:
                lines.append("")
            lines[-1] += letter
    return lines


def _ruled(header: Sequence[Lines], rows: Sequence[Sequence[Lines]], left: Sequence[bool]) -> str:
    """Return cells of one or more lines below their titles, with a rule between."""
    sizes = [
        max(width(line) for cell in column for line in cell or [""])
        for column in zip(header, *rows, strict=True)
    ]
    drop = max(map(len, header))
    titles = [[*[""] * (drop - len(title)), *title] for title in header]
    lines = [*_lines(titles, sizes, left), "  ".join("-" * size for size in sizes)]
    for row in rows:
        lines += _lines(row, sizes, left)
    return "\n".join(lines)


def _lines(cells: Sequence[Lines], sizes: Sequence[int], left: Sequence[bool]) -> list[str]:
    found = []
    for place in range(max(map(len, cells))):
        pieces = []
        for cell, size, flush in zip(cells, sizes, left, strict=True):
            text = cell[place] if place < len(cell) else ""
            blanks = " " * (size - width(text))
            pieces.append(text + blanks if flush else blanks + text)
        found.append("  ".join(pieces).rstrip())
    return found
