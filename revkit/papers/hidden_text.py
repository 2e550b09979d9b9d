"""Hidden text: text of a paper that its reader does not see but a program reads.

Papers on which reviewers are tested may carry instructions to a reviewer already. They are not
changed, but every such place is noted when a paper is loaded.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

HiddenKind = Literal[
    "zero-width", "bidi", "tag-characters", "selectors", "html-comment", "html-style", "latex-style"
]
"""How text is hidden: characters without width, marks that reorder the text around them,
characters of the tag block and runs of variation selectors (both spell words that no font shows),
comments of HTML, styles of HTML and commands of LaTeX that take text out of sight."""

_WORDS: dict[HiddenKind, str] = {
    "zero-width": "characters without width",
    "bidi": "marks of direction",
    "tag-characters": "text in tag characters",
    "selectors": "text in variation selectors",
    "html-comment": "comments of HTML",
    "html-style": "text hidden by a style of HTML",
    "latex-style": "text hidden by a command of LaTeX",
}
_LONGEST = 200
_READ = 2_000
# Joiners are letters of some scripts and part of many emoji; between Latin letters they hide.
_CHARACTERS = re.compile(
    "(?P<tag>[\U000e0020-\U000e007f]+)|(?P<selectors>[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,})"
    "|(?P<bidi>[\u202a-\u202e\u2066-\u2069]+)"
    "|(?P<width>[\u200b\u2060-\u2064\ufeff\u180e]+|(?<=[A-Za-z])[\u200c\u200d]+(?=[A-Za-z]))"
)
_STYLE = re.compile(
    r"<[A-Za-z][A-Za-z0-9]*\s[^<>]{0,300}?style\s?=\s?[\"'][^\"'<>]{0,300}?"
    r"(?:display:\s?none|visibility:\s?hidden|font-size:\s?0(?![.\d]*[1-9])|opacity:\s?0(?![.\d]*[1-9])"
    r"|(?<![-\w])color:\s?(?:white\b|#fff(?:fff)?\b|transparent))[^<>]{0,300}>(?P<text>[^<]{0,2000})",
    re.IGNORECASE,
)
_WHITE = (
    r"(?:\{\s?white\s?\}|\[\s?(?:rgb|RGB|HTML|gray|cmyk)\s?\]\s?\{\s?"
    r"(?:1(?:\.0*)?\s?(?:,\s?1(?:\.0*)?\s?){0,2}|255\s?,\s?255\s?,\s?255|[Ff]{6}|0(?:\s?,\s?0){3})\s?\})"
)
_LATEX = re.compile(
    rf"\\textcolor\s?{_WHITE}\s?\{{(?P<colored>[^{{}}]{{1,2000}})"
    rf"|\\color\s?{_WHITE}\s?(?P<switched>[^{{}}\\]{{1,2000}})"
    r"|\\fontsize\s?\{\s?0*(?:\.\d+|0|1)(?:\.\d*)?\s?(?:pt)?\}\s?\{[^{}]{0,12}\}\s?(?:\\selectfont)?\s?"
    r"(?P<small>[^{}\\]{1,2000})"
    r"|\\(?:h|v)?phantom\s?\{(?P<phantom>[^{}]{12,2000})"
    r"|\\(?:transparent|opacity)\s?\{\s?0(?:\.0*)?\s?\}\s?(?P<clear>[^{}\\]{1,2000})"
    r"|\\scalebox\s?\{\s?0?\.0\d*\s?\}\s?\{(?P<scaled>[^{}]{1,2000})"
)
_LATEX_SIGNS = ("\\textcolor", "\\color", "\\fontsize", "phantom", "\\transparent", "\\scalebox")


@dataclass(frozen=True, slots=True)
class HiddenText:
    """One place of a paper with hidden text: ``text[start:end]``, in line ``line`` (from 1).

    ``says`` is what a program reads there, in at most 200 characters; it is empty for characters
    that say nothing by themselves.
    """

    kind: HiddenKind
    start: int
    end: int
    line: int
    says: str


def find_hidden_text(text: str) -> tuple[HiddenText, ...]:
    """Return the places of ``text`` that its reader does not see, in order.

    Comments of LaTeX (``%``) are not among them: nobody sees them, and no program reads them as
    text (`revkit.model.Paper` leaves them out too).
    """
    found = sorted([*_characters(text), *_markup(text)], key=lambda place: place[1:])
    if not found:
        return ()
    breaks = [match.start() for match in re.finditer("\n", text)]
    return tuple(
        HiddenText(kind, start, end, bisect_right(breaks, start) + 1, _short(says[:_READ]))
        for kind, start, end, says in found
    )


_Place = tuple[HiddenKind, int, int, str]


def _characters(text: str) -> Iterator[_Place]:
    if text.isascii():
        return
    for match in _CHARACTERS.finditer(text):
        if match["tag"]:
            says = "".join(chr(ord(sign) - 0xE0000) for sign in match["tag"])
            yield "tag-characters", *match.span(), says
        elif match["selectors"]:
            yield "selectors", *match.span(), _selected(match["selectors"])
        else:
            yield "bidi" if match["bidi"] else "zero-width", *match.span(), ""


def _selected(signs: str) -> str:
    """The bytes that variation selectors spell, one each: 16 of the first block, then 240."""
    codes = (ord(sign) for sign in signs)
    data = bytes(code - 0xFE00 if code < 0xFF00 else code - 0xE0100 + 16 for code in codes)
    return data.decode("utf-8", "replace")


def _markup(text: str) -> Iterator[_Place]:
    yield from _comments(text)
    if "style" in text:
        for match in _STYLE.finditer(text):
            yield "html-style", *match.span(), match["text"]
    if any(sign in text for sign in _LATEX_SIGNS):
        for match in _LATEX.finditer(text):
            says = next(filter(None, match.groups()), "")
            if says.strip():
                yield "latex-style", *match.span(), says


def _comments(text: str) -> Iterator[_Place]:
    start = text.find("<!--")
    while start >= 0:
        end = text.find("-->", start + 4)
        if end < 0:
            return
        yield "html-comment", start, end + 3, text[start + 4 : end]
        start = text.find("<!--", end)


def _short(says: str) -> str:
    joined = " ".join("".join(sign if sign.isprintable() else " " for sign in says).split())
    return joined if len(joined) <= _LONGEST else joined[: _LONGEST - 1] + "…"


def hidden_text_notes(text: str) -> tuple[str, ...]:
    """Return one note for each kind of hidden text in ``text``: the number of places, the first
    line, and the text there.
    """
    found = find_hidden_text(text)
    counts = Counter(place.kind for place in found)
    notes = []
    for kind in get_args(HiddenKind):
        if counts[kind]:
            first = next(place for place in found if place.kind == kind)
            places = "1 place" if counts[kind] == 1 else f"{counts[kind]} places"
            says = f', "{first.says}"' if first.says else ""
            notes.append(
                f"hidden text: {_WORDS[kind]} in {places}, first in line {first.line}{says}"
            )
    return tuple(notes)
