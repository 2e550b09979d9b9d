"""The front of a document: its title, and the names between the title and the text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from revkit.dataclass import dataclass
from revkit.documents.pdf_lines import Line
from revkit.documents.pdf_text.prose import Prose
from revkit.documents.pdf_text.signs import LARGER, Measures, alike

_INTRODUCTION = re.compile(r"(?:1|I)[.:]?\s{1,4}introduction", re.I)
_ABSTRACT = re.compile(r"abstract\W*", re.I)
ABSTRACT_RUN = re.compile(r"(abstract)\s?[-–—.:]+\s*(?=\S)", re.I)


@dataclass(frozen=True, slots=True)
class Front:
    """The title, the lines of names and addresses, and the lines of the text."""

    title: str
    authors: Sequence[Line]
    rest: Sequence[Line]


def read_front(lines: Sequence[Line], measures: Measures, prose: Prose) -> Front:
    """Return the front of the document."""
    first = [line for line in lines if line.page == 0]
    later = lines[len(first) :]
    end = next(
        (place for place, line in enumerate(first) if _ends_front(first, place, measures)), None
    )
    head = first if end is None else first[:end]
    sized = [line for line in head if sum(map(str.isalpha, line.text)) >= 4]
    if not sized:
        return Front("", [], lines)
    largest = max(line.size for line in sized)
    if largest < LARGER * measures.body and not any(line.bold for line in sized):
        return Front("", [], lines)
    if largest < LARGER * measures.body:
        sized = [line for line in sized if line.bold]
        largest = max(line.size for line in sized)
    start = next(i for i, line in enumerate(head) if line in sized and alike(line.size, largest))
    stop = start + 1
    while (
        stop < len(head)
        and _continues_title(head[stop], largest)
        and head[stop].bold == head[start].bold
        and head[stop - 1].y - head[stop].y < 2.2 * largest
    ):
        stop += 1
    title = " ".join(prose.join([_of_size(line, largest) for line in head[start:stop]]).split())
    authors = [] if end is None else head[stop:]
    if end is None:
        return Front(title, [], [*head[stop:], *later])
    return Front(title, authors, [*first[end:], *later])


def _ends_front(lines: Sequence[Line], place: int, measures: Measures) -> bool:
    line = lines[place]
    text = line.text.strip()
    if _ABSTRACT.fullmatch(text) or ABSTRACT_RUN.match(text):
        return True
    if any(_ABSTRACT.fullmatch(each.text.strip()) for each in lines):
        return False
    if _INTRODUCTION.match(text) and place > 1:
        return True
    wide = 0.85 * (line.right - line.left)
    return (
        place > 2
        and all(
            each.x1 - each.x0 > wide
            and len(each.text.split()) >= 8
            and not each.bold
            and each.size < LARGER * measures.body
            for each in lines[place : place + 3]
        )
        and len(lines) > place + 2
    )


def _continues_title(line: Line, size: float) -> bool:
    first = line.words[0]
    return alike(line.size, size) or (alike(first.size, size) and len(first.text) > 2)


def _of_size(line: Line, size: float) -> Line:
    """The line without what follows it in small letters, such as a button beside a title."""
    if alike(line.size, size):
        return line
    words = [word for word in line.words if word.size > 0.85 * size]
    return replace(line, cells=[words]) if words else line
