"""Works that the run's searcher finds for the subjects that a paper names most often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from revkit.model.paper import Paper
from revkit.model.review import Failure
from revkit.model.work import Work
from revkit.works import ET_AL, fold_words
from revkit_robustrev.citation_library import Library
from revkit_robustrev.citation_parser import work_of
from revkit_robustrev.citation_phrases import Phrase
from revkit_robustrev.citation_pool import PoolWork
from revkit_robustrev.citation_sites import Names, find_sites

SEARCHED = "searched"
"""The source of works that a searcher found."""

_SUBJECTS = 6
_RESULTS = 8
_MOST_NAMES = 10

Search = Callable[[str, int], Sequence[Work] | Failure]


class _Phrases:
    """All phrases of two words or more."""

    def __contains__(self, phrase: object) -> bool:
        return isinstance(phrase, tuple) and len(phrase) > 1


def with_search_results(paper: Paper, known: Library, search: Search) -> Library:
    """``known`` with the works found for the subjects that the paper's sentences name most often.

    A work counts for a subject as if one paper had cited it so: the subject must make up a part of
    its title. What a search does not give in full (authors, year) is left out, and a search that
    fails adds nothing.
    """
    works = dict(known.works)
    cited_for = {phrase: dict(found) for phrase, found in known.cited_for.items()}
    for phrase in _subjects(paper):
        found = search(" ".join(phrase), _RESULTS)
        for work in () if isinstance(found, Failure) else found:
            read = _read(work)
            if read is None:
                continue
            read = works.setdefault(read.title_key, read)
            sources = cited_for.setdefault(phrase, {})
            sources[read.title_key] = sources.get(read.title_key, frozenset()) | {SEARCHED}
    return replace(known, works=works, cited_for=cited_for)


def _subjects(paper: Paper) -> list[Phrase]:
    counts = Counter(site.phrase for site in find_sites(paper, Names(_Phrases())))
    text = " ".join(fold_words(paper.text))
    for phrase in counts:
        counts[phrase] += text.count(" ".join(phrase))
    return sorted(counts, key=lambda phrase: (-counts[phrase], phrase))[:_SUBJECTS]


def _read(work: Work) -> PoolWork | None:
    authors = tuple(name for name in work.authors if name != ET_AL)
    if not authors or work.year is None or len(fold_words(work.title)) < 2:
        return None
    kind, _, number = work.identifier.partition(":")
    identifier = {"arxiv": f"arXiv:{number}", "doi": f"doi:{number}", "acl": f"acl:{number}"}
    return work_of(
        work.title.rstrip("."),
        authors[:_MOST_NAMES],
        len(authors) > _MOST_NAMES or len(authors) < len(work.authors),
        work.year,
        work.venue,
        identifier.get(kind.lower(), ""),
    )
