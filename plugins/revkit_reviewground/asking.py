"""Asking: one role's questions, what they cost, and replies that meet their schema."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from revkit.contracts import Context
from revkit.model.exchange import Message, ModelReply, ModelRequest
from revkit.model.review import Failure
from revkit.model.values import Json
from revkit.schemas import read_schema
from revkit_reviewground.reading import Reading, tokens
from revkit_reviewground.repair import repaired
from revkit_reviewground.roles import Role

_RESERVED = 200  # tokens around the messages that the estimate does not see


@dataclass(frozen=True)
class Lengths:
    """How long reports may be: items of a list, characters of a text. Never more than the schemas
    in ``schemas/`` allow."""

    items: int = 5
    text: int = 1500


@functools.lru_cache(maxsize=64)
def reply_schema(name: str, lengths: Lengths) -> Mapping[str, Json]:
    """The schema of ``schemas/reviewground-<name>.schema.json``, as a request holds it."""
    schema = read_schema(f"reviewground-{name}")
    kept = {key: schema[key] for key in schema if key not in ("$schema", "title", "description")}
    return cast(Mapping[str, Json], _bounded(kept, lengths))


def _bounded(value: Any, lengths: Lengths) -> Any:
    if isinstance(value, list):
        return [_bounded(each, lengths) for each in value]
    if not isinstance(value, dict):
        return value
    found = {key: _bounded(each, lengths) for key, each in value.items()}
    if value.get("type") == "array" and "maxItems" in value:
        found["maxItems"] = max(value.get("minItems", 0), min(value["maxItems"], lengths.items))
    if value.get("type") == "string" and "maxLength" in value:
        found["maxLength"] = min(value["maxLength"], lengths.text)
    return found


@dataclass
class Account:
    """What one role asked in one review, by its replies; None where a provider does not tell."""

    role: str
    model: str
    calls: int = 0
    failed: int = 0
    prompt_tokens: int | None = 0
    completion_tokens: int | None = 0
    usd: float | None = 0.0
    steps: list[str] = field(default_factory=list)

    def add(self, reply: ModelReply | Failure) -> None:
        if isinstance(reply, Failure):
            self.failed += 1
            return
        usage = reply.usage
        self.calls += usage.calls
        self.prompt_tokens = _plus(self.prompt_tokens, usage.prompt_tokens)
        self.completion_tokens = _plus(self.completion_tokens, usage.completion_tokens)
        self.usd = None if self.usd is None or usage.usd is None else self.usd + usage.usd
        self.steps.extend(step for step in reply.steps if step not in self.steps)

    def uncounted(self) -> None:
        """Note that a reply that the gateway turned down is part of the work: nobody tells what it
        took, and the others' tokens would pass for all of them."""
        self.prompt_tokens = self.completion_tokens = self.usd = None

    def merged(self, other: Account) -> None:
        """Add what ``other``, of the same role, counted."""
        self.calls += other.calls
        self.failed += other.failed
        self.prompt_tokens = _plus(self.prompt_tokens, other.prompt_tokens)
        self.completion_tokens = _plus(self.completion_tokens, other.completion_tokens)
        self.usd = None if self.usd is None or other.usd is None else self.usd + other.usd
        self.steps.extend(step for step in other.steps if step not in self.steps)

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


def _plus(total: int | None, more: int | None) -> int | None:
    return None if total is None or more is None else total + more


@dataclass(frozen=True)
class Answer:
    """One reply that meets its schema, and the turns that it answers."""

    data: Mapping[str, Any]
    turns: tuple[Message, ...]
    notes: tuple[str, ...] = ()


def ask(
    role: Role,
    turns: tuple[Message, ...],
    schema: Mapping[str, Json],
    ctx: Context,
    account: Account,
    part: str = "",
) -> Answer | Failure:
    """Ask once, for ``part`` of the work (that of the role where none is named). A reply that is
    JSON but not quite of the schema is put right where that needs no guess (see `repaired`), and
    says so."""
    asked = turns if role.shared else _unmarked(turns)
    request = ModelRequest(
        role.model, asked, schema, role.parameters, ctx.repeat, part or role.name
    )
    reply = ctx.complete(request)
    account.add(reply)
    if isinstance(reply, ModelReply):
        if isinstance(reply.data, Mapping):
            return Answer(reply.data, turns)
        return Failure(
            "schema", "the gateway gave a reply without the object asked for", reply.text
        )
    if reply.kind != "schema":
        return reply
    found = repaired(reply.raw, schema)
    if found is None:
        return reply
    data, notes = found
    account.uncounted()
    account.steps.extend(note for note in notes if note not in account.steps)
    return Answer(data, turns, notes)


def ask_reading(
    role: Role,
    readings: Callable[[int], Iterator[Reading]],
    turns: Callable[[Reading], tuple[Message, ...]],
    schema: Mapping[str, Json],
    ctx: Context,
    account: Account,
) -> tuple[Answer | Failure, Reading]:
    """Ask with the longest reading that fits ``role``'s input, then with shorter ones as long as
    the model's own window is too small. ``readings`` takes the tokens that the paper may have."""
    beside = sum(tokens(each.content) for each in turns(Reading("")))
    room = role.input_tokens - beside - _RESERVED
    reading = Reading("")
    outcome: Answer | Failure = Failure(
        "context", f"{beside} tokens of instructions and reports leave no room for the paper"
    )
    for reading in readings(room):
        asked = turns(reading)
        if reading.kept < 1 and role.name != "searcher":
            asked = _unmarked(asked)  # what is cut for one role is the beginning of no other prompt
        outcome = ask(role, asked, schema, ctx, account)
        if not (isinstance(outcome, Failure) and outcome.kind == "context"):
            break
    return outcome, reading


def _unmarked(turns: tuple[Message, ...]) -> tuple[Message, ...]:
    """``turns`` without a beginning to keep: to put it in a cache costs more than to read it."""
    return tuple(replace(each, stable=0) if each.stable else each for each in turns)


def failure_json(failure: Failure) -> dict[str, Json]:
    """A failure for the record; the raw reply shortened."""
    return {"kind": failure.kind, "detail": failure.detail, "raw": failure.raw[:2000]}


def crashed(error: Exception) -> Failure:
    """An error in the work of one role, as what it gave."""
    told = f"{type(error).__name__}: {error}".strip().splitlines()[0]
    return Failure("crashed", told[:500])
