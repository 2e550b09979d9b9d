"""Facts about papers that the store keeps, so that a run with known papers parses none of them."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any, cast

from revkit.cache import KeyBase, Store
from revkit.execution.processes import Children
from revkit.model.columns import read_row, row_of
from revkit.model.paper import Paper
from revkit.model.values import canonical_bytes
from revkit.papers import PaperFacts, read_facts

_PORTION = 256  # papers


class FactsOfPapers:
    """The facts about the papers of a run: those in ``store``, or those read from the text; without
    a store always the latter.

    A key holds the digest of the paper and the versions of revkit's rooms. New facts are stored
    in portions, because a killed run has nothing to lose: they are read from the text again. Where
    there are ``children``, they read the texts.
    """

    def __init__(self, store: Store | None) -> None:
        self.children: Children | None = None
        self._store = store
        self._base = KeyBase.of("facts", (), seed=0)
        self._new: list[tuple[bytes, bytes]] = []

    def begin(self, paper: Paper) -> Future[PaperFacts] | None:
        """Begin to read the facts about ``paper`` in a child process, where there is one and the
        store does not have them. Raises `StoreError` where the store fails."""
        if self.children is None or self.stored(paper) is not None:
            return None
        return self.children.begin_facts(paper)

    def of(self, paper: Paper, begun: Future[PaperFacts] | None = None) -> PaperFacts:
        """Return the facts about ``paper``: those that `begin` ``begun`` to read, if any. Raises
        `StoreError` where the store fails."""
        known = self.stored(paper) if begun is None else None
        if known is not None:
            return known
        facts = read_facts(paper) if begun is None else begun.result()
        if self._store is not None:
            self._new.append((self._base.item(paper.digest), canonical_bytes(row_of(facts))))
            if len(self._new) >= _PORTION:
                self.keep()
        return facts

    def stored(self, paper: Paper) -> PaperFacts | None:
        """Return the facts that the store has about ``paper``, if any."""
        if self._store is None:
            return None
        key = self._base.item(paper.digest)
        found = self._store.get_json(key)
        if found is None:
            self._store.name_damaged(key, f"facts about the text of paper {paper.id!r}")
            return None
        try:
            return read_row(PaperFacts, cast(Any, found))
        except (KeyError, TypeError):
            return None  # nothing that revkit stored

    def keep(self) -> None:
        """Store the new facts. Raises `StoreError` where the store fails."""
        if self._store is not None and self._new:
            self._store.put_all(self._new)
            self._new = []
