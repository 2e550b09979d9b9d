"""Facts about papers that the store keeps, so that a run with known papers parses none of them."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import field
from typing import Any, cast

from revkit.cache import KeyBase, Store
from revkit.dataclass import dataclass
from revkit.execution.processes import FactReaders
from revkit.model.columns import read_row, row_of
from revkit.model.paper import Paper
from revkit.model.values import canonical_bytes
from revkit.papers import PaperFacts, read_facts

_PORTION = 256  # papers
# Papers and characters that are sent at once: a message to a child process takes as long as reading
# a part of a paper, and a run waits for the whole of it.
_AT_ONCE, _MOST_SENT = 32, 500_000


@dataclass
class _Portion:
    """Papers whose facts a child process reads at once, their ``length`` in characters, and
    ``facts`` from when they are sent.
    """

    papers: list[Paper] = field(default_factory=list)
    length: int = 0
    facts: Future[list[PaperFacts]] | None = None


@dataclass(frozen=True, slots=True)
class BegunFacts:
    """The facts about one paper that a child process reads or will read."""

    portion: _Portion
    place: int


class FactsOfPapers:
    """The facts about the papers of a run: those in ``store``, or those read from the text; without
    a store always the latter.

    A key holds the digest of the paper and the versions of revkit's rooms. New facts are stored
    in portions, because a killed run has nothing to lose: they are read from the text again. Where
    there are ``children``, they read the texts, once there are as many as make them worth it.
    """

    def __init__(self, store: Store | None) -> None:
        self.children: FactReaders | None = None
        self._store = store
        self._base = KeyBase.of("facts", (), seed=0)
        self._new: list[tuple[bytes, bytes]] = []
        self._portion = _Portion()
        self._gathered: list[_Portion] = []
        self._unknown = 0  # papers whose facts the store does not have

    def begin(self, paper: Paper) -> PaperFacts | BegunFacts | None:
        """Begin to read the facts about ``paper`` in a child process, where there is one: return
        what `of` needs for them, or the facts if the store has them. Several papers are sent at
        once. Raises `StoreError` where the store fails."""
        if self.children is None:
            return None
        known = self.stored(paper)
        if known is not None:
            return known
        portion = self._portion
        portion.papers.append(paper)
        portion.length += len(paper.text)
        begun = BegunFacts(portion, len(portion.papers) - 1)
        self._unknown += 1
        if len(portion.papers) >= _AT_ONCE or portion.length >= _MOST_SENT:
            self._send(self.children)
        return begun

    def _send(self, children: FactReaders) -> None:
        """Send the gathered papers, if they are enough."""
        self._gathered.append(self._portion)
        self._portion = _Portion()
        if self._unknown >= children.least:
            for portion in self._gathered:
                portion.facts = children.begin_facts(portion.papers)
            self._gathered.clear()

    def ready(self, begun: PaperFacts | BegunFacts | None) -> bool:
        """Whether `of` returns without waiting for a child process."""
        if not isinstance(begun, BegunFacts):
            return True
        portion = begun.portion
        if portion is self._portion:
            assert self.children is not None
            self._send(self.children)  # it is the last one, and not full
        return portion.facts is None or portion.facts.done()

    def _begun(self, paper: Paper, begun: BegunFacts) -> PaperFacts:
        portion = begun.portion
        if portion.facts is None:
            # There are few papers so far. The others of the portion are needed next, so sending
            # them gains nothing, and keeping them for it takes memory.
            self._gathered = [each for each in self._gathered if each is not portion]
            return read_facts(paper)
        return portion.facts.result()[begun.place]

    def of(self, paper: Paper, begun: PaperFacts | BegunFacts | None = None) -> PaperFacts:
        """Return the facts about ``paper``; ``begun`` is what `begin` returned. Raises `StoreError`
        where the store fails."""
        if isinstance(begun, PaperFacts):
            return begun
        self.ready(begun)
        known = self.stored(paper) if begun is None else None
        if known is not None:
            return known
        facts = read_facts(paper) if begun is None else self._begun(paper, begun)
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
