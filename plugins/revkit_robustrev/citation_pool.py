"""The pool of real references that citation injection draws from, and how it finds those on topic.

A pool is a JSON Lines file. Each line is one work: ``key`` (unique), ``title``, ``authors`` (a list
of "Given Family"), ``et_al`` (true where the list of authors is cut), ``year``, ``venue``,
``identifier`` ("arXiv:...", "doi:..." or "acl:..."), ``topics`` and ``keywords`` (lists of words or
phrases).
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from revkit.errors import RunError
from revkit.files import located
from revkit.works import fold_words, split_name

BUILT_IN = Path(__file__).parent / "pool.jsonl"

_WEAK = 0.25
_SINGLE = 0.6
_SHORT = 9_000
_BODY = 12_000  # characters: about 2,000 words after the abstract tell the topic of a paper

Term = str | tuple[str, str]
"""A single word, or two words that follow one another."""

_WORD = re.compile(r"[a-z][a-z0-9]+")
# Too common in papers of any topic to identify one; a pair of words with one of them may do so.
_COMMON = frozenset(
    """
    the of and for with from into via under over that this are is was were be been can has have not
    but its our their your than then when where which while who how what why all any some more most
    less new novel using use used based towards toward approach approaches method methods paper
    work works study result results show model models system systems problem problems task tasks
    data set sets large small better good deep case effect effects one two three first also such
    these those between within through about across both each other many well may time way very
    only learning learn network networks neural training analysis general simple efficient improved
    improving an in on to by as at it or we evaluation language representation representations
    optimization error information function functions feature features scale search knowledge test
    human world recognition classification prediction generation inference space application
    framework algorithm algorithms theory process dynamic structure machine computer dataset
    benchmark
    """.split()  # noqa: SIM905
)


@dataclass(frozen=True, slots=True)
class PoolWork:
    """One real work of the pool.

    ``families`` are its authors' family names in order, ``name`` the first of them in plain words,
    ``title_key`` the title's plain words bounded by blanks (for a search in other such strings).
    ``keywords`` are the phrases of its keywords and topics, ``terms`` these, their single words and
    those of its title.
    """

    key: str
    title: str
    authors: tuple[str, ...]
    et_al: bool
    year: int
    venue: str
    identifier: str
    families: tuple[str, ...]
    name: str
    title_key: str
    keywords: frozenset[Term]
    terms: frozenset[Term]


def stem(word: str) -> str:
    """Return ``word`` without the s of a plural, so that "graphs" and "graph" are one term."""
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def terms_of(phrases: Iterable[str]) -> Iterator[Term]:
    """Yield the words and neighbouring pairs of words that name a subject.

    A word alone must not be common; a pair may hold one common word ("graph neural") or be a pair
    of such words that is a name ("deep learning" is none).
    """
    for phrase in phrases:
        words = [stem(word) for word in _WORD.findall(phrase.lower().replace("-", " "))]
        yield from (word for word in words if len(word) > 2 and word not in _COMMON)
        for pair in pairwise(words):
            if not (pair[0] in _COMMON and pair[1] in _COMMON):
                yield pair


def phrases_of(phrases: Iterable[str]) -> Iterator[Term]:
    """Yield each phrase as one term: a word, a pair of words, or the pairs of a longer phrase.

    What is common in papers of any topic ("deep learning") is not a term.
    """
    for phrase in phrases:
        words = [stem(word) for word in _WORD.findall(phrase.lower().replace("-", " "))]
        if len(words) == 1:
            yield from (word for word in words if word not in _COMMON)
        yield from (
            pair for pair in pairwise(words) if not (pair[0] in _COMMON and pair[1] in _COMMON)
        )


@dataclass(frozen=True)
class Pool:
    """All works of one pool file, with the weight of each term (its inverse document frequency).

    ``spellings`` maps the forms of a term to it; ``named_by`` and ``used_by`` say which works have
    a term as a keyword, or at all; ``by_key`` finds a work.
    """

    works: tuple[PoolWork, ...]
    weights: Mapping[Term, float]
    spellings: Mapping[Term, Term]
    named_by: Mapping[Term, Sequence[str]]
    used_by: Mapping[Term, Sequence[str]]
    digest: str
    by_key: Mapping[str, PoolWork]

    def scores(self, title: str, abstract: str, body: str) -> dict[str, float]:
        """Return the topic score of each work that shares two terms with the paper.

        Keywords count as whole phrases; their single words and the title's add a little. A single
        shared phrase is weak evidence and lowers the score.

        A term counts with its rarity in the pool times the logarithm of how often the paper uses
        it (at least twice in a long one); a use in the abstract counts three times, one in the
        title ten times. The score is the sum. Higher is nearer.
        """
        counts = self._count(body[:_BODY])
        for text, factor in ((abstract, 2), (title, 9)):
            for term, number in self._count(text).items():
                counts[term] += factor * number
        once = 0 if len(body) < _SHORT else 1
        strength = {
            term: self.weights[term] * math.log1p(number)
            for term, number in counts.items()
            if term is not None and number > once
        }
        named: dict[str, list[float]] = {}
        shared: dict[str, list[float]] = {}
        for term, value in strength.items():
            for key in self.named_by.get(term, ()):
                named.setdefault(key, []).append(value)
            for key in self.used_by[term]:
                shared.setdefault(key, []).append(value)
        scores: dict[str, float] = {}
        for key, values in shared.items():
            if len(values) > 1:
                keywords = named.get(key, [])
                score = math.fsum(keywords) + _WEAK * math.fsum(values)
                scores[key] = score if len(keywords) > 1 else _SINGLE * score
        return scores

    def _count(self, text: str) -> Counter[Term | None]:
        """How often ``text`` holds each term of the pool, in any spelling; None counts the rest."""
        words = _WORD.findall(text.lower())
        counts = Counter(map(self.spellings.get, words))
        counts.update(map(self.spellings.get, pairwise(words)))
        return counts

    def affinity(self, work: PoolWork, terms: Collection[Term]) -> float:
        """How much a sentence with ``terms`` is about ``work``: the rarity of what they share."""
        return math.fsum(self.weights[term] for term in work.terms if term in terms)


def _spellings(term: Term) -> tuple[Term, ...]:
    """The forms in which a text may hold ``term``: each word in singular and plural."""
    if isinstance(term, str):
        return (term, term + "s")
    return (term, (term[0], term[1] + "s"), (term[0] + "s", term[1]))


def read_pool(path: str | None) -> Pool:
    """Read a pool (None: the built-in one). Raises `RunError` where it cannot be read.

    Every line is checked; the error names the file and the line.
    """
    try:
        file = BUILT_IN if path is None else located(path)
        content = file.read_bytes()
    except OSError as error:
        raise RunError(f"the citation pool {path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise RunError(f"the citation pool {path} cannot be read: {error}") from None
    return _parse(content, str(path or "built in"))


@lru_cache(maxsize=4)
def _parse(content: bytes, name: str) -> Pool:
    works: list[PoolWork] = []
    seen: set[str] = set()
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RunError(f"the citation pool {name} is not UTF-8 at byte {error.start}") from None
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            work = _work(json.loads(line))
        except KeyError as error:
            raise RunError(
                f"the citation pool {name}, line {number}: {error.args[0]} is missing"
            ) from None
        except (ValueError, TypeError, AttributeError) as error:
            raise RunError(f"the citation pool {name}, line {number}: {error}") from None
        if work.key in seen:
            raise RunError(f"the citation pool {name}, line {number}: key {work.key!r} comes twice")
        seen.add(work.key)
        works.append(work)
    if not works:
        raise RunError(f"the citation pool {name} is empty")
    by_key = {work.key: work for work in works}
    named_by: dict[Term, list[str]] = {}
    used_by: dict[Term, list[str]] = {}
    for work in works:
        for term in work.keywords:
            named_by.setdefault(term, []).append(work.key)
        for term in work.terms:
            used_by.setdefault(term, []).append(work.key)
    weights = {term: math.log((1 + len(works)) / len(keys)) for term, keys in used_by.items()}
    spellings = {
        spelling: term for term in sorted(used_by, key=str) for spelling in _spellings(term)
    }
    digest = hashlib.sha256(content).hexdigest()
    return Pool(tuple(works), weights, spellings, named_by, used_by, digest, by_key)


def _work(record: object) -> PoolWork:
    if not isinstance(record, dict):
        raise ValueError("expected an object")

    def texts(name: str) -> Sequence[str]:
        value = record.get(name, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise ValueError(f"{name} must be a list of texts")
        return value

    key, title, year = record["key"], record["title"], record["year"]
    if not isinstance(key, str) or not key or key != "".join(key.split()):
        raise ValueError("key must be text without blanks")
    if not isinstance(title, str) or not fold_words(title):
        raise ValueError("title must be text")
    if isinstance(year, bool) or not isinstance(year, int):
        raise ValueError("year must be a whole number")
    authors = tuple(" ".join(author.split()) for author in texts("authors"))
    if not authors or not all(map(fold_words, authors)):
        raise ValueError("authors must name at least one person")
    families = tuple(split_name(author)[1] for author in authors)
    subjects = [*texts("keywords"), *texts("topics")]
    keywords = frozenset(phrases_of(subjects))
    return PoolWork(
        key=key,
        title=" ".join(title.split()).rstrip("."),
        authors=authors,
        et_al=bool(record.get("et_al", False)),
        year=year,
        venue=" ".join(str(record.get("venue") or "").split()),
        identifier=str(record.get("identifier") or ""),
        families=families,
        name=" ".join(fold_words(families[0])),
        title_key=f" {' '.join(fold_words(title))} ",
        keywords=keywords,
        terms=keywords | frozenset(terms_of([*subjects, title])),
    )
