"""Write and read the stored form of a reply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from revkit.http import Mask
from revkit.model.exchange import ModelReply, Usage
from revkit.model.values import Json, canonical_json
from revkit.services.llm.reply import Reading, parsed
from revkit.services.llm.sender import Sent


def reply_of(model: str, sents: Sequence[Sent], reading: Reading) -> ModelReply:
    last = sents[-1].answer
    prices = [sent.usd for sent in sents]
    notes = dict.fromkeys(note for sent in sents for note in sent.notes)
    again = ("asked again",) if len(sents) > 1 else ()
    return ModelReply(
        text=reading.text,
        data=reading.data,
        finish_reason=last.finish_reason,
        model=last.model or model,
        usage=Usage(
            prompt_tokens=_sum([sent.answer.prompt_tokens for sent in sents]),
            completion_tokens=_sum([sent.answer.completion_tokens for sent in sents]),
            calls=sum(sent.requests for sent in sents),
            usd=None if None in prices else sum(cast(list[float], prices)),
            cached_tokens=_sum([sent.answer.cached_tokens for sent in sents]),
        ),
        steps=(*notes, *again, *reading.steps),
    )


def without_secrets(reply: ModelReply, mask: Mask) -> ModelReply:
    """Return ``reply`` with its secrets masked, and a step that records this if there were any.

    An object whose key was spelt with escapes in the text is written anew.
    """
    text, data, model = mask(reply.text), mask.json(reply.data), mask(reply.model)
    if (text, data, model) == (reply.text, reply.data, reply.model):
        return reply
    if data != reply.data and not _says(text, data):
        text = canonical_json(data)
    steps = (*reply.steps, "secret masked")
    return replace(reply, text=text, data=data, model=model, steps=steps)


def _says(text: str, data: Json) -> bool:
    try:
        return bool(parsed(text.strip()) == data)
    except ValueError:
        return False


def _sum(counts: Sequence[int | None]) -> int | None:
    return None if None in counts else sum(cast(Sequence[int], counts))


def reply_to_json(reply: ModelReply) -> dict[str, Json]:
    """Return the stored form of a reply; an object that is the whole text is not written twice."""
    usage: list[Json] = [
        reply.usage.prompt_tokens,
        reply.usage.completion_tokens,
        reply.usage.calls,
        reply.usage.usd,
    ]
    if reply.usage.cached_tokens is not None:  # few report them; others are written as before
        usage.append(reply.usage.cached_tokens)
    value: dict[str, Json] = {
        "text": reply.text,
        "finish_reason": reply.finish_reason,
        "model": reply.model,
        "usage": usage,
        "steps": list(reply.steps),
    }
    if not _is_whole(reply):
        value["data"] = reply.data
    return value


def _is_whole(reply: ModelReply) -> bool:
    if reply.data is None:
        return False
    # Without steps nothing was taken off or repaired.
    return not reply.steps or _says(reply.text, reply.data)


def reply_from_json(value: Mapping[str, Any]) -> ModelReply:
    """Read a stored reply."""
    data = value["data"] if "data" in value else parsed(value["text"].strip())
    return ModelReply(
        text=value["text"],
        data=data,
        finish_reason=value["finish_reason"],
        model=value["model"],
        usage=Usage(*value["usage"]),
        steps=tuple(value["steps"]),
    )
