"""Caching: mark the end of the stable beginning of a prompt, for providers that cache marked text.

Most providers and servers keep common beginnings of prompts by themselves. Anthropic's models keep
what is marked, wherever they are served: writing it costs a quarter more than reading a prompt,
reading it again a tenth (Anthropic's documentation of prompt caching, 2025). They keep nothing
below a length that depends on the model, 512 to 4096 tokens; a mark there is ignored at no cost.
The schema of a reply precedes all turns, so requests share a cache only where it is the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from revkit.model.exchange import Message
from revkit.services.llm.prices import estimate_tokens

# Providers in litellm through which such models are reached; "openai" with an address of one's own
# is a proxy, most often. litellm takes marks out of what goes to OpenAI itself, and for Gemini it
# would make caches that are paid by the hour, so no other model is marked.
_PROVIDERS = ("anthropic", "bedrock", "vertex_ai", "openrouter", "openai")
LEAST_TOKENS = 1024
_MOST_MARKS = 4

# Places in a conversation: the index of a turn, and how many of its characters are stable.
Marks = tuple[tuple[int, int], ...]


def marks_of(model: str, messages: Sequence[Message]) -> Marks:
    """Return where to mark ``messages`` for ``model``: at the end of long instructions, which are
    the same in every call, and at the marks that turns carry; () if nothing is marked.
    """
    if "claude" not in model.lower() or model.partition("/")[0] not in _PROVIDERS:
        return ()
    found = []
    before: list[str] = []
    for index, message in enumerate(messages):
        whole = index == 0 and message.role == "system"
        end = len(message.content) if whole else min(message.stable, len(message.content))
        if end > 0 and estimate_tokens([*before, message.content[:end]]) >= LEAST_TOKENS:
            found.append((index, end))
        before.append(message.content)
    return tuple(found[:_MOST_MARKS])


def with_marks(messages: Sequence[Mapping[str, str]], marks: Marks) -> list[dict[str, Any]]:
    """Return ``messages`` with each marked turn in two blocks, the first of which ends at its
    mark.
    """
    ends = dict(marks)
    return [
        {**message, "content": _blocks(message["content"], ends[index])}
        if index in ends
        else dict(message)
        for index, message in enumerate(messages)
    ]


def _blocks(text: str, end: int) -> list[dict[str, Any]]:
    first = {"type": "text", "text": text[:end], "cache_control": {"type": "ephemeral"}}
    return (
        [first, {"type": "text", "text": text[end:]}]
        if text[end:].strip()
        else [{**first, "text": text}]
    )
