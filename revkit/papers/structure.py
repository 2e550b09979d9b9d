"""Structure: how much of a paper was recognised, part by part.

What is not recognised is edited as prose: a title of an unread reference list is then a sentence
that may be reworded. So every paper carries this report, and a perturbation refuses a paper of
which a part that it must leave alone was not recognised.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from revkit.dataclass import dataclass
from revkit.model.paper import Paper
from revkit.model.structure import Block, Part
from revkit.model.variant import Rejection
from revkit.model.words import count_runs, count_runs_in

LONG_PAPER = 2_000
"""Words of a text that must have headings and a reference list to count as read."""
_FEWEST_STRAY = 5
_FEWEST_CITED = 5
# Of 209 real papers, 202 with a reference list match at least 0.83 of their citations, and 7 texts
# without one match none.
_LEAST_MATCH = 0.5
_WORDS_A_SECTION = 500
_MOST_SECTIONS = 5
_LONGEST_PARAGRAPH = 800


@dataclass(frozen=True, slots=True)
class Structure:
    """The recognised structure of one paper.

    ``words`` counts the whole text. ``title`` and ``abstract`` say whether one was found;
    ``headings`` counts headings below the title, ``references`` the entries of the list,
    ``citations`` the works that marks name and ``matched`` those of them that name an entry.
    ``known`` is the share (0 to 1) of the words that are in blocks of a known kind: not in markup
    that nothing explains, and not in a paragraph of more than 800 words. ``stray_entries`` counts
    paragraphs of prose that look like entries of a reference list.
    """

    words: int
    title: bool
    abstract: bool
    headings: int
    references: int
    citations: int
    matched: int
    known: float
    stray_entries: int

    @property
    def match(self) -> float | None:
        """The share of the works named by citation markers that are entries of the list (0 to
        1).
        """
        return self.matched / self.citations if self.citations else None

    @property
    def sections(self) -> float:
        """The number of headings found, divided by one for each 500 words and at most five (0 to
        1).
        """
        expected = max(1, min(_MOST_SECTIONS, self.words // _WORDS_A_SECTION))
        return min(1.0, self.headings / expected)

    @property
    def score(self) -> float:
        """The mean over title, abstract, sections, references, citations matched and text in
        blocks of a known kind (0 to 1); citations do not count where there are none."""
        references = self.references > 0 and self.stray_entries < _FEWEST_STRAY
        parts = [float(self.title), float(self.abstract), self.sections, float(references)]
        if self.match is not None:
            parts.append(self.match)
        return (sum(parts) + self.known) / (len(parts) + 1)

    @property
    def unread(self) -> tuple[Part, ...]:
        """The parts that a text of this length should have and that were not recognised; citations
        are such a part if most of them name no entry of the reference list; a short text needs no
        list.
        """
        long = self.words > LONG_PAPER
        parts: list[Part] = []
        if long and not self.headings:
            parts.append("headings")
        if self.stray_entries >= _FEWEST_STRAY or (
            long and not self.references and not self.headings
        ):
            parts.append("references")
        if (
            self.citations >= _FEWEST_CITED
            and self.matched < _LEAST_MATCH * self.citations
            and (self.references or long)
        ):
            parts.append("citations")
        return tuple(parts)

    @property
    def unlinked(self) -> str:
        """The citations that name no entry of the reference list, in words."""
        if not self.references:
            return "no reference list was recognised"
        missing = self.citations - self.matched
        return f"{missing:,} of {self.citations:,} name no entry of the reference list"


def read_structure(paper: Paper) -> Structure:
    """Return the recognised structure of ``paper``."""
    from revkit.papers.citation_matches import CitedEntries

    text, blocks = paper.text, paper.blocks
    words = count_runs(text)
    headings = [block for block in blocks if block.kind == "heading"]
    titled = bool(paper.title) or any(block.role == "front" for block in headings)
    entries = CitedEntries(paper)
    named = [places for citation in paper.citations for places in entries.places(citation)]
    return Structure(
        words=words,
        title=titled,
        abstract=any(block.role == "abstract" and block.is_prose for block in blocks),
        headings=sum(block.role != "front" for block in headings),
        references=len(paper.references),
        citations=len(named),
        matched=sum(map(bool, named)),
        known=_known(text, words, blocks),
        stray_entries=sum(_entry_like(text, block) for block in blocks if block.is_prose),
    )


def _known(text: str, words: int, blocks: Sequence[Block]) -> float:
    counts = count_runs_in(text, ((block.start, block.end) for block in blocks))
    known = sum(
        count
        for block, count in zip(blocks, counts, strict=True)
        if count <= _LONGEST_PARAGRAPH or not block.is_prose
    )
    return min(1.0, known / words) if words else 0.0


def _entry_like(text: str, block: Block) -> int:
    """Return how many entries of a reference list a block of prose seems to contain."""
    from revkit.model.reference_list import looks_like_entry

    if block.end - block.start < _LONGEST_PARAGRAPH:
        return int(looks_like_entry(text[block.start : block.end]))
    return sum(map(looks_like_entry, _openings(text, block)))


def _openings(text: str, block: Block) -> Iterator[str]:
    """The lines of a long block, each with what follows it."""
    position = block.start
    while 0 <= position < block.end:
        yield text[position : min(position + 400, block.end)]
        position = text.find("\n", position, block.end) + 1 or -1


def refuse_unread(paper: Paper, needs: Sequence[Part]) -> Rejection | None:
    """Return a `Rejection` if a part that a perturbation ``needs`` to recognise, because it must
    not change it, was not recognised in ``paper``; else `None`.
    """
    if not needs:
        return None
    unread = [part for part in read_structure(paper).unread if part in needs]
    if not unread:
        return None
    return Rejection(f"{' and '.join(unread)} were not recognised", tuple(unread))
