"""Literature search as a service: each question is asked once, and remembered in the store."""

from __future__ import annotations

import hashlib
import threading
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, cast

from revkit.cache import KeyBase, Store
from revkit.contracts import Component, Context, Searcher, Services
from revkit.model.review import Failure
from revkit.model.values import canonical_json
from revkit.model.work import Work


class SearchService:
    """Serve ``searcher`` to many threads through ``store``; a failed search is not kept.

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
        """Return at most ``limit`` works for ``query``, or why there are none to be had."""
        digest = hashlib.sha256(canonical_json([query, limit]).encode("utf-8", "replace"))
        key = self._key.item(digest.hexdigest())
        with self._lock:
            lock = self._locks[key]
        with lock:
            found = self._store.get_json(key)
            if found is None:
                works = self._search(query, limit)
                if isinstance(works, Failure):
                    return works
                found = self._store.put_json(key, [work.to_json() for work in works])
        return [Work.from_json(cast(Any, work)) for work in cast(Any, found)]

    def _search(self, query: str, limit: int) -> Sequence[Work] | Failure:
        ctx = Context(0, self._services, self.searcher.uses)
        try:
            works = self.searcher.search(query, limit, ctx)
        except Exception as error:  # a plugin may raise anything
            told = f"search {self.searcher.name!r}: {type(error).__name__}: {error}"
            return Failure("crashed", told.splitlines()[0][:500])
        return works if isinstance(works, Failure) else list(works)[:limit]
