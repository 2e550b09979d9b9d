"""Layout of a reply: Markdown sections, boxed blocks, and the fields of simulated reviewers.

Only the headings of the layout are read: a number or a verdict in running text, in a quotation, in
a code fence or in another section is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from revkit.dataclass import dataclass

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(\S[^\n]{0,200})")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_RULE = re.compile(r" {0,3}(?:\*[ \t]?){5,200}\Z")
_OPENING = re.compile(r"^[ \t]*\\{1,2}boxed_([a-z_]{1,40})\{", re.MULTILINE)
_CLOSING = re.compile(r"^[ \t]*\}[ \t]*$", re.MULTILINE)
_REVIEWER = re.compile(r"reviewer(?: ?#?\d{1,3})?")


@dataclass(frozen=True)
class ReplySection:
    """One heading (its level from 1, its title in folded form) and the text up to the next heading.

    ``piece`` counts the lines of asterisks before it, which separate the reviewers of some models.
    """

    level: int
    title: str
    body: str
    piece: int = 0


Fields = dict[str, list[str]]


def sections(text: str) -> list[ReplySection]:
    """Return the sections of ``text`` in order; headings in code fences count as text. Text before
    the first heading belongs to no section.
    """
    found: list[ReplySection] = []
    head: tuple[int, str, int] | None = None
    body: list[str] = []
    piece = 0
    for line, is_text in _lines(text):
        heading = _HEADING.fullmatch(line.rstrip()) if is_text else None
        rule = is_text and _RULE.match(line.rstrip()) is not None
        if heading is None and not rule:
            body.append(line)
            continue
        if heading is None:
            piece += 1
            continue
        if head is not None:
            found.append(ReplySection(head[0], head[1], "\n".join(body).strip(), head[2]))
        head, body = (len(heading[1]), _folded(heading[2]), piece), []
    if head is not None:
        found.append(ReplySection(head[0], head[1], "\n".join(body).strip(), head[2]))
    return found


def _lines(text: str) -> Iterator[tuple[str, bool]]:
    """Return each line, and whether it is outside code fences."""
    fence = ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if fence:
            yield line, False
            if mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        else:
            if mark:
                fence = mark[1]
            yield line, not mark


def _folded(title: str) -> str:
    return (
        " ".join(title.strip().rstrip("#").replace("*", "").replace("_", " ").split())
        .rstrip(": ")
        .casefold()
    )


def fields(parts: Sequence[ReplySection]) -> Fields:
    """Return the bodies of ``parts`` by title. A section at a deeper level than the first one
    belongs to the text of the section before it.
    """
    found: Fields = {}
    last: list[str] | None = None
    for part in parts:
        if last is not None and part.level > parts[0].level:
            last[-1] = f"{last[-1]}\n\n{part.body}".strip()
            continue
        last = found.setdefault(part.title, [])
        last.append(part.body)
    return found


@dataclass(frozen=True)
class Blocks:
    """The boxed blocks of a reply: name and content in order, and the names of unclosed blocks."""

    closed: tuple[tuple[str, str], ...]
    left_open: tuple[str, ...]

    def contents(self, name: str) -> list[str]:
        """Return the contents of the blocks called ``name``, in order."""
        return [content for each, content in self.closed if each == name]


def blocks(text: str) -> Blocks:
    r"""Return the blocks ``\boxed_NAME{ ... }`` of ``text``, each of which opens at the start of a
    line.

    A block ends at the last line before the next opening that is only a brace, because models write
    unbalanced braces within blocks.
    """
    openings = list(_OPENING.finditer(text))
    closed, left_open = [], []
    for number, opening in enumerate(openings):
        end = openings[number + 1].start() if number + 1 < len(openings) else len(text)
        closings = list(_CLOSING.finditer(text, opening.end(), end))
        if closings:
            closed.append((opening[1], text[opening.end() : closings[-1].start()].strip()))
        else:
            left_open.append(opening[1])
    return Blocks(tuple(closed), tuple(left_open))


@dataclass(frozen=True)
class Layout:
    """The fields of the simulated reviewers in order, and the fields of all other sections."""

    reviewers: tuple[Fields, ...]
    others: Fields


def panel_layout(text: str) -> Layout:
    """Return the reviewers in ``text``, in one of two layouts.

    Headed: each reviewer has a heading "Reviewer" or "Reviewer 2", and its fields are headings
    below it. Ruled: no such headings; lines of asterisks separate the reviewers, and a piece with a
    "Summary" or a "Rating" is one. ``others`` holds the other sections by title, such as "meta
    review" and "paper decision".
    """
    found = sections(text)
    levels = [part.level for part in found if _REVIEWER.fullmatch(part.title)]
    return _headed(found, min(levels)) if levels else _ruled(found)


def _headed(found: Sequence[ReplySection], level: int) -> Layout:
    groups: list[list[ReplySection]] = []
    for part in found:
        if part.level <= level or not groups:
            groups.append([part])
        else:
            groups[-1].append(part)
    reviewers: list[Fields] = []
    others: Fields = {}
    for group in groups:
        head = group[0]
        if head.level == level and _REVIEWER.fullmatch(head.title):
            reviewers.append(fields(group[1:]))
        else:
            others.setdefault(head.title, []).append(head.body)
    return Layout(tuple(reviewers), others)


def _ruled(found: Sequence[ReplySection]) -> Layout:
    pieces: dict[int, list[ReplySection]] = {}
    for part in found:
        pieces.setdefault(part.piece, []).append(part)
    reviewers: list[Fields] = []
    others: Fields = {}
    for parts in pieces.values():
        here = fields(parts)
        if "summary" in here or "rating" in here:
            reviewers.append(here)
        else:
            for title, bodies in here.items():
                others.setdefault(title, []).extend(bodies)
    return Layout(tuple(reviewers), others)
