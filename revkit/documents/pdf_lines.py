"""Lines of a PDF: join words to lines, order lines by columns, leave out running heads."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from revkit.documents.pdf_words import Word

_CELL = 1.3
"""A gap of so many times the font size separates cells of a table, or columns."""
_FEWEST_NUMBERS = {1: 15, 5: 6}
"""So many numbers in a margin that count by one, or by five, are line numbers."""
_LINES_OF_PROSE = 12
_LEAST_HEIGHT = 0.5
"""Line numbers are beside at least this share of the height of a page."""
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"(?:page\s)?[-–—\s]*(?:\d{1,4}|[ivxl]{1,6})[-–—\s]*(?:(?:of|/)\s?\d{1,4})?", re.I
)


@dataclass(slots=True)
class Line:
    """One line in one column of page ``page`` (from 0). ``cells`` are its parts between wide
    gaps; ``left`` and ``right`` are the edges of its column."""

    cells: list[list[Word]]
    y: float
    size: float
    page: int = 0
    left: float = 0.0
    right: float = 0.0
    column: int = 0
    text: str = field(default="")

    @property
    def words(self) -> list[Word]:
        return [word for cell in self.cells for word in cell]

    @property
    def x0(self) -> float:
        return self.cells[0][0].x0

    @property
    def x1(self) -> float:
        return max(cell[-1].x1 for cell in self.cells)

    @property
    def bold(self) -> bool:
        """Whether all its words with letters are bold."""
        named = [word for word in self.words if any(map(str.isalpha, word.text))]
        return bool(named) and all(word.bold for word in named)

    @property
    def begins_small(self) -> bool:
        """Whether it begins with a raised mark."""
        first = self.cells[0][0]
        return first.size < 0.85 * self.size


@dataclass(slots=True)
class PageLines:
    """The lines of one page in reading order, and its size in points."""

    lines: list[Line]
    width: float
    height: float


def lines_of_pages(pages: Sequence[tuple[list[Word], float, float]]) -> list[PageLines]:
    """Return the lines of all pages, without page numbers, line numbers and running heads."""
    _forget_usual_bold(pages)
    numbers = _line_numbers([words for words, _, _ in pages])
    kept = [
        (_segments(word for word in words if id(word) not in numbers), width, height)
        for words, width, height in pages
    ]
    heads = _running_heads(kept)
    gutters = [_gutter(parts, width) for parts, width, _ in kept]
    if len(known := sorted(each for each in gutters if each is not None)) >= max(1, len(kept) // 4):
        usual = known[len(known) // 2]
        gutters = [
            gutter or _usual_gutter(parts, width, usual)
            for gutter, (parts, width, _) in zip(gutters, kept, strict=True)
        ]
    result = []
    for number, ((parts, width, height), gutter) in enumerate(zip(kept, gutters, strict=True)):
        body = [part for part in parts if not _is_furniture(part, parts, height, heads)]
        lines = _in_order(body, gutter, _foot_of_front(body, gutter) if number == 0 else None)
        for line in lines:
            line.page = number
        result.append(PageLines(lines, width, height))
    return result


def _forget_usual_bold(pages: Sequence[tuple[list[Word], float, float]]) -> None:
    """Regard no word as bold where most of the text is: fonts state their weight wrongly."""
    words = [word for page, _, _ in pages for word in page]
    if sum(len(w.text) for w in words if w.bold) > 0.5 * sum(len(w.text) for w in words):
        for word in words:
            word.bold = False


def join_words(words: Sequence[Word]) -> str:
    """Return the words of a cell as text."""
    text = ""
    for before, word in zip([None, *words], words, strict=False):
        least = (0.05 if word.spaced else 0.16) * min(word.size, before.size) if before else 0.0
        gap = before is not None and word.x0 - before.x1 > least
        text += f" {word.text}" if gap else word.text
    return text


def _fits(line: list[Word], word: Word) -> bool:
    last = line[-1]
    size = max(last.size, word.size)
    drop = abs(word.y - last.y)
    raised = min(last.size, word.size) < 0.87 * size and drop < 0.6 * size
    near = -0.6 * size <= word.x0 - last.x1 < _CELL * size
    return near and (drop < 0.2 * size or raised or _on_base(line, word))


def _on_base(line: list[Word], word: Word) -> bool:
    return any(abs(word.y - each.y) < 0.2 * max(each.size, word.size) for each in line[-4:])


def _segments(words: Iterable[Word]) -> list[Line]:
    """Return runs of words on one line, in the order of the content."""
    parts: list[list[Word]] = []
    for word in words:
        if parts and _fits(parts[-1], word):
            parts[-1].append(word)
        else:
            parts.append([word])
    return [_line([part]) for part in parts]


def _line(cells: list[list[Word]]) -> Line:
    words = [word for cell in cells for word in cell]
    weights: Counter[float] = Counter()
    bases: Counter[float] = Counter()
    for word in words:
        weights[round(word.size, 1)] += len(word.text)
    size = max(weights, key=lambda each: (weights[each], each))
    large = max(weights)
    # Small capitals are of two sizes; the larger one is that of the line.
    if large <= 1.35 * size and sum(w.size > size + 0.2 for w in words) >= 0.3 * len(words):
        size = large
    for word in words:
        bases[round(word.y, 1)] += len(word.text) if word.size > 0.85 * size else 0
    base = max(bases, key=lambda each: bases[each])
    return Line(cells, base, size, text=" ".join(join_words(cell) for cell in cells))


def _line_numbers(pages: Sequence[Sequence[Word]]) -> set[int]:
    """Return the words that are line numbers: a column of numbers that count, in a margin.

    Where one page has such a column, a few numbers at its place on another page are line numbers.
    """
    columns = [each for words in pages for each in _number_columns(words)]
    known = {
        place
        for place, column, step, share in columns
        if len(column) >= _FEWEST_NUMBERS[step] and share >= _LEAST_HEIGHT
    }
    return {
        id(word)
        for (edge, at), column, *_ in columns
        if any((edge, at + near) in known for near in (-1, 0, 1))
        for word in column
    }


def _number_columns(
    words: Sequence[Word],
) -> Iterator[tuple[tuple[str, int], list[Word], int, float]]:
    """The numbers that count from top to bottom at the left or right margin of a page, with their
    edge, by how much they count, and beside which share of the page's height they are."""
    numbers = [w for w in words if w.text.isascii() and w.text.isdigit() and len(w.text) <= 4]
    places: dict[tuple[str, int], list[Word]] = {}
    for word in sorted(numbers, key=lambda word: -word.y):
        for near in (-1, 0, 1):
            places.setdefault(("left", round(word.x0 / 4) + near), []).append(word)
            places.setdefault(("right", round(word.x1 / 4) + near), []).append(word)
    for place, column in places.items():
        values = [int(word.text) for word in column]
        steps = Counter(b - a for a, b in pairwise(values))
        for step in _FEWEST_NUMBERS:
            counts = steps[step] >= max(1, 0.8 * (len(values) - 1))
            if counts and min(steps) > 0 and _is_marginal(column, words):
                height = max(word.y for word in words) - min(word.y for word in words)
                yield place, column, step, (column[0].y - column[-1].y) / max(height, 1.0)


