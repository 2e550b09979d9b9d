"""The ledger: the calls of each agent to each model, their cost, and their duration."""

from __future__ import annotations

import threading
from array import array
from dataclasses import dataclass, field

from revkit.model.exchange import Usage
from revkit.model.values import Json

QUANTILES = (0.5, 0.9, 0.99)


@dataclass
class Spending:
    """Tokens and US dollars. ``uncounted`` answers had no token count, ``unpriced`` ones have no
    known price; with one of those the sum of dollars is unknown too.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    uncounted: int = 0
    usd: float = 0.0
    unpriced: int = 0

    def add(self, prompt: int | None, completion: int | None, usd: float | None) -> None:
        """Add one answer."""
        self.prompt_tokens += prompt or 0
        self.completion_tokens += completion or 0
        self.uncounted += prompt is None or completion is None
        self.usd += usd or 0.0
        self.unpriced += usd is None

    def to_json(self) -> dict[str, Json]:
        return {
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "uncounted": self.uncounted,
            "usd": None if self.unpriced else self.usd,
            "unpriced": self.unpriced,
        }


@dataclass
class ModelUsage:
    """The calls of one label to one model.

    ``asked`` questions were each answered by the store (``stored``), by another call in flight
    (``joined``), by the model (``answered``), or not at all (``failed``, by kind). ``requests``
    went over the wire for them, ``retries`` of these as repetitions and ``reasked`` as second
    questions. ``spent`` is what the requests made now used; ``reused`` what the answers that were
    stored already had cost once.
    """

    asked: int = 0
    stored: int = 0
    joined: int = 0
    answered: int = 0
    requests: int = 0
    retries: int = 0
    reasked: int = 0
    failed: dict[str, int] = field(default_factory=dict)
    spent: Spending = field(default_factory=Spending)
    reused: Spending = field(default_factory=Spending)
    seconds: array[float] = field(default_factory=lambda: array("f"))

    def to_json(self) -> dict[str, Json]:
        """Return the usage as JSON; seconds are those of single requests that were answered."""
        return {
            "asked": self.asked,
            "stored": self.stored,
            "joined": self.joined,
            "answered": self.answered,
            "failed": dict(sorted(self.failed.items())),
            "requests": self.requests,
            "retries": self.retries,
            "reasked": self.reasked,
            "spent": self.spent.to_json(),
            "reused": self.reused.to_json(),
            "seconds": {f"p{round(q * 100)}": quantile(self.seconds, q) for q in QUANTILES},
        }


def quantile(values: array[float], share: float) -> float | None:
    """Return the value below which ``share`` of ``values`` lie (nearest rank); None without
    values.
    """
    if not values:
        return None
    ordered = sorted(values)
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 4)


class Ledger:
    """The usage of all labels and models. Any thread may write to it."""

    def __init__(self) -> None:
        self._usage: dict[tuple[str, str], ModelUsage] = {}
        self._lock = threading.Lock()

    def ended(self, label: str, model: str, how: str, reused: Usage | None = None) -> None:
        """Record the end of one question: "stored", "joined", "answered", or a kind of failure.

        ``reused`` is what a stored answer had cost.
        """
        with self._lock:
            account = self._usage_of(label, model)
            account.asked += 1
            if reused is not None:
                account.reused.add(reused.prompt_tokens, reused.completion_tokens, reused.usd)
            if how == "stored":
                account.stored += 1
            elif how == "joined":
                account.joined += 1
            elif how == "answered":
                account.answered += 1
            else:
                account.failed[how] = account.failed.get(how, 0) + 1

    def sent(self, label: str, model: str, *, repeated: bool, reasked: bool) -> None:
        """Record one request that is sent."""
        with self._lock:
            account = self._usage_of(label, model)
            account.requests += 1
            account.retries += repeated
            account.reasked += reasked and not repeated

    def received(
        self,
        label: str,
        model: str,
        prompt: int | None,
        completion: int | None,
        usd: float | None,
        seconds: float | None,
    ) -> None:
        """Record the usage of one answered request; one in a batch has no ``seconds``."""
        with self._lock:
            account = self._usage_of(label, model)
            account.spent.add(prompt, completion, usd)
            if seconds is not None:
                account.seconds.append(seconds)

    def _usage_of(self, label: str, model: str) -> ModelUsage:
        return self._usage.setdefault((label, model), ModelUsage())

    def usage_of(self, label: str, model: str) -> ModelUsage:
        """Return the usage of ``label`` with ``model``."""
        with self._lock:
            return self._usage_of(label, model)

    def to_json(self) -> list[Json]:
        """Return all usage, by label and model."""
        with self._lock:
            return [
                {"label": label, "model": model, **account.to_json()}
                for (label, model), account in sorted(self._usage.items())
            ]
