"""Shard: one of several parts of an experiment, which run apart and are merged afterwards."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace

from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.model.values import digest_of
from revkit.model_settings import Budget, LlmServices, ModelSettings
from revkit.spec import Experiment

MOST = 100_000
_FORM = re.compile(r"([0-9]{1,6})/([0-9]{1,6})")


@dataclass(frozen=True, slots=True)
class Shard:
    """Shard ``number`` (from 1) of ``count``."""

    number: int
    count: int

    def __post_init__(self) -> None:
        if not 1 <= self.number <= self.count <= MOST:
            raise RunError(
                f"there is no shard {self.number}/{self.count}: number the shards from 1 to their "
                f"count, which is at most {MOST:,}"
            )

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Read "3/16". Raises `RunError` for any other form."""
        match = _FORM.fullmatch(text.strip())
        if match is None:
            raise RunError(f"{text[:40]!r} is not a shard; write NUMBER/COUNT, for example 3/16")
        return cls(int(match[1]), int(match[2]))

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"

    @property
    def folder(self) -> str:
        """The name of the shard's folder."""
        return f"{self.number}-of-{self.count}"

    def holds(self, digest: str) -> bool:
        """Whether the paper with ``digest`` belongs to this shard.

        The content decides, so copies of a text are in one shard, and neither order nor ids matter.
        """
        drawn = int.from_bytes(hashlib.sha256(f"shard {digest}".encode()).digest()[:8], "big")
        return drawn % self.count == self.number - 1

    def digest(self, experiment: str) -> str:
        """The digest that claims a folder for this shard of ``experiment``."""
        return digest_of([experiment, "shard", self.number, self.count])


def share_of_limits(
    experiment: Experiment, shard: Shard, *, share_budget: bool, at_once: int | None = None
) -> Experiment:
    """Return ``experiment`` with this shard's part of the limits that no shard can watch alone.

    Requests and tokens a minute are divided by the number of shards that run ``at_once`` (default:
    all of them). With ``share_budget`` the budget is divided by the number of shards; without, all
    shards count their spending in one store.
    """
    parts = min(at_once or shard.count, shard.count)
    llm = experiment.llm
    changed = replace(
        experiment,
        llm=LlmServices(
            {name: _part(each, parts) for name, each in llm.models.items()},
            _part(llm.default, parts),
        ),
    )
    return replace(changed, budget=_budget(experiment.budget, shard)) if share_budget else changed


def _part(settings: ModelSettings, count: int) -> ModelSettings:
    requests, tokens = settings.requests_per_minute, settings.tokens_per_minute
    return replace(
        settings,
        requests_per_minute=None if requests is None else max(0.001, requests / count),
        tokens_per_minute=None if tokens is None else max(1.0, tokens / count),
    )


def _budget(budget: Budget, shard: Shard) -> Budget:
    """Return the part of a budget; the parts of all shards add up to the whole."""

    def part(whole: int | None) -> int | None:
        if whole is None:
            return None
        return whole // shard.count + (shard.number <= whole % shard.count)

    usd = None if budget.usd is None else budget.usd / shard.count
    return Budget(usd, part(budget.calls), part(budget.tokens))
