"""The searcher `openalex`: the works search of OpenAlex."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from revkit.dataclass import dataclass
from revkit.http import Query
from revkit.options import option
from revkit_searchers.service import ReplyError, WebSearch

_FIELDS = (
    "id,doi,ids,title,display_name,publication_year,authorships,primary_location,"
    "abstract_inverted_index,relevance_score"
)


@dataclass(frozen=True, kw_only=True)
class OpenAlex(WebSearch):
    """Searches OpenAlex (Priem et al., 2022, "OpenAlex: A fully-open index of scholarly works").

    Since February 2026 the service wants a key, which is free; without one it answers about ten
    searches a day. It takes the key as a parameter of the address; revkit shows addresses nowhere.
    Abstracts come as inverted indexes and are put together again, with single blanks between words.
    Titles, abstracts and, where open, full texts are searched; ``score`` is the service's own.

    Where a day's allowance is spent, the service answers 429 and asks to wait for hours: the search
    fails at once and says so. Every answer is stored and never asked for again.
    """

    name: ClassVar[str] = "openalex"
    version: ClassVar[str] = "1"
    later: ClassVar[tuple[int, ...]] = (403,)  # documented as "rate limit exceeded; slow down"

    api_key_env: str = option(
        "OPENALEX_API_KEY", help="The environment variable with the key; '' for none."
    )
    base_url: str = option("https://api.openalex.org", help="The address of the service.")
    per_second: float = option(
        10.0,
        help="Maximum number of requests each second, of all threads together.",
        minimum=0.01,
        maximum=100,
    )

    def request(self, query: str, number: int, key: str) -> Query:
        """Return the request for ``number`` works on ``query``."""
        parameters = {"search": query, "per_page": str(number), "select": _FIELDS}
        if self.from_year is not None:
            parameters["filter"] = f"from_publication_date:{self.from_year}-01-01"
        if key:
            parameters["api_key"] = key
        return Query(f"{self.base_url.rstrip('/')}/works", parameters, {}, key)

    def records(self, reply: object) -> Sequence[object]:
        """Return the list under ``results``."""
        data = reply.get("results") if isinstance(reply, Mapping) else None
        if isinstance(data, list):
            return data
        raise ReplyError("the reply has no list under 'results'")