def _is_marginal(column: Sequence[Word], words: Sequence[Word]) -> bool:
    """Return whether hardly a word of a page is beside a column, or farther out."""
    own = {id(word) for word in column}
    low, high = min(word.x0 for word in column), max(word.x1 for word in column)
    others = [word for word in words if id(word) not in own]
    left = sum(word.x0 < high for word in others)
    right = sum(word.x1 > low for word in others)
    return min(left, right) <= 0.02 * len(others)


_Page = tuple[list[Line], float, float]


def _running_heads(pages: Sequence[_Page]) -> set[str]:
    """Return the lines at the top or bottom of at least three pages, or of both of two pages."""
    counts: Counter[str] = Counter()
    for parts, _, height in pages:
        counts.update({_key(part) for part in parts if _at_edge(part, height)})
    least = 3 if len(pages) > 3 else 2
    return {key for key, count in counts.items() if count >= least and key}


def _at_edge(part: Line, height: float) -> bool:
    return part.y > 0.9 * height or part.y < 0.1 * height


def _key(part: Line) -> str:
    return _DIGITS.sub("#", " ".join(part.text.split()))


def _is_furniture(part: Line, parts: Sequence[Line], height: float, heads: set[str]) -> bool:
    if not _at_edge(part, height):
        return False
    if _key(part) in heads and len(part.text) < 200 and _outermost(part, parts):
        return True
    return bool(_PAGE_NUMBER.fullmatch(part.text)) and _outermost(part, parts)


def _outermost(part: Line, parts: Sequence[Line]) -> bool:
    """Return whether few lines are farther out than ``part``."""
    low = sorted({round(each.y) for each in parts})
    place = round(part.y)
    return place in low[:4] or place in low[-4:]


