"""The contracts of components that serve other components: searchers and embedders."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from revkit.contracts.component import Component
from revkit.contracts.context import Context
from revkit.model.review import Failure
from revkit.model.work import Work

if TYPE_CHECKING:
    import numpy


class Searcher(Component):
    """A literature search."""

    @abstractmethod
    def search(self, query: str, limit: int, ctx: Context) -> Sequence[Work] | Failure:
        """Return at most ``limit`` works, most relevant first, or the failure if there are none.

        No result is an empty sequence, not a failure.
        """


class Embedder(Component):
    """A map from texts to vectors, available to components as ``ctx.embed``."""

    @abstractmethod
    def embed(self, texts: Sequence[str]) -> numpy.ndarray[Any, Any]:
        """Return float32 unit vectors, shape (len(texts), dimensions)."""

    def arithmetic(self) -> str:
        """Return how this machine computes the vectors, where another way gives other last bits; ""
        if every machine gives the same bits.

        It is asked after a call of `embed`. It is not part of the identity: a stored vector is used
        on every machine, as any other stored answer, so that a bundle can be replayed without the
        model and a continued run uses what it has. A run that adds vectors of another arithmetic to
        those of its store gets a warning.
        """
        return ""
