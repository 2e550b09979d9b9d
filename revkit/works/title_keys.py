"""Folding: reduce a title or a name to letters and digits, so that spellings compare equal.

A title reaches us typeset, extracted from a PDF, written in TeX or taken from a service. These
differences never separate two works, so folding removes them:

=========================  =========================  ============================================
difference                 example                    reason
=========================  =========================  ============================================
case, punctuation, dashes  "BERT: Pre-training"       each style of entries sets its own
a word broken at a line    "resid-\\nual"              the break is one of the page
ligatures, wide letters    "eﬃcient"                  fonts and extractors
accents, in any form       "Lévy", "L´evy", "L\\\\'evy"  services and extractors lose or part them
letters with a stroke      "Øyvind", "Łukasz"         they have no form with a separate accent
Greek letters              "β-VAE", "beta-VAE"        written out where a font lacks them
characters without width   "net\\u00adwork"            they are invisible
=========================  =========================  ============================================

Everything runs in time linear in the length of the text.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from revkit.english import stop_words
from revkit.works.tex import from_tex

_LETTER = r"[^\W\d_]"
# A suspended hyphen ("pre- and post-training") is not a break of a word.
_BROKEN = re.compile(rf"(?<={_LETTER})[-\u2010\u00ad]\s{{1,8}}(?!(?:and|or|to)\b)(?=[^\W\d_A-Z])")
# Extractors set the accent of a letter beside it, with a blank at one side: "Schr ¨odinger".
_SPACING = re.compile(
    rf"(?<={_LETTER})\s?[´¨¸ˆ˜˚ˇ˘˙˝](?={_LETTER})|(?<={_LETTER})[´¨ˆ˜ˇ]\s(?=[a-z])|[´`¨¸ˆ˜˚ˇ˘˙˝^~]"
)
_COMBINING = re.compile("[\u0300-\u036f]+")
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_WORD = re.compile(r"[^\W_]+")
_STROKES = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i",
            "ħ": "h", "ŋ": "n", "ȷ": "j"}  # fmt: skip
_GREEK = {
    chr(code): name.rsplit(" ", 1)[-1].lower().replace("lamda", "lambda")
    for code in range(0x3B1, 0x3CA)
    if (name := unicodedata.name(chr(code), "")).startswith("GREEK SMALL LETTER")
}
_GREEK["ς"] = "sigma"
_LETTERS = str.maketrans(_STROKES | _GREEK)
_MOST_TITLE = 1_000


def fold(text: str) -> str:
    """Return ``text`` in lower case without accents, broken words and hidden characters.

    Punctuation and blanks stay, so that one can see where a title ends.
    """
    if "\\" in text:
        text = from_tex(text)
    if "-" in text or not text.isascii():
        text = _BROKEN.sub("", text)
    if text.isascii():
        return text.lower()
    text = _SPACING.sub("", _UNSEEN.sub("", text))
    text = _COMBINING.sub("", unicodedata.normalize("NFKD", text))
    return text.casefold().translate(_LETTERS)


def fold_words(text: str) -> list[str]:
    """Return the words of ``text``, folded: its runs of letters and digits."""
    return _WORD.findall(fold(text))


@lru_cache(maxsize=8192)
def title_words(title: str) -> tuple[str, ...]:
    """Return the folded words of the first 1,000 characters of a title."""
    return tuple(fold_words(title[:_MOST_TITLE]))


def title_key(title: str) -> str:
    """Return the letters and digits of a title without blanks: equal for "Deep-Reviewer" and
    "DeepReviewer"; "" for a title without any.
    """
    return "".join(title_words(title))


def content_words(words: tuple[str, ...]) -> frozenset[str]:
    """Return the words that carry a title's meaning; all words if only articles and similar words
    remain.
    """
    found = frozenset(words)
    return found - stop_words("title") or found


def is_short(title: str) -> bool:
    """Return whether a title is too short to identify one work: fewer than five words between
    blanks, or fewer than four that carry meaning ("Deep learning", "A survey of deep learning").

    Two works often share such a title, and any entry of the field holds its words. Checkers of
    citations treat titles of fewer than five words apart for this reason.
    """
    return len(title.split()) < 5 or len(content_words(title_words(title))) < 4
