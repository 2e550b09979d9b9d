"""Literature search as a service: each query is sent once, and its result is stored."""

from __future__ import annotations

import hashlib
import threading
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, cast

from revkit.cache import KeyBase, Store
from revkit.contracts import Component, Context, Searcher, Services
from revkit.errors import StoreError, describe_error
from revkit.model.review import Failure
from revkit.model.values import Json, canonical_bytes
from revkit.model.work import Work


class SearchService:
    """Serves ``searcher`` to many threads through ``store``; a failed search is not stored.

    ``services`` is what the searcher itself may ask, ``used`` the components behind that.
    """

    def __init__(
        self,
        searcher: Searcher,
        store: Store,
        services: Services,
        used: Sequence[Component] = (),
    ) -> None:
        self.searcher = searcher
        self._store = store
        self._services = services
        self._key = KeyBase.of("search", [searcher], seed=0, services=used, core=False)
        self._locks: defaultdict[bytes, threading.Lock] = defaultdict(threading.Lock)
        self._lock = threading.Lock()

    def __call__(self, query: str, limit: int) -> Sequence[Work] | Failure:
        """Return at most ``limit`` works for ``query``, or the reason why there are none."""
        key = self._key_of(query, limit)
        with self._lock:
            lock = self._locks[key]
        with lock:
            found = self._store.get_json(key)
            if found is None:
                with self._store.claims.held(key):
                    found = self._store.get_json(key)
                    if found is None:
                        works = self._search(query, limit)
                        if isinstance(works, Failure):
                            return works
                        found = self._store.put_json(key, works)
        return self._read(found)

    def stored(self, query: str, limit: int) -> Sequence[Work] | None:
        """Return the stored works for ``query``; None if it was not searched before."""
        found = self._store.get_json(self._key_of(query, limit))
        return None if found is None else self._read(found)

    def _key_of(self, query: str, limit: int) -> bytes:
        return self._key.item(hashlib.sha256(canonical_bytes([query, limit])).hexdigest())

    def _search(self, query: str, limit: int) -> list[Json] | Failure:
        """Call the searcher; an exception, or a result that is not a work, is a failed search."""
        ctx = Context(0, self._services, self.searcher.uses)
        try:
            works = self.searcher.search(query, limit, ctx)
            if isinstance(works, Failure):
                return works
            rows: list[Json] = [work.to_json() for work in list(works)[:limit]]
            canonical_bytes(rows)
            _works(rows)
        except StoreError:
            raise
        except (Exception, SystemExit) as error:  # a plugin may raise anything
            detail = f"search {self.searcher.name!r}: {describe_error(error)}"
            return Failure("crashed", detail.splitlines()[0][:500])
        return rows

    def _read(self, found: Json) -> list[Work]:
        try:
            return _works(found)
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            raise StoreError(
                f"the store {self._store.path} contains an invalid answer of search "
                f"{self.searcher.name!r}; move the file to another place; its answers are then "
                "computed again"
            ) from error


def _works(rows: Json) -> list[Work]:
    works = [Work.from_json(cast(Any, row)) for row in cast(Any, rows)]
    for work in works:
        texts = (*work.authors, work.title, work.venue, work.identifier, work.abstract, work.url)
        if not all(isinstance(text, str) for text in texts):
            raise TypeError(f"a field of a work is not text: {work!r}"[:300])
        for number in (work.year, work.score):
            if number is not None and (isinstance(number, bool) or number - number != 0):
                raise TypeError(f"a work has a year or score that is not a number: {work!r}"[:300])
    return works
