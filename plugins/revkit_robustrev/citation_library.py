"""The works that can be cited, and the subjects for which papers cite them.

A work is cited for a subject where others cite it so: the list ``subjects.tsv`` of the built-in
pool, or other papers of the corpus whose citation marker follows the name of that subject. Those
papers also give the sentences around the marker, with which a new place can be compared.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cache, cached_property, lru_cache
from pathlib import Path

from revkit.contracts import Peer
from revkit.dataclass import dataclass
from revkit.english import table_rows
from revkit.model.paper import Paper
from revkit.model.structure import Citation
from revkit.works import fold_words
from revkit_robustrev.citation_parser import read_entry
from revkit_robustrev.citation_phrases import Phrase, as_phrase, names_of, phrase_before
from revkit_robustrev.citation_pool import Pool, PoolWork, read_pool
from revkit_robustrev.citation_sites import (
    Names,
    citations_by_sentence,
    is_narrative,
    without_marks,
)

CURATED = "curated"
"""The source of what ``subjects.tsv`` lists."""

_SUBJECTS = Path(__file__).parent / "subjects.tsv"
_LARGEST_GROUP = 4  # works behind one marker: of more, each is only loosely about the subject
_MOST_SENTENCES = 6
_OFTEN = 3  # mentions of a word of its context that fix the meaning of a phrase
_YEAR = re.compile(r"((?:19|20)\d\d)([a-z]?)\W*\Z")


@dataclass(frozen=True, slots=True)
class SubjectMention:
    """A work that a paper cites, the phrases before the marker, and the bare sentence."""

    work: PoolWork
    phrases: tuple[Phrase, ...]
    sentence: str


@dataclass(frozen=True)
class Library:
    """Works by the folded title, who cites them for a subject, and in which sentences.

    ``cited_for`` maps a phrase to the works that are cited for it, each with its sources: digests
    of papers, or `CURATED`. ``sentences`` holds a paper's digest with each sentence. The others are
    of ``subjects.tsv``: ``contexts`` are the words of which a paper must hold one where a phrase
    has several meanings, ``unique`` phrases name one thing, so that "the" may precede them, and
    those ``in_capitals`` are common words otherwise.
    """

    works: Mapping[str, PoolWork]
    cited_for: Mapping[Phrase, Mapping[str, frozenset[str]]]
    sentences: Mapping[str, Sequence[tuple[str, str]]]
    contexts: Mapping[Phrase, tuple[str, ...]] = field(default_factory=dict)
    unique: frozenset[Phrase] = frozenset()
    in_capitals: frozenset[Phrase] = frozenset()

    @cached_property
    def names(self) -> Names:
        """The phrases for which works are cited. Those that a list names, not only another paper,
        count however they are written, unless they are ``in_capitals``."""
        listed = frozenset(
            phrase
            for phrase, found in self.cited_for.items()
            if phrase not in self.in_capitals
            and any(CURATED in sources for sources in found.values())
        )
        last_words = frozenset(phrase[-1] for phrase in self.cited_for)
        return Names(self.cited_for.keys(), listed, self.unique, last_words)

    def means_subject(self, paper: Paper) -> Callable[[Phrase], bool]:
        """Return a function that says whether a phrase names its subject in a paper.

        It does where it has one meaning, or where the paper often holds a word of its context.
        """
        text = paper.text.lower()

        @cache
        def often(word: str) -> bool:
            return text.count(word) >= _OFTEN

        return lambda phrase: phrase not in self.contexts or any(map(often, self.contexts[phrase]))

    @property
    def by_key(self) -> Mapping[str, PoolWork]:
        """The works by their keys."""
        return {work.key: work for work in self.works.values()}


_MENTIONS: dict[str, tuple[SubjectMention, ...]] = {}
_MOST_PAPERS = 10_000


def mentions(paper: Paper) -> tuple[SubjectMention, ...]:
    """The works that a paper cites in brackets, as far as entry and marker can be read.

    Kept by the digest of the paper, as each paper of a corpus reads all others.
    """
    if paper.digest not in _MENTIONS:
        if len(_MENTIONS) >= _MOST_PAPERS:
            _MENTIONS.clear()
        _MENTIONS[paper.digest] = tuple(_mentions(paper))
    return _MENTIONS[paper.digest]


def _mentions(paper: Paper) -> Iterable[SubjectMention]:
    entries = _Entries(paper)
    for index, marks in citations_by_sentence(paper).items():
        sentence = paper.sentences[index]
        bare = without_marks(paper.text, sentence, marks)
        start = sentence.start
        for mark in marks:
            if not is_narrative(paper.text, mark) and len(mark.keys) <= _LARGEST_GROUP:
                run = phrase_before(paper.text, start, mark.start)
                for key in mark.keys:
                    work = entries.work(mark, key)
                    if work is not None:
                        yield SubjectMention(work, tuple(names_of(run)), bare[:400])
            start = mark.end


class _Entries:
    """The entries of a paper's list, found by the key of a citation marker."""

    def __init__(self, paper: Paper) -> None:
        self.references = paper.references
        self.labels: dict[str, list[int]] = {}
        self.years: dict[int, list[int]] = {}
        for index, reference in enumerate(paper.references):
            self.labels.setdefault(reference.label, []).append(index)
            if reference.year is not None:
                self.years.setdefault(reference.year, []).append(index)
        self.heads = [f" {' '.join(fold_words(r.text[:60]))} " for r in paper.references]
        self.read: dict[int, PoolWork | None] = {}

    def work(self, mark: Citation, key: str) -> PoolWork | None:
        found = self._by_name(key) if mark.style == "author-year" else self.labels.get(key, [])
        if len(found) != 1:
            return None
        if found[0] not in self.read:
            self.read[found[0]] = read_entry(self.references[found[0]])
        return self.read[found[0]]

    def _by_name(self, key: str) -> list[int]:
        year = _YEAR.search(key)
        family = fold_words(re.split(r",| et al| and | & ", key, maxsplit=1)[0])
        if year is None or not family:
            return []
        name = f" {' '.join(family)} "
        found = [i for i in self.years.get(int(year[1]), ()) if name in self.heads[i]]
        if year[2]:
            found = [i for i in found if year[1] + year[2] in self.references[i].text]
        return found


