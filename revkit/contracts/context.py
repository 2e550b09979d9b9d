"""What a component may use besides its arguments: random numbers and services."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from revkit.contracts.component import ServiceName
from revkit.dataclass import dataclass
from revkit.model.exchange import ModelReply, ModelRequest
from revkit.model.paper import Paper
from revkit.model.review import Failure
from revkit.model.work import Work
from revkit.model.written_review import PaperReviews

if TYPE_CHECKING:
    import numpy

T = TypeVar("T")

Change: TypeAlias = Callable[[ModelRequest], ModelRequest]
"""A change to each request that an agent sends to a language model, such as a reminder added to its
prompt."""


def join_changes(first: Change | None, then: Change | None) -> Change | None:
    """Return the change that makes ``first`` and ``then`` one after the other."""
    if first is None or then is None:
        return first or then
    return lambda request: then(first(request))


@dataclass(frozen=True, slots=True)
class Peer:
    """A paper of the same corpus without labels, with the topic that its labels name ("" for
    none).
    """

    paper: Paper
    topic: str = ""


@dataclass(frozen=True)
class Services:
    """The services of one run, by name.

    ``embed`` maps texts to unit vectors, one row each; ``complete`` asks a language model;
    ``peers`` gives all papers of the corpus; ``search`` looks for literature.
    """

    embed: Callable[[Sequence[str]], numpy.ndarray[Any, Any]] | None = None
    complete: Callable[[ModelRequest], ModelReply | Failure] | None = None
    gather: Callable[[Sequence[Callable[[], Any]]], list[Any]] | None = None
    peers: Callable[[], Sequence[Peer]] | None = None
    search: Callable[[str, int], Sequence[Work] | Failure] | None = None


@dataclass(frozen=True)
class Context:
    """What a component may use besides its arguments.

    ``rng`` is seeded for this component and this item; ``seed`` is the same seed as a number in
    [0, 2**63), for numpy. Services are there when the component declares them in ``uses``.
    ``repeat`` counts the reviews of one text by one agent, from 0. ``written`` is what people said
    of the paper under review, for an agent that declares "reviews" in ``uses``; None for a variant.
    ``change`` is applied to every request to a language model (see `Defense.guard`).
    """

    seed: int = 0
    services: Services = Services()
    uses: tuple[ServiceName, ...] | None = None
    repeat: int = 0
    written: PaperReviews | None = None
    change: Change | None = None

    @cached_property
    def rng(self) -> random.Random:
        """The random numbers of this component for this item; most reviewers draw none."""
        return random.Random(self.seed)

    def with_reviews(self, written: PaperReviews) -> Context:
        """Return the same context for a paper with the human reviews ``written``."""
        return replace(self, written=written)

    def changing(self, change: Change) -> Context:
        """The same context, with ``change`` applied to every request to a language model, before
        what this context changes."""
        return replace(self, change=join_changes(change, self.change))

    def prompted(self, request: ModelRequest) -> ModelRequest:
        """``request`` as a model would get it: with the changes that defenses make to prompts."""
        return request if self.change is None else self.change(request)

    def embed(self, texts: Sequence[str]) -> numpy.ndarray[Any, Any]:
        """Return one unit vector (a row of float32) for each text, from the run's embedder.

        Raises `RuntimeError` where the component does not declare "embedder" in ``uses`` or the run
        has none.
        """
        if self.uses is not None and "embedder" not in self.uses:
            raise RuntimeError("declare uses = ('embedder',) to embed texts")
        if self.services.embed is None:
            raise RuntimeError("this context has no embedder")
        return self.services.embed(texts)

    def complete(self, request: ModelRequest) -> ModelReply | Failure:
        """Call a language model once and wait; the answer is stored and never paid for again.

        A problem of the provider or the reply is returned as a `Failure`. Raises
        `RuntimeError` where the component does not declare "llm" in ``uses`` or the run has no
        models.
        """
        if self.uses is not None and "llm" not in self.uses:
            raise RuntimeError("declare uses = ('llm',) to ask a language model")
        if self.services.complete is None:
            raise RuntimeError("this context has no language models")
        return self.services.complete(self.prompted(request))

    def peers(self) -> Sequence[Peer]:
        """Return all papers of the corpus, including the current one, sorted by digest.

        For perturbations that borrow from other papers; their answers depend on the whole corpus.
        Raises `RuntimeError` where the component does not declare "corpus" in ``uses`` or the run
        has none.
        """
        if self.uses is not None and "corpus" not in self.uses:
            raise RuntimeError("declare uses = ('corpus',) to see the other papers")
        if self.services.peers is None:
            raise RuntimeError("this context has no corpus")
        return self.services.peers()

    def search(self, query: str, limit: int = 10) -> Sequence[Work] | Failure:
        """Search for at most ``limit`` works on ``query``, most relevant first; each query is sent
        once, and its answer is stored.

        A search that fails is a `Failure`. Raises `RuntimeError` where the component does not
        declare "searcher" in ``uses`` or the run has none.
        """
        if self.uses is not None and "searcher" not in self.uses:
            raise RuntimeError("declare uses = ('searcher',) to search the literature")
        if self.services.search is None:
            raise RuntimeError("this context has no searcher")
        return self.services.search(query, limit)

    def human_reviews(self) -> PaperReviews | None:
        """Return the human reviews of the paper under review; None for a variant, which nobody
        reviewed.

        For agents that repeat what people said. Raises `RuntimeError` where the component does not
        declare "reviews" in ``uses``.
        """
        if self.uses is not None and "reviews" not in self.uses:
            raise RuntimeError("declare uses = ('reviews',) to read what people wrote")
        return self.written

    def gather(self, calls: Sequence[Callable[[], T]]) -> list[T]:
        """Run ``calls`` in parallel; return their results in order, or raise the first error."""
        if self.services.gather is None:
            return [call() for call in calls]
        return self.services.gather(calls)
