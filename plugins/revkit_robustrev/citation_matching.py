"""Choose the works that can be cited at a place in a paper, by subject and by meaning.

First the subject: a work goes only after the name of a subject for which it is cited: by the list
of the built-in pool, by two other papers or more, or because the name is a good part of its title.
Then the meaning: the works come first whose title, or a sentence that cites them, is nearest to the
sentence. How near is measured by the run's embedder or, without one, by the share of words in
common, and there is a floor. By words, the floor is not for the works of the list: a long title
seems far from every sentence, and the list names works that are right after the phrase anyway.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import groupby

from revkit.dataclass import dataclass
from revkit.english import stop_words
from revkit_robustrev.citation_library import CURATED, Library, broad_subjects
from revkit_robustrev.citation_phrases import Phrase, key_of, tokens
from revkit_robustrev.citation_pool import PoolWork
from revkit_robustrev.citation_sites import CitationSite

Nearness = Callable[[Sequence[tuple[str, str]]], Sequence[float]]
"""How near two texts of a pair are, from 0 to 1."""

MOST_AT_ONCE = 2  # works that come to one place
_IN_TITLE = 0.4  # the least share of a title's words of content that a subject makes up
_GENERAL = 0.5  # the least nearness of a subject to a title for which no one else cites the work
# How much worse a place is after the first mention of a subject, and of the name of a whole field.
_LATE = (0.4, 1.0)
# After the name of a whole field: the end of a statement, or what restricts the field.
_AFTER_BROAD = frozenset((".", ";", "for", "to"))
_GRADES = {"listed": 0.3, "cited": 0.3, "title": 0.0}


@dataclass(frozen=True, slots=True)
class Floors:
    """The least nearness of a sentence to a work: to one of the list for the subject, to others."""

    listed: float
    others: float


@dataclass(frozen=True, slots=True)
class FittingWork:
    """A work at a place, why it is cited for the subject there, and how near the two are."""

    site: CitationSite
    work: PoolWork
    grade: str
    near: float

    @property
    def rank(self) -> float:
        """How well the work fits its site; higher is better."""
        late = _LATE[self.site.phrase in broad_subjects()] * (not self.site.early)
        return self.near + _GRADES[self.grade] - late - 2 * (not self.site.background)

    @property
    def good(self) -> bool:
        """Whether more than the least number of works may be added for its sake."""
        return self.rank >= 0


def grade_of(library: Library, phrase: Phrase, title: str, own: str) -> str:
    """Why a work is cited for a subject: "listed", "cited" (by two papers or more), "title", or ""
    where it is not. ``own`` is the digest of the paper itself, which does not count."""
    sources = library.cited_for.get(phrase, {}).get(title, frozenset()) - {own}
    if CURATED in sources:
        return "listed"
    if len(sources) > 1:
        return "cited"
    if any(CURATED in others for others in library.cited_for.get(phrase, {}).values()):
        return ""  # the list has the works for this subject
    return "title" if sources and in_title(phrase, library.works[title].title) else ""


def in_title(phrase: Phrase, title: str) -> bool:
    """Whether a phrase of two words or more makes up a good part of a title."""
    words = set(key_of(tokens(title, 0, len(title))))
    content = words - stop_words("title")
    return (
        len(phrase) > 1
        and set(phrase) <= words
        and len(set(phrase)) >= _IN_TITLE * max(len(content), 1)
    )


def candidates(
    library: Library,
    sites: Iterable[CitationSite],
    own: str,
    excludes: Callable[[PoolWork], bool],
    near: Nearness,
    floors: Floors,
) -> list[FittingWork]:
    """Return the works that fit a place, with their similarity, in the order of the text."""
    fitting: list[tuple[CitationSite, PoolWork, str]] = []
    known: dict[str, bool] = {}
    for site in sites:
        if site.phrase in broad_subjects() and site.followed_by in _AFTER_BROAD:
            continue
        for title in library.cited_for.get(site.phrase, {}):
            grade = grade_of(library, site.phrase, title, own)
            if not grade:
                continue
            if title not in known:
                known[title] = not excludes(library.works[title])
            if known[title]:
                fitting.append((site, library.works[title], grade))
    pairs: list[tuple[str, str]] = []
    for site, work, _ in fitting:
        subject = " ".join(site.phrase)
        pairs.append((subject, work.title))
        pairs += [(site.sentence, text) for text in _texts(library, work, subject, own)]
    values = iter(near(pairs))
    found: list[FittingWork] = []
    for site, work, grade in fitting:
        general = next(values)
        texts = _texts(library, work, " ".join(site.phrase), own)
        nearest = max(next(values) for _ in texts)
        if grade == "title" and general < _GENERAL:
            continue
        if nearest >= (floors.listed if grade == "listed" else floors.others):
            found.append(FittingWork(site, work, grade, nearest))
    return found


def _texts(library: Library, work: PoolWork, subject: str, own: str) -> list[str]:
    """What a sentence is compared with: the title with the subject, and sentences of others."""
    said = [text for paper, text in library.sentences.get(work.title_key, ()) if paper != own]
    return [f"{work.title} ({subject})", *said]


def place(
    found: Sequence[FittingWork], least: int, most: int, rng: random.Random
) -> list[tuple[CitationSite, list[PoolWork]]]:
    """Choose the number of works, the works and the place of each; [] if too few fit.

    Each work goes to its best place, no place gets more than two, and no two works the same first
    author and year. More than the least number only where the places are good. Of the works that
    fit best, a few more than wanted, some are drawn.
    """
    best: dict[str, FittingWork] = {}
    marks: set[tuple[str, int]] = set()
    luck = {one.work.key: 0.2 * rng.random() for one in found}
    for one in sorted(
        found, key=lambda c: (-c.rank - luck[c.work.key], c.site.position, c.work.key)
    ):
        full = sum(other.site.position == one.site.position for other in best.values())
        mark = (one.work.name, one.work.year)
        if mark not in marks and full < MOST_AT_ONCE:
            marks.add(mark)
            best[one.work.key] = one
    chosen = list(best.values())
    if len(chosen) < least:
        return []
    good = sum(one.good for one in chosen)
    wanted = rng.randint(least, max(least, min(most, good)))
    drawn = rng.sample(chosen[: max(wanted, min(wanted + 3, good))], wanted)
    drawn.sort(key=lambda c: (c.site.position, c.work.name, c.work.year, c.work.key))
    return [
        (group[0].site, [one.work for one in group])
        for group in (list(g) for _, g in groupby(drawn, key=lambda c: c.site.position))
    ]


def by_words(pairs: Sequence[tuple[str, str]]) -> list[float]:
    """Return the similarity without an embedder: the share of the second text's content words in
    the first.
    """
    return [_shared(one, other) for one, other in pairs]


def _shared(one: str, other: str) -> float:
    first, second = _content(one), _content(other)
    return len(first & second) / len(second) if second else 0.0


@lru_cache(maxsize=20_000)
def _content(text: str) -> frozenset[str]:
    words: frozenset[str] = frozenset(key_of(tokens(text, 0, len(text))))
    return words - stop_words("search")
