"""Base class of the searchers that call a web service: key, limits, and reading the reply."""

from __future__ import annotations

import os
import random
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from revkit.contracts import Context
from revkit.dataclass import dataclass
from revkit.errors import OptionError
from revkit.http import SHORTEST, AskError, Patience, Query, address_problem, ask, read_number
from revkit.model.review import Failure
from revkit.model.values import Json
from revkit.model.work import Work
from revkit.options import option
from revkit.works import IrregularEntry, entry_of
from revkit_searchers.base import LiteratureSearch, with_ranker

_SPARE = 10


class ReplyError(ValueError):
    """A reply that does not have the documented layout; the text states the fault."""


@dataclass(frozen=True, kw_only=True)
class WebSearch(LiteratureSearch):
    """A search through a web service: `request` builds the query, `records` reads the reply."""

    most: ClassVar[int] = 100
    later: ClassVar[tuple[int, ...]] = ()
    not_in_key: ClassVar[tuple[str, ...]] = (
        "api-key-env",
        "timeout",
        "attempts",
        "longest-wait",
        "per-second",
    )

    api_key_env: str = option("", help="The environment variable with the key; '' for none.")
    base_url: str = option("", help="The address of the service.")
    timeout: float = option(30.0, help="Seconds for one attempt.", minimum=0.01, maximum=600)
    attempts: int = option(
        5, help="Maximum number of attempts for one search.", minimum=1, maximum=20
    )
    longest_wait: float = option(
        60.0, help="Maximum seconds to wait between two attempts.", minimum=0, maximum=3600
    )
    per_second: float = option(
        1.0,
        help="Maximum number of requests each second, of all threads together.",
        minimum=0.01,
        maximum=1000,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        problem = address_problem(self.base_url)
        if problem:
            raise OptionError(self.name, [("base-url", problem)])

    def identity(self) -> Json:
        """Return the options that decide the results: without the key, timeouts and retries."""
        return self.shared_identity(self.not_in_key)

    def ready(self) -> Sequence[str]:
        """Return problems: a missing reranker, and a key that is not set."""
        problem = self._key_problem()
        return [*super().ready(), *([f"{self.name}: {problem}"] if problem else [])]

    def _key(self) -> str:
        return os.environ.get(self.api_key_env, "").strip() if self.api_key_env else ""

    def _key_problem(self) -> str:
        key = self._key()
        if not self.api_key_env or (len(key) >= SHORTEST and key.isascii()):
            return ""
        why = "holds no key" if key else "is not set; it must contain the key"
        return (
            f"the environment variable {self.api_key_env} {why}; set it, or search without a key "
            "(only few searches are allowed): api-key-env: ''"
        )

    def find(self, query: str, wanted: int, ctx: Context) -> Sequence[Work] | Failure:
        """Send one request, for some extra works in case of duplicates and excluded works."""
        problem = self._key_problem()
        if problem:
            return Failure("rejected", f"{self.name}: {problem}")
        number = min(self.most, wanted + len(self.exclude) + _SPARE)
        request = self.request(query, number, self._key())
        patience = Patience(
            self.timeout, self.attempts, self.longest_wait, self.per_second, self.later
        )
        try:
            reply = ask(request, patience, random.Random(f"{ctx.seed} {query}"))
            return self._works(self.records(reply))
        except AskError as error:
            return Failure(error.kind, f"{self.name}: {error.detail}")
        except ReplyError as error:
            return Failure("schema", f"{self.name}: {error}")

    def _works(self, records: Sequence[object]) -> list[Work]:
        """Return the works in a reply. Records without a title, which some services return, are
        skipped.
        """
        works = []
        for record in records:
            if not isinstance(record, Mapping):
                raise ReplyError("a record of the reply is not an object")
            try:
                work = entry_of(record).work
            except IrregularEntry:
                continue
            works.append(replace(work, score=read_number(record.get("relevance_score"))))
        return with_ranker(works, self.name)

    @abstractmethod
    def request(self, query: str, number: int, key: str) -> Query:
        """Return the request for ``number`` works on ``query``."""

    @abstractmethod
    def records(self, reply: object) -> Sequence[object]:
        """Return the records in a reply. Raises `ReplyError` if it does not have the documented
        layout.
        """
