"""Work: one publication, as returned by a literature search."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from revkit.dataclass import dataclass
from revkit.model.values import Json


@dataclass(frozen=True)
class Work:
    """A publication. A field that the source does not provide is "" or None and is never invented.

    ``identifier`` is the source's own, with its kind before it where it has one ("doi:10.1/x",
    "arxiv:2401.00001"). ``score`` is the relevance that the search gave it, higher is better, and
    ``ranked_by`` names what put it at its place among the results (a service, "bm25", a reranker,
    or what replaced it, and why).
    """

    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str = ""
    identifier: str = ""
    abstract: str = ""
    url: str = ""
    score: float | None = None
    ranked_by: str = ""

    def to_json(self) -> dict[str, Json]:
        return {
            "title": self.title,
            "authors": list(self.authors),
            "year": self.year,
            "venue": self.venue,
            "identifier": self.identifier,
            "abstract": self.abstract,
            "url": self.url,
            "score": self.score,
            "ranked_by": self.ranked_by,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Work:
        return cls(**{**value, "authors": tuple(value["authors"])})
