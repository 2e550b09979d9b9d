"""Estimates of the calls to language models and the cost of a run, before it starts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

from revkit.dataclass import dataclass
from revkit.model_settings import Budget, Cost

_MOST_NAMED = 6


@dataclass(frozen=True)
class RoleForecast:
    """The maximum calls of one role of an agent in a whole run."""

    agent: str
    role: str
    model: str
    calls: int
    prompt_tokens: int
    most_reply_tokens: int
    most_usd: float | None


@dataclass(frozen=True)
class ModelForecast:
    """The maximum calls of one model in a whole run, and their tokens: prompts and the longest
    replies.
    """

    model: str
    calls: int
    tokens: int


@dataclass(frozen=True)
class Forecast:
    """Calls and tokens of a whole run, scaled up from ``sampled`` unchanged papers.

    Variants and anchors are taken to be as long as the papers, and variants that a model writes to
    need all of their attempts; a literature search is taken to find as much as it may. ``most_usd``
    supposes replies of the greatest length; it is None where the price of a model is not known,
    never 0; ``unpriced`` then names these models, and ``known_usd`` is the cost of the others.
    ``calls`` and the rest are None if they are unknown: ``unknown`` says why.

    ``roles`` holds the most that each role is asked, for agents that state their roles; for these
    calls and prompt tokens are at most what is said, with every role asked as often as it may be
    and reading the longest replies. A reply that cannot be read, which is requested once more, and
    repetitions of requests come on top.

    ``batch_usd`` is ``most_usd`` if every call is sent in a batch. ``models`` divides the calls by
    model. ``paper_bytes`` is the mean size of a paper.

    ``spent`` is what the experiment has spent with this store in earlier commands, which counts
    against its ``budget``.
    """

    sampled: int
    calls: int | None
    prompt_tokens: int | None
    most_reply_tokens: int | None
    most_usd: float | None
    unknown: str = ""
    roles: tuple[RoleForecast, ...] = ()
    spent: Cost = field(default_factory=Cost)
    budget: Budget = field(default_factory=Budget)
    batch_usd: float | None = None
    models: tuple[ModelForecast, ...] = ()
    paper_bytes: float = 0.0
    known_usd: float = 0.0
    unpriced: tuple[str, ...] = ()

    def text(self) -> str:
        """Return the forecast as text for a reader."""
        most = bool(self.roles)
        rows: tuple[tuple[str, str], ...] = (
            ("model calls", self._count_text(self.calls, most=most)),
            ("prompt tokens", self._count_text(self.prompt_tokens, most=most)),
            ("reply tokens", self._count_text(self.most_reply_tokens, most=True)),
            ("US dollars", self.unknown if self.calls is None else self._usd_text()),
        )
        if self.most_usd:
            twice = f"about {2 * self.most_usd:.2f} US dollars if every reply is requested twice"
            rows += (("with repeats", f"{twice}, because the first one cannot be read"),)
        if self.batch_usd is not None and self.batch_usd != self.most_usd:
            rows += (("in batches", f"at most {self.batch_usd:.2f} US dollars (batch: true)"),)
        lines = [f"{name:<14}{text}" for name, text in rows]
        if self.calls is not None:
            lines.append(
                f"(estimated from the prompts of {self.sampled} unchanged papers, with variants of "
                "the same length; cached answers cost nothing)"
            )
        return "\n".join([*lines, *self._budget_lines(), *self._role_lines()]) + "\n"

    def short(self) -> str:
        """Return calls and US dollars in one line."""
        calls = self._count_text(self.calls, most=bool(self.roles))
        usd = "unknown" if self.calls is None else self._usd_text()
        return f"model calls {calls}, US dollars {usd}"

    def _usd_text(self) -> str:
        """Return the maximum cost, or what is known of it and the models without a price."""
        if self.most_usd is not None:
            return f"at most {self.most_usd:.2f}"
        named = ", ".join(self.unpriced[:_MOST_NAMED])
        more = len(self.unpriced) - _MOST_NAMED
        names = f"no price for {named or 'a model'}{f' and {more} more' if more > 0 else ''}"
        if not self.known_usd:
            return f"unknown ({names})"
        return f"at most {self.known_usd:.2f} for the models with a price, others unknown ({names})"

    def _budget_lines(self) -> list[str]:
        """Return what was spent, and what is left of the budget."""
        spent, budget = self.spent, self.budget
        dollars = spent.usd or 0.0
        lines = []
        if spent.calls:
            lines.append(
                f"spent so far  {spent.calls:,} requests, {spent.tokens:,} tokens, {dollars:.4f} "
                "US dollars (known prices only)"
            )
        left = []
        if budget.calls is not None:
            left.append(f"{max(0, budget.calls - spent.calls):,} of {budget.calls:,} requests")
        if budget.tokens is not None:
            left.append(f"{max(0, budget.tokens - spent.tokens):,} of {budget.tokens:,} tokens")
        if budget.usd is not None:
            left.append(f"{max(0.0, budget.usd - dollars):.4f} of {budget.usd:g} US dollars")
        if left:
            lines.append(f"budget left   {', '.join(left)}")
        if short := [name for name, rest, needed in self._needs() if needed > max(0, rest)]:
            lines.append(
                f"              this may not be enough ({', '.join(short)}); a run stops when the "
                "budget is spent, and goes on when it is raised"
            )
        return lines

    def _needs(self) -> Iterator[tuple[str, float, float]]:
        """Yield each limit of the budget with what is left of it, and what a run may need."""
        spent, budget = self.spent, self.budget
        tokens = (
            None
            if self.prompt_tokens is None
            else self.prompt_tokens + (self.most_reply_tokens or 0)
        )
        for name, limit, used, needed in (
            ("requests", budget.calls, spent.calls, self.calls),
            ("tokens", budget.tokens, spent.tokens, tokens),
            ("US dollars", budget.usd, spent.usd or 0.0, self.most_usd or self.known_usd),
        ):
            if limit is not None and needed is not None:
                yield name, limit - used, needed

    def _count_text(self, count: int | None, *, most: bool = False) -> str:
        return self.unknown if count is None else f"{'at most ' if most else ''}{count:,}"

    def _role_lines(self) -> list[str]:
        """Return a table of the roles."""
        if not self.roles:
            return []
        rows = [("by role, at most", "model", "calls", "prompt tokens", "reply tokens", "USD")]
        rows += [
            (
                _label_of(each),
                each.model,
                f"{each.calls:,}",
                f"{each.prompt_tokens:,}",
                f"{each.most_reply_tokens:,}",
                "unknown" if each.most_usd is None else f"{each.most_usd:.2f}",
            )
            for each in self.roles
        ]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return ["", *("  ".join(_cells(row, widths)).rstrip() for row in rows)]


def _label_of(row: RoleForecast) -> str:
    if not row.agent:
        return f"variants, screens, judgements{': ' if row.role else ''}{row.role}"
    return f"{row.agent}: {row.role or '(no role named)'}"


def _cells(row: Sequence[str], widths: Sequence[int]) -> list[str]:
    """Return the cells of a row: words left-aligned, numbers right-aligned."""
    return [
        f"{cell:<{width}}" if number < 2 else f"{cell:>{width}}"
        for number, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]