def _gutter(parts: Sequence[Line], width: float) -> float | None:
    """Return the middle of the gap between two columns, or None for one column."""
    if width <= 0:  # a damaged page
        return None
    wide = [part for part in parts if 0.22 * width < part.x1 - part.x0]
    best: tuple[int, float] | None = None
    for step in range(40, 61):
        x = width * step / 100
        crossing = sum(part.x0 < x - 2 and part.x1 > x + 2 for part in wide)
        left = sum(part.x1 <= x + 2 for part in wide)
        right = sum(part.x0 >= x - 2 for part in wide)
        if min(left, right) >= 4 and left + right >= 16 and crossing <= 0.35 * len(wide):
            distance = abs(step - 50)
            if best is None or (crossing, distance) < (best[0], abs(best[1] / width * 100 - 50)):
                best = crossing, x
    return None if best is None else best[1]


def _usual_gutter(parts: Sequence[Line], width: float, usual: float) -> float | None:
    """Return the gutter of the other pages, for a page with large tables that also has columns."""
    wide = [part for part in parts if 0.22 * width < part.x1 - part.x0]
    crossing = sum(part.x0 < usual - 6 and part.x1 > usual + 6 for part in wide)
    left = sum(part.x1 <= usual + 6 for part in wide)
    right = len(wide) - crossing - left
    return usual if left + right >= 3 and crossing <= 0.5 * len(wide) else None


def _foot_of_front(parts: Sequence[Line], gutter: float | None) -> float | None:
    """Return the height of the heading of the abstract: all lines above it are one column.

    None without such a heading, and where text of the right column begins beside the title.
    """
    heights = [part.y for part in parts if part.text.strip(" .:").lower() == "abstract"]
    if not heights or (gutter is not None and _is_beside(parts, gutter, max(heights))):
        return None
    return max(heights)


def _is_beside(parts: Sequence[Line], gutter: float, height: float) -> bool:
    """Return whether the column right of ``gutter`` begins above ``height``: a line there has the
    left edge of the column, which names of authors do not have, and is wide, or near the next line.
    """
    column = sorted((part for part in parts if part.x0 >= gutter - 6), key=lambda part: part.y)
    lower = [part for part in column if part.y <= height]
    above = [part for part in column if part.y > height]
    if not above or not lower:
        return False
    edge = Counter(round(part.x0) for part in lower).most_common(1)[0][0]
    wide = max(part.x1 - part.x0 for part in lower)
    near = above[0].y - lower[-1].y < 3 * above[0].size
    return any(
        abs(part.x0 - edge) <= 1.5 and (part.x1 - part.x0 > 0.8 * wide or (near and not number))
        for number, part in enumerate(above)
    )


def _in_order(parts: list[Line], gutter: float | None, front: float | None) -> list[Line]:
    if gutter is None:
        return _column(parts, 0) if parts else []
    across: list[Line] = []
    left: list[Line] = []
    right: list[Line] = []
    beside = _beside(parts, gutter)
    for part in parts:
        above = front is not None and part.y > front + part.size
        crosses = part.x0 < gutter - 6 and part.x1 > gutter + 6
        too_long = crosses and not above and _has_neighbour(part, beside)
        if above or (crosses and not too_long):
            across.append(part)
        else:
            (left if too_long or part.x1 <= gutter + 6 else right).append(part)
    across += (ends := _last_lines(across, left, right))
    left = [part for part in left if part not in ends]
    wide = _column(across, 0) if across else []
    sides = _column(left, 1) if left else [], _column(right, 2) if right else []
    lines: list[Line] = []
    places = [0, 0]
    for line in wide:
        for side in (0, 1):
            while places[side] < len(sides[side]) and sides[side][places[side]].y > line.y:
                lines.append(sides[side][places[side]])
                places[side] += 1
        lines.append(line)
    return [*lines, *sides[0][places[0] :], *sides[1][places[1] :]]


def _last_lines(across: Sequence[Line], left: Sequence[Line], right: Sequence[Line]) -> list[Line]:
    """Return the short last lines of paragraphs across both columns: the next line lies apart, and
    no line of the right column is beside it."""
    found = []
    for part in left:
        above = [
            each
            for each in across
            if abs(each.x0 - part.x0) < 2
            and abs(each.size - part.size) < 0.3
            and 0.8 * part.size < each.y - part.y < 1.4 * part.size
        ]
        follows = any(0 < part.y - each.y < 1.6 * part.size for each in left)
        beside = any(abs(each.y - part.y) < 0.8 * part.size for each in right)
        if above and not follows and not beside:
            found.append(part)
    return found


