"""Entries of a reference list: find where each entry begins and ends, and where the list ends."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from revkit.model.line_kinds import FUNCTION_WORDS, is_running_text
from revkit.model.sections import is_known, read_title

# What a note within an entry begins with: "[Accessed Oct-2020]", "[Online]".
NO_LABEL = (
    r"(?i:accessed|last (?:visited|accessed)|visited|online|retrieved|available|internet|cited)\b"
)
_LABELLED = re.compile(
    r"(?:(?:<[^<>]{1,80}>){1,3}\s?)?"
    r"(?:\\?\[(?P<bracket>\d{1,4})\\?\]"
    r"|\\?\[(?!" + NO_LABEL + r")(?:[^\[\]\\]{1,24}\d{2,4}[a-z]?|[A-Z][A-Za-z+]{1,9})\\?\]\s"
    r"|\(?(?P<number>\d{1,3})[.)]\s|[-*+•]\s|\[\^[^\]\s]+\]:|\\bibitem\b)"
)
_NOTE = re.compile(r"[\[(]?" + NO_LABEL)
# "van den Oord, A.", "de Vries and Lee": names that begin with a small letter.
_PARTICLE = re.compile(
    r"(?:(?:van|von|vom|zu|zur|de|del|della|di|da|dos|das|du|den|der|des|la|le|el|al|ter|ten|te|af"
    r"|av|bin|ibn|in ['’]t|op|uit|['’]t|['’]s)[\s~]+){1,3}(?:[^\W\d_a-z]|[dl]['’])"
    r"|(?:d|l|al|el|[’'])[’'-](?=[^\W\d_a-z])"
)
# "3GPP. (2016)", "4TU.ResearchData": organisations whose name begins with a digit, but not "3D".
_DIGIT_NAME = re.compile(r"\d[A-Z]{2,10}(?:[.,:\s(]|\Z)")
# Headings of what follows a list, which no entry looks like.
_AFTER_LIST = re.compile(
    r"(?:[a-z\d]{1,2}[.:)]?\s)?(?:(?:online|technical|web|internet|electronic)\s)?"
    r"(?:appendix|appendices|annex(?:es)?|supplement(?:s|al|ary)?|supporting information"
    r"|anhang|anhänge|annexes?|anexos?|apéndices?|apêndices?|bijlagen?|приложени[ея])\b(?!,)"
    r"|附[录錄]|付録|부록"
    r"|(?:[\w&.'’/-]+\s){0,6}check-?list\b",
    re.IGNORECASE,
)
_ENTRY_SIGN = re.compile(r"[.,]\s|\b(?:19|20)\d\d\b")
_LONGEST_HEADING = 110
_MOST_WORDS = 12
_LONG_WORD = re.compile(r"[^\W\d_]{4}")
_ADDRESS = re.compile(r"://|www\.|doi\b|arxiv", re.IGNORECASE)
# How an entry without a label begins: "Lee, A.", "A. Lee", "Ann Lee and", "Lee A,", "Lee et al".
_NAMES = re.compile(
    r"[^\W\d_a-z][\w'’-]*(?:[\s-][^\W\d_a-z][\w'’-]*)?,\s(?:[^\W\d_a-z]|and\s)"
    r"|[^\W\d_a-z]\.[\s-]?(?:[^\W\d_a-z]\.[\s-]?){0,3}[^\W\d_a-z][\w'’-]+"
    r"|(?:[^\W\d_a-z][\w.'’-]*\s){1,3}[^\W\d_a-z][\w'’-]+(?:,|\sand\s|\s&\s|\.\s|\s\()"
    r"|[^\W\d_a-z][\w'’-]+(?:\s[^\W\d_a-z]{1,3})?(?:,|\set al|\sand\s|\s&\s|\s\()"
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_AUTHOR = re.compile(
    r"(?:[^\W\d_][\w.'’`´¨^~ˇ‐-]*\s+){0,5}?[^\W\d_][\w.'’`´¨^~ˇ‐-]*(?:,|\s+(?:and|&)\s|\.(?:\s|\Z)|\s+\()"
)
_NO_AUTHOR = (
    "In ",
    "In: ",
    "Proceedings",
    "Proc.",
    "Advances",
    "URL",
    "arXiv",
    "ArXiv",
    "Springer",
    "PMLR",
    "IEEE ",
    "IEEE,",
    "ACM",
    "MIT Press",
    "Curran",
    "Association",
    "Conference",
    "International Conf",
    "Journal",
    "Technical",
    "PhD",
    "Ph.D",
    "Master’s",
    "Master's",
    "Master thesis",
    "Available",
    "Vol.",
    "Volume ",
    "Cambridge",
    "Oxford",
    "University",
    "Elsevier",
    "CoRR",
    "Transactions",
    "Workshop",
    "Machine Learning",
    "Nature,",
)


_TOKEN = re.compile(r"\S+")
_YEAR_BEHIND_NAMES = re.compile(
    r"[(\[]?(?:(?P<year>(?:19|20)\d\d)[a-z]?(?:[,/–-]\s?[\w ]{1,12})?"
    r"|n\.\s?d\.|no date|undated|in press|forthcoming|to appear|submitted|under review"
    r"|in preparation|accepted)"
    r"[)\]]?(?:[.,:;]|\Z|(?<=[)\]])\s)"
)
_JOINS = frozenset(("and", "&", "et", "al.", "al", "al.,", "others", "und", "y", "…", "...", "*"))
_OPEN_TITLES = frozenset(("In", "On", "The", "How", "Why", "What", "Towards", "Toward"))
_MOST_NAMES = 120
_HYPHEN = re.compile(r"(?<=[a-z])-\s?\n\s{0,4}(?=[a-z])")
# Some styles print behind an entry the pages that cite it: "2017. 3, 9".
_BACK_REFERENCES = re.compile(r"(?<=[.)])\s?\d{1,3}(?:,\s\d{1,3}){0,20}\Z")
# Names that are written small: "danah boyd and", "bell hooks.", "fast.ai.", "scikit-learn
# developers.", "k. d. lang (".
_SMALL_NAMES = re.compile(
    r"(?:[a-z]\.\s){1,3}[a-z][\w'’-]+(?:[.,:]\s|\s(?:\(|and\s|&\s))"
    r"|(?P<words>(?:[a-z][\w'’/-]*(?:\.[a-z][\w-]*)*\s){0,3}?[a-z][\w'’/-]+(?:\.[a-z]\w*)*)"
    r"(?:[.,:]\s|\s(?:[(\[](?=\d|n\.)|(?:and|&)\s))"
)
_SMALL_YEAR = re.compile(r"[^,:;]{2,60}?[\s(\[](?:19|20)\d\d[a-z]?[)\].]")
# What continues an entry, and no name contains.
_NO_SMALL_NAME = FUNCTION_WORDS | frozenset(
    str.split(
        "arxiv biorxiv medrxiv preprint pages page pp vol volume no edition ed eds editor editors"
        " chapter doi url http https www available accessed retrieved press thesis phd master"
        " report technical proceedings proc conf conference journal workshop number article paper"
        " version part et al see also via using based between through over under about into"
        " towards than its de"
    )
)
_INITIAL = re.compile(r"(?:^|[\s.-])[^\W\d_]\.\s*\Z")
_MONTHS = tuple(
    str.split("Jan Feb March Mar. April Apr. May June July Jun. Jul. Aug Sep Oct Nov Dec")
)
# Of this many lines an indentation shows which begin an entry.
_INDENTED = re.compile(r"[ \t]{2,}\S")


def year_behind_names(entry: str) -> str | None:
    """Return the year directly after the names with which ``entry`` begins, or `None`.

    "Lee, A. (2014). ..." and "Ada Lee and Bo Xu. 2014. ..."; "" where that place says "n.d.".
    """
    for number, match in enumerate(_TOKEN.finditer(entry, 0, 1500)):
        token = match.group()
        bare = token.strip("*_†‡.,;:()“”\"'{}")
        if (token[:1] in "([12ntf" or token == "in") and number:
            year = _YEAR_BEHIND_NAMES.match(entry, match.start())
            if year and token[0] in "([" and entry[year.end() : year.end() + 1].islower():
                return None  # a title goes on: "The TAC (2010) track"
            if year:
                return year["year"] or ""
        if number > _MOST_NAMES:
            return None
        if not (
            not bare
            or _begins_name(bare)
            or token in _JOINS
            or bare in _JOINS
            or _PARTICLE.match(f"{bare} A")
            or bare in ("eds", "ed")
            or len(bare) == 1
            or (token.isdigit() and len(token) < 3)
        ):
            return None
        if number and (token.endswith(("?", "!")) or bare in _OPEN_TITLES):
            return None
    return None


def _has_small_names(opening: str) -> bool:
    """Return whether ``opening`` may begin with a name that is written small."""
    match = _SMALL_NAMES.match(opening.removeprefix("the "))
    return match is not None and _NO_SMALL_NAME.isdisjoint(
        re.split(r"[\s.]", (match["words"] or "").lower())
    )


class EntrySplitter:
    """Splits the chunks of a reference list into entries; a chunk contains no blank line.

    A list whose first entry has a label has a label on every entry; in a list without labels an
    entry starts after a blank line, after a Markdown hard break, or where a line of author names
    follows an entry that has its year and its full stop.
    """

    def __init__(self) -> None:
        self._labelled: bool | None = None
        self._number = 0
        self._complete = True
        self._has_year = False
        self._last = ""
        self._entries = 0
        self._counts = True
        self._label = 0
        self._fronted = 0

    @property
    def ended(self) -> bool:
        """Whether the list has entries and the last one seems to be complete."""
        last = self._last
        return (
            self._entries > 0
            and self._complete
            and (
                last[-1:] in ".)]}/>*_" or last[-1:].isdigit() or _ADDRESS.search(last) is not None
            )
        )

    @property
    def next_label(self) -> int | None:
        """The number of the next entry, if the entries so far are numbered from 1."""
        return self._label + 1 if self._label and self._counts else None

    def may_start(self, paragraph: str) -> bool:
        """Return whether ``paragraph`` looks like an entry of this list."""
        if self._labelled:
            return _LABELLED.match(paragraph) is not None
        if _YEAR.search(paragraph) is None:
            return False
        return (
            _NAMES.match(paragraph) is not None
            or _PARTICLE.match(paragraph) is not None
            or _has_small_names(paragraph)
        )

    def cut(self, lines: Sequence[str]) -> list[bool]:
        """Return for each line whether a new entry starts there.

        The first line of a chunk may continue the entry before it, which a page break has cut.
        """
        before = self._complete, self._has_year, self._last
        hanging = self._hangs(lines)
        starts = [
            self._starts(lines, index) and not (hanging and lines[index][:1] in " \t")
            for index in range(len(lines))
        ]
        if len(lines) == 1 and starts[0] and not self._labelled and is_label(lines[0]):
            # A running head or the label of a figure: the entry before it is as whole as it was.
            self._complete, self._has_year, self._last = before
        return starts

    def _starts(self, lines: Sequence[str], index: int) -> bool:
        line = lines[index]
        bare = line.strip()
        match = _LABELLED.match(bare)
        if self._labelled is None:
            self._labelled = match is not None
        if self._labelled:
            starts = match is not None
            if match and match["number"]:
                number = int(match["number"])
                starts = self._number == 0 or number in (self._number + 1, 1)
                if starts:
                    self._number = number
            if match and starts:
                self._count(match["bracket"] or match["number"])
        else:
            starts = self._starts_unlabelled(lines, index, bare)
        self._entries += starts
        if starts and not self._labelled:
            self._fronted += year_behind_names(_following(lines, index)) is not None
        year = _YEAR.search(bare) is not None
        self._has_year = year or (self._has_year and not starts)
        self._complete = self._has_year or bare[-1:] in ".)"
        self._last = bare
        return starts

    def _hangs(self, lines: Sequence[str]) -> bool:
        """Return whether indented lines continue the entry before them, and other lines begin
        one.
        """
        if len(lines) < 3 or lines[0][:1] in " \t":
            return False
        return sum(_INDENTED.match(line) is not None for line in lines) * 3 >= len(lines)

    def _count(self, label: str | None) -> None:
        number = int(label) if label else 0
        self._counts = self._counts and number in (self._label + 1, 1)
        self._label = number

    def _begins_small(self, lines: Sequence[str], index: int, line: str) -> bool:
        """Return whether ``line``, directly below an entry, begins one with names that are written
        small and the year behind them, as in most entries of the list.
        """
        return (
            3 * self._fronted >= 2 * self._entries
            and self._follows_whole_entry()
            and _has_small_names(line)
            and _SMALL_YEAR.match(_following(lines, index)) is not None
        )

    def _follows_whole_entry(self) -> bool:
        """Return whether the entry so far has its year and its full stop."""
        return self._has_year and (
            self._last[-1:] in ".)]"
            or self._last[-1:].isdigit()
            or bool(_ADDRESS.search(self._last))
        )

    def _starts_unlabelled(self, lines: Sequence[str], index: int, bare: str) -> bool:
        opening = bare.lstrip('_*[("“-– ')
        note = self._entries > 0 and _NOTE.match(bare) is not None
        name = not opening[:1].islower() or _PARTICLE.match(opening) is not None
        small = note or not name or (opening[:1].isdigit() and not _DIGIT_NAME.match(opening))
        if not index:
            if not name and not note and self._follows_whole_entry():
                return has_year(_following(lines, index)) and _has_small_names(opening)
            return (
                self._complete
                and not small
                and not (self._entries and opening.startswith(_NO_AUTHOR))
            )
        before = lines[index - 1]
        if before.endswith("  ") and self._complete:
            return not small
        before = _BACK_REFERENCES.sub("", before.rstrip())
        ended = before[-1:]
        if not name:
            return ended in ".)]" and self._begins_small(lines, index, bare)
        if 3 * self._fronted >= 2 * self._entries and self._entries:
            # Titles too begin with a capital and end with a stop; only names have a year behind.
            return (
                _INITIAL.search(before) is None
                and (ended in ".)]>*_" or ended.isdigit() or _ADDRESS.search(before) is not None)
                and not small
                and _begins_name(bare)
                and not bare.startswith(_MONTHS)
                and (year_behind_names(_following(lines, index)) is not None)
            )
        return (
            self._has_year
            and ended == "."
            and not bare.startswith(_NO_AUTHOR)
            and _begins_name(bare)
            and _AUTHOR.match(bare) is not None
        )


def _begins_name(text: str) -> bool:
    """Return whether ``text`` begins as a name may: with a capital, a letter of a script without
    capitals, a particle, or as an organisation such as "3GPP".
    """
    first = text[:1]
    return (
        (first.isalpha() and not first.islower())
        or _PARTICLE.match(text) is not None
        or _DIGIT_NAME.match(text) is not None
    )


def _following(lines: Sequence[str], index: int) -> str:
    """Return the line at ``index`` and the following text over which names may continue."""
    return _HYPHEN.sub("", "\n".join(lines[index : index + 12])[:1500]).strip()


def has_year(text: str) -> bool:
    """Return whether ``text`` contains a year, as every entry does."""
    return _YEAR.search(text) is not None


def is_label(text: str) -> bool:
    """Return whether ``text`` is too short for an entry and has no sign of one, such as the label
    of a figure.
    """
    return len(text) < 40 and _ENTRY_SIGN.search(text) is None


_VENUE_SIGN = re.compile(
    r"\bpp\.\s?\d|\bpages?\s\d|arXiv|\bCoRR\b|\bIn[: ]+[*_]?(?:Proc|Adv|International|[A-Z]{3,})"
    r"|Journal|Transactions|Conference|Proceedings|\bvol\.|\bdoi\b|\d\s?\(\d{1,3}\)|[:,]\s?\d+\s?[–-]+\s?\d+"
    r"|\bPress\b|Thesis|thesis|Technical [Rr]eport|\bURL\b"
)
_ORDINARY = frozenset(str.split("we our is are was were this that these it which can be have has"))


def looks_like_entry(paragraph: str) -> bool:
    """Return whether ``paragraph`` looks like an entry of a reference list: names, a year, a venue
    or pages, and no words of a sentence.
    """
    head = paragraph[:400].strip()
    # Most paragraphs of prose have no year; these two are found in a tenth of its time.
    if not ("19" in head or "20" in head):
        return False
    if _YEAR.search(head) is None or _VENUE_SIGN.search(head) is None:
        return False
    label = _LABELLED.match(head)
    body = head[label.end() :].lstrip() if label else head
    if _NAMES.match(body) is None and _PARTICLE.match(body) is None:
        return False
    return len(_ORDINARY.intersection(body.lower().split())) < 2


_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|received|works|worked|joined|holds|held|studied|obtained"
    r"|earned|serves|served|leads|led|[Ww]e|[Hh]e|[Ss]he|[Tt]hey|thank|acknowledge|declare|contributed)\b"
)
_FEWEST_WORDS = 12


def is_prose_after_list(paragraph: str) -> bool:
    """Return whether ``paragraph`` is prose although it may contain a year: the life of an author,
    a statement on funding, a remark.
    """
    head = paragraph[:600].strip()
    words = head.split()
    return (
        len(words) >= _FEWEST_WORDS
        and head[0].isupper()
        and paragraph.rstrip()[-1:] in ".?!"
        and _LABELLED.match(head) is None
        and _VENUE_SIGN.search(head) is None
        and _ADDRESS.search(head) is None
        and not head.startswith(_NO_AUTHOR)
        and year_behind_names(head) is None
        and not _begins_with_names(head)
        and _FINITE.search(_first_sentence(head)[:160]) is not None
        and 6 * sum(map(FUNCTION_WORDS.__contains__, words)) >= len(words)
    )


def _first_sentence(text: str) -> str:
    """Return ``text`` up to the first full stop behind a word, not behind an initial."""
    return re.split(r"(?:(?<=[^\W\d_]{3})|(?<=\bal))[.?!]\s", text, maxsplit=1)[0]


def _begins_with_names(text: str) -> bool:
    """Return whether the first sentence is a list of names: "Ju Sun, Qing Qu, and John Wright." """
    first = _first_sentence(text).replace(",", " , ").split()
    named = all(word[0].isupper() or word in _BETWEEN_NAMES for word in first)
    return named and any(word in _BETWEEN_NAMES for word in first)


_BETWEEN_NAMES = frozenset((",", "and", "&", "et", "al", "de", "den", "der", "di", "van", "von"))
_AT_END = re.compile(r"\b(?:19|20)\d\d[a-z]?\W{0,4}\Z")
_YEAR_THEN_VERB = re.compile(r"[(\[](?:19|20)\d\d[a-z]?[)\]]\s+[a-z]")


def entries_of(paragraph: str) -> list[tuple[int, int]]:
    """Return the spans of the entries that ``paragraph``, outside a reference list, consists of;
    none if a part of it is not an entry.
    """
    lines = paragraph.split("\n")
    starts = EntrySplitter().cut(lines)
    spans: list[tuple[int, int]] = []
    position = 0
    for line, first in zip(lines, starts, strict=True):
        end = position + len(line)
        if first or not spans:
            spans.append((position, end))
        else:
            spans[-1] = spans[-1][0], end
        position = end + 1
    return spans if all(_is_entry(paragraph[start:end]) for start, end in spans) else []


def _is_entry(piece: str) -> bool:
    if looks_like_entry(piece):
        return True
    label = _LABELLED.match(piece.strip())
    body = piece.strip()[label.end() if label else 0 :].lstrip()
    if len(body) > 600 or (_NAMES.match(body) is None and _PARTICLE.match(body) is None):
        return False
    dated = _AT_END.search(body) is not None or bool(year_behind_names(body))
    return (
        dated
        and _YEAR_THEN_VERB.search(body) is None
        and len(_ORDINARY.intersection(body.lower().split())) < 2
    )


def heads_what_follows(line: str) -> bool:
    """Return whether ``line`` is a heading of the section after a reference list, regardless of its
    context.

    "Appendix A: Proofs", "Supplementary Material", "NeurIPS Paper Checklist", "7 Conclusion".
    """
    if len(line) > _LONGEST_HEADING or line[-1:] in ",;" or _YEAR.search(line):
        return False
    title = read_title(line)
    if title.number and is_known(title.name):
        return True
    words = line.split()
    if len(words) > _MOST_WORDS or (line[-1:] == "." and len(words) > 5):
        return False
    return _AFTER_LIST.match(line.lstrip("*_# §")) is not None


def may_head_what_follows(line: str) -> bool:
    """Return whether ``line``, alone between blank lines after a complete entry, may be a
    heading.
    """
    bare = line.strip("*_ ")
    return (
        0 < len(bare) <= _LONGEST_HEADING
        and len(bare.split()) <= _MOST_WORDS
        and (bare[0].isupper() or bare[0].isdigit())
        and bare[-1] not in ".,;"
        and "," not in bare
        and not bare.startswith(_NO_AUTHOR)
        and _LONG_WORD.search(bare) is not None
        and not (_LABELLED.match(bare) or _YEAR.search(bare) or _ADDRESS.search(bare))
    )


def may_head_behind_entry(line: str) -> bool:
    """Return whether ``line`` directly behind a complete entry, and before prose, may be a heading:
    "A. Proof of Theorem 1", "Proofs".
    """
    bare = line.strip("*_ ")
    title = read_title(bare)
    return may_head_what_follows(title.name if title.number else bare)


_LOOKED_AHEAD = 8


def length_of_list(paragraphs: Sequence[str], bold: Collection[int] = ()) -> int:
    """Return how many of ``paragraphs`` belong to a list whose heading they follow, if each entry
    is one paragraph.

    A heading such as "Appendix A: Proofs" ends it, and prose, another heading before prose or one
    in ``bold``, if no entry is among the next paragraphs.
    """
    for place in range(1, len(paragraphs)):
        text = paragraphs[place]
        if heads_what_follows(text):
            return place
        ahead = paragraphs[place : place + _LOOKED_AHEAD]
        if any(map(_is_whole_entry, ahead)):
            continue
        heads = may_head_what_follows(text) and (
            place in bold or (len(ahead) > 1 and _is_prose(ahead[1]))
        )
        if heads or _is_prose(text):
            return place
    return len(paragraphs)


def _is_whole_entry(text: str) -> bool:
    return _LABELLED.match(text) is not None or _is_entry(text)


def _is_prose(text: str) -> bool:
    return is_running_text(text) or is_prose_after_list(text)
