"""Join the lines of a paragraph, with and without the hyphens at their ends."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from revkit.documents.pdf_lines import Line, join_words
from revkit.documents.pdf_words import SOFT_HYPHEN

_ACCENT = re.compile(r"([´¨ˆ˜ˇ¯˘˙˚])\s?([A-Za-zı])")
_COMBINING = dict(
    zip("´¨ˆ˜ˇ¯˘˙˚", "\u0301\u0308\u0302\u0303\u030c\u0304\u0306\u0307\u030a", strict=True)
)
_TOKEN = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*")
_LETTERS = re.compile(r"[A-Za-z-]+")
_LONGEST_WORD = 60


class Prose:
    """Joins lines; whether a hyphen stays depends on the words of the whole document."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._plain, self._dashed = _vocabulary(lines)

    def join(self, lines: Sequence[Line]) -> str:
        """Return the text of lines that follow one another."""
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
        return self.clean(text)

    def clean(self, text: str) -> str:
        """Return a text in one line, with composed accents and printable signs only."""
        text = text.replace(SOFT_HYPHEN, "-").replace("\ufffd", "")
        text = _ACCENT.sub(lambda m: unicodedata.normalize("NFC", m[2] + _COMBINING[m[1]]), text)
        text = "".join(sign if sign.isprintable() else " " for sign in text)
        return " ".join(text.split())

    def _unhyphenated(self, text: str, part: str) -> str:
        """Return two lines joined at a hyphen, which is kept if the paper writes the word with
        it.
        """
        before = _LETTERS.match(text[:-_LONGEST_WORD:-1])
        after = re.match(r"[A-Za-z]+(?:-[A-Za-z]+)*", part)
        first = before[0][::-1].lower() if before else ""
        second = after[0].lower() if after else ""
        whole, dashed = first + second, f"{first}-{second}"
        compound = "-" in second and first in self._plain
        both = min(len(first), len(second)) >= 4 and {first, second} <= self._plain
        known = dashed in self._dashed
        keep = whole not in self._plain and (compound or known or both)
        return f"{text}-{part}" if keep else text + part


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
