"""Breaks in the order of a text: sentences that do not fit their position."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from revkit_yescieval.judges.lines import Lines
from revkit_yescieval.judges.synthesis_text import Line, stems_of

# Words that refer to earlier text: no text begins with them.
_BACK = re.compile(
    r"(?:however|nevertheless|nonetheless|in contrast|by contrast|conversely|moreover|furthermore"
    r"|additionally|in addition|also|besides|similarly|likewise|therefore|thus|hence|consequently"
    r"|as a (?:result|consequence)|accordingly|for (?:example|instance)|specifically"
    r"|in particular|notably|instead|meanwhile|then|finally|lastly|secondly|thirdly"
    r"|on the other hand|this|these|those|such|that|it|they|its|their|both|another|others?"
    r"|the (?:latter|former)|further|but|yet|overall|in (?:summary|conclusion|short|sum)"
    r"|taken together|collectively|to (?:conclude|summari[sz]e)|by \w{1,20}ing th(?:is|ese))\b",
    re.IGNORECASE,
)
# Words that summarise all text before them: only a last sentence begins with them.
_CLOSING = re.compile(
    r"(?:overall|in (?:summary|conclusion|short|sum)|taken together|collectively|altogether"
    r"|to (?:conclude|summari[sz]e)|ultimately|conclusions?:)",
    re.IGNORECASE,
)
_SECOND = re.compile(r"(?:second(?:ly)?|third(?:ly)?|finally|lastly),", re.IGNORECASE)
_FIRST = re.compile(r"first(?:ly)?,", re.IGNORECASE)
_INTRODUCED = re.compile(r"\(([A-Z][A-Za-z0-9-]{1,9}?)s?\)")
_TWO_CAPITALS = re.compile(r"[A-Z][^A-Z]{0,8}[A-Z]")
_POINTING = re.compile(r"(?:this|these|those|such)\s+([\w-]{1,40}(?:\s+[\w-]{1,40})?)", re.I)
_LEADING = re.compile(r"[\W_]{1,10}")


def breaks(lines: Lines) -> int:
    """Return the weighted number of breaks among the sentences that belong to the text.

    Two for a first sentence that refers back; one each, and at most two of a kind, for a closing
    sentence before the end, an abbreviation used before the sentence that introduces it, "first"
    after "second"; one for a demonstrative phrase ("these effects") whose noun occurs elsewhere but
    not in the sentence before; one for a first sentence that shares fewer words with the question
    than a sentence in the middle (the last one may: conclusions return to the question).
    """
    own = lines.own
    if len(own) < 2:
        return 0
    starts = [_start(line) for line in own]
    return (
        2 * bool(_BACK.match(starts[0]))
        + min(2, sum(bool(_CLOSING.match(start)) for start in starts[:-1]))
        + min(2, _late_introductions(own))
        + _late_firsts(starts)
        + _lost_pointers(own, starts)
        + _late_topic(own, lines.reading.question)
    )


def _start(line: Line) -> str:
    return _LEADING.sub("", line.text[:200], count=1) if _LEADING.match(line.text) else line.text


def _late_introductions(lines: Sequence[Line]) -> int:
    late = 0
    for i, line in enumerate(lines):
        for match in _INTRODUCED.finditer(line.text):
            short = match[1]
            if _TWO_CAPITALS.search(short):
                late += any(_names(short, earlier.text) for earlier in lines[:i])
    return late


def _names(short: str, text: str) -> bool:
    """Return whether ``text`` contains the abbreviation as a separate word."""
    place = text.find(short)
    while place >= 0:
        before, after = text[place - 1 : place], text[place + len(short) :][:1]
        if not (before.isalnum() or before == "-" or (after.isalnum() and after != "s")):
            return True
        place = text.find(short, place + 1)
    return False


def _late_firsts(starts: Sequence[str]) -> int:
    firsts = [i for i, start in enumerate(starts) if _FIRST.match(start)]
    return int(bool(firsts) and any(_SECOND.match(start) for start in starts[: firsts[0]]))


def _lost_pointers(lines: Sequence[Line], starts: Sequence[str]) -> int:
    times = Counter(stem for line in lines for stem in line.stems)
    for i, start in enumerate(starts[1:], 1):
        match = _POINTING.match(start)
        nouns = frozenset(stems_of(match[1])) if match else frozenset()
        elsewhere = any(times[noun] > 1 for noun in nouns)
        if elsewhere and not nouns & lines[i - 1].stems:
            return 1
    return 0


def _late_topic(lines: Sequence[Line], question: frozenset[str]) -> int:
    shared = [len(line.stems & question) for line in lines]
    return int(shared[0] < max(shared[1:-1], default=0))
