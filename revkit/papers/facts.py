"""Facts: what the record of a paper states about its text, besides the text."""

from __future__ import annotations

from revkit.dataclass import dataclass
from revkit.model.paper import Paper
from revkit.papers.leaks import find_leaks
from revkit.papers.structure import Structure, read_structure


@dataclass(frozen=True, slots=True)
class PaperFacts:
    """Facts about one paper that follow from its title and text alone.

    ``words`` counts the words of prose, ``leaks`` names the signs of its own reviews.
    """

    words: int
    structure: Structure
    leaks: tuple[str, ...]


def read_facts(paper: Paper) -> PaperFacts:
    """Return the facts about ``paper``; this parses its text."""
    return PaperFacts(paper.words, read_structure(paper), find_leaks(paper.text))
