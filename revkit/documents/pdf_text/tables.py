"""The rows and cells of a table."""

from __future__ import annotations

from collections.abc import Sequence

from revkit.documents.pdf_lines import Line
from revkit.documents.pdf_text.signs import adjacent
from revkit.documents.pdf_words import Word


def rows_of(lines: Sequence[Line]) -> list[list[list[list[Word]]]]:
    """Return the rows of a table, each cell as its lines; a line of one cell below another cell
    continues that cell.
    """
    rows: list[list[list[list[Word]]]] = []
    last: Line | None = None
    for line in lines:
        above = [] if last is None or not _is_below(last, line) else rows[-1]
        over = [cell for cell in above if _overlap(cell[0], line.cells[0])]
        if len(line.cells) == 1 and len(above) > 1 and len(over) == 1:
            over[0].append(line.cells[0])
        else:
            rows.append([[cell] for cell in line.cells])
        last = line
    return rows


def _is_below(last: Line, line: Line) -> bool:
    return adjacent(last, line) and last.y - line.y < 1.5 * line.size


def _overlap(cell: Sequence[Word], other: Sequence[Word]) -> bool:
    return cell[0].x0 < other[-1].x1 and other[0].x0 < cell[-1].x1
