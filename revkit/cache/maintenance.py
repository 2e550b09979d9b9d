"""Maintenance of stores: check, remove what nothing refers to, copy, measure."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from revkit.cache.store import Store
from revkit.dataclass import dataclass
from revkit.errors import StoreError
from revkit.model.strict_json import strict_json
from revkit.model.values import Json

_SORTS = ("replies", "reviews", "variants", "other")


@dataclass(frozen=True)
class StoreCheck:
    """What a check found: the numbers of answers, of those that are damaged, of those whose content
    is missing, and what SQLite reports about the file (empty if nothing).
    """

    answers: int
    damaged: int
    missing: int
    file: tuple[str, ...]

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not (self.damaged or self.missing or self.file)

    def to_json(self) -> dict[str, Json]:
        return {
            "answers": self.answers,
            "damaged": self.damaged,
            "missing": self.missing,
            "file": list(self.file),
            "sound": self.sound,
        }


@dataclass(frozen=True)
class StoreSize:
    """The bytes of a store, and its answers by sort: replies of language models, reviews (and
    judgements), variants, and other answers (embeddings, facts about papers, tables, reports).
    """

    bytes: int
    answers: dict[str, int]
    requests: int

    @property
    def per_thousand_reviews(self) -> float | None:
        """Megabytes for 1,000 reviews; None without a review."""
        reviews = self.answers["reviews"]
        return self.bytes / 1e6 / reviews * 1000 if reviews else None

    def to_json(self) -> dict[str, Json]:
        return {
            "bytes": self.bytes,
            "answers": dict(self.answers),
            "requests": self.requests,
            "megabytes_per_1000_reviews": self.per_thousand_reviews,
        }


def check_store(store: Store) -> StoreCheck:
    """Read every answer of ``store`` and compare it with its digest. Nothing is changed."""
    found = [str(row[0]) for row in store.query("PRAGMA integrity_check(20)", ())]
    missing = store.query(
        "SELECT count(*) FROM asked WHERE content NOT IN (SELECT digest FROM content)", ()
    )
    [(answers,)] = store.query("SELECT count(*) FROM asked", ())
    [(no_keys,)] = store.query("SELECT count(*) FROM asked WHERE typeof(key) != 'blob'", ())
    damaged = int(no_keys) + sum(body is None for body in _bodies(store))
    return StoreCheck(
        int(answers), damaged, int(missing[0][0]), tuple(each for each in found if each != "ok")
    )


def _bodies(store: Store) -> Iterator[bytes | None]:
    """Yield the body of each answer; None for one that is damaged."""
    for key in sorted(store.keys()):
        for row in store.query("SELECT digest, body FROM answer WHERE key = ?", (key,)):
            yield store.intact(*row)


def collect_garbage(store: Store) -> int:
    """Remove damaged answers and content to which no answer refers, pack the file, and return the
    number of bytes that it became smaller. No valid answer is removed.
    """
    before = _size(store.path)
    store.insert("DELETE FROM damaged", ())
    store.insert(
        # A body may be the dictionary of another one, which begins with its digest.
        "DELETE FROM content WHERE digest NOT IN (SELECT content FROM asked) AND digest NOT IN"
        " (SELECT substr(body, 2, 32) FROM content WHERE substr(body, 1, 1) = x'01')",
        (),
    )
    # What became of calls in batches, where it has been read.
    store.insert("DELETE FROM batched WHERE call IN (SELECT key FROM asked)", ())
    store.insert(
        "DELETE FROM batch WHERE ended AND id NOT IN (SELECT batch FROM batched)",
        (),
    )
    store.insert("VACUUM", ())
    store.query("PRAGMA wal_checkpoint(TRUNCATE)", ())
    return before - _size(store.path)


def copy_store(store: Store, target: Path) -> int:
    """Write a packed copy of ``store`` to ``target`` while others may use it; return its bytes.

    Raises `StoreError` if ``target`` exists or cannot be written.
    """
    if target.exists():
        raise StoreError(f"{target} exists; name another file")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        store.insert("VACUUM INTO ?", (str(target),))
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"{target} cannot be written: {error}") from error
    return _size(target)


def store_size(store: Store) -> StoreSize:
    """Measure ``store``; this reads every answer."""
    counts = Counter(map(_sort_of, _bodies(store)))
    [(requests,)] = store.query("SELECT count(*) FROM attempt", ())
    return StoreSize(_size(store.path), {name: counts[name] for name in _SORTS}, int(requests))


def _sort_of(body: bytes | None) -> str:
    try:
        value = strict_json((body or b"").decode("utf-8"))
    except ValueError:  # an embedding is not JSON
        return "other"
    if not isinstance(value, dict):
        return "other"
    if "usage" in value and "model" in value:
        return "replies"
    inner = value.get("value")
    if not isinstance(inner, dict):
        return "other"
    return "variants" if "edits" in inner else "reviews"


def _size(path: Path | None) -> int:
    """Return the bytes of a store with the files that SQLite keeps beside it."""
    if path is None:
        return 0
    paths = [path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))]
    return sum(each.stat().st_size for each in paths if each.exists())
