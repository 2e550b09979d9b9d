"""The searcher `semantic-scholar`: the relevance search of the Semantic Scholar Academic Graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from revkit.dataclass import dataclass
from revkit.http import Query
from revkit.options import option
from revkit_searchers.service import ReplyError, WebSearch

_FIELDS = (
    "paperId,externalIds,url,title,abstract,venue,publicationVenue,journal,year,authors,"
    "openAccessPdf"
)


@dataclass(frozen=True, kw_only=True)
class SemanticScholar(WebSearch):
    """Searches Semantic Scholar (Kinney et al., 2023) by relevance, as ReviewGrounder does.

    A key is free and comes with one request each second; without one, all users of the world share
    a small allowance and most searches fail with status 429. The service gives at most 100 works to
    a question, and no score: ``score`` stays empty unless a reranker sets it. Abstracts are missing
    where publishers forbid them.

    Every answer is stored and never asked for again, so a run that is repeated finds what it found.
    A store that is new finds what the service knows by then.
    """

    name: ClassVar[str] = "semantic-scholar"
    version: ClassVar[str] = "1"

    api_key_env: str = option(
        "SEMANTIC_SCHOLAR_API_KEY",
        help="The environment variable with the key; '' for none.",
    )
    base_url: str = option(
        "https://api.semanticscholar.org/graph/v1", help="The address of the service."
    )

    def request(self, query: str, number: int, key: str) -> Query:
        """Return the request for ``number`` works on ``query``."""
        parameters = {"query": query, "limit": str(number), "fields": _FIELDS}
        if self.from_year is not None:
            parameters["year"] = f"{self.from_year}-"
        headers = {"x-api-key": key} if key else {}
        return Query(f"{self.base_url.rstrip('/')}/paper/search", parameters, headers, key)

    def records(self, reply: object) -> Sequence[object]:
        """Return the list under ``data``; a reply with ``total: 0`` may lack it."""
        if not isinstance(reply, Mapping):
            raise ReplyError("the reply is not an object")
        data = reply.get("data")
        if isinstance(data, list):
            return data
        if data is None and reply.get("total") == 0:
            return []
        raise ReplyError("the reply has no list under 'data'")
