"""The searcher `local-index`: BM25 and embeddings over collections on this machine."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from revkit.contracts import Context, ServiceName
from revkit.dataclass import dataclass
from revkit.model.review import Failure
from revkit.model.values import Json
from revkit.model.work import Work
from revkit.options import option
from revkit_searchers.base import LiteratureSearch
from revkit_searchers.bm25 import Bm25, tokens
from revkit_searchers.collection import Collection, read_collection
from revkit_searchers.rank_fusion import best, fused
from revkit_searchers.reranking import MOST_EMBEDDED

if TYPE_CHECKING:
    import numpy

_BUILDING = threading.Lock()
_SHALLOWEST = 100
_MOST_LISTED = 5


@dataclass(frozen=True, kw_only=True)
class LocalIndex(LiteratureSearch):
    """Searches collections of works on this machine, without a network.

    ``paths`` names JSON Lines, JSON, BibTeX or CSV files; without any, the small collection that is
    included is searched: 229 well-known works on machine learning, with titles, years and first
    authors but without abstracts. It is there to try things out, and no basis for a judgement of
    novelty.

    Words are matched by BM25 (k1 = 1.2, b = 0.75) in title, keywords and abstract. With
    ``embeddings``, works are also ordered by the cosine of their vectors (of the first 2,000
    characters of the same text) with the query's, and both orders become one by reciprocal rank
    fusion with the constant 60. A work that shares no word with the query is found
    only from ``least-similarity`` on; without that, any query would find something. ``score`` is
    the fused score, or that of BM25.

    Entries that cannot be used (no title, broken syntax) stop a run before it starts, with file and
    line; with ``irregular: leave-out`` they are left out and counted in the search's identity. The
    same works in other files, or in another order, give the same results.
    """

    name: ClassVar[str] = "local-index"
    version: ClassVar[str] = "2"
    data: ClassVar[tuple[str, ...]] = ("works.jsonl", "revkit.english:stop-words.tsv")
    uses: ClassVar[tuple[ServiceName, ...]] = ("embedder",)

    paths: tuple[str, ...] = option(
        (),
        help=(
            "Collections: .jsonl, .json, .bib, .csv, .tsv, as paths or package:NAME/FILE. None: "
            "the included collection."
        ),
    )
    embeddings: bool = option(True, help="Whether the search uses embeddings in addition to words.")
    least_similarity: float = option(
        0.3,
        help="Minimum cosine similarity of a work that shares no word with the query.",
        minimum=-1,
        maximum=1,
    )
    irregular: Literal["refuse", "leave-out"] = option(
        "refuse", help="What to do about entries that cannot be used."
    )

    def _embeds(self) -> bool:
        return self.embeddings or super()._embeds()

    @cached_property
    def _collection(self) -> Collection:
        return read_collection(self.paths)

    @cached_property
    def _words(self) -> Bm25:
        return Bm25(tokens(text) for text in self._collection.texts)

    @cached_property
    def _vectors(self) -> dict[str, Any]:
        return {}

    @cached_property
    def _open(self) -> numpy.ndarray[Any, Any]:
        import numpy

        return numpy.asarray([self.is_wanted(work) for work in self._collection.works], dtype=bool)

    def identity(self) -> Json:
        """Return the options, with the SHA-256 of each file instead of its path, and the counts."""
        return {
            **self.shared_identity(("paths", "irregular")),
            "files": [file.digest for file in self._collection.files],
            "counts": dict(self._collection.counts),
        }

    def files_needed(self) -> Sequence[str]:
        """Return the files of the collections."""
        return self.paths

    def notes(self) -> Sequence[str]:
        """Return a line of counts, and a line for each irregular entry."""
        counts = self._collection.counts
        line = ", ".join(f"{number} {what.replace('-', ' ')}" for what, number in counts.items())
        return [line, *self._collection.irregular]

    def ready(self) -> Sequence[str]:
        """Return problems: a missing reranker, and irregular entries unless they may be left
        out.
        """
        message = self._irregularities()
        return [*super().ready(), *([message] if message else [])]

    def _irregularities(self) -> str:
        irregular = self._collection.irregular
        if not irregular or self.irregular == "leave-out":
            return ""
        more = len(irregular) - _MOST_LISTED
        shown = "; ".join(irregular[:_MOST_LISTED]) + (f"; and {more} more" if more > 0 else "")
        return (
            f"{self.name}: {len(irregular)} entries of the collection cannot be used ({shown}); "
            "correct them, or set irregular: leave-out"
        )

    def find(self, query: str, wanted: int, ctx: Context) -> Sequence[Work] | Failure:
        """Return the ``wanted`` best works."""
        import numpy

        message = self._irregularities()
        if message:
            return Failure("rejected", message)
        works = self._collection.works
        if not works:
            return []
        with _BUILDING:  # once, whichever thread comes first
            index = self._words
        depth = max(_SHALLOWEST, 2 * wanted)
        scores = numpy.where(self._open, index.scores(tokens(query)), 0.0)
        by_words = [place for place in best(scores, depth) if scores[place] > 0]
        if not self.embeddings:
            found = [(place, float(scores[place])) for place in by_words[:wanted]]
            return self._ranked_works(found, "bm25")
        likeness = self._matrix(ctx.services.embed, ctx) @ ctx.embed([query])[0]
        shown = self._open & ((likeness >= self.least_similarity) | (scores > 0))
        likeness = numpy.where(shown, likeness, -2.0)
        by_meaning = [place for place in best(likeness, depth) if shown[place]]
        return self._ranked_works(fused([by_words, by_meaning])[:wanted], "bm25 and embeddings")

    def _ranked_works(self, places: Sequence[tuple[int, float]], ranker: str) -> list[Work]:
        works = self._collection.works
        return [replace(works[place], score=score, ranked_by=ranker) for place, score in places]

    def _matrix(self, embed: Callable[..., Any] | None, ctx: Context) -> numpy.ndarray[Any, Any]:
        """Return one vector for each work from the embedder of this run; computed once."""
        with _BUILDING:
            kept = self._vectors.get("kept")
            if kept is None or kept[0] is not embed:
                kept = (embed, ctx.embed([text[:MOST_EMBEDDED] for text in self._collection.texts]))
                self._vectors["kept"] = kept
        matrix: numpy.ndarray[Any, Any] = kept[1]
        return matrix
