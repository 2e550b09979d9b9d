"""Convert the lines of a PDF in reading order to Markdown, with headings, paragraphs and
references.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from statistics import median

from revkit.documents.pdf_lines import Line, PageLines, join_words
from revkit.documents.pdf_words import SOFT_HYPHEN, Word
from revkit.model.reference_list import looks_like_entry, year_behind_names

_NUMBER = re.compile(
    r"(?:(?:Appendix\s)?(?P<number>\d{1,2}(?:\.\d{1,2}){0,3}|[A-Z](?:\.\d{1,2}){0,3}|[IVX]{1,5})[.:]?\s+"
    r"(?=[\"“'‘(]?[A-Z0-9]))"
)
_NAMED = re.compile(
    r"(?:abstract|introduction|background|related works?|methods?|results|discussion"
    r"|conclusions?|conclusions? and future work|references|bibliography|literature cited"
    r"|acknowledge?ments?|appendix|appendices|limitations|ethics statement|ethical considerations"
    r"|reproducibility statement|broader impact|supplementary materials?|author contributions"
    r"|impact statement|ethics|funding|data availability)[.:]?",
    re.IGNORECASE,
)
_REFERENCES = re.compile(
    r"(?:(?:\d{1,2}|[A-Z]|[IVX]{1,5})\.?\s+)?(?:references|bibliography|literature cited)\W*", re.I
)
_INTRODUCTION = re.compile(r"(?:1|I)[.:]?\s{1,4}introduction", re.I)
_ABSTRACT = re.compile(r"abstract\W*", re.I)
_ABSTRACT_RUN = re.compile(r"(abstract)\s?[-–—.:]+\s*(?=\S)", re.I)
_CAPTION = re.compile(
    r"(?P<table>Table|Tab\.|TABLE)?(?(table)|(?:Figure|Fig\.|FIGURE|FIG\.|Algorithm|Listing))"
    r"\s?[A-Z]?\d{1,3}(?:\.\d{1,2})?[a-z]?\s?(?:[:.|]|[–—-]\s)"
)
_LABEL = re.compile(r"\[[^\[\]\s]{1,14}\]\s?|\(\d{1,3}\)\s|\d{1,3}\.\s")
_BULLET = re.compile(r"[•◦▪·∙●■‣–—*]\s+(?=\S)")
_MARK = re.compile(r"(?:\d{1,2}|[*∗†‡§¶])\s?(?=\S)")
_FORMULA_NUMBER = re.compile(r"\(\d{1,2}[a-z]?\)\Z")
_SENTENCE_END = re.compile(r"[.!?:][\"”’)\]]*\Z")
_WORD = re.compile(r"[A-Za-z]{3,}")
_ACCENT = re.compile(r"([´¨ˆ˜ˇ¯˘˙˚])\s?([A-Za-zı])")
_COMBINING = dict(
    zip("´¨ˆ˜ˇ¯˘˙˚", "\u0301\u0308\u0302\u0303\u030c\u0304\u0306\u0307\u030a", strict=True)
)
_TOKEN = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*")
_LETTERS = re.compile(r"[A-Za-z-]+")
_LONGEST_WORD = 60
_LINES_AN_ENTRY = 8  # a list with fewer signs of entries than this has none that are drawn
_BODY = 1.06
_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII")


@dataclass(slots=True)
class _Block:
    """A block of the text: lines of one kind."""

    kind: str
    lines: list[Line] = field(default_factory=list)
    level: int = 0


@dataclass(frozen=True, slots=True)
class PdfText:
    """The Markdown text of a PDF, its title, and how many words of figures were left out."""

    text: str
    title: str
    authors: str
    figure_words: int


def text_of_pages(pages: Sequence[PageLines], *, authors: bool = False) -> PdfText:
    """Return the text of ``pages`` as Markdown.

    Names and addresses between the title and the abstract are left out unless ``authors``.
    """
    return _Writer(pages).write(with_authors=authors)


class _Count:
    """The section numbers so far, which decide which number the next heading may have."""

    def __init__(self) -> None:
        self.last: tuple[int, ...] = ()
        self.lettered = self.roman = self.listed = False

    def continues(self, number: str, text: str) -> bool:
        """Return whether a heading ``text`` with ``number`` may come next."""
        if not any(len(word) >= 3 for word in _WORD.findall(text)):
            return False
        first, *rest = number.split(".")
        if first.isdigit():
            place = int(first)
            if self.lettered and not text.startswith("Appendix"):
                return False
        elif self._is_roman(number):
            place = _ROMAN.index(first) + 1
        elif self.listed or text.startswith("Appendix") or self.lettered:
            place = ord(first[0]) - 64 if len(first) == 1 else 99
            if not self.lettered:
                return place == 1
        else:
            return False
        top = self.last[0] if self.last else 0
        if rest:
            return place in (top, top + 1)
        return top < place <= top + 2

    def _is_roman(self, number: str) -> bool:
        return number in _ROMAN and (self.roman or (not self.last and number == "I"))

    def add(self, text: str) -> None:
        """Note the heading ``text``."""
        if _REFERENCES.fullmatch(text):
            self.listed = True
        number = _NUMBER.match(text)
        if number is None:
            return
        first = number["number"].split(".")[0]
        if first.isdigit():
            self.last = (int(first),)
        elif self._is_roman(number["number"]):
            self.roman, self.last = True, (_ROMAN.index(first) + 1,)
        elif len(first) == 1:
            self.lettered, self.last = True, (ord(first) - 64,)


class _Writer:
    def __init__(self, pages: Sequence[PageLines]) -> None:
        self.pages = pages
        self.lines = [line for page in pages for line in page.lines]
        self.body = _most(round(line.size, 1) for line in self.lines for _ in _words(line))
        gaps = [
            a.y - b.y
            for a, b in pairwise(self.lines)
            if a.page == b.page and a.column == b.column and 0.8 < (a.y - b.y) / self.body < 2.2
        ]
        self.leading = median(gaps) if gaps else 1.2 * self.body
        self.figure_words = 0
        self.count = _Count()
        self.joined_words, self.hyphenated = _vocabulary(self.lines)

    def write(self, *, with_authors: bool) -> PdfText:
        title, authors, rest = self._front()
        blocks = list(self._blocks(rest))
        parts = [f"# {title}"] if title else []
        names = "\n".join(self._clean(line.text) for line in authors)
        if with_authors and names:
            parts.append(names)
        parts += [part for block in _settle(blocks) if (part := self._print(block))]
        text = "\n\n".join(parts) + "\n" if parts else ""
        return PdfText(text, title, names, self.figure_words)

    # The front: title and authors.

    def _front(self) -> tuple[str, list[Line], list[Line]]:
        first = [line for line in self.lines if line.page == 0]
        later = self.lines[len(first) :]
        end = next(
            (place for place, line in enumerate(first) if self._ends_front(first, place)), None
        )
        head = first if end is None else first[:end]
        sized = [line for line in head if sum(map(str.isalpha, line.text)) >= 4]
        if not sized:
            return "", [], self.lines
        largest = max(line.size for line in sized)
        if largest < _BODY * self.body and not any(line.bold for line in sized):
            return "", [], self.lines
        if largest < _BODY * self.body:
            sized = [line for line in sized if line.bold]
            largest = max(line.size for line in sized)
        start = next(
            i for i, line in enumerate(head) if line in sized and _alike(line.size, largest)
        )
        stop = start + 1
        while (
            stop < len(head)
            and _continues_title(head[stop], largest)
            and head[stop].bold == head[start].bold
            and head[stop - 1].y - head[stop].y < 2.2 * largest
        ):
            stop += 1
        title = " ".join(
            self._prose([_of_size(line, largest) for line in head[start:stop]]).split()
        )
        authors = [] if end is None else head[stop:]
        if end is None:
            return title, [], [*head[stop:], *later]
        return title, authors, [*first[end:], *later]

    def _ends_front(self, lines: Sequence[Line], place: int) -> bool:
        line = lines[place]
        text = line.text.strip()
        if _ABSTRACT.fullmatch(text) or _ABSTRACT_RUN.match(text):
            return True
        if any(_ABSTRACT.fullmatch(each.text.strip()) for each in lines):
            return False
        if _INTRODUCTION.match(text) and place > 1:
            return True
        wide = 0.85 * (line.right - line.left)
        return (
            place > 2
            and all(
                each.x1 - each.x0 > wide
                and len(each.text.split()) >= 8
                and not each.bold
                and each.size < _BODY * self.body
                for each in lines[place : place + 3]
            )
            and len(lines) > place + 2
        )

    # Blocks.

    def _is_strong(self, line: Line) -> bool:
        return line.size >= _BODY * self.body or line.bold

    def _heading_level(self, line: Line, before: Line | None, after: Line | None) -> int:
        """Return the level of a heading, or 0 if the line is not a heading."""
        text = self._clean(line.text).strip()
        if not 3 <= len(text) <= 160 or not any(map(str.isalpha, text)) or _CAPTION.match(text):
            return 0
        if len(line.cells) > 2 or line.size < 0.93 * self.body:
            return 0
        number = _NUMBER.match(text)
        if len(line.cells) == 2 and not (number and len(join_words(line.cells[0])) < 14):
            return 0
        if _NAMED.fullmatch(text[number.end() :] if number else text):
            if self._is_strong(line) or text.isupper() or number:
                return 2
            return 0
        counted = number is not None and self.count.continues(number["number"], text)
        if counted and number and (self._is_strong(line) or text.isupper()):
            return 2 + number["number"].count(".")
        if number or not self._is_strong(line) or text.endswith((".", ",", ";")):
            return 0
        return self._unnumbered_level(line, text, before, after)

    def _unnumbered_level(
        self, line: Line, text: str, before: Line | None, after: Line | None
    ) -> int:
        if not text[0].isupper() or not _WORD.search(text):
            return 0
        apart = (
            before is None or not _adjacent(before, line) or before.y - line.y > 1.25 * self.leading
        )
        follows = after is not None and _adjacent(line, after) and not _has_cells(after)
        prose = follows and after is not None and not after.bold and len(after.text) > 20
        if not apart or not prose:
            return 0
        return 2 if line.size >= 1.15 * self.body else 3

    def _blocks(self, lines: Sequence[Line]) -> Iterator[_Block]:
        notes = self._notes(lines)
        place, in_references = 0, False
        while place < len(lines):
            line = lines[place]
            before = lines[place - 1] if place else None
            after = lines[place + 1] if place + 1 < len(lines) else None
            level = 0 if id(line) in notes else self._heading_level(line, before, after)
            if id(line) in notes:
                block = self._run(lines, place, "note", lambda each: id(each) in notes)
            elif level:
                block = self._heading(lines, place, level)
                self.count.add(self._clean(line.text).strip())
                in_references = _REFERENCES.fullmatch(self._clean(block.lines[0].text)) is not None
            elif _CAPTION.match(line.text):
                block = self._caption(lines, place)
            elif in_references:
                block = self._run(lines, place, "references", self._may_be_entry(lines, notes))
            elif self._is_aside(line) or self._heads_table(before, line, after):
                block = self._run(lines, place, "table", self._in_table(lines))
            else:
                block = self._paragraph(lines, place, notes)
            yield block
            place += len(block.lines)

    def _run(
        self, lines: Sequence[Line], place: int, kind: str, holds: Callable[[Line], bool]
    ) -> _Block:
        block = _Block(kind, [lines[place]])
        for line in lines[place + 1 :]:
            if not holds(line) or (kind != "references" and not _adjacent(block.lines[-1], line)):
                break
            if kind == "table" and (_CAPTION.match(line.text)):
                break
            block.lines.append(line)
        return block

    def _in_table(self, lines: Sequence[Line]) -> Callable[[Line], bool]:
        places = {id(line): number for number, line in enumerate(lines)}

        def holds(line: Line) -> bool:
            return self._is_aside(line) or self._wraps_cell(lines, places[id(line)])

        return holds

    def _wraps_cell(self, lines: Sequence[Line], place: int) -> bool:
        """Return whether a short line between two rows of a table continues a cell."""
        if not 0 < place < len(lines) - 1:
            return False
        before, line, after = lines[place - 1 : place + 2]
        return (
            len(line.cells) == 1
            and line.x1 - line.x0 < 0.3 * (line.right - line.left)
            and _has_cells(before)
            and _has_cells(after)
            and _adjacent(before, line)
            and _adjacent(line, after)
            and not self._heading_level(line, before, after)
        )

    def _may_be_entry(self, lines: Sequence[Line], notes: set[int]) -> Callable[[Line], bool]:
        places = {id(line): number for number, line in enumerate(lines)}

        def holds(line: Line) -> bool:
            number = places[id(line)]
            after = lines[number + 1] if number + 1 < len(lines) else None
            return (
                id(line) not in notes
                and not self._heading_level(line, lines[number - 1], after)
                and not _CAPTION.match(line.text)
            )

        return holds

    def _heading(self, lines: Sequence[Line], place: int, level: int) -> _Block:
        block = _Block("heading", [lines[place]], level)
        first = lines[place]
        for line in lines[place + 1 : place + 3]:
            last = block.lines[-1]
            if (
                _adjacent(last, line)
                and _alike(line.size, first.size)
                and line.bold == first.bold
                and self._is_strong(line)
                and last.y - line.y < 1.35 * first.size
                and not _NUMBER.match(line.text)
                and not _NAMED.fullmatch(line.text.strip())
                and not _NAMED.fullmatch(first.text.strip())
            ):
                block.lines.append(line)
            else:
                break
        return block

    def _caption(self, lines: Sequence[Line], place: int) -> _Block:
        block = _Block("caption", [lines[place]])
        for line in lines[place + 1 :]:
            last = block.lines[-1]
            close = _adjacent(last, line) and last.y - line.y < 1.35 * max(line.size, last.size)
            ended = last.x1 < last.right - 0.12 * (last.right - last.left) and _SENTENCE_END.search(
                last.text
            )
            if not close or not _alike(line.size, last.size) or ended or _has_cells(line):
                break
            block.lines.append(line)
        return block

    def _notes(self, lines: Sequence[Line]) -> set[int]:
        """Return the lines of footnotes: small lines at the foot of a column, below a marker."""
        columns: dict[tuple[int, int], list[Line]] = {}
        for line in lines:
            columns.setdefault((line.page, line.column), []).append(line)
        found: set[int] = set()
        for column in columns.values():
            foot: list[Line] = []
            for line in reversed(column):
                if line.size > 0.95 * self.body or _CAPTION.match(line.text) or _has_cells(line):
                    break
                foot.append(line)
            if len(foot) == len(column) or not foot:
                continue
            marked = [
                n
                for n, each in enumerate(foot)
                if _MARK.match(each.text) and (each.begins_small or each.text[0] in "*∗†‡§¶")
            ]
            if marked:
                found |= {id(line) for line in foot[: marked[-1] + 1]}
            elif column[0].page == 0:
                found |= {id(line) for line in foot}
        return found

    def _heads_table(self, before: Line | None, line: Line, after: Line | None) -> bool:
        """Return whether a short separate line is the first row of a table."""
        apart = (
            before is None or not _adjacent(before, line) or before.y - line.y > 1.25 * self.leading
        )
        short = line.x1 - line.x0 < 0.6 * (line.right - line.left)
        rows = after is not None and _adjacent(line, after) and _has_cells(after)
        return apart and short and rows and not _SENTENCE_END.search(line.text.strip())

    def _is_aside(self, line: Line) -> bool:
        """Return whether a line belongs to a table, a figure or a formula."""
        if _has_cells(line):
            return True
        if line.size < 0.88 * self.body and not _CAPTION.match(line.text):
            return True
        return _is_formula(line)

    def _paragraph(self, lines: Sequence[Line], place: int, notes: set[int]) -> _Block:
        block = _Block("paragraph", [lines[place]])
        for number in range(place + 1, len(lines)):
            line, last = lines[number], lines[number - 1]
            after = lines[number + 1] if number + 1 < len(lines) else None
            if (
                id(line) in notes
                or _CAPTION.match(line.text)
                or self._is_aside(line)
                or self._heading_level(line, last, after)
                or self._begins_paragraph(last, line)
            ):
                break
            block.lines.append(line)
        return block

    def _begins_paragraph(self, last: Line, line: Line) -> bool:
        if not _adjacent(last, line):
            return True  # whether it goes on is settled with the text of both
        if _BULLET.match(line.text):
            return True
        if last.y - line.y > 1.3 * self.leading:
            return True
        indent, before = line.x0 - line.left, last.x0 - last.left
        em = self.body
        if 0.6 * em < indent - before < 4 * em and not _BULLET.match(last.text):
            return bool(_SENTENCE_END.search(last.text.strip())) or indent > 0.9 * em
        short = last.x1 < last.right - 0.15 * (last.right - last.left)
        return short and bool(_SENTENCE_END.search(last.text.strip())) and line.text[:1].isupper()

    # Printing.

    def _print(self, block: _Block) -> str:
        if block.kind == "heading":
            title = " ".join(self._prose(block.lines).split())
            return f"{'#' * min(block.level, 5)} {title}"
        if block.kind == "references":
            return "\n\n".join(self._entries(block.lines))
        if block.kind == "table":
            return self._table(block.lines)
        if block.kind == "note":
            return "\n\n".join(self._footnotes(block.lines))
        text = self._prose(block.lines)
        if _ABSTRACT_RUN.match(text):
            return "## Abstract\n\n" + _ABSTRACT_RUN.sub("", text, count=1)
        if _BULLET.match(text):
            return _BULLET.sub("- ", text, count=1)
        return re.sub(r"^(#{1,6}\s|>|[-+]\s|=+$)", r"\\\1", text)

    def _footnotes(self, lines: Sequence[Line]) -> Iterator[str]:
        groups: list[list[Line]] = []
        for line in lines:
            if not groups or (line.begins_small and _MARK.match(line.text)):
                groups.append([line])
            else:
                groups[-1].append(line)
        for group in groups:
            text = self._prose(group)
            mark = _MARK.match(text)
            yield f"> {mark[0].strip()} {text[mark.end() :]}" if mark else f"> {text}"

    def _table(self, lines: Sequence[Line]) -> str:
        formula = [line for line in lines if _is_formula(line)]
        if len(formula) == len(lines) and all(line.size > 0.88 * self.body for line in lines):
            return self._formula(lines)
        rows = [
            [self._clean(" ".join(map(join_words, cell))).replace("|", "/") for cell in row]
            for row in _rows(lines)
        ]
        if len(rows) < 2 or sum(len(row) > 1 for row in rows) < 0.6 * len(rows):
            if any(line.size > 0.88 * self.body for line in formula):
                return self._formula(lines)
            self.figure_words += sum(len(line.text.split()) for line in lines)
            return ""
        wide = max(map(len, rows))
        filled = [row + [""] * (wide - len(row)) for row in rows]
        head, *rest = [f"| {' | '.join(row)} |" for row in filled]
        return "\n".join([head, "|" + " --- |" * wide, *rest])

    def _formula(self, lines: Sequence[Line]) -> str:
        text = " ".join(self._clean(line.text) for line in lines).replace("$", "")
        return f"$$ {text} $$"

    def _entries(self, lines: Sequence[Line]) -> list[str]:
        groups: list[list[Line]] = []
        begins = self._entry_starts(lines)
        for line in lines:
            if not groups or id(line) in begins:
                groups.append([line])
            else:
                groups[-1].append(line)
        texts = [_BULLET.sub("", self._prose(group), count=1) for group in groups]
        return [text if _LABEL.match(text) else f"- {text}" for text in texts if text]

    def _entry_starts(self, lines: Sequence[Line]) -> set[int]:
        lefts: dict[tuple[int, int], float] = {}
        for line in lines:
            key = line.page, line.column
            lefts[key] = min(lefts.get(key, line.x0), line.x0)
        indents = [line.x0 - lefts[line.page, line.column] for line in lines]
        labelled = [line for line in lines if _LABEL.match(line.text)]
        if _are_labels([line.text for line in labelled], len(lines)):
            return {id(line) for line in labelled}
        bulleted = [line for line in lines if _BULLET.match(line.text)]
        if bulleted and bulleted[0] is lines[0] and len(bulleted) >= 0.2 * len(lines):
            return {id(line) for line in bulleted}
        inner = [indent for indent in indents if indent > 0.4 * self.body]
        if 0.2 * len(lines) <= len(inner) < len(lines):
            return {
                id(line)
                for line, indent in zip(lines, indents, strict=True)
                if indent <= 0.4 * self.body
            }
        gaps = [a.y - b.y for a, b in pairwise(lines) if _adjacent(a, b)]
        # Entries of one line have the gaps between entries only.
        usual = min(median(gaps), 1.1 * self.leading) if gaps else self.leading
        whole = [line for line in lines if _SENTENCE_END.search(line.text.strip())]
        if len(whole) >= 0.8 * len(lines):  # an entry a line
            return {id(b) for a, b in pairwise(lines) if a in whole}
        starts = {
            id(b)
            for a, b in pairwise(lines)
            if (_adjacent(a, b) and a.y - b.y > 1.2 * usual)
            or (not _adjacent(a, b) and _SENTENCE_END.search(a.text.strip()))
        }
        if len(starts) < len(lines) / _LINES_AN_ENTRY:
            starts |= {id(lines[n]) for n in range(1, len(lines)) if self._reads_as_entry(lines, n)}
        return starts

    def _reads_as_entry(self, lines: Sequence[Line], place: int) -> bool:
        """Return whether the words of a line, and of the next ones, begin an entry."""
        last, line = lines[place - 1], lines[place]
        if not _SENTENCE_END.search(last.text.strip()) or line.text[:1].islower():
            return False
        text = self._prose(lines[place : place + 6])
        short = last.x1 < last.right - 0.12 * (last.right - last.left)
        return year_behind_names(text) is not None or (short and looks_like_entry(text))

    def _prose(self, lines: Sequence[Line]) -> str:
        text = ""
        for line in lines:
            part = " ".join(join_words(cell) for cell in line.cells).strip()
            if text.endswith((SOFT_HYPHEN, "-")) and part[:1].islower():
                text = self._unhyphenated(text[:-1], part)
            elif text.endswith((SOFT_HYPHEN, "-")) and part[:1].isalnum():
                text = f"{text[:-1]}-{part}"
            elif text.endswith("–") and part[:1].isdigit():
                text += part
            else:
                text = f"{text.replace(SOFT_HYPHEN, '-')} {part}" if text else part
        return self._clean(text)

    def _unhyphenated(self, text: str, part: str) -> str:
        """Return two lines joined at a hyphen, which is kept if the paper writes the word with
        it.
        """
        before = _LETTERS.match(text[:-_LONGEST_WORD:-1])
        after = re.match(r"[A-Za-z]+(?:-[A-Za-z]+)*", part)
        first = before[0][::-1].lower() if before else ""
        second = after[0].lower() if after else ""
        whole, dashed = first + second, f"{first}-{second}"
        compound = "-" in second and first in self.joined_words
        both = min(len(first), len(second)) >= 4 and {first, second} <= self.joined_words
        known = dashed in self.hyphenated
        keep = whole not in self.joined_words and (compound or known or both)
        return f"{text}-{part}" if keep else text + part

    def _clean(self, text: str) -> str:
        text = text.replace(SOFT_HYPHEN, "-").replace("\ufffd", "")
        text = _ACCENT.sub(lambda m: unicodedata.normalize("NFC", m[2] + _COMBINING[m[1]]), text)
        text = "".join(sign if sign.isprintable() else " " for sign in text)
        return " ".join(text.split())


def _settle(blocks: Sequence[_Block]) -> Iterator[_Block]:
    """Join paragraphs that a page, a figure or a footnote interrupts."""
    waiting: list[_Block] = []
    running: _Block | None = None
    for block in blocks:
        if block.kind in ("note", "caption", "table") and running is not None:
            waiting.append(block)
        elif running is not None and _continues(running, block, waiting):
            running.lines.extend(block.lines)
        else:
            if running is not None:
                yield running
            yield from waiting
            waiting = []
            running = block if block.kind in ("paragraph", "references") else None
            if running is None:
                yield block
    if running is not None:
        yield running
    yield from waiting


def _continues(running: _Block, block: _Block, between: Sequence[_Block]) -> bool:
    if block.kind == "paragraph":
        return _goes_on(running, block, between)
    return block.kind == running.kind == "references"


def _goes_on(before: _Block, block: _Block, between: Sequence[_Block]) -> bool:
    last, first = before.lines[-1], block.lines[0]
    if before.kind != "paragraph" or _BULLET.match(first.text):
        return False
    if _adjacent(last, first) and not between:
        return False
    if (
        last.page == first.page
        and last.column == first.column
        and all(each.kind == "table" for each in between)
    ):
        return False
    indented = 0.6 * first.size < first.x0 - first.left < 4 * first.size
    full = last.x1 > last.right - 0.1 * (last.right - last.left)
    if _SENTENCE_END.search(last.text.strip()):
        return not indented and (first.text[:1].islower() or (full and not between))
    return not (indented and first.text[:1].isupper() and not full)


def _continues_title(line: Line, size: float) -> bool:
    first = line.words[0]
    return _alike(line.size, size) or (_alike(first.size, size) and len(first.text) > 2)


def _of_size(line: Line, size: float) -> Line:
    """The line without what follows it in small letters, such as a button beside a title."""
    if _alike(line.size, size):
        return line
    words = [word for word in line.words if word.size > 0.85 * size]
    return replace(line, cells=[words]) if words else line


def _adjacent(above: Line | None, below: Line) -> bool:
    return (
        above is not None
        and above.page == below.page
        and above.column == below.column
        and above.y > below.y
    )


def _has_cells(line: Line) -> bool:
    """Whether a line has cells as a row of a table has."""
    if len(line.cells) < 2:
        return False
    first = join_words(line.cells[0])
    if len(line.cells) == 2:
        wide = line.cells[1][-1].x1 - line.cells[1][0].x0 > 0.5 * (line.right - line.left)
        if wide or _NUMBER.match(f"{first} A") or _BULLET.match(f"{first} a"):
            return False
    return True


def _rows(lines: Sequence[Line]) -> list[list[list[list[Word]]]]:
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
    return _adjacent(last, line) and last.y - line.y < 1.5 * line.size


def _overlap(cell: Sequence[Word], other: Sequence[Word]) -> bool:
    return cell[0].x0 < other[-1].x1 and other[0].x0 < cell[-1].x1


def _is_formula(line: Line) -> bool:
    text = line.text.strip()
    words = text.split()
    long = sum(len(word) >= 3 and word.strip(",.;:()").isalpha() for word in words)
    if text.endswith((SOFT_HYPHEN, "-")):
        return False
    indented = line.x0 - line.left > 1.5 * line.size
    few = long <= 0.25 * len(words)
    if _FORMULA_NUMBER.search(text) and indented and few:
        return True
    return indented and few and any(sign in text for sign in "=∑∫≤≥∈∏√≈∝→←|+") and len(text) < 120


def _words(line: Line) -> list[str]:
    return line.text.split()


def _most(values: Iterator[float]) -> float:
    counts = Counter(values)
    return max(counts, key=lambda each: (counts[each], each)) if counts else 10.0


def _alike(one: float, other: float) -> bool:
    return abs(one - other) <= 0.06 * other


def _are_labels(texts: Sequence[str], lines: int) -> bool:
    """Whether what looks like labels of entries are such: bracketed, or numbers that count."""
    if len(texts) < max(2, 0.1 * lines):
        return False
    bracketed = sum(text.startswith("[") for text in texts)
    numbers = [int(found[0]) for text in texts if (found := re.search(r"\d{1,3}", text[:6]))]
    counting = sum(b - a == 1 for a, b in pairwise(numbers))
    return bracketed >= 0.8 * len(texts) or counting >= 0.7 * (len(texts) - 1)


def _vocabulary(lines: Sequence[Line]) -> tuple[set[str], set[str]]:
    """The words within lines that have no hyphen, and those that have one."""
    plain: set[str] = set()
    dashed: set[str] = set()
    divided = False
    for line in lines:
        tokens = _TOKEN.findall(line.text)[int(divided) :]
        divided = line.text.endswith((SOFT_HYPHEN, "-"))
        for token in tokens[:-1] if divided else tokens:
            (dashed if "-" in token else plain).add(token.lower())
    return plain, dashed
