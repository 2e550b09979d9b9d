"""A paper in parts that have no text in common, cut by rules that no part can bend for another."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from revkit.dataclass import dataclass
from revkit.model.paper import Paper

_HEADING = re.compile(
    r"^(?:(?P<marks>#{1,6})[ \t]+\S|\\(?P<sub>(?:sub){0,2})section\*?[ \t]?[{\[])[^\n]*$", re.M
)
_BLANK_LINES = re.compile(r"\n[ \t]{0,200}\n\s*")
PREFACE = "[This is a part of a paper, shown without the rest.]\n\n"
"""Begins each part, and says nothing that depends on another part, not even their number."""


@dataclass(frozen=True)
class PaperPart:
    """One part: its heading as written ("" for none), and its text."""

    heading: str
    text: str

    def paper(self, paper: Paper) -> Paper:
        """The part as a paper without title or materials, which all parts would share."""
        return Paper(paper.id, PREFACE + self.text)


def sections(paper: Paper) -> tuple[PaperPart, ...]:
    """The paper cut before each heading of its highest level but the title's.

    Headings are lines with ``#`` or ``\\section``, whatever is around them, so no open brace or
    code block in one part changes where another begins. A text without such lines is cut at the
    headings that the parser recognises.
    """
    text = paper.text
    starts = _starts(text) or [
        text.rfind("\n", 0, block.start) + 1
        for block in paper.blocks
        if block.kind == "heading" and block.level == 1 and block.role != "front"
    ]
    cuts = sorted({0, *starts, len(text)})
    pieces = [text[a:b] for a, b in pairwise(cuts)]
    return tuple(PaperPart(_heading(piece), piece) for piece in pieces if piece.strip())


def _starts(text: str) -> list[int]:
    found = [(match.start(), _level(match)) for match in _HEADING.finditer(text)]
    if len(found) > 1 and [level for _, level in found].count(found[0][1]) == 1:
        found = found[1:]  # the title, the only heading of its level
    highest = min((level for _, level in found), default=0)
    return [start for start, level in found if level == highest]


def _level(match: re.Match[str]) -> int:
    return len(match["marks"]) if match["marks"] else 1 + len(match["sub"] or "") // 3


def _heading(piece: str) -> str:
    first = piece.lstrip().partition("\n")[0]
    return first.strip()[:200] if _HEADING.match(first) else ""


def groups(paper: Paper, number: int) -> tuple[PaperPart, ...]:
    """The paragraphs of the paper (what blank lines divide) in ``number`` groups.

    The group of a paragraph follows from a digest of its words alone. A paragraph that is added or
    left out therefore changes one group, and one that is rewritten at most two, wherever it is.
    """
    paragraphs = [each for each in _BLANK_LINES.split(paper.text) if each.strip()]
    chosen: list[list[str]] = [[] for _ in range(number)]
    for paragraph in paragraphs:
        chosen[_place(paragraph, number)].append(paragraph)
    return tuple(PaperPart("", "\n\n".join(each)) for each in chosen if each)


def _place(paragraph: str, number: int) -> int:
    words = " ".join(paragraph.split())
    return int.from_bytes(hashlib.sha256(words.encode()).digest()[:8], "big") % number


def has_prose(part: PaperPart, paper: Paper, words: int) -> bool:
    """Whether a part by itself has at least ``words`` words of prose."""
    return part.paper(paper).words >= words


def masked_copies(parts: Sequence[PaperPart], shown: int) -> Iterator[PaperPart]:
    """One copy for each part: it and the ``shown`` - 1 parts after it, in a circle, in their order.

    Each part is in ``shown`` copies, or in all of them where there are not more parts.
    """
    count = len(parts)
    for first in range(count):
        places = sorted((first + step) % count for step in range(min(shown, count)))
        yield PaperPart(parts[first].heading, "".join(f"{parts[p].text}\n\n" for p in places))
