"""The defense `normalise`: the characters and the layout that a reader sees, and no others."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import ClassVar

from revkit.contracts import Context, Defense
from revkit.dataclass import dataclass
from revkit.model import Edit, Paper
from revkit.model.structure import Span, merged
from revkit.options import option
from revkit.papers import LOOK_ALIKES, find_hidden_text, visible_edits

_CHARACTER_KINDS = ("zero-width", "bidi", "tag-characters", "selectors")
# Default-ignorable characters that the marks of hidden text leave out: fillers, soft hyphens,
# joiners of graphemes, marks of annotation.
_IGNORABLE = re.compile("[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\ufff9-\ufffb]+")
_MARKS = re.compile("[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]{4,}")
_BLANK = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000]+")
_BREAK = re.compile("[\u0085\u2028\u2029]")
_FULL_WIDTH = re.compile("[\uff01-\uff5e]+")
_LIGATURE = re.compile("[\ufb00-\ufb06]")
# Letters of the mathematical alphabets count as words from four on: formulas have fewer in a row.
_STYLED = re.compile("[\U0001d400-\U0001d7ff\u2100-\u214f]{4,}")
_DIRECTION = re.compile("[\u200e\u200f\u061c]+")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_WORD = re.compile(r"[^\W\d_]+")
_LATIN = re.compile("[A-Za-z\u00c0-\u024f]")
_GAP = re.compile(r"\n[ \t]{0,200}\n(?:[ \t]{0,200}\n)+")
_GREEK = re.compile("[\u0370-\u03ff]")
_LEAST_LATIN = 5


@dataclass(frozen=True)
class Normalise(Defense):
    """Show the agent the text that a reader sees.

    Removed are characters without width, marks of direction, text in tag characters and variation
    selectors, fillers, piles of combining marks, comments of HTML, Markdown and LaTeX, and text
    that a style hides. Replaced are wide blanks, letters of full width, ligatures, and words in the
    letters of mathematics. A letter of another script that looks like a Latin one becomes it in a
    word that also has Latin letters; Cyrillic words of nothing but such letters are folded too
    where the paper has hardly any other Cyrillic. Names and formulas in other scripts stay, as do
    emoji and the joiners of Persian and Indic words. NFKC is not used: it rewrites exponents and
    fractions.

    It sees a text only: what a PDF hides by its drawing is for a scan of the file. It does nothing
    against an instruction in plain sight.
    """

    name: ClassVar[str] = "normalise"
    version: ClassVar[str] = "4"

    hidden: bool = option(True, help="Remove text that markup hides: comments, hiding styles.")
    look_alikes: bool = option(True, help="Fold letters that look like Latin ones.")

    def screen(self, paper: Paper, ctx: Context) -> Sequence[Edit]:
        """Return one edit for each place that differs from what a reader sees."""
        text = paper.text
        gone = merged([*_characters(text), *(_markup(text) if self.hidden else ())])
        edits = [Edit(span.start, span.end, "", "not visible", "hidden") for span in gone]
        changes = [*_replaced(text), *(_folded(text) if self.look_alikes else ())]
        return [*edits, *_outside(changes, gone)]


def _characters(text: str) -> Iterator[Span]:
    if text.isascii():
        return
    for place in find_hidden_text(text):
        if place.kind in _CHARACTER_KINDS:
            yield Span(*place.span)
    patterns = [_IGNORABLE]
    if not _RIGHT_TO_LEFT.search(text):
        patterns.append(_DIRECTION)
    for pattern in patterns:
        yield from (Span(*match.span()) for match in pattern.finditer(text))
    for match in _MARKS.finditer(text):
        yield Span(match.start() + 2, match.end())


def _markup(text: str) -> Iterator[Span]:
    for edit in visible_edits(text):
        if edit.kind not in (*_CHARACTER_KINDS, "homoglyphs"):
            yield Span(edit.start, edit.end)


def _replaced(text: str) -> Iterator[Edit]:
    for match in _GAP.finditer(text):
        yield Edit(*match.span(), "\n\n", "blank lines", "layout")
    if text.isascii():
        return
    for pattern, new in ((_BLANK, " "), (_BREAK, "\n")):
        yield from (Edit(*m.span(), new, "blank", "layout") for m in pattern.finditer(text))
    for pattern in (_FULL_WIDTH, _LIGATURE, _STYLED):
        for match in pattern.finditer(text):
            yield Edit(*match.span(), unicodedata.normalize("NFKC", match[0]), "form", "form")


def _folded(text: str) -> Iterator[Edit]:
    if text.isascii():
        return
    foreign = _has_cyrillic_words(text)
    for match in _WORD.finditer(text):
        word = match[0]
        if word.isascii() or not any(sign in LOOK_ALIKES for sign in word):
            continue
        rest = [sign for sign in word if sign not in LOOK_ALIKES]
        mixed = bool(rest) and all(map(_LATIN.match, rest)) and _is_word(word, len(rest))
        whole = not rest and not foreign and len(word) > 1 and _is_cyrillic(word)
        if mixed or whole:
            new = "".join(LOOK_ALIKES.get(sign, sign) for sign in word)
            yield Edit(*match.span(), new, "letters of another script", "look-alike")


def _is_word(word: str, latin: int) -> bool:
    """Whether a mixture of letters is a disguised word, and no formula such as "cosα": Greek at an
    end of it needs enough Latin letters beside it."""
    ends = _GREEK.match(word[0]) or _GREEK.match(word[-1])
    return not ends or latin >= _LEAST_LATIN


def _is_cyrillic(word: str) -> bool:
    return all("\u0400" <= sign <= "\u052f" for sign in word)


def _has_cyrillic_words(text: str) -> bool:
    """Whether the text has Cyrillic words that no Latin letters can imitate."""
    words = (match[0] for match in _WORD.finditer(text))
    real = sum(_is_cyrillic(word) and any(s not in LOOK_ALIKES for s in word) for word in words)
    return real > 2


def _outside(edits: Sequence[Edit], gone: Sequence[Span]) -> list[Edit]:
    """Those of ``edits`` that overlap no span and none of the edits before them."""
    found: list[Edit] = []
    taken = sorted((span.start, span.end) for span in gone)
    place = 0
    last = 0
    for edit in sorted(edits):
        while place < len(taken) and taken[place][1] <= edit.start:
            place += 1
        free = place >= len(taken) or taken[place][0] >= edit.end
        if free and edit.start >= last:
            found.append(edit)
            last = edit.end
    return found
