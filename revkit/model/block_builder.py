"""Build blocks from lines: the lines of a text, the blocks found so far, and the open paragraph.

A run of lines of text, which the handlers of lines leave open, is classified here when it ends:
heading without marks, caption, entry of the reference list, debris of PDF text, or prose.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from copy import copy
from functools import cached_property

from revkit.model.dense_lines import DenseLines, is_dense, is_tight
from revkit.model.line_kinds import (
    BULLET,
    CAPTION,
    FUNCTION_WORDS,
    NUMBERED,
    SUB_CAPTION,
    is_code,
    is_running_text,
    is_sentence,
    junk_kind,
)
from revkit.model.reference_list import (
    EntrySplitter,
    entries_of,
    has_year,
    heads_what_follows,
    is_label,
    is_prose_after_list,
    may_head_behind_entry,
    may_head_what_follows,
)
from revkit.model.sections import (
    Outline,
    Title,
    is_capitals,
    is_known,
    may_name_list,
    own_role,
    read_title,
)
from revkit.model.structure import BlockKind, SectionRole

_RUN_IN = re.compile(
    r"(?:\*\*|__|\*|_)?(?P<abstract>abstract)(?:\*\*|__|\*|_)?\s*(?:[.:—–]|-{1,3}\s)(?:\*\*|__)?\s*(?=\S)"
    r"|(?P<introduction>(?:1|I)\.?\s+introduction)\.?\s+(?=[A-Z])",
    re.IGNORECASE,
)
# Several bold pieces on one line are the head of a table.
_BOLD_LINE = re.compile(r"\*\*[^*]{4,}\*\*\s*\Z|__[^_]{4,}__\s*\Z")
# Steps of an algorithm, and formulas.
_NO_HEADING = re.compile(
    r"[=←→∈≤≥_\[\]{}\\]|^\W*(?:Input|Output|Require|Ensure|Return|Algorithm|Lemma|Definition|Remark"
    r"|Theorem|Proposition|Corollary)\b"
)
# Titles that need nothing behind them.
_ALWAYS = ("abstract", "references", "appendix", "acknowledgements", "introduction", "conclusion")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_HEADING_WITHIN = re.compile(r"\n[ \t]*(?:#{1,6}[ \t]|\\(?:sub)*section\b)")
_WORDS = re.compile(r"(?<![\\A-Za-z{_^])[A-Za-z]{3,}")
_LABEL_LINE = re.compile(r"[ \t]*(?:\[(\d{1,4})\]|(\d{1,3})[.)][ \t])")
_LONGEST_HEADING = 250
_LONGEST_LABEL = 60
_FAR = 3000
_ATX_LINE = re.compile(r"^#{1,6}[ \t]+\S", re.MULTILINE)
_CODE_COLUMN = 4
# At most one of so many paragraphs is code.
_PARAGRAPHS_A_CODE = 5
# Fewer entries at the end of a paper without a heading may be a remark on other work.
_FEWEST_ENTRIES = 3
_LONGEST_DEBRIS = 80
_COMMANDS_AT_END = re.compile(
    r"(?:(?:\s{1,9}|(?<=[.?!:;}]))\\[A-Za-z@]{1,60}\*?(?:\{\}|(?![\[{])))"
    r"{1,9}\s{0,9}\Z"
    r"|(?:\n[ \t]{0,9}\\[A-Za-z@]{1,60}\*?(?:[\[{][^{}\[\]\n]{0,200}[\]}]){0,9}){1,9}\s{0,9}\Z"
)
_PICTURE = ("![", "<img", "<figure")
# Lines and paragraphs to look for another entry in, where entries are not counted.
_AHEAD = 80
_PARAGRAPHS_AHEAD = 8


def _column(line: str) -> int:
    """Return how far ``line`` is indented, in columns."""
    return len((line[: len(line) - len(line.lstrip())]).expandtabs(4))


class Row:
    """A block that may still change, because an entry may continue after a page break."""

    __slots__ = ("end", "kind", "level", "role", "section", "start")

    def __init__(
        self, kind: BlockKind, start: int, end: int, section: str, role: SectionRole, level: int
    ) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.section = section
        self.role = role
        self.level = level


class Builder:
    """The state of one pass over the lines of ``text``."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = text.split("\n")
        starts: list[int] = []
        position = 0
        for line in self.lines:
            starts.append(position)
            position += len(line) + 1
        self.starts = starts
        self.rows: list[Row] = []
        self.dense = DenseLines(self.lines) if is_dense(text, self.lines) else None
        # Headings are sought only at the beginning of a run of lines.
        tight = self.dense is None and is_tight(text)
        self.tight = DenseLines(self.lines) if tight else None
        self.outline = Outline()
        self.entries = EntrySplitter()
        # The open paragraph: its first line (-1 for none), where it starts, and its kind.
        self.first = -1
        self.offset = 0
        self.kind: BlockKind = "paragraph"
        self.in_list = False
        # The column where the text of the last list item begins.
        self.content = 0
        self._found: dict[str, int] = {}
        # The last span of lines without a blank one, and the blank line behind it.
        self._blank = (0, -1)
        self.fences: list[int] | None = None

    def add(self, kind: BlockKind, start: int, end: int, level: int = 0) -> None:
        """Add a block without the blanks around it; add nothing if only blanks remain."""
        text = self.text
        while start < end and text[start].isspace():
            start += 1
        while end > start and text[end - 1].isspace():
            end -= 1
        if start < end:
            outline = self.outline
            self.rows.append(Row(kind, start, end, outline.section, outline.role, level))

    def add_heading(
        self, start: int, end: int, marks: int = 0, *, bold: bool = False, may_be_title: bool = True
    ) -> None:
        """Add the heading in ``start:end``; ``marks`` is the number of its "#" signs, 0 for other
        forms.
        """
        title = " ".join(self.text[start:end].split())
        if not title:
            return
        level, _ = self.outline.enter(title, marks, bold=bold, may_be_title=may_be_title)
        if may_name_list(read_title(title).name) and self._entries_follow(end):
            self.outline.set_role("references", title)
        if self.outline.role == "references":
            self.entries = EntrySplitter()
        self.in_list = False
        self.add("heading", start, end, level)

    def _entries_follow(self, offset: int) -> bool:
        """Return whether the paragraph behind the heading that ends at ``offset`` is entries."""
        index = self.line_at(offset) + 1
        while index < len(self.lines) and not self.lines[index].strip():
            index += 1
        last = self.blank_from(index)
        return index < last and bool(entries_of("\n".join(self.lines[index:last])))

    @cached_property
    def indents_code(self) -> bool:
        """Whether indented paragraphs are code: the text has headings of Markdown, and few of its
        paragraphs are indented, as those of PDF text are.
        """
        if _ATX_LINE.search(self.text) is None:
            return False
        indented = paragraphs = 0
        before = ""
        for line in self.lines:
            if line.strip() and not before.strip():
                paragraphs += 1
                indented += line.startswith(("    ", "\t"))
            before = line
        return indented * _PARAGRAPHS_A_CODE <= paragraphs

    def indented_code(self, index: int) -> int:
        """Return the line behind the indented code that begins at line ``index`` after a blank
        line, or ``index`` if there is none.
        """
        if index and self.lines[index - 1].strip():
            return index
        column = _column(self.lines[index]) - (self.content if self.in_list else 0)
        if column < _CODE_COLUMN or self.outline.role == "references":
            return index
        above = index - 1
        while above > 0 and not self.lines[above].strip():
            above -= 1
        announced = above >= 0 and self.lines[above].rstrip().endswith("::")
        if not (announced or self.indents_code):
            return index
        last = self.blank_from(index)
        if any(_column(line) < _CODE_COLUMN for line in self.lines[index:last]):
            return index
        return last

    def find(self, needle: str, position: int) -> int:
        """Search as `str.find`, but never search a span twice, so that many opening marks stay
        cheap.
        """
        known = self._found.get(needle, -2)
        if known == -1 or known >= position:
            return known
        known = self.text.find(needle, position)
        self._found[needle] = known
        return known

    def line_at(self, offset: int) -> int:
        """Return the index of the line that contains ``offset``."""
        return bisect_right(self.starts, offset) - 1

    def line_end(self, index: int) -> int:
        """Return the offset of the end of a line, before its line feed."""
        return self.starts[index] + len(self.lines[index])

    def blank_from(self, index: int) -> int:
        """Return the first blank line at or after ``index``, or the number of lines; as `find`, it
        reads no line twice if it is called in order.
        """
        first, blank = self._blank
        if not first <= index <= blank:
            first = blank = index
            while blank < len(self.lines) and self.lines[blank].strip():
                blank += 1
            self._blank = first, blank
        return blank

    def resume(self, offset: int) -> int:
        """Continue a paragraph at ``offset`` if its line has text left; return the next line."""
        index = self.line_at(offset)
        if self.text[offset : self.line_end(index)].strip():
            self.first = index
            self.offset = offset
            self.kind = "paragraph"
        return index + 1

    def open_paragraph(self, index: int) -> None:
        """Begin a paragraph at the line ``index``, or the rest of an item if it is indented within
        a list.
        """
        line = self.lines[index]
        indented = line[0] in " \t" and (line.startswith(("  ", "\t")))
        self.kind = "list-item" if self.in_list and indented else "paragraph"
        self.in_list = self.in_list and indented
        self.first = index
        self.offset = self.starts[index]

    def flush(self, index: int) -> None:
        """Close the open paragraph before line ``index``."""
        first = self.first
        if first < 0:
            return
        self.first = -1
        start, end = self.offset, self.line_end(index - 1)
        if self.kind != "paragraph":
            self.add(self.kind, start, end)
            return
        short = end - start < _LONGEST_HEADING and index - first < 4
        body = self.text[start:end].lstrip()[:2000].rstrip()
        caption = CAPTION.match(body) if body[0] in "FTAL*_" else None
        if caption:
            self.add("table" if caption["table"] else "figure", start, end)
            return
        if short and self._bare_heading(first, index, start, end, body):
            return
        if short and body[0] in "*_" and _BOLD_LINE.match(body) and not is_sentence(body):
            self.add("figure", start, end)
            return
        if self._is_sub_caption(body):
            self.add("figure", start, end)
            return
        if self.outline.role == "references" and not self._ends_list(first, index, body):
            heading, prose = self._text_behind_list(first, index)
            self._references(first, heading, start)
            if heading < prose:
                self.add_heading(self.starts[heading], self.line_end(prose - 1))
            if heading < index:
                if heading == prose:
                    self.outline.set_role("appendix", "")
                self.add("paragraph", self.starts[prose], end)
            return
        if self.outline.role == "references":
            if is_running_text(body) or is_prose_after_list(body):
                self.outline.set_role("appendix", "")
            else:
                self.add_heading(start, end)
                return
        if body[:1] in "AaIi1*_":
            run_in = _RUN_IN.match(body)
            if run_in:
                begin = start + len(self.text[start:end]) - len(self.text[start:end].lstrip())
                name = "abstract" if run_in["abstract"] else "introduction"
                self.add_heading(begin + run_in.start(name), begin + run_in.end(name))
                self.add("paragraph", begin + run_in.end(), end)
                return
        if self.lines[first].startswith(("    ", "\t")) and is_code(self.lines[first:index]):
            self.add("code", start, end)
            return
        kind = None
        if end - start < 500 or (end - start < 2000 and body[-1] not in ".?!:"):
            kind = junk_kind(body)
            if kind and "\\" in body:
                # A command behind a sentence, such as \bigskip, does not make it a label.
                kind = junk_kind(_COMMANDS_AT_END.sub("", body) or body)
        self.add(kind or "paragraph", start, end)

    def _bare_heading(self, first: int, index: int, start: int, end: int, body: str) -> bool:
        if len(body) > 130 or (index - first > 1 and not (body.isupper() and index - first == 2)):
            return False
        if not (body[0].isupper() or body[0] in "*_0123456789§") or (
            body[-1] in ".,;:" and len(body) > 40
        ):
            return False
        bold = body[0] in "*_" and _BOLD_LINE.match(body) is not None
        title = read_title(body)
        if self.outline.accepts(title, body):
            if not self._is_alone(title, index):
                return False
            self.add_heading(start, end)
            return True
        words = len(title.name.split())
        if (
            bold
            and 0 < words <= 12
            and body.rstrip("*_ ")[-1:] not in ".,;"
            and self.outline.role != "front"
            and max(map(len, title.name.split())) > 3
            and title.name[0].isupper()
            and not title.number
            and _NO_HEADING.search(body) is None
            and self._heads_prose(index)
        ):
            self.add_heading(start, end, bold=True)
            return True
        return False

    def _is_alone(self, title: Title, index: int) -> bool:
        """Return whether a title without a number is not a heading: cells and labels of a figure
        may be in capitals, or be called "Method".
        """
        front = not self.outline.begun or self.outline.role == "front"
        if title.number or front or own_role(title.name) in _ALWAYS:
            return True
        while index < len(self.lines) and not self.lines[index].strip():
            index += 1
        body = self.lines[index].strip() if index < len(self.lines) else ""
        following = read_title(body)
        return (
            not body
            or is_known(following.name)
            or bool(following.number and is_capitals(following.name))
            or body.startswith(("\\", "$$", "![", "<"))
            or self._heads_prose(index)
        )

    def _heads_prose(self, index: int) -> bool:
        """Return whether prose follows line ``index``, because labels of a figure can also be bold
        and alone.
        """
        while index < len(self.lines) and not self.lines[index].strip():
            index += 1
        body = " ".join(self.lines[index : index + 3])[:400].strip()
        line = self.lines[index].strip() if index < len(self.lines) else ""
        if not body or body.startswith(("|", "![", "<", "$$")) or CAPTION.match(body):
            return False
        if len(line) < _LONGEST_LABEL and _BOLD_LINE.match(line):
            return False
        bullet = BULLET.match(body) or NUMBERED.match(body)
        words = body[bullet.end() if bullet else 0 :].split()
        return body[0] == "#" or (
            len(words) > 5 and not FUNCTION_WORDS.isdisjoint(words) and junk_kind(body) is None
        )

    def _ends_list(self, first: int, index: int, body: str) -> bool:
        """Return whether a paragraph ends the reference list: a heading, or prose if neither it nor
        the next paragraph is an entry.
        """
        lines = index - first
        if (
            lines < 3
            and len(body) < _LONGEST_HEADING
            and heads_what_follows(" ".join(body.split()))
        ):
            return True
        if not self.entries.ended or self.entries.may_start(body[:400]):
            return False
        if self.rows and self.text.startswith(_PICTURE, self.rows[-1].start):
            return False
        if not (
            is_running_text(body)
            or is_prose_after_list(body)
            or (lines == 1 and may_head_what_follows(body))
        ):
            return False
        return not self._list_goes_on(index, self.entries)

    def _text_behind_list(self, first: int, index: int) -> tuple[int, int]:
        """Return the lines at which a heading and prose begin that follow the last entry without a
        blank line; ``index`` for both if nothing does, the same line twice without a heading.
        """
        for number in range(first + 1, index):
            before = self.lines[number - 1].rstrip()
            if before[-1:] not in ".)]" and not before[-1:].isdigit():
                continue
            line = self.lines[number].strip()
            if not line[:1].isupper():
                continue
            for prose in (number + 1, number):
                body = " ".join(each.strip() for each in self.lines[prose:index])
                if not is_prose_after_list(body[:2000]):
                    continue
                if prose > number and not may_head_behind_entry(line):
                    continue
                entries = copy(self.entries)
                starts = entries.cut(self.lines[first:number])
                begin = max((at for at, begins in enumerate(starts) if begins), default=0)
                if not has_year("\n".join(self.lines[first + begin : number])):
                    continue  # the entry goes on: a line ends with its names or its title
                goes_on = any(map(entries.may_start, map(str.strip, self.lines[prose:index])))
                if goes_on or self._list_goes_on(index, entries):
                    return index, index
                return number, prose
        return index, index

    def _list_goes_on(self, index: int, entries: EntrySplitter) -> bool:
        """Return whether an entry of the list, or a picture, follows line ``index``; ``entries``
        has cut what is before it.
        """
        label = entries.next_label
        if label is not None and self._label_lines.get(label, -1) >= index:
            return True
        paragraphs = 0
        for number in range(index, min(index + _AHEAD, len(self.lines))):
            line = self.lines[number].strip()
            if line and not self.lines[number - 1].strip():
                paragraphs += 1
                if paragraphs == 1 and line.startswith(_PICTURE):
                    return True
                rest = " ".join(self.lines[number : number + 4])[:400].strip()
                if paragraphs > _PARAGRAPHS_AHEAD or label is not None:
                    return False
                if entries.may_start(rest):
                    return True
        return False

    @cached_property
    def _label_lines(self) -> dict[int, int]:
        """Return the last line that begins with a number such as "[7]" or "7. ", by number."""
        found = {}
        for number, line in enumerate(self.lines):
            match = _LABEL_LINE.match(line)
            if match:
                found[int(match[1] or match[2])] = number
        return found

    def _is_sub_caption(self, body: str) -> bool:
        """Return whether ``body`` is the caption of a part of the figure before it."""
        return (
            body[0] == "("
            and len(body) < 300
            and SUB_CAPTION.match(body) is not None
            and bool(self.rows)
            and self.rows[-1].kind in ("figure", "table")
        )

    def _references(self, first: int, index: int, start: int) -> None:
        lines = self.lines[first:index]
        flags = self.entries.cut(lines)
        begin = start
        opened = flags[0]
        for number in range(first, index + 1):
            if number == index or (number > first and flags[number - first]):
                end = self.line_end(number - 1)
                last = None if opened else self._cut_entry()
                if last is not None:
                    last.end = self.starts[number - 1] + len(self.lines[number - 1].rstrip())
                elif any(map(str.isalpha, self.text[begin : min(end, begin + 200)])):
                    # Labels of a figure may follow the list without a heading.
                    short = end - begin < 40 and is_label(self.text[begin:end])
                    self.add("figure" if short else "reference", begin, end)
                begin = self.starts[number] if number < index else end
                opened = True

    def _cut_entry(self) -> Row | None:
        """Return the last entry, if only page numbers and running heads follow it."""
        rows = self.rows
        place = len(rows) - 1
        lowest = place - 12
        while (
            place > lowest
            and place >= 0
            and rows[place].kind in ("figure", "front-matter")
            and (rows[place].end - rows[place].start < 80 and rows[place].role == "references")
        ):
            place -= 1
        if place < 0 or place == lowest or rows[place].kind != "reference":
            return None
        del rows[place + 1 :]
        return rows[place]

    def name_front(self) -> None:
        """Give everything before the abstract (or the introduction) the role "front"."""
        rows = self.rows[:60]
        for wanted in ("abstract", "introduction"):
            for place, row in enumerate(rows):
                if row.role != wanted:
                    continue
                words = 0
                for before in rows[:place]:
                    long = len(self.text[before.start : before.end].split())
                    if wanted == "introduction" and before.kind == "paragraph" and long > 40:
                        before.role = "abstract"
                        continue
                    words += long if before.kind != "front-matter" else 0
                    if words > 400:
                        return
                    if before.kind == "paragraph":
                        before.kind = "front-matter"
                    before.role = "front"
                return
        for row in rows:
            if row.role == "front" and row.kind == "paragraph":
                if junk_kind(self.text[row.start : row.end]) or not is_sentence(
                    self.text[row.start : row.end]
                ):
                    row.kind = "front-matter"
                else:
                    row.role = "other"
            elif row.role == "front" and row.kind == "list-item":
                row.role = "other"

    def name_list(self) -> None:
        """Make entries in a row at the end of a paper without a heading for them its reference
        list.
        """
        if self.outline.references_seen:
            return
        rows = self.rows
        last = len(rows)
        for place, row in enumerate(rows):
            if row.kind == "heading" and row.role == "appendix":
                last = place
                break
        found: list[Row] = []
        entries = 0
        place = last
        while place > 0:
            row = rows[place - 1]
            if row.kind in ("paragraph", "list-item"):
                start = row.start
                if row.kind == "list-item":
                    # With the number or bullet, which is the label of the entry.
                    line = self.line_at(start)
                    start = (
                        self.starts[line] + len(self.lines[line]) - len(self.lines[line].lstrip())
                    )
                spans = entries_of(self.text[start : row.end])
                if not spans:
                    break
                entries += len(spans)
                found[:0] = [
                    Row("reference", start + first, start + end, "", "references", 0)
                    for first, end in spans
                ]
            elif (
                row.kind in ("html", "front-matter", "figure")
                and row.end - row.start < _LONGEST_DEBRIS
            ):
                found.insert(0, row)
            else:
                break
            place -= 1
        if entries >= _FEWEST_ENTRIES:
            rows[place:last] = found

    def display(self, index: int, start: int, inner: int, closer: str) -> int:
        """Add display mathematics from ``start``; without a near end it stops at a blank line."""
        close = self.find(closer, inner)
        if close >= 0 and _BLANK_LINE.search(self.text, inner, close):
            body = self.text[inner : min(close, inner + _FAR)]
            if (
                close - inner > _FAR
                or _HEADING_WITHIN.search(body)
                or len(_WORDS.findall(body)) * 4 > len(body.split())
            ):
                close = -1
        if close < 0:
            blank = self.blank_from(index)
            self.flush(index)
            self.add("math", start, self.line_end(blank - 1))
            return blank
        last = self.line_at(close)
        rest = self.text[close + len(closer) : self.line_end(last)].strip()
        if rest and last == index and len(rest) > 12:
            return index
        self.flush(index)
        self.add("math", start, close + len(closer))
        if len(rest) > 2:
            return self.resume(close + len(closer))
        return last + 1
