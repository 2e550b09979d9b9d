"""Reading: the recognised parts of one paper, for a person to check."""

from __future__ import annotations

from bisect import bisect_right

from revkit.dataclass import dataclass
from revkit.model.columns import row_of
from revkit.model.paper import Paper
from revkit.model.structure import Block, CitationStyle, Part, SectionRole
from revkit.model.values import Json
from revkit.papers.hidden_text import HiddenText, find_hidden_text
from revkit.papers.leaks import find_leaks
from revkit.papers.structure import Structure, read_structure
from revkit.papers.titles import find_title

_ENDS = 120


@dataclass(frozen=True, slots=True)
class Section:
    """One heading: its line (from 1), level (from 1), text and role, and the words of prose up to
    the next heading. The text before the first heading has level 0 and no title."""

    line: int
    level: int
    title: str
    role: SectionRole
    words: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the reference list: its line (from 1), label, year, and how it begins."""

    line: int
    label: str
    year: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Reading:
    """The recognised parts of one paper: its structure, its outline, its reference list, hidden
    text, and the notes of its loader. ``abstract`` contains the beginning and the end of the
    abstract.
    """

    id: str
    source: str
    title: str
    score: float
    unread: tuple[Part, ...]
    structure: Structure
    abstract: tuple[str, str] | None
    citation_style: CitationStyle
    outline: tuple[Section, ...]
    entries: tuple[Entry, ...]
    hidden: tuple[HiddenText, ...]
    leaks: tuple[str, ...]
    notes: tuple[str, ...]

    def to_json(self) -> dict[str, Json]:
        """Return the fields as JSON."""
        return row_of(self)


def read_paper(paper: Paper) -> Reading:
    """Return the recognised parts of ``paper``, with the title added at its head if it has none."""
    text = paper.text
    breaks = [place for place, sign in enumerate(text) if sign == "\n"]
    structure = read_structure(paper)
    return Reading(
        id=paper.id,
        source=paper.source,
        title=paper.title or find_title(text),
        score=round(structure.score, 4),
        unread=structure.unread,
        structure=structure,
        abstract=_abstract(paper),
        citation_style=paper.citation_style,
        outline=_outline(paper, breaks),
        entries=tuple(
            Entry(
                bisect_right(breaks, entry.start) + 1, entry.label, entry.year, entry.text[:_ENDS]
            )
            for entry in paper.references
        ),
        hidden=find_hidden_text(text),
        leaks=find_leaks(text),
        notes=tuple(map(str, paper.notes)),
    )


def _abstract(paper: Paper) -> tuple[str, str] | None:
    blocks = [block for block in paper.blocks if block.role == "abstract" and block.is_prose]
    if not blocks:
        return None
    whole = " ".join(paper.text[blocks[0].start : blocks[-1].end].split())
    return whole[:_ENDS], whole[-_ENDS:]


def _outline(paper: Paper, breaks: list[int]) -> tuple[Section, ...]:
    rows: list[tuple[Block | None, int]] = [(None, 0)]
    for block in paper.blocks:
        if block.kind == "heading":
            rows.append((block, 0))
        elif block.is_prose:
            heading, words = rows[-1]
            rows[-1] = heading, words + len(paper.text[block.start : block.end].split())
    sections = []
    for heading, words in rows:
        if heading is not None:
            title = " ".join(paper.text[heading.start : heading.end].split())
            line = bisect_right(breaks, heading.start) + 1
            sections.append(Section(line, heading.level, title, heading.role, words))
        elif words:
            sections.append(Section(1, 0, "", "front", words))
    return tuple(sections)
