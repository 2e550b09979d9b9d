"""Base class of all searchers: plain queries, merged duplicates, excluded works, reranking."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Literal

from revkit.contracts import Context, Searcher
from revkit.dataclass import dataclass
from revkit.model.review import Failure
from revkit.model.values import Json
from revkit.model.work import Work
from revkit.options import option, options_of
from revkit.works import Excluded, merge, plain
from revkit_searchers.bm25 import tokens
from revkit_searchers.reranking import Ranker, find_ranker, rank

MOST_QUERY = 300
_QUERY_WORD = re.compile(r"[^\W_]+(?:['’.][^\W_]+)*")
_OPERATORS = ("AND", "OR", "NOT")


@dataclass(frozen=True, kw_only=True)
class LiteratureSearch(Searcher):
    """The options and the steps that the searchers of this plugin have in common."""

    from_year: int | None = option(
        None, help="Only works of this year or later; works without a year are then left out."
    )
    exclude: tuple[str, ...] = option(
        (), help="Titles or identifiers of works that the search must not return."
    )
    limit: int = option(100, help="Maximum number of works, regardless of the request.", minimum=1)
    reranker: str = option(
        "",
        help=(
            "The reranker of the candidates: none (''), 'bm25', 'embeddings', or a cross-encoder "
            "by its name on the hub or its folder, such as OpenSciLM/OpenScholar_Reranker; its "
            "files must be on this machine."
        ),
    )
    reranker_fallback: Literal["", "bm25", "embeddings"] = option(
        "",
        help=(
            "The reranker to use if the cross-encoder is not on this machine; '' refuses to run. "
            "Each work records the replacement."
        ),
    )
    candidates: int = option(
        50, help="Number of candidates before reranking.", minimum=1, maximum=1000
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        # Not all of these searches need an embedder, and a run without one must not be refused.
        object.__setattr__(self, "uses", ("embedder",) if self._embeds() else ())

    def __getstate__(self) -> dict[str, Any]:
        """Leave out data that was read from files: another process reads the files again."""
        return {key: value for key, value in self.__dict__.items() if not key.startswith("_")}

    def _embeds(self) -> bool:
        return "embeddings" in (self.reranker, self.reranker_fallback)

    @cached_property
    def _ranker(self) -> Ranker:
        return find_ranker(self.reranker, self.reranker_fallback)

    @cached_property
    def _excluded(self) -> Excluded:
        return Excluded(self.exclude)

    def shared_identity(self, left_out: Sequence[str] = ()) -> dict[str, Json]:
        """Return the options except those in ``left_out``, with the ranker that is really used
        instead of its name.
        """
        options = {k: v for k, v in options_of(self).items() if k not in left_out}
        return {**options, "reranker": self._ranker.identity()}

    def ready(self) -> Sequence[str]:
        """Return a problem if the reranker is not on this machine and no fallback is named."""
        return (f"{self.name}: {self._ranker.problem}",) if self._ranker.problem else ()

    def search(self, query: str, limit: int, ctx: Context) -> Sequence[Work] | Failure:
        """Return at most ``limit`` works on ``query``, best first; each states what ranked it.

        `Failure` of kind "rejected" for a question without a word, and for a reranker that is not
        there; other kinds where the source fails.
        """
        asked = plain_query(query)
        if not tokens(asked):
            return Failure("rejected", f"{self.name}: the query contains no word to search for")
        if self._ranker.problem:
            return Failure("rejected", f"{self.name}: {self._ranker.problem}")
        limit = min(limit, self.limit)
        if limit < 1:
            return []
        reranks = self._ranker.kind != ""
        wanted = max(limit, self.candidates) if reranks else limit
        found = self.find(asked, wanted, ctx)
        if isinstance(found, Failure):
            return found
        works = [work for work in merge(found) if self.is_wanted(work)][:wanted]
        if reranks:
            works = rank(self._ranker, asked, works, ctx)
        return works[:limit]

    def is_wanted(self, work: Work) -> bool:
        """Return whether ``from_year`` and ``exclude`` let a work pass."""
        late = self.from_year is None or (work.year is not None and work.year >= self.from_year)
        return late and work not in self._excluded

    @abstractmethod
    def find(self, query: str, wanted: int, ctx: Context) -> Sequence[Work] | Failure:
        """Return about ``wanted`` works, best first, with ``ranked_by``; more works do no harm."""


def plain_query(query: str) -> str:
    """Return the words of ``query``, at most 300 characters.

    Services read signs as operators (quotes, ``-``, ``*``, ``~``, AND, OR, NOT), and a keyword
    that a model wrote or a paper suggested means none of them. Semantic Scholar finds nothing for
    hyphenated words.
    """
    words = _QUERY_WORD.findall(plain(query, 4 * MOST_QUERY))
    words = [word.lower() if word in _OPERATORS else word for word in words]
    kept, length = [], 0
    for word in words:
        length += len(word) + 1
        if length > MOST_QUERY + 1:
            break
        kept.append(word)
    return " ".join(kept)


def with_ranker(works: Sequence[Work], ranked_by: str) -> list[Work]:
    """Return ``works`` with the name of the component that ranked them."""
    return [replace(work, ranked_by=ranked_by) for work in works]
