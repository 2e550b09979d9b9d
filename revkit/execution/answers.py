"""Stored answers of items: look them up, read them without trust, and store new ones."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, cast

from revkit.cache import LONGEST_WAIT, Store
from revkit.errors import PaperError, StoreError
from revkit.execution.old_format import renew_answer
from revkit.execution.work import Answer, ItemStep, answer_from_json, is_credible
from revkit.model.paper import Paper
from revkit.model.values import Json


class Answers:
    """Reads and writes the answers of run items in ``store``.

    ``lost`` names calls of models whose replies the store lost. An answer based on such a call
    counts as unknown and is set aside.
    """

    def __init__(self, store: Store, lost: Collection[str] = ()) -> None:
        self._store = store
        self._lost = frozenset(lost)

    def stored(self, key: bytes, place: str) -> Json:
        """The stored answer under ``key``; None without one, or where it is damaged. ``place``
        describes the item."""
        found = self._store.get_json(key)
        if self._lost and isinstance(found, dict):
            calls = found.get("calls")
            if isinstance(calls, list) and not self._lost.isdisjoint(map(str, calls)):
                self._store.set_aside(key)
                found = None
        if found is None:
            self._store.name_damaged(key, place)
        return found

    @contextmanager
    def claimed(
        self, key: bytes, place: str, stop: threading.Event, deadline: float | None
    ) -> Iterator[Json]:
        """Claim an item that is about to be computed, and yield its answer if another command on
        the store has meanwhile given it. An item with a ``deadline`` spends half of it on waiting
        at most.
        """
        longest = LONGEST_WAIT if deadline is None else min(LONGEST_WAIT, deadline / 2)
        with self._store.claims.held(key, stop, longest):
            yield self.stored(key, place)

    @asynccontextmanager
    async def awaited(self, key: bytes, place: str, stop: threading.Event) -> AsyncIterator[Json]:
        """`claimed` for coroutines, without a deadline."""
        async with self._store.claims.awaited(key, stop):
            yield self.stored(key, place)

    def read(self, found: Json, node: str, record: str, step: ItemStep, subject: Paper) -> Answer:
        """Read a stored answer. Raises `StoreError` for one that the step cannot have given."""
        try:
            renewed = renew_answer(cast(Any, found), record)
            answer = answer_from_json(renewed, record)
            # A value that differs after reading was not stored by us.
            if answer.to_json() == renewed and is_credible(answer, step, subject):
                return answer
        except (KeyError, TypeError, ValueError, AttributeError, StopIteration, PaperError):
            pass
        raise StoreError(
            f"the store {self._store.path} was changed: it contains an invalid "
            f"answer of {node}; move the file to another place; its answers are then computed again"
        )

    def keep(self, key: bytes, answer: Answer, record: str) -> Answer:
        """Store ``answer`` where it lasts, and return what was stored, read back: then an answer is
        the same whether computed or found."""
        if not answer.lasting:
            return answer
        like = bytes.fromhex(answer.calls[0]) if answer.calls else None
        kept = self._store.put_json(key, answer.to_json(), like)
        return answer_from_json(renew_answer(cast(Any, kept), record), record)
