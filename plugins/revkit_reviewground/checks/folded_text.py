"""Fold texts: keep only letters and digits in a normal form, with their positions in the source.

Two texts that differ in blanks, line ends, hyphenation, dashes, quotation marks, ligatures,
accents, case or markup fold to the same characters. A decimal point between digits stays, a comma
between them goes, so "3,000" is "3000" and "0.5" is not "05".
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

from revkit.dataclass import dataclass

# Commands that only set the look of what they hold; every other command counts by its name.
_LOOKS = frozenset(
    """
    mathbf mathcal mathrm mathbb mathsf mathit mathfrak boldsymbol bm text textbf textit texttt
    textrm textsc textsf emph underline mbox left right big Big bigg Bigg bigl bigr Bigl Bigr
    displaystyle textstyle operatorname mathop limits nolimits quad qquad bar hat tilde widehat
    widetilde overline vec label ldots dots cdots textquotedblleft textquotedblright item begin
    end noindent par footnote scriptstyle small large
    """.split()  # noqa: SIM905
)
_GREEK = {
    chr(code): unicodedata.name(chr(code)).rsplit(" ", 1)[-1].lower()
    for code in (*range(0x391, 0x3AA), *range(0x3B1, 0x3CA))
    if unicodedata.name(chr(code), "").startswith("GREEK")
}
_GREEK.update({"λ": "lambda", "Λ": "lambda", "ς": "sigma"})
_SIGNS = {
    "×": "times", "±": "pm", "≤": "leq", "≥": "geq", "≠": "neq", "∞": "infty", "∈": "in",
    "→": "to", "·": "", "≈": "approx", "∼": "sim", "∑": "sum", "∏": "prod", "∂": "partial",
    "∇": "nabla", "⊕": "oplus", "⊗": "otimes",
}  # fmt: skip
_ALIASES = {"le": "leq", "ge": "geq", "ne": "neq", "rightarrow": "to", "cdot": "", "times": "times"}
_PIECE = re.compile(
    r"(?P<word>[^\W_]+)|\\(?P<command>[A-Za-z]{1,40})|<(?P<tag>/?[A-Za-z][^<>\n]{0,200})>"
    r"|(?P<point>(?<=\d)\.(?=\s{0,3}\d)|(?<=\d\s)\.(?=\s{0,3}\d))"
    r"|(?P<sign>[" + "".join(_SIGNS) + "])"
)


@dataclass(frozen=True)
class Folded:
    """A folded text: ``text`` joins the ``pieces``; piece i starts at ``starts[i]`` of it and comes
    from ``spans[i]`` of the source.
    """

    text: str
    pieces: Sequence[str]
    starts: Sequence[int]
    spans: Sequence[tuple[int, int]]

    def source(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the source behind ``text[start:end]``, in whole pieces."""
        first = bisect_right(self.starts, start) - 1
        last = bisect_right(self.starts, max(start, end - 1)) - 1
        return self.spans[first][0], self.spans[last][1]

    def without(self, cuts: Iterable[tuple[int, int]]) -> Folded:
        """Return the folded text without the pieces that start within ``cuts``, which are spans of
        the source.
        """
        pieces: list[str] = []
        spans: list[tuple[int, int]] = []
        done = 0
        for low, high in sorted(cuts):
            first = max(done, bisect_left(self.spans, (low, 0)))
            pieces += self.pieces[done:first]
            spans += self.spans[done:first]
            done = max(first, bisect_left(self.spans, (high, 0)))
        pieces += self.pieces[done:]
        spans += self.spans[done:]
        return _folded(pieces, spans)

    def words(self) -> Folded:
        """Return the folded text with only the pieces of three letters or more."""
        kept = [
            index for index, piece in enumerate(self.pieces) if len(piece) > 2 and piece.isalpha()
        ]
        return _folded([self.pieces[i] for i in kept], [self.spans[i] for i in kept])


def _folded(pieces: list[str], spans: list[tuple[int, int]]) -> Folded:
    starts = list(accumulate(map(len, pieces), initial=0))
    return Folded("".join(pieces), pieces, starts[:-1], spans)


def fold(text: str) -> Folded:
    """Fold ``text`` in linear time."""
    pieces: list[str] = []
    spans: list[tuple[int, int]] = []
    plain = text.isascii()
    for match in _PIECE.finditer(text):
        if match.lastindex == 1 and (plain or match[0].isascii()):
            pieces.append(match[0].lower())
            spans.append(match.span())
        elif piece := _piece(match):
            pieces.append(piece)
            spans.append(match.span())
    return _folded(pieces, spans)


def _piece(match: re.Match[str]) -> str:
    kind = match.lastgroup
    raw = match.group()
    if kind == "word":
        return fold_word(raw)
    if kind == "command":
        name = match["command"]
        return "" if name in _LOOKS else _ALIASES.get(name, name.lower().removeprefix("var"))
    if kind == "point":
        return "."
    return _SIGNS[raw] if kind == "sign" else ""


def fold_word(word: str) -> str:
    """Fold one run of letters and digits: lower case, no accents, separate ligatures, Greek letters
    by name.
    """
    plain = unicodedata.normalize("NFKD", word)
    return "".join(
        _GREEK.get(character, character.casefold())
        for character in plain
        if not unicodedata.combining(character) and (character.isalnum())
    )
