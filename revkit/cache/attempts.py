"""Attempts: the stored record of every request that an experiment sent to a language model.

A request is written down before it is sent, with the most that it may cost, and again when it has
ended. So what was paid is known after a kill as well: a request that was in flight counts in full,
since its provider may have charged for it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from revkit.cache.store import Store
from revkit.dataclass import dataclass
from revkit.model.values import Json
from revkit.model_settings import Cost

IN_FLIGHT = "in flight"
_LARGEST = 2**63 - 1  # of SQLite


@dataclass(frozen=True, slots=True)
class Paid:
    """The usage of one answered request; None if the provider did not state it, or if the price is
    unknown.
    """

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    usd: float | None = None


class Attempts:
    """The attempts of the experiment with the digest ``experiment``, written by one thread.

    ``sharing`` are the digests of all experiments that share its budget; without an experiment ("")
    nothing is shared.
    """

    def __init__(self, store: Store, experiment: str, sharing: Iterable[str] = ()) -> None:
        self._store = store
        self._experiment = experiment
        self._sharing = {experiment, *sharing} if experiment else set()
        self._in_flight: dict[int, Cost] = {}
        self._ended = Cost()

    def sent(self, label: str, model: str, call: bytes, most: Cost) -> int:
        """Record a request that is sent and may cost at most ``most``; return its number."""
        values = (self._experiment, label, model, call, IN_FLIGHT, _bounded(most.tokens), most.usd)
        attempt = self._store.insert(
            "INSERT INTO attempt (experiment, label, model, call, outcome, tokens, charged)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            values,
        )
        self._in_flight[attempt] = most
        return attempt

    def ended(self, attempt: int, outcome: str, charged: Cost, seconds: float, paid: Paid) -> None:
        """Record how a request ended: "answered" or the kind of failure; ``charged`` counts against
        the budget.
        """
        counts = (paid.prompt_tokens, paid.completion_tokens, paid.cached_tokens)
        self._store.insert(
            "UPDATE attempt SET outcome = ?, tokens = ?, charged = ?, prompt = ?, completion = ?,"
            " cached = ?, usd = ?, seconds = ? WHERE id = ?",
            (
                outcome,
                _bounded(charged.tokens),
                charged.usd,
                *map(_bounded, counts),
                paid.usd,
                seconds,
                attempt,
            ),
        )
        self._in_flight.pop(attempt, None)
        self._ended = _sum([self._ended, Cost(1, _bounded(charged.tokens) or 0, charged.usd)])

    def elsewhere(self) -> Cost:
        """Return the amount that counts against the budget from other commands: earlier ones, and
        those that run at the same time.
        """
        whole, mine = spent_on(self._store, self._sharing), self._mine()
        return Cost(
            max(0, whole.calls - mine.calls),
            max(0, whole.tokens - mine.tokens),
            max(0.0, (whole.usd or 0.0) - (mine.usd or 0.0)),
        )

    def _mine(self) -> Cost:
        return _sum([self._ended, *self._in_flight.values()])

    def unusable(self, attempt: int, kind: str) -> None:
        """Record that an answer was paid for but could not be used."""
        self._store.insert("UPDATE attempt SET outcome = ? WHERE id = ?", (kind, attempt))


def spent_on(store: Store, experiments: Iterable[str], besides: Iterable[str] = ()) -> Cost:
    """Return the amount that the requests of ``experiments`` count against their budget, over all
    commands; without those that were merged from the stores with the identities ``besides``.
    """
    left_out = sorted(set(besides))
    marks = ", ".join("?" * len(left_out))
    calls, tokens, usd = 0, 0, 0.0
    for experiment in sorted(set(experiments)):
        rows = store.query(
            "SELECT count(*), total(tokens), total(charged) FROM attempt WHERE experiment = ?"
            f" AND substr(coalesce(origin, ''), 1, 32) NOT IN ({marks})",
            (experiment, *left_out),
        )
        for count, some, dollars in rows:
            calls, tokens, usd = calls + count, tokens + int(some), usd + dollars
    return Cost(calls, tokens, usd)


def attempts_to_json(store: Store, experiment: str) -> list[Json]:
    """Return the attempts of ``experiment`` in all commands, summed by label, model and outcome.

    Tokens and dollars are those that providers reported; ``charged_usd`` is what counts against
    the budget, with estimates for requests of which nothing is known.
    """
    names = (
        "label", "model", "outcome", "requests", "prompt_tokens", "completion_tokens",
        "cached_tokens", "uncounted", "usd", "unpriced", "charged_tokens", "charged_usd", "seconds",
    )  # fmt: skip
    rows = store.query(
        "SELECT label, model, outcome, count(*), total(prompt), total(completion), total(cached),"
        " sum(prompt IS NULL OR completion IS NULL), total(usd), sum(usd IS NULL), total(tokens),"
        " total(charged), round(total(seconds), 3) FROM attempt WHERE experiment = ?"
        " GROUP BY label, model, outcome ORDER BY label, model, outcome",
        (experiment,),
    )
    whole = {"prompt_tokens", "completion_tokens", "cached_tokens", "charged_tokens"}
    return [
        {
            name: int(value) if name in whole else value
            for name, value in zip(names, row, strict=True)
        }
        for row in rows
    ]


def _sum(costs: Iterable[Cost]) -> Cost:
    found = list(costs)
    return Cost(
        sum(cost.calls for cost in found),
        sum(cost.tokens for cost in found),
        math.fsum(cost.usd or 0.0 for cost in found),
    )


def _bounded(count: int | None) -> int | None:
    return None if count is None else min(count, _LARGEST)
