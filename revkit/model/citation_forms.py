"""Citation forms: decide how a paper cites, from its reference list and all its markers together.

"(20; 21)" may name two works or two equations, and a raised "1" a work or a footnote. Such a mark
alone does not show which; the numbers of the list, and the marks beside it, do.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Literal

from revkit.dataclass import dataclass
from revkit.model.inline import inline_marks
from revkit.model.inline_patterns import cross_start, follows_word, numeric_keys
from revkit.model.structure import Block, Citation, Reference, Span

_NUMBERS = r"\d{1,3}(?:\s?[-–—,;]\s?\d{1,3}){0,30}"
# "(3; 7)"; some journals print the numbers in italics, converters each of them: "(*3*, *7*)".
_SLANTED = r"[*_]{0,3}\d{1,3}[*_]{0,3}(?:\s?[-–—,;]\s?[*_]{0,3}\d{1,3}[*_]{0,3}){0,30}"
_ROUND = re.compile(
    r"(?<![\w)\]}])\((?:(?:see|cf\.|e\.g\.,?|see also|see e\.g\.,?)\s)?"
    rf"\s?(?P<keys>{_SLANTED})\s?\)"
    rf"(?:[-–—]\(\s?(?P<last>\d{{1,3}})\s?\))?(?![\w(])"
)
# One of these is in every text with such a mark.
_WORDS = (
    *("(ref", "(Ref", "see ref", "see Ref", "cf. ref", "cf. Ref"),
    *("ef. ", "efs. ", "ef.~", "efs.~"),
)
_EMPHASIS = str.maketrans("", "", "*_")
# "(Ref. 3)", "(refs. 3 and 7)", "in Refs. 3-5".
_WORDED_NUMBERS = r"\d{1,3}(?:(?:\s?[-–—,;]\s?|,?\s(?:and|&)\s)\d{1,3}){0,30}"
_WORDED = re.compile(
    rf"\((?:(?:see|cf\.|e\.g\.,?)\s)?[Rr]ef(?:s?\.?|erences?)[\s~](?P<keys>{_WORDED_NUMBERS})\)"
    rf"|(?<![\w(])[Rr]efs?\.[\s~](?P<bare>{_WORDED_NUMBERS})(?![\w\]])"
)
_RAISED_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_SIGNS = re.compile(
    rf"(?P<keys>[{_RAISED_DIGITS}]{{1,3}}(?:[,⁻˒]\s?[{_RAISED_DIGITS}]{{1,3}}){{0,30}})(?![\w⁺⁻])"
)
_FORMULA = re.compile(rf"\$\s?\^\s?\{{\s?\[?(?P<keys>{_NUMBERS})\]?\s?\}}\s?\$")
_CARETS = re.compile(rf"\^(?P<keys>{_NUMBERS})\^")
_PLAIN_DIGITS = str.maketrans(_RAISED_DIGITS + "⁻˒", "0123456789-,")
_NOTES = re.compile(r"\[\^([^\[\]\s]{1,60})\](?!:)")
_LABELS = re.compile(r"\[([^\[\]\n]{2,300})\]")
_SEPARATOR = re.compile(r"\s?[,;]\s?")
# What may follow a label within its mark: "Lee21, p. 3", "Lee21, Theorem 2".
_PLACE = re.compile(r"(?:pp?\.|[Ss]ec|[Cc]h|[Tt]h|[Ff]ig|[Tt]ab|[Aa]pp|§|[Ll]em|[Pp]rop|Eq)")
_JOINED = re.compile(r"(?:[,:;]|[,;\s](?:and|or))\s?\Z")
# Before a number that a sentence uses as a noun, which is an equation: "by (3)", "insert (3) into".
_BEFORE_NOUN = frozenset(
    str.split(
        "by in into from to of with using via see than between combining combine inserting insert"
        " substituting substitute plugging solving solve satisfies satisfy satisfying minimizing"
        " minimize maximizing maximize optimizing that since because if hence thus under on for as"
        " replacing rewriting rewrite problem problems inequality inequalities constraint"
        " constraints condition conditions objective system formula formulas identity relation"
        " expression inclusion both where when applying apply use recall recalling"
    )
)
_WORD_BEFORE = re.compile(r"\b([^\W\d_]{1,20})[\s~]\Z")
_SENTENCE_BEFORE = re.compile(r"[.!?:]\s\Z")
_NOUN_JOINED = re.compile(r"\)(?:,?\s(?:and|or|to|into|in|from|over|with)|,)\s\Z")
# Where there are no formulas, "by (3)" mostly names a work, but what begins a sentence or is the
# object of such a verb is an equation: "By (3) and (4),", "we minimise (5) over (6)".
_OPENS_WITH_NOUN = re.compile(
    r"(?:\A|[.!?:;]\s|\n)(?:[Tt]hus|[Hh]ence|[Tt]hen|[Tt]herefore|[Ss]o)?,?\s?"
    r"(?:By|From|Using|Following|Inserting|Combining|Substituting|Plugging|Solving|Under|Given|In"
    r"|Since|Because|If|When|Where|Applying|Minimi[sz]ing|Maximi[sz]ing|by|from|using)[\s~]\Z"
)
_TAKES_EQUATION = frozenset(
    str.split(
        "minimise minimize minimises minimizes minimising minimizing maximise maximize maximises"
        " maximizes maximising maximizing insert inserting substitute substituting plug plugging"
        " solve solves solving satisfies satisfy satisfying optimise optimize inequality"
        " inequalities constraint constraints objective formula formulas identity rewrite"
        " rewriting"
    )
)
_SMALLEST_LIST = 3
_FEWEST = 3


@dataclass(frozen=True, slots=True)
class CitationForms:
    """What the markers of one paper may name, if a marker alone does not show it.

    ``round`` holds the numbers that "(3; 7)" may name and ``raised`` those of a superscript; each
    is empty where such marks are not citations in this paper. ``labels`` are labels of the list
    that are not numbers ("Lee21", "AB+20"), and ``notes`` those of footnotes that hold entries.
    ``lone`` says what one number in round brackets is: a citation, an equation where the sentence
    uses it as a noun ("by (3)"), or always an equation.
    """

    round: frozenset[str] = frozenset()
    raised: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()
    notes: frozenset[str] = frozenset()
    lone: Literal["citations", "mixed", "equations"] = "citations"
    worded: frozenset[str] = frozenset()

    @property
    def is_wide(self) -> bool:
        """Whether there are marks that only the whole paper shows to be citations."""
        return bool(self.round or self.raised or self.labels or self.notes or self.worded)

    def find(self, text: str, start: int, end: int) -> tuple[Citation, ...]:
        """Return the citation markers within ``text[start:end]``, in order and without overlap."""
        spans, plain = inline_marks(text, start, end)
        if not (plain or self.is_wide):
            return plain
        found = [mark for mark in plain if not is_raised(text, mark) or self._names(mark)]
        kept = [Span(mark.start, mark.end) for mark in found]
        new = [
            mark
            for mark in self._others(text, start, end)
            if _is_free(mark, spans) and not _overlaps(mark, kept)
        ]
        if not new:
            return plain if len(found) == len(plain) else tuple(found)
        return tuple(sorted([*found, *new], key=lambda mark: mark.start))

    def _names(self, mark: Citation) -> bool:
        return self.raised.issuperset(mark.keys)

    def _others(self, text: str, start: int, end: int) -> Iterator[Citation]:
        if self.round:
            marks = tuple(round_marks(text, start, end))
            counted = _enumeration(text, marks)
            if self.lone != "equations":
                counted |= _nouns(text, start, marks, strict=self.lone == "citations")
            elif self.lone == "equations":
                counted |= {mark.start for mark in marks if _is_lone(text, mark)}
            for mark in marks:
                if self.round.issuperset(mark.keys) and mark.start not in counted:
                    yield mark
        if self.worded:
            for match in _WORDED.finditer(text, start, end):
                keys = numeric_keys(match["keys"] or match["bare"])
                if self.worded.issuperset(keys):
                    yield Citation(*match.span(), "numeric", keys)
        if self.raised:
            yield from filter(self._names, raised_marks(text, start, end))
        if self.labels:
            yield from self._labelled(text, start, end)
        if self.notes:
            for match in _NOTES.finditer(text, start, end):
                if match[1] in self.notes:
                    yield Citation(*match.span(), "label", (match[1],))

    def _labelled(self, text: str, start: int, end: int) -> Iterator[Citation]:
        for match in _LABELS.finditer(text, start, end):
            if text.startswith("(", match.end()):
                continue
            pieces = _SEPARATOR.split(match[1].strip())
            keys = tuple(filter(self.labels.__contains__, pieces))
            others = [piece for piece in pieces[1:] if piece not in self.labels]
            if keys and pieces[0] == keys[0] and all(map(_PLACE.match, others)):
                yield Citation(match.start(), match.end(), "label", keys)


def is_raised(text: str, mark: Citation) -> bool:
    """Return whether a marker of numbers is a superscript without a link: ``<sup>3</sup>``."""
    return (
        mark.style == "numeric"
        and text[mark.start] == "<"
        and "<a" not in text[mark.start : mark.start + 8]
    )


def _overlaps(mark: Citation, spans: Sequence[Span]) -> bool:
    place = bisect_left(spans, mark.end, key=lambda span: span.start) - 1
    return place >= 0 and spans[place].end > mark.start


def _is_free(mark: Citation, spans: Sequence[Span]) -> bool:
    """Return whether no formula, link or other marker contains ``mark``; it may itself contain such
    a span.
    """
    place = bisect_left(spans, mark.end, key=lambda span: span.start) - 1
    while place >= 0 and spans[place].end > mark.start:
        if spans[place].start < mark.start or spans[place].end > mark.end:
            return False
        place -= 1
    return True


def round_marks(text: str, start: int, end: int) -> Iterator[Citation]:
    """Return the markers "(3)", "(3; 7-9)" and "(1)-(3)" that may be citations, but not "Eq.
    (3)".
    """
    if text.find("(", start, end) < 0:
        return
    for match in _ROUND.finditer(text, start, end):
        at = match.start()
        if at == start or cross_start(text, start, at) >= 0:
            continue
        inner = match["keys"] if match["last"] is None else f"{match['keys']}-{match['last']}"
        keys = numeric_keys(inner.translate(_EMPHASIS))
        if "0" not in keys:
            yield Citation(at, match.end(), "numeric", keys)


def raised_marks(text: str, start: int, end: int) -> Iterator[Citation]:
    """Return superscript numbers after a word, other than HTML: "word²", "word^2^",
    "word$^{2,3}$".
    """
    if text.isascii() and text.find("^", start, end) < 0:
        return
    for pattern in (_FORMULA, _CARETS, _SIGNS):
        for match in pattern.finditer(text, start, end):
            if follows_word(text, start, match.start()):
                keys = numeric_keys(match["keys"].translate(_PLAIN_DIGITS))
                yield Citation(*match.span(), "numeric", keys)


def _enumeration(text: str, marks: Sequence[Citation]) -> frozenset[int]:
    """Return where the numbers of lists within a sentence start: "(1) we ..., and (2) we ..."."""
    found: list[int] = []
    run: list[int] = []
    for mark in marks:
        if len(mark.keys) != 1 or not text[mark.end : mark.end + 2].strip().isalpha():
            continue
        if mark.keys[0] == "1":
            found += _joined_run(text, run)
            run = [mark.start]
        elif run and mark.keys[0] == str(len(run) + 1):
            run.append(mark.start)
    return frozenset((*found, *_joined_run(text, run)))


def _joined_run(text: str, run: Sequence[int]) -> Sequence[int]:
    """Return ``run``, where a list counts from 1, if commas or "and" join its numbers."""
    joined = sum(_JOINED.search(text, max(0, place - 6), place) is not None for place in run[1:])
    return run if len(run) > 1 and 2 * joined >= len(run) - 1 else ()


def _is_lone(text: str, mark: Citation) -> bool:
    """Return whether a marker in round brackets holds one number, or is "(1)-(3)"."""
    inner = text[mark.start : mark.end]
    return len(mark.keys) == 1 or inner.count("(") > 1


def _nouns(
    text: str, start: int, marks: Sequence[Citation], *, strict: bool = False
) -> frozenset[int]:
    """Return where the numbers start that a sentence uses as nouns: "By (3) and (4)"; if
    ``strict``, only those that name no work either.
    """
    found: set[int] = set()
    before: Citation | None = None
    for mark in marks:
        head = text[max(start, mark.start - 24) : mark.start]
        joined = before is not None and before.start in found and mark.start - before.end < 8
        if _is_lone(text, mark) and (
            (_is_equation if strict else _is_noun)(head)
            or (joined and _NOUN_JOINED.search(head) is not None)
        ):
            found.add(mark.start)
        before = mark
    return frozenset(found)


def _is_noun(head: str) -> bool:
    word = _WORD_BEFORE.search(head)
    return (word is not None and word[1].lower() in _BEFORE_NOUN) or _SENTENCE_BEFORE.search(
        head
    ) is not None


def _is_equation(head: str) -> bool:
    word = _WORD_BEFORE.search(head)
    return word is not None and (
        word[1].lower() in _TAKES_EQUATION or _OPENS_WITH_NOUN.search(head) is not None
    )


def _use_of_lone_numbers(
    text: str, blocks: Sequence[Block], prose: Sequence[Block]
) -> Literal["citations", "mixed", "equations"]:
    """Decide what one number in round brackets is; a paper without formulas has no equations."""
    if not any(block.kind == "math" for block in blocks):
        return "citations"
    lone = nouns = 0
    for block in prose:
        marks = tuple(round_marks(text, block.start, block.end))
        lone += sum(_is_lone(text, mark) for mark in marks)
        nouns += len(_nouns(text, block.start, marks))
    return "equations" if nouns > 1 and 3 * nouns >= lone else "mixed"


def citation_forms(
    text: str, blocks: Sequence[Block], references: Sequence[Reference]
) -> CitationForms:
    """Decide how the paper cites.

    Numbers in round brackets, and raised ones, count where they are nearly all marks of the paper
    and agree with the list: its numbers (or the count of its entries, where it has none), of which
    they name a good part.
    """
    notes = frozenset(
        reference.label for reference in references if text.startswith("[^", reference.start)
    )
    labels = {reference.label for reference in references if reference.label} - notes
    numbers = frozenset(filter(str.isdigit, labels))
    numbered = 2 * len(numbers) > len(references)
    prose = [block for block in blocks if block.is_prose]
    named = frozenset() if numbered else frozenset(filter(_is_label, labels))
    if notes:
        return CitationForms(labels=named, notes=notes)
    if not numbered:
        numbers = frozenset() if labels else frozenset(map(str, range(1, len(references) + 1)))
    if not numbers:
        return CitationForms(labels=named)
    marks = [mark for block in prose for mark in inline_marks(text, block.start, block.end)[1]]
    raised = [mark for mark in marks if is_raised(text, mark)]
    usual = len(marks) - len(raised)
    lone = _use_of_lone_numbers(text, blocks, prose)
    worded = numbers if numbered and any(sign in text for sign in _WORDS) else frozenset()
    found = CitationForms(numbers, numbers, lone=lone)
    new = [mark for block in prose for mark in found._others(text, block.start, block.end)]
    rounds = [mark for mark in new if text[mark.start] == "("]
    raised += [mark for mark in new if text[mark.start] != "("]
    raised = [mark for mark in raised if numbers.issuperset(mark.keys)]
    is_round = _agree(rounds, numbers, usual + len(raised) // 4, numbered=numbered)
    others = usual + (len(rounds) if is_round else 0)
    is_raised_form = _agree(raised, numbers, others, numbered=numbered)
    return CitationForms(
        numbers if is_round else frozenset(),
        numbers if is_raised_form else frozenset(),
        named,
        lone=lone,
        worded=worded,
    )


def _is_label(label: str) -> bool:
    return len(label) > 1 and any(map(str.isalpha, label))


def _agree(
    marks: Sequence[Citation], numbers: frozenset[str], others: int, *, numbered: bool
) -> bool:
    """Return whether ``marks`` are the form in which a list with these ``numbers`` is cited, if
    there are ``others`` of other forms.
    """
    if len(marks) <= 4 * others:
        return False
    named = {key for mark in marks for key in mark.keys}
    groups = sum(len(mark.keys) > 1 for mark in marks)
    if len(numbers) < _SMALLEST_LIST and not (len(numbers) > 1 and numbered and groups):
        return False  # "(1)" and "(2)" count something in most texts
    if not numbered:
        return groups > 1 and 2 * len(named) >= len(numbers)
    share = 8 if groups else 3
    return len(named) >= min(max(_FEWEST, len(numbers) / share), len(numbers))
