"""Entries of a reference list: where one ends and the next begins."""

from __future__ import annotations

import re
from collections.abc import Sequence

_LABELLED = re.compile(
    r"(?:\[\d{1,4}\]|\[[^\[\]]{1,24}\d{2,4}[a-z]?\]\s|(?P<number>\d{1,3})[.)]\s|[-*+•]\s"
    r"|\[\^[^\]\s]+\]:|\\bibitem\b)"
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


class EntrySplitter:
    """Cuts the chunks of a reference list into entries; a chunk has no blank line within.

    A list whose first entry has a label has a label on every entry; in a list without labels an
    entry starts after a blank line, after a Markdown hard break, or where a line of author names
    follows an entry that has its year and its full stop.
    """

    def __init__(self) -> None:
        self._labelled: bool | None = None
        self._number = 0
        self._complete = True
        self._has_year = False
        self._entries = 0

    def cut(self, lines: Sequence[str]) -> list[bool]:
        """Return for each line whether a new entry starts there.

        The first line of a chunk may continue the entry before it, which a page break has cut.
        """
        return [self._starts(lines, index) for index in range(len(lines))]

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
        else:
            starts = self._starts_unlabelled(lines, index, bare)
        self._entries += starts
        year = _YEAR.search(bare) is not None
        self._has_year = year or (self._has_year and not starts)
        self._complete = self._has_year or bare[-1:] in ".)"
        return starts

    def _starts_unlabelled(self, lines: Sequence[str], index: int, bare: str) -> bool:
        first = bare.lstrip('_*[("“')[:1]
        if not index:
            return (
                self._complete
                and not first.islower()
                and not (self._entries and bare.startswith(_NO_AUTHOR))
            )
        before = lines[index - 1]
        if before.endswith("  ") and self._complete:
            return not first.islower()
        return (
            self._has_year
            and before.rstrip()[-1:] == "."
            and not bare.startswith(_NO_AUTHOR)
            and bare[:1].isupper()
            and _AUTHOR.match(bare) is not None
        )