@dataclass(frozen=True, slots=True)
class _Subject:
    """A row of ``subjects.tsv``."""

    phrase: Phrase
    kind: str
    context: tuple[str, ...]
    works: tuple[str, ...]


@lru_cache(maxsize=1)
def _subjects() -> tuple[_Subject, ...]:
    return tuple(
        _Subject(
            as_phrase(row["phrase"]),
            row["kind"],
            tuple(filter(None, row["context"].split("|"))),
            tuple(row["works"].split()),
        )
        for row in table_rows(_SUBJECTS)
    )


@lru_cache(maxsize=4)
def _phrases(kind: str) -> frozenset[Phrase]:
    return frozenset(subject.phrase for subject in _subjects() if subject.kind == kind)


def broad_subjects() -> frozenset[Phrase]:
    """Return phrases that name a whole field, such as "deep learning"."""
    return _phrases("broad")


@lru_cache(maxsize=1)
def _contexts() -> Mapping[Phrase, tuple[str, ...]]:
    return {subject.phrase: subject.context for subject in _subjects() if subject.context}


_BUILT: dict[tuple[str, ...], Library] = {}


def library(pool: Pool | None, peers: Sequence[Peer]) -> Library:
    """Return all works of the pool and of the peers' reference lists; the last result is cached."""
    name = (pool.digest if pool else "", *(peer.paper.digest for peer in peers))
    if name not in _BUILT:
        built = _build(pool, peers)
        _BUILT.clear()
        _BUILT[name] = built
    return _BUILT[name]


def _build(pool: Pool | None, peers: Sequence[Peer]) -> Library:
    works: dict[str, PoolWork] = {}
    cited_for: dict[Phrase, dict[str, set[str]]] = {}
    sentences: dict[str, list[tuple[str, str]]] = {}
    if pool is not None:
        works.update((work.title_key, work) for work in pool.works)
        for phrase, work in _subjects_of(pool):
            cited_for.setdefault(phrase, {}).setdefault(work.title_key, set()).add(CURATED)
    read: dict[str, list[PoolWork]] = {}
    for peer in peers:
        for mention in mentions(peer.paper):
            title = mention.work.title_key
            read.setdefault(title, []).append(mention.work)
            lines = sentences.setdefault(title, [])
            if len(lines) < _MOST_SENTENCES:
                lines.append((peer.paper.digest, mention.sentence))
            for phrase in mention.phrases:
                sources = cited_for.setdefault(phrase, {}).setdefault(title, set())
                sources.add(peer.paper.digest)
    taken = {work.key for work in works.values()}
    for title in sorted(read.keys() - works.keys()):
        work = _most_frequent(read[title])
        if work.key in taken:
            work = replace(work, key=f"{work.key}{len(taken)}")
        taken.add(work.key)
        works[title] = work
    frozen = {
        phrase: {title: frozenset(sources) for title, sources in sorted(found.items())}
        for phrase, found in cited_for.items()
    }
    if pool is None or not _is_built_in(pool):
        return Library(works, frozen, sentences)
    return Library(works, frozen, sentences, _contexts(), _phrases("unique"), _phrases("name"))


def _is_built_in(pool: Pool) -> bool:
    return pool.digest == read_pool(None).digest


def _subjects_of(pool: Pool) -> Iterable[tuple[Phrase, PoolWork]]:
    """The subjects for which works of a pool are cited: by the list that belongs to the built-in
    one, by the keywords of a user's own."""
    if _is_built_in(pool):
        for subject in _subjects():
            yield from ((subject.phrase, pool.by_key[key]) for key in subject.works)
        return
    for work in pool.works:
        yield from ((phrase, work) for phrase in sorted(work.keywords))


def _most_frequent(read: Sequence[PoolWork]) -> PoolWork:
    """Of several readings of one work the most frequent, then the one with most of it."""
    counts = Counter(read)
    return max(counts, key=lambda w: (counts[w], len(w.venue), len(w.authors), w.title, w.venue))
