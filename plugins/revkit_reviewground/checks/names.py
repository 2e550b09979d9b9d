"""Find the works, methods and data sets that a phrase names, and the places where a paper names
them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from revkit.dataclass import dataclass
from revkit_reviewground.checks.folded_text import fold
from revkit_reviewground.checks.paper_text import PaperText

_AUTHORS = (
    r"(?P<author>[A-Z][\w'’-]{1,30})(?:\s(?:and|&)\s[A-Z][\w'’-]{1,30}(?=,?\s?[\[(]?(?:19|20)\d\d)"
    r"|\set\sal\.?),?\s?[\[(]?(?P<year>(?:19|20)\d\d)?"
)
# Capitals within or throughout, digits after letters, or two words with capitals.
_NAME = re.compile(
    rf"(?P<cite>{_AUTHORS})"
    r"|(?P<name>(?<![\w.-])(?=[\w.+-]{0,20}[A-Z])[A-Za-z][\w+]{0,25}(?:[-/][A-Za-z0-9][\w+]{0,20}){0,3}"
    r"(?:\s(?:v?\d{1,3}[A-Za-z]?|[A-Z]{2,6})(?![\w.%]))?)"
)
# Fields, venues, kinds of model and of thing: to name them is not to name one work.
_COMMON = frozenset(
    (Path(__file__).parent / "common_names.txt").read_text(encoding="utf-8").split()
)

_SUFFIX = re.compile(
    r"-(?:based|related|like|style|type|specific|free|aware|only|trained|inspired|driven|level"
    r"|family|side)\Z"
)
_VENUE = re.compile(r"[A-Z]{3,11}['’]?-?\s?(?:(?:19|20)\d\d)")


@dataclass(frozen=True, slots=True)
class Name:
    """A name as written at ``start`` of a text; ``author`` and ``year`` for a work cited by
    them.
    """

    text: str
    start: int
    author: str = ""
    year: str = ""

    @property
    def is_strong(self) -> bool:
        """Whether the name cannot be an ordinary word: inner capitals, digits, or a citation."""
        if self.author:
            return bool(self.year)
        bare = self.text.replace("-", "").replace("/", "")
        return sum(map(str.isupper, bare)) > 1 or any(map(str.isdigit, bare))


def names(phrase: str) -> Iterator[Name]:
    """Yield the names in ``phrase``, in order.

    A word with a capital only at its start counts where it does not start the phrase.
    """
    for match in _NAME.finditer(phrase):
        if match["cite"]:
            if match["author"].lower() not in _COMMON:
                cite = match["cite"].rstrip(" ([,")
                yield Name(cite, match.start(), match["author"], match["year"] or "")
            continue
        text = _SUFFIX.sub("", match["name"])
        if _VENUE.fullmatch(text):
            continue
        if text.lower() in _COMMON or text.lower().rstrip("s") in _COMMON or len(text) < 2:
            continue
        name = Name(text, match.start())
        parts = re.split(r"[-/+\s]", text)
        if all(part.lower() in _COMMON or part.islower() or part.isdigit() for part in parts):
            continue
        if name.is_strong or (match.start() > 0 and text[0].isupper()):
            yield name


def name_pattern(text: str) -> re.Pattern[str]:
    """Return a pattern for ``text`` with any hyphens and blanks; short names are case-sensitive."""
    pieces = re.findall(r"[A-Za-z]+|\d+|[^\W\d_a-zA-Z]+", text)
    if len(pieces) > 1 and pieces[-1] == "s":
        pieces.pop()
    last = pieces[-1] if pieces else ""
    if len(last) > 2 and last[-1] == "s" and last[:-1].isupper():
        pieces[-1] = last[:-1]
    joined = r"[\s_/{}$*\-‐–]{0,3}".join(map(re.escape, pieces))
    flags = re.IGNORECASE if len("".join(pieces)) > 3 else 0
    return re.compile(rf"(?<![A-Za-z0-9]){joined}s?(?![a-z0-9])", flags)


def places(paper: PaperText, name: Name, limit: int = 200) -> list[tuple[int, int]]:
    """Return where the paper names ``name``, at most ``limit`` places, including its reference
    list.
    """
    if name.author:
        pattern = re.compile(rf"(?<![A-Za-z]){re.escape(name.author)}(?![a-z])", re.IGNORECASE)
    else:
        pattern = name_pattern(name.text)
    first = re.match(r"[A-Za-z]+|\d+|[^\W\d_]+", name.author or name.text)
    start = first.group().lower() if first else name.text.lower()
    if len(start) > 2 and start[-1] == "s":
        start = start[:-1]
    found: list[tuple[int, int]] = []
    # Where the name could start is found by a plain search, which is many times faster.
    at = paper.lower.find(start)
    while at >= 0 and len(found) < limit:
        match = pattern.match(paper.text, at)
        if match and (not name.year or name.year in paper.text[match.end() : match.end() + 400]):
            found.append(match.span())
        at = paper.lower.find(start, at + 1)
    return found


def is_known(paper: PaperText, name: Name) -> bool:
    """Return whether the paper could mean ``name``: it contains the name, a part of it, or its long
    form.

    Generous: broken hyphenation and lost blanks count as the name, and so does the first part of
    "BERT-base" or a run of words with the initials of an acronym.
    """
    if places(paper, name, 1):
        return True
    if name.author:
        return name.author.lower() in paper.lower and not name.year
    whole = fold(name.text).text.replace(".", "")
    if len(whole) > 4 and whole in paper.folded.text:
        return True
    parts = [part for part in re.split(r"[-/\s]", name.text) if len(part) > 2]
    if len(parts) > 1 or len(re.split(r"[-/\s]", name.text)) > 1:
        for part in parts:
            if (part[0].isupper() or part.isupper()) and part.lower() not in _COMMON:
                found = places(paper, Name(part, 0), 1)
                if found:
                    return True
    letters = name.text.rstrip("s").replace("-", "")
    return (
        letters.isalpha()
        and letters.isupper()
        and 2 < len(letters) < 7
        and _spelt_out(paper, letters)
    )


def _spelt_out(paper: PaperText, letters: str) -> bool:
    """Return whether a sequence of words has these initials; a match of three small words may be
    chance, so it must occur twice.
    """
    initials, spans = paper.initials
    found: set[str] = set()
    at = initials.find(letters.lower())
    while at >= 0:
        phrase = paper.text[spans[at][0] : spans[at + len(letters) - 1][1]]
        capital = all(word[0].isupper() for word in re.findall(r"[A-Za-z]{4,}", phrase))
        plain = " ".join(phrase.lower().replace("-", " ").split()).rstrip("s")
        if len(letters) > 3 or capital or plain in found:
            return True
        found.add(plain)
        at = initials.find(letters.lower(), at + 1)
    return False
