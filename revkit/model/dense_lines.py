"""Find the structure of a text without blank lines, as programs extract it from PDF files.

Nothing separates a heading, the end of a paragraph or a row of a table from the prose around it
but the line itself: its length, how it begins and ends, and whether its number continues the
count of sections.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from revkit.model.line_kinds import FUNCTION_WORDS
from revkit.model.sections import Title, is_capitals, is_known, own_role, read_title

_SHORTEST = 3000
_FEWEST_LINES = 20
_LINES_PER_BLANK = 20
_MARKUP = re.compile(
    r"^(?:#{1,6}[ \t]"
    r"|[ \t]*\\(?:(?:sub)*section|documentclass|bibitem|begin\{(?:document|abstract))\b)",
    re.MULTILINE,
)
_ENDED = re.compile(r"[.?!:;)\]”\"’>}*_][\"”’)*_\d]{0,3}\s*\Z")
_STOPPED = re.compile(r"[.?!][\"”’)\]]*(?:\d{1,2})?\s*\Z")
_HEADS_ALWAYS = frozenset(
    ("abstract", "references", "bibliography", "acknowledgements", "acknowledgments")
)
# Where sections are numbered, only these have no number.
_UNNUMBERED = re.compile(
    r"abstract|references|bibliography|acknowledge?ments?|limitations?|ethics.*|ethical.*|funding"
    r"|broader impacts?.*|reproducibility.*|author contributions?|(?:data|code) availability"
    r"|competing interests|appendi.*|supplement.*|conclusions?"
)
_NUMBER = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,3}|[A-Z](?:\.\d{1,2}){0,3})\.?\s+\S")
_APPENDIX_LETTER = re.compile(r"appendix\s([A-Z])\b", re.IGNORECASE)
_DANGLING = frozenset(
    str.split(
        "the a an of and or to in for with by from that which is are was we our on as at this these"
        " be can not its into than such when where if but"
    )
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
# How a line behind a heading may begin, besides with a capital.
_OPENS = "0123456789-•*"
_MOST_WORDS = 12
_MOST_LABEL_WORDS = 4
_MOST_LINES = 3
_LONGEST = 90
# A short line with a blank line before it and text directly below.
_ABOVE_PROSE = re.compile(r"\n[ \t]*\n(?P<title>[A-Z\d][^\n]{2,40})\n(?=(?P<below>[^\n]{1,200}))")
_FEWEST_USUAL = 2
_NUMERIC = re.compile(r"(?=\D*+\d)[\d.,%±+−/()\[\]–x×*†‡kKMB-]++\Z")


def is_dense(text: str, lines: Sequence[str]) -> bool:
    """Return whether ``text`` is long and has almost no blank lines and no heading markup."""
    if len(text) < _SHORTEST or len(lines) < _FEWEST_LINES:
        return False
    # A line of one character or none is blank, or a torn symbol.
    blanks = sum(len(line) < 2 for line in lines)
    return blanks * _LINES_PER_BLANK < len(lines) and _MARKUP.search(text) is None


def is_tight(text: str) -> bool:
    """Return whether ``text`` has usual headings directly above their sections, with a blank line
    before them and none behind, and no heading markup.
    """
    # Most papers have "##"; "#" is only sought where they do not.
    if "\n## " in text or "\n# " in text or "\\section" in text:
        return False
    found = 0
    for match in _ABOVE_PROSE.finditer(text):
        if len(match["below"].split()) > _MOST_LABEL_WORDS and is_known(
            read_title(match["title"]).name
        ):
            found += 1
            if found == _FEWEST_USUAL:
                return _MARKUP.search(text) is None
    return False


class DenseLines:
    """The lines of one text without blank lines behind headings, and the count of its sections."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        lengths = sorted(len(line) for line in lines if len(line) > 20) or [80]
        # Nine of ten lines are no longer: the width of a column, or of a paragraph.
        self.width = lengths[9 * len(lengths) // 10]
        self._last: tuple[int, ...] = ()
        self._letter = ""

    def _before(self, index: int) -> str:
        return self.lines[index - 1].rstrip() if index else ""

    def _after(self, index: int) -> str:
        return self.lines[index + 1].strip() if index + 1 < len(self.lines) else ""

    def heading_at(self, index: int, bare: str, *, listed: bool) -> int:
        """Return how many lines from ``index`` are a heading, 0 for none.

        ``listed`` says that a reference list was seen, behind which sections have letters.
        """
        if not (bare[0].isupper() or bare[0].isdigit()) or len(bare) > _LONGEST:
            return 0
        lines = self._lines_of(index, bare)
        whole = " ".join([bare, *(self._after(index + more) for more in range(lines - 1))])
        return lines * self._heads(index, whole, lines, listed=listed)

    def _lines_of(self, index: int, bare: str) -> int:
        """Return how many lines a numbered title takes: following lines in capitals, or a short
        line.
        """
        if not is_capitals(read_title(bare).name):
            return 1 + self._is_continued(index, bare)
        lines = 1
        while lines < _MOST_LINES and _goes_on(self._after(index + lines - 1)):
            lines += 1
        return lines

    def _is_continued(self, index: int, bare: str) -> bool:
        """Return whether a numbered title continues in the next line, which is shorter than a
        line.
        """
        after = self._after(index)
        behind = self._after(index + 1)
        return (
            _NUMBER.match(bare) is not None
            and 0 < len(after) < self.width * 0.7
            and len(bare) > self.width * 0.5
            and after[-1] not in ".,;:-"
            and after[0].isalpha()
            and behind[:1].isupper()
            and len(behind) > self.width * 0.8
        )

    def _heads(self, index: int, bare: str, lines: int, *, listed: bool) -> bool:
        if bare[-1] in ",;-–":
            return False
        title = read_title(bare)
        known = is_known(title.name)
        if not title.number and known:
            return bare[0].isupper() and self._is_known(index, title.name.lower())
        match = _NUMBER.match(bare)
        if match is None and self._is_label(bare):
            return self._is_free(index)
        if match is None or not self._is_title(bare[match.end() - 1 :], known=known):
            return False
        if not (known or self._is_free(index, lines)):
            return False
        number = match["number"]
        if number[0].isdigit():
            return not listed and self._counts(number, title, known=known)
        # "A. Lee and B. Xu" begins an entry.
        is_initial = bare[len(number)] == "." and not is_capitals(title.name)
        return listed and "," not in bare and not is_initial and self._counts_letters(number)

    def _is_label(self, bare: str) -> bool:
        """Return whether a line is a title with a colon: "Main contributions:"."""
        words = bare.split()
        return (
            bare[-1] == ":"
            and len(words) <= _MOST_LABEL_WORDS
            and bare[:-1].replace(" ", "").isalpha()
            and FUNCTION_WORDS.isdisjoint(words)
            and len(self._last) > 0
        )

    def _is_known(self, index: int, name: str) -> bool:
        if name in _HEADS_ALWAYS or own_role(name) == "references":
            return True
        if self._last and _UNNUMBERED.fullmatch(name) is None:
            return False
        return self._is_free(index) and len(self._after(index)) > self.width * 0.5

    def _is_free(self, index: int, lines: int = 1) -> bool:
        """Return whether the previous line does not continue at ``index``, and its own sentence
        does not continue after it.
        """
        before, after = self._before(index), self._after(index + lines - 1)
        ended = not before or _ENDED.search(before) is not None or len(before) < self.width * 0.8
        return ended and (not after or after[0].isupper() or after[0] in _OPENS)

    def _is_title(self, name: str, *, known: bool) -> bool:
        words = name.split()
        first = name[0].isupper() or (name[0].isdigit() and name[1:2].isupper())
        if not words or len(words) > _MOST_WORDS or not first:
            return False
        if known:
            return True
        return (
            len(name) < _LONGEST * _MOST_LINES
            and name[-1] not in ".:"
            and words[-1].lower() not in _DANGLING
            and _YEAR.search(name) is None
            and sum(map(str.isdigit, name)) < 4
            and max(map(len, words)) > 3
        )

    def _counts(self, number: str, title: Title, *, known: bool) -> bool:
        """Return whether ``number`` continues the numbering of sections; a usual title may begin
        it.
        """
        parts = tuple(map(int, number.split(".")))
        if 0 in parts:
            return False
        if not self._last:
            begins = parts == (1,) and known
        else:
            begins = parts == (1,) and title.name.lower() == "introduction"
        if begins or (self._last and _follows(self._last, parts)):
            self._last = parts
            return True
        return False

    def begin_appendix(self, heading: str) -> None:
        """Count the letter of the heading "Appendix A: Proofs" of what follows the list."""
        match = _APPENDIX_LETTER.match(heading)
        if match:
            self._letter = match[1].upper()

    def _counts_letters(self, number: str) -> bool:
        letter = number[0]
        expected = chr(ord(self._letter) + 1) if self._letter else "A"
        if letter == expected and "." not in number:
            self._letter = letter
            return True
        return letter == self._letter and "." in number

    def ends_paragraph(self, index: int, bare: str) -> bool:
        """Return whether the line before ``index`` ended its paragraph: short, and with a full
        stop.
        """
        before = self._before(index)
        return (
            len(before) < self.width * 0.85
            and _STOPPED.search(before) is not None
            and (bare[0].isupper() or not bare[0].isalnum())
        )

    def ends_caption(self, index: int) -> bool:
        """Return whether the line before ``index`` ended a caption."""
        return _STOPPED.search(self._before(index)) is not None

    def is_row(self, bare: str) -> bool:
        """Return whether a line contains cells of a table or a formula instead of words."""
        tokens = bare.split()
        if len(tokens) < 3 or not FUNCTION_WORDS.isdisjoint(tokens):
            return False
        numbers = sum(_NUMERIC.match(token) is not None for token in tokens)
        words = sum(len(token) > 2 and token.strip("(,.;:)").isalpha() for token in tokens)
        return numbers * 2 > len(tokens) or words * 4 < len(tokens)


def _goes_on(line: str) -> bool:
    """Return whether a line continues with a title in capitals."""
    return (
        _NUMBER.match(line) is None
        and sum(map(str.isalpha, line)) > 3
        and line.upper() == line
        and not is_known(line.lower())
        and line[-1] not in ".,;"
    )


def _follows(last: tuple[int, ...], parts: tuple[int, ...]) -> bool:
    """Return whether a section ``parts`` may follow section ``last``: "2.1" or "3" after "2"."""
    if parts in ((*last, 1), (last[0] + 1, 1)):
        return True
    depth = len(parts)
    if depth > len(last) or parts[:-1] != last[: depth - 1]:
        return False
    # A heading in between may have been lost.
    return 0 < parts[-1] - last[depth - 1] <= 2