def _beside(parts: Sequence[Line], gutter: float) -> list[Line]:
    """Return the whole lines of the right column, from top to bottom; none without prose."""
    right = [part for part in parts if part.x0 >= gutter - 6]
    if not right:
        return []
    edge = Counter(round(part.x0) for part in right).most_common(1)[0][0]
    end = max(part.x1 for part in right)
    whole = [p for p in right if abs(p.x0 - edge) <= 1.5 and p.x1 >= end - 0.2 * (end - edge)]
    prose = len(whole) >= max(_LINES_OF_PROSE, 0.5 * len(right))
    return sorted(whole, key=lambda part: -part.y) if prose else []


def _has_neighbour(part: Line, beside: Sequence[Line]) -> bool:
    """Return whether lines of the right column are at the height of ``part``, or directly above
    and below it: then it is a line of the left column that is too long."""
    lower = next((n for n, each in enumerate(beside) if each.y <= part.y), len(beside))
    near = beside[max(0, lower - 1) : lower + 1]
    if any(abs(each.y - part.y) < 0.4 * part.size for each in near):
        return True
    return len(near) == 2 and near[0].y - near[1].y < 1.6 * near[0].size


def _column(parts: Sequence[Line], column: int) -> list[Line]:
    """Return the lines of one column from top to bottom, with the parts of one line joined."""
    rows: list[list[Line]] = []
    for part in sorted(parts, key=lambda part: (-part.y, part.x0)):
        row = next((row for row in rows[-3:] if _same_row(row, part)), None)
        if row is None:
            rows.append([part])
        else:
            row.append(part)
    lines = [_join_row(row) for row in rows]
    left, right = _edges(lines)
    spread = _spread(lines, left, right)
    lines = [_line([line.words]) if id(line) in spread else line for line in lines]
    for line in lines:
        line.left, line.right, line.column = left, right, column
    return sorted(lines, key=lambda line: -line.y)


def _same_row(row: list[Line], part: Line) -> bool:
    main = max(row, key=lambda each: each.size)
    size = max(main.size, part.size)
    drop = abs(part.y - main.y)
    apart = all(_is_behind(each, part, size) or _is_behind(part, each, size) for each in row)
    small = min(main.size, part.size) < 0.85 * size
    return apart and (drop < 0.25 * size or (small and drop < 0.55 * size))


def _is_behind(one: Line, other: Line, size: float) -> bool:
    """Return whether ``other`` begins where ``one`` ends, but for indices above one another."""
    words = one.words
    if len(words) > 1 and words[-1].size < 0.85 * size and other.words[0].size < 0.85 * size:
        return other.x0 >= words[-1].x0 - 0.3 * size
    return other.x0 >= one.x1 - 0.3 * size


def _join_row(row: list[Line]) -> Line:
    cells: list[list[Word]] = []
    for part in sorted(row, key=lambda part: part.x0):
        for cell in part.cells:
            near = cells and cell[0].x0 - cells[-1][-1].x1 < _CELL * part.size
            if near:
                cells[-1].extend(cell)
            else:
                cells.append(list(cell))
    return _line(cells)


def _spread(lines: Sequence[Line], left: float, right: float) -> set[int]:
    """Return the lines with wide gaps because their words are spread from edge to edge: the gaps
    are alike, and those of a table are not. The edges are those of the column, or of the lines of
    one piece above or below."""
    found = {id(line) for line in lines if _is_spread(line, left, right)}
    for one, other in pairwise(lines):
        for line, near in ((one, other), (other, one)):
            whole = len(near.cells) == 1 or id(near) in found
            if whole and one.y - other.y < 2 * line.size and _is_spread(line, near.x0, near.x1):
                found.add(id(line))
    return found


def _is_spread(line: Line, left: float, right: float) -> bool:
    if len(line.cells) < 2 or abs(line.x0 - left) > 2 or abs(line.x1 - right) > 2:
        return False
    words = line.words
    gaps = [after.x0 - before.x1 for before, after in pairwise(words)]
    gaps = [gap for gap in gaps if gap > 0.16 * line.size]
    return len(gaps) >= 2 and max(gaps) - min(gaps) < 0.25 * line.size


def _edges(lines: Sequence[Line]) -> tuple[float, float]:
    """Return the left and right edge that most long lines of a column share."""
    lefts = Counter(round(line.x0) for line in lines for _ in range(len(line.text) // 20))
    rights = Counter(round(line.x1) for line in lines for _ in range(len(line.text) // 20))
    if not lefts:
        return min(line.x0 for line in lines), max(line.x1 for line in lines)
    left = min(x for x, count in lefts.items() if count >= 0.25 * max(lefts.values()))
    right = max(x for x, count in rights.items() if count >= 0.4 * max(rights.values()))
    return float(left), float(right)
