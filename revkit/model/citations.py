"""Citations in prose, and the entries of the reference list."""

from __future__ import annotations

import re
from collections.abc import Sequence

from revkit.model.inline import inline_marks
from revkit.model.line_kinds import PAGE_LINE
from revkit.model.reference_list import NO_LABEL, year_behind_names
from revkit.model.structure import Block, Citation, Reference

_LABEL = re.compile(
    r"\\bibitem\s*+(?:\[(?:[^\[\]{}]|\{[^{}]*\})*\])?\s*+\{(?P<bib>[^{}]*)\}\s*"
    r"|\[\^(?P<note>[^\]\s]+)\]:\s*"
    r"|(?:[-*+•]\s+|(?:<[^<>]{1,80}>){1,3}\s*)?\\?\[(?!" + NO_LABEL + r")"
    r"(?P<bracket>\d{1,4}|[^\[\]\n]{1,30}\d{2,4}[a-z]?|[A-Z][A-Za-z+]{1,9})\\?\][.:]?\s+"
    r"|\(?(?P<number>\d{1,3})[.)]\s+"
    r"|[-*+•]\s+"
)
# A page that cites the entry may follow the letter without a blank: "2024b.2".
_YEAR = re.compile(r"(?<![\w./:-])((?:19|20)\d\d)(?:[a-z](?![\w/-])|(?![\w/-]|\.\d))")
# Behind a digit it is the month of a number of a volume: "76(December 2013)".
_YEAR_IN_BRACKETS = re.compile(r"(?<!\d)\(\s*(?:[A-Z][a-z]+\.?\s+)?((?:19|20)\d\d)[a-z]?\s*\)")
_SMALL_WORD = re.compile(r"(?<![\w'’-])[a-z]{2,}")
# Small words among the names of authors.
_BETWEEN_NAMES = frozenset(
    str.split(
        "and et al und y e van von vom de der den del della di da dos das du la le ten ter eds ed"
    )
)
# The year of Vancouver style, before the volume, which may look like a year: "2015;2014(2):1-9".
_YEAR_BEFORE_VOLUME = re.compile(
    r"(?<![\w./:-])((?:19|20)\d\d)(?:\s[A-Z][a-z]{2,8}(?:[\s/-]\w{1,8}){0,2})?;\s?[A-Z(]?\d"
)
_YEAR_ALONE = re.compile(r"[.?!]\s((?:19|20)\d\d)[a-z]?\.\s")
_YEAR_AT_END = re.compile(r"[,;(]\s?((?:19|20)\d\d)[a-z]?\W{0,4}\Z")
_STATUS = re.compile(
    r"\b(?:forthcoming|to appear|in press|in preparation|submitted|under review|accepted)\W{0,4}\Z",
    re.IGNORECASE,
)
_LONGEST_STATUS = 24
# In a title, not in what follows one: "elections of 1995", "The TAC (2010) track".
_YEAR_OF_TITLE = re.compile(r"(?<=[a-z]\s)(?:19|20)\d\d\b|\((?:19|20)\d\d[a-z]?\)(?=\s[a-z])")
# Names that end with a full stop or a title in quotes, and words up to a year: "B. Lee. Vision ".
# Behind a small word the full stop ends a title: "nets. Neural Networks 2016".
_TITLE_BEFORE_YEAR = re.compile(
    r"(?:\b(?:al|[^\W\d_a-z][^\W\d_]{1,39})\.[\"”’']?\s|[\"“‘'`]{1,2})(?:[^\W\d_][\w'’-]{0,30}\s){1,8}[(\[]?\Z"
)
_VENUE_BEFORE_YEAR = re.compile(r"(?:\b\w{0,20}[A-Z]{2}\w{0,20}['’]?|\b(?:In|Proc\.?))\s[(\[]?\Z")
_LATER_VISIT = re.compile(
    r"\b(?:accessed|retrieved|visited|revised|corrected|updated|published online)\b", re.IGNORECASE
)
# "Lee, B., and Xu, C. Vision ": initials end the names.
_TITLE_BEHIND_INITIALS = re.compile(
    r"[^\W\d_][\w'’-]{1,30},\s[^\n]{0,250}?[^\W\d_]{2,30},\s(?:[^\W\d_]\.[\s-]?){1,3}"
    r"(?<=\s)(?:[^\W\d_][\w'’-]{1,30}\s){1,8}[(\[]?\Z"
    r"|[^\W\d_][\w'’-]{1,30},\s(?:[^\W\d_]\.[\s-]?){1,3}(?<=\s)(?:[^\W\d_][\w'’-]{1,30}\s){1,8}"
    r"[(\[]?\Z"
)
_YEAR_OF_VENUE = re.compile(
    r"(?:\A|[,;(.]|[^\W\d_]\w{2,20})\s?((?:19|20)\d\d)[a-z]?\W{0,4}(?:\Z|[.,;:)])"
)
_ADDRESS = re.compile(r"(?:https?://|www\.|doi:|arXiv:|abs/)\S+", re.IGNORECASE)
_PAGES = re.compile(r"(?:pp?\.?|pages|:)\s*\d+\s*[-–]+\s*\d+")


