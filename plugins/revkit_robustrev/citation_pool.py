"""The pool of real references that citation injection draws from.

A pool is a JSON Lines file. Each line is one work: ``key`` (unique), ``title``, ``authors`` (a list
of "Given Family"), ``et_al`` (true where the list of authors is cut), ``year``, ``venue``,
``identifier`` ("arXiv:...", "doi:..." or "acl:..."), ``topics`` and ``keywords`` (lists of words or
phrases).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.files import LineProblems, located
from revkit.model.strict_json import strict_json
from revkit.works import fold_words, split_name
from revkit_robustrev.citation_phrases import Phrase, as_phrase

BUILT_IN = Path(__file__).parent / "pool.jsonl"


@dataclass(frozen=True, slots=True)
class PoolWork:
    """One real work of the pool.

    ``families`` are its authors' family names in order, ``name`` the first of them in plain words,
    ``title_key`` the title's plain words bounded by blanks (for a search in other such strings).
    ``keywords`` are the phrases of its keywords.
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
    keywords: frozenset[Phrase]


@dataclass(frozen=True)
class Pool:
    """All works of one pool file; ``by_key`` finds one."""

    works: tuple[PoolWork, ...]
    digest: str
    by_key: Mapping[str, PoolWork]


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
    problems = LineProblems()
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RunError(f"the citation pool {name} is not UTF-8 at byte {error.start}") from None
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            work = _work(strict_json(line))
        except KeyError as error:
            problems.add(number, f"{error.args[0]} is missing")
            continue
        except (ValueError, TypeError, AttributeError) as error:
            problems.add(number, error)
            continue
        if work.key in seen:
            problems.add(number, f"key {work.key!r} comes twice")
        seen.add(work.key)
        works.append(work)
    if problems:
        raise RunError(f"the citation pool {name}, {problems}")
    if not works:
        raise RunError(f"the citation pool {name} is empty")
    by_key = {work.key: work for work in works}
    digest = hashlib.sha256(content).hexdigest()
    return Pool(tuple(works), digest, by_key)


def _work(record: object) -> PoolWork:
    if not isinstance(record, dict):
        raise ValueError("expected an object")

    def texts(name: str) -> Sequence[str]:
        value = record.get(name, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise ValueError(f"{name} must be a list of strings")
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
    texts("topics")
    keywords = frozenset(as_phrase(keyword) for keyword in texts("keywords"))
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
    )
