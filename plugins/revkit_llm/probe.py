"""The question that measures how far a reviewer reads. It is added to the end of a review's prompt,
so that this prompt is only a few words longer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from revkit.model.exchange import Message
from revkit.model.review import Failure
from revkit.model.values import Json
from revkit.prompting import Answer

QUESTION = (
    "This once, do not review the paper. Up to three lines of the form 'Marker word: ...' were put "
    "into the text that you were given, each with another invented word. Reply with one JSON "
    'object, {"words": [...]}, that holds the words of all these lines that you see, in their '
    "order, and nothing else. Leave out what you do not see."
)
SCHEMA: Mapping[str, Json] = {
    "type": "object",
    "properties": {"words": {"type": "array", "items": {"type": "string"}}},
    "required": ["words"],
    "additionalProperties": False,
}


def probe_turns(turns: tuple[Message, ...]) -> tuple[Message, ...]:
    """Return ``turns`` of a review with the question at their end."""
    last = turns[-1]
    return (*turns[:-1], replace(last, content=f"{last.content.rstrip()}\n\n{QUESTION}"))


def words_of(answer: Answer | Failure) -> Sequence[str] | Failure:
    """Return the words that the model repeated."""
    if isinstance(answer, Failure):
        return answer
    return [str(word) for word in answer.data["words"]]
