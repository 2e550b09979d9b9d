"""Usage by role: calls, tokens and dollars of each part of a reviewer in one review."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from revkit.model.exchange import ModelReply
from revkit.model.review import Failure
from revkit.model.values import Json


@dataclass
class RoleUsage:
    """Usage of one role: calls, tokens and US dollars; None if a provider does not report them.

    ``steps`` lists the steps taken to read its replies, each once, in the order of the calls.
    Parallel calls have separate usages that `merge` adds up in a fixed order, so that threads have
    no influence.
    """

    role: str
    model: str
    calls: int = 0
    failed: int = 0
    prompt_tokens: int | None = 0
    completion_tokens: int | None = 0
    usd: float | None = 0.0
    steps: list[str] = field(default_factory=list)

    def add(self, reply: ModelReply | Failure) -> None:
        """Count one reply, or one failure."""
        if isinstance(reply, Failure):
            self.failed += 1
            return
        usage = reply.usage
        self.calls += usage.calls
        self.prompt_tokens = _plus(self.prompt_tokens, usage.prompt_tokens)
        self.completion_tokens = _plus(self.completion_tokens, usage.completion_tokens)
        self.usd = None if self.usd is None or usage.usd is None else self.usd + usage.usd
        self.note(reply.steps)

    def note(self, steps: Iterable[str]) -> None:
        """Add ``steps`` that are not in the list yet."""
        self.steps.extend(step for step in dict.fromkeys(steps) if step not in self.steps)

    def set_unknown(self) -> None:
        """Make the sums unknown: the tokens of a reply that the gateway rejected are missing."""
        self.prompt_tokens = self.completion_tokens = self.usd = None

    def merge(self, other: RoleUsage) -> None:
        """Add the counts of ``other``, which belongs to the same role."""
        self.calls += other.calls
        self.failed += other.failed
        self.prompt_tokens = _plus(self.prompt_tokens, other.prompt_tokens)
        self.completion_tokens = _plus(self.completion_tokens, other.completion_tokens)
        self.usd = None if self.usd is None or other.usd is None else self.usd + other.usd
        self.note(other.steps)

    def to_json(self) -> dict[str, Json]:
        return {
            "model": self.model,
            "calls": self.calls,
            "failed-calls": self.failed,
            "prompt-tokens": self.prompt_tokens,
            "completion-tokens": self.completion_tokens,
            "usd": self.usd,
            "steps": list(self.steps),
        }


@dataclass
class UsageByRole:
    """The usage of one review by role, in the order in which roles first asked."""

    roles: dict[str, RoleUsage] = field(default_factory=dict)

    def of(self, role: str, model: str) -> RoleUsage:
        """Return the usage of ``role``, created if needed."""
        return self.roles.setdefault(role, RoleUsage(role, model))

    def merge(self, other: UsageByRole) -> None:
        """Add the counts of ``other``, role by role."""
        for name, usage in other.roles.items():
            self.of(name, usage.model).merge(usage)

    def to_json(self) -> dict[str, Json]:
        return {name: usage.to_json() for name, usage in self.roles.items()}


def total_usage(usages: Iterable[RoleUsage] | Mapping[str, RoleUsage]) -> dict[str, Json]:
    """Return the sums over roles; a sum is None if a part of it is unknown."""
    total = RoleUsage("", "")
    for each in usages.values() if isinstance(usages, Mapping) else usages:
        total.merge(each)
    return {name: value for name, value in total.to_json().items() if name not in _NOT_SUMMED}


_NOT_SUMMED = ("model", "steps")


def _plus(total: int | None, more: int | None) -> int | None:
    return None if total is None or more is None else total + more
