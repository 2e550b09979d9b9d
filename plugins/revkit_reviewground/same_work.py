"""Recognise the submission itself among the works found: by identifier, title or abstract."""

from __future__ import annotations

import re

from revkit.dataclass import dataclass
from revkit.model.paper import Paper
from revkit.works import Work, find_identifiers, find_same, identifiers_of, same_title

__all__ = ["Submission", "find_same", "title_of"]

_SHARED_ABSTRACT = 0.5
_FEWEST_ABSTRACT = 30


def title_of(paper: Paper) -> str:
    """Return the submission's title, else its first heading before the abstract."""
    if paper.title.strip():
        return paper.title
    for block in paper.blocks:
        if block.kind == "heading" and block.role == "front":
            return paper.text[block.start : block.end]
    return ""


def own_identifiers(paper: Paper) -> frozenset[str]:
    """Return the identifiers on the submission's front page."""
    blocks = [block for block in paper.blocks if block.role in ("front", "abstract")]
    return find_identifiers(paper.text[: max((block.end for block in blocks), default=0)][:6000])


def _abstract(paper: Paper) -> frozenset[tuple[str, ...]]:
    blocks = [b for b in paper.blocks if b.role == "abstract" and b.kind != "heading"]
    return _triples(" ".join(paper.text[block.start : block.end] for block in blocks))


def _triples(text: str) -> frozenset[tuple[str, ...]]:
    words = re.findall(r"[^\W_]+", text[:6000].casefold())
    return frozenset(zip(words, words[1:], words[2:], strict=False))


@dataclass(frozen=True)
class Submission:
    """What identifies a paper: its title, the identifiers on its front page, its abstract."""

    title: str
    identifiers: frozenset[str]
    abstract: frozenset[tuple[str, ...]]

    @classmethod
    def of(cls, paper: Paper) -> Submission:
        """Read title, identifiers and abstract of ``paper``."""
        return cls(title_of(paper), own_identifiers(paper), _abstract(paper))

    def is_same(self, work: Work) -> str:
        """Return by what ``work`` is this submission ("identifier", "title", "abstract"), or ""."""
        if self.identifiers & identifiers_of(work):
            return "identifier"
        if same_title(work.title, self.title):
            return "title"
        theirs = _triples(work.abstract)
        fewest = min(len(self.abstract), len(theirs))
        if fewest >= _FEWEST_ABSTRACT and len(self.abstract & theirs) / fewest >= _SHARED_ABSTRACT:
            return "abstract"
        return ""
