"""Call the model for one role; replies must match their schema, or must be repairable."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, cast

from revkit.contracts import Context
from revkit.dataclass import dataclass
from revkit.errors import describe_error
from revkit.model.exchange import Message, ModelReply
from revkit.model.review import Failure
from revkit.model.values import Json
from revkit.prompting import Answer, RoleUsage, answer_of, estimate_tokens
from revkit.schemas import read_packaged_schema
from revkit_reviewground.excerpts import PaperExcerpt
from revkit_reviewground.repair import repaired
from revkit_reviewground.roles import Role

_RESERVED = 200  # tokens around the messages that the estimate does not see


@dataclass(frozen=True)
class Lengths:
    """The maximum length of reports: items of a list, characters of a text. The values never exceed
    the schemas in ``schemas/``.
    """

    items: int = 5
    text: int = 1500


@functools.lru_cache(maxsize=64)
def reply_schema(name: str, lengths: Lengths) -> Mapping[str, Json]:
    """Return the schema of ``schemas/<name>.schema.json``, as sent in a request."""
    schema = read_packaged_schema("revkit_reviewground", name)
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


def ask(
    role: Role,
    turns: tuple[Message, ...],
    schema: Mapping[str, Json],
    ctx: Context,
    usage: RoleUsage,
    part: str = "",
) -> Answer | Failure:
    """Call the model once, for ``part`` of the work (by default that of the role). A JSON reply
    that does not quite match the schema is repaired if this needs no guess (see `repaired`), and
    the answer's steps record the repair. ``usage`` records how all other replies were read.
    """
    sent = turns if role.shared else _unmarked(turns)
    reply = ctx.complete(
        role.sampling.request(sent, schema, replicate=ctx.repeat, role=part or role.name)
    )
    usage.add(reply)
    if isinstance(reply, ModelReply):
        answer = answer_of(reply, turns, schema)
        return answer if isinstance(answer, Failure) else replace(answer, steps=())
    if reply.kind != "schema":
        return reply
    found = repaired(reply.raw, schema)
    if found is None:
        return reply
    data, notes = found
    usage.set_unknown()
    usage.note(notes)
    return Answer(reply.raw, data, turns, notes)


def ask_reading(
    role: Role,
    readings: Callable[[int], Iterator[PaperExcerpt]],
    turns: Callable[[PaperExcerpt], tuple[Message, ...]],
    schema: Mapping[str, Json],
    ctx: Context,
    usage: RoleUsage,
) -> tuple[Answer | Failure, PaperExcerpt]:
    """Call the model with the longest reading that fits ``role``'s input, then with shorter ones
    while the model's own window is too small. ``readings`` takes the number of tokens for the
    paper.
    """
    beside = sum(estimate_tokens(each.content) for each in turns(PaperExcerpt("")))
    room = role.input_tokens - beside - _RESERVED
    reading = PaperExcerpt("")
    outcome: Answer | Failure = Failure(
        "context", f"{beside} tokens of instructions and reports leave no room for the paper"
    )
    for reading in readings(room):
        asked = turns(reading)
        if reading.kept < 1 and role.name != "searcher":
            asked = _unmarked(asked)  # no other prompt begins like one that is cut for one role
        outcome = ask(role, asked, schema, ctx, usage)
        if not (isinstance(outcome, Failure) and outcome.kind == "context"):
            break
    return outcome, reading


def _unmarked(turns: tuple[Message, ...]) -> tuple[Message, ...]:
    """Return ``turns`` without the mark for caching, because writing to the cache costs more than
    reading.
    """
    return tuple(replace(each, stable=0) if each.stable else each for each in turns)


def failure_json(failure: Failure) -> dict[str, Json]:
    """Return a failure for the record, with the raw reply shortened."""
    return {"kind": failure.kind, "detail": failure.detail, "raw": failure.raw[:2000]}


def crashed(error: Exception) -> Failure:
    """Return the failure for an error in the work of one role."""
    message = describe_error(error).strip().splitlines()[0]
    return Failure("crashed", message[:500])