def find_citations(text: str, start: int, end: int) -> tuple[Citation, ...]:
    """Return the citation markers within ``text[start:end]``, in order and without overlap.

    Numeric marks ("[3, 7-9]", ``^[3]``, ``<sup>3</sup>``), author-year marks in brackets and in
    narrative form, LaTeX and pandoc keys. Brackets within mathematics, code and links are none;
    neither are intervals ("values in [1, 5]", anything with a 0) and bare dates.
    """
    return inline_marks(text, start, end)[1]


def reference_year(entry: str) -> int | None:
    """Return the year of publication named in ``entry``, or `None` if no year is plausible.

    A year right after the authors counts first, then that before a volume ("2015;12:1-9"), then
    the last in parentheses, then the last one outside addresses and page ranges. A work without a
    date, or still to appear, has no year but one that follows a comma at its end or a name; the
    year in its title does not count, also at its end ("Vision 2020").
    """
    fronted = year_behind_names(entry)
    if fronted:
        rest = _behind_title(entry, entry.index(fronted))
        return int(fronted) if rest is None else _year_within(rest)
    if fronted == "":
        at_end = _YEAR_AT_END.search(entry)
        return int(at_end[1]) if at_end else None
    return _year_within(entry)


def _year_within(entry: str) -> int | None:
    before_volume = _YEAR_BEFORE_VOLUME.search(entry) if ";" in entry else None
    if before_volume:
        return int(before_volume[1])
    if _STATUS.search(entry, max(0, len(entry) - _LONGEST_STATUS)):
        entry = _YEAR_OF_TITLE.sub(" ", entry)
    bracketed = list(_YEAR_IN_BRACKETS.finditer(entry))
    if bracketed:
        bracketed = [match for match in bracketed if not _goes_on(entry, match.end())]
    if bracketed:
        first = bracketed[0]
        after_names = _BETWEEN_NAMES.issuperset(_SMALL_WORD.findall(entry, 0, first.start()))
        return int((first if after_names else bracketed[-1])[1])
    alone = _YEAR_ALONE.search(entry)
    if alone and not _YEAR_AT_END.search(entry):
        return int(alone[1])
    bare = (
        _PAGES.sub(" ", _ADDRESS.sub(" ", entry))
        if "-" in entry or "–" in entry or ("/" in entry or ":" in entry)
        else entry
    )
    years = _YEAR.findall(bare)
    return int(years[-1]) if years else None


def _behind_title(entry: str, place: int) -> str | None:
    """What follows the title of ``entry`` if the year at ``place`` is the end of the title: names
    that end with a full stop are before it, and another year is behind it. `None` otherwise, as for
    the year of a venue ("Adam. ICLR 2015. arXiv 2014.").
    """
    names = entry[max(0, place - 300) : place]
    if _VENUE_BEFORE_YEAR.search(names):
        return None
    if not (_TITLE_BEFORE_YEAR.search(names) or _TITLE_BEHIND_INITIALS.match(names)):
        return None
    rest = _LATER_VISIT.split(entry[place + 4 :], maxsplit=1)[0].lstrip(" .,:;)]\"”’'")
    plain = _PAGES.sub(" ", _ADDRESS.sub(",", rest))
    return rest if _YEAR_OF_VENUE.search(plain) else None


def _goes_on(entry: str, end: int) -> bool:
    """Return whether a title goes on behind the year in brackets that ends at ``end``."""
    return entry[end : end + 1] == " " and entry[end + 1 : end + 2].islower()


def parse_references(text: str, blocks: Sequence[Block]) -> tuple[Reference, ...]:
    """Return one `Reference` for each block of kind "reference", in order.

    ``text`` of an entry is what follows its label, with line breaks made blanks.
    """
    found: list[Reference] = []
    for block in blocks:
        if block.kind != "reference":
            continue
        label = ""
        start = block.start
        match = _LABEL.match(text, start, block.end)
        if match:
            start = match.end()
            label = (
                match["bib"] or match["note"] or match["bracket"] or match["number"] or ""
            ).strip()
        lines = text[start : block.end].split("\n")
        if len(lines) > 1:
            lines = [line for line in lines if not PAGE_LINE.match(line.strip())]
        body = " ".join(" ".join(lines).split())
        found.append(Reference(block.start, block.end, label, body, reference_year(body)))
    return tuple(found)
