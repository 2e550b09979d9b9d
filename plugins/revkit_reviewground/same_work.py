"""Same work: whether two records, or a record and the submission, are one publication."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from revkit.model.paper import Paper
from revkit.model.work import Work

# Titles of one work differ in articles and spelling, not in a word: "Is All You Need" and "Is Not
# All You Need" are two. Other titles of one work are told by identifier or abstract.
_SMALL = ("a", "an", "the", "of", "and", "on", "in", "for", "to", "via", "with", "by")
_ALIKE = 0.8
_MOST_MISSPELT = 2
_FEWEST_WORDS = 4
_SHARED_ABSTRACT = 0.5
_FEWEST_ABSTRACT = 30
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>{}|\\^`\[\]]{1,100}", re.I)
_ARXIV = re.compile(r"arxiv[:./a-z\s]{0,12}?(\d{4}\.\d{4,5})", re.I)


@lru_cache(maxsize=4096)
def title_words(title: str) -> tuple[str, ...]:
    """The words of a title without case, accents, marks and punctuation."""
    plain = unicodedata.normalize("NFKD", title[:500])
    kept = "".join(each for each in plain if not unicodedata.combining(each)).casefold()
    return tuple(re.findall(r"[^\W_]+", kept))


def same_title(one: str, other: str) -> bool:
    """Whether two titles name one work: equal but for spelling, or nearly so."""
    first, second = title_words(one), title_words(other)
    if not first or not second:
        return False
    if first == second or "".join(first) == "".join(second):
        return True
    if min(len(first), len(second)) < _FEWEST_WORDS:
        return False
    mine = [word for word in first if word not in second and word not in _SMALL]
    theirs = [word for word in second if word not in first and word not in _SMALL]
    if len(mine) != len(theirs) or len(mine) > _MOST_MISSPELT:
        return False
    return all(_misspelt(one, other) for one, other in zip(mine, theirs, strict=True))


def _misspelt(one: str, other: str) -> bool:
    """Whether two words are one but for a letter or an ending; numbers never are."""
    if one.isdigit() or other.isdigit():
        return False
    return SequenceMatcher(None, one, other, autojunk=False).ratio() >= _ALIKE


def identifier(work: Work) -> str:
    """The identifier without case and prefix of an address; "" where there is none."""
    plain = work.identifier.strip().casefold()
    plain = re.sub(r"^https?://(?:dx\.)?(?:doi\.org|arxiv\.org/abs)/", "", plain)
    return re.sub(r"(?<=\d)v\d{1,2}$", "", plain)


def title_of(paper: Paper) -> str:
    """The submission's title: as it was given, else its first heading before the abstract."""
    if paper.title.strip():
        return paper.title
    for block in paper.blocks:
        if block.kind == "heading" and block.role == "front":
            return paper.text[block.start : block.end]
    return ""


def own_identifiers(paper: Paper) -> frozenset[str]:
    """DOI and arXiv numbers on the submission's own front page."""
    blocks = [block for block in paper.blocks if block.role in ("front", "abstract")]
    front = paper.text[: max((block.end for block in blocks), default=0)][:6000]
    found = {match.group().rstrip(".,;)").casefold() for match in _DOI.finditer(front)}
    return frozenset(found | set(_ARXIV.findall(front)))


def _abstract(paper: Paper) -> frozenset[tuple[str, ...]]:
    blocks = [b for b in paper.blocks if b.role == "abstract" and b.kind != "heading"]
    return _triples(" ".join(paper.text[block.start : block.end] for block in blocks))


def _triples(text: str) -> frozenset[tuple[str, ...]]:
    words = re.findall(r"[^\W_]+", text[:6000].casefold())
    return frozenset(zip(words, words[1:], words[2:], strict=False))


@dataclass(frozen=True)
class Submission:
    """What tells a paper again: its title, the identifiers on its front page, its abstract."""

    title: str
    identifiers: frozenset[str]
    abstract: frozenset[tuple[str, ...]]

    @classmethod
    def of(cls, paper: Paper) -> Submission:
        return cls(title_of(paper), own_identifiers(paper), _abstract(paper))

    def is_same(self, work: Work) -> str:
        """By what ``work`` is this submission ("identifier", "title", "abstract"), or ""."""
        mine = identifier(work)
        if mine and any(mine == each or mine.endswith(f":{each}") for each in self.identifiers):
            return "identifier"
        if same_title(work.title, self.title):
            return "title"
        theirs = _triples(work.abstract)
        fewest = min(len(self.abstract), len(theirs))
        if fewest >= _FEWEST_ABSTRACT and len(self.abstract & theirs) / fewest >= _SHARED_ABSTRACT:
            return "abstract"
        return ""


def find_same(work: Work, others: Sequence[Work]) -> int | None:
    """The index of the record among ``others`` that is the same publication as ``work``."""
    mine = identifier(work)
    for index, other in enumerate(others):
        if mine and mine == identifier(other):
            return index
        if same_title(work.title, other.title):
            return index
    return None
