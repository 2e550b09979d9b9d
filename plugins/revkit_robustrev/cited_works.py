"""The works that a paper already cites."""

from __future__ import annotations

from functools import lru_cache

from revkit.model.paper import Paper
from revkit.works import comparable, find_identifiers, fold, fold_words
from revkit_robustrev.citation_pool import PoolWork

_SHORT_TITLE = 4  # words; "Active Learning" is a part of many titles


@lru_cache(maxsize=4)
def _folded(entries: tuple[str, ...]) -> tuple[frozenset[str], tuple[str, ...]]:
    """The identifiers that the entries name, and each entry as folded words between blanks.

    Cached, as a paper is perturbed and its variant judged one after the other.
    """
    identifiers = frozenset().union(*map(find_identifiers, entries))
    return identifiers, tuple(f" {' '.join(fold_words(entry))} " for entry in entries)


class CitedWorks:
    """The works that a paper already cites, so that no work is cited twice."""

    def __init__(self, paper: Paper) -> None:
        references = paper.references
        self.identifiers, lines = _folded(tuple(reference.text for reference in references))
        self.entries = list(zip(lines, (reference.year for reference in references), strict=True))
        self.joined = "\n".join(lines)
        self.newest = max((year for _, year in self.entries if year), default=None)
        self.titles = {f" {' '.join(fold_words(paper.title))} "} | {
            f" {' '.join(fold_words(paper.text[block.start : block.end]))} "
            for block in paper.blocks[:2]
            if block.kind == "heading"
        }
        marks = [
            key
            for citation in paper.citations
            if citation.style == "author-year"
            for key in citation.keys
        ]
        self.marks = {
            (line.split(",")[0].split(" et al")[0].strip(), key.rstrip("abcdefgh")[-4:])
            for line, key in zip(map(fold, marks), marks, strict=True)
        }

    def has(self, work: PoolWork) -> bool:
        """Return whether the list contains ``work``: by title, by identifier, or by author, year
        and words.
        """
        name = f" {work.name} "
        titled = work.title_key in self.joined
        if titled and len(work.title_key.split()) < _SHORT_TITLE:  # a part of other titles, too
            titled = any(work.title_key in entry and name in entry for entry, _ in self.entries)
        if titled or self.identifiers & comparable((work.identifier,)):
            return True
        if name not in self.joined:
            return False
        words = set(work.title_key.split())
        return any(
            name in entry
            and year is not None
            and abs(year - work.year) <= 1
            and len(words.intersection(entry.split())) >= 0.7 * len(words)
            for entry, year in self.entries
        )

    def excludes(self, work: PoolWork) -> bool:
        """Return whether ``work`` must not be added: already cited, the paper itself, newer,
        ambiguous.
        """
        if self.newest is not None and work.year > self.newest:
            return True
        if work.title_key in self.titles or self.has(work):
            return True
        if (work.name, str(work.year)) in self.marks:
            return True
        name = f" {work.name} "
        return name in self.joined and any(
            name in entry and year == work.year for entry, year in self.entries
        )
