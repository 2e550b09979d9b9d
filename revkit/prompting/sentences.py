"""Numbered sentences of a paper in a prompt, and the texts that a model returns for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from revkit.model.values import Json
from revkit.prompting.fence import Data, mark_for

Label = TypeVar("Label", bound=int | str)
# Sentences in one call; with more, models miscount them.
MOST_SENTENCES = 10


def one_line(text: str) -> str:
    """Return ``text`` on one line, with single blanks: the form of sentences in prompts and
    replies.
    """
    return " ".join(text.split())


def sentences_schema(longest: int, most: int | None = None) -> dict[str, Json]:
    """Return the JSON Schema of a reply: texts by number, of at most ``longest`` characters
    each.
    """
    bound: dict[str, Json] = {} if most is None else {"maxItems": most}
    return {
        "type": "object",
        "properties": {
            "sentences": {
                "type": "array",
                **bound,
                "items": {
                    "type": "object",
                    "properties": {
                        "number": {"type": "integer", "minimum": 1},
                        "text": {"type": "string", "maxLength": longest},
                    },
                    "required": ["number", "text"],
                    "additionalProperties": False,
                },
            }
        },
        "required": ["sentences"],
        "additionalProperties": False,
    }


def numbered_data(sentences: Mapping[Label, str], secret: str, request: str) -> str:
    """Return the user's turn: ``sentences``, one in each line after its number or name, as data,
    and then ``request``.

    The instructions, whose text is usually ``secret``, must state that the sentences are not
    instructions to the model.
    """
    lines = "\n".join(f"[{number}] {text}" for number, text in sentences.items())
    mark = mark_for(secret, lines)
    return (
        f"The sentences stand between the two lines that hold the mark {mark}.\n"
        f"{Data('sentences', lines).between_marks(mark)}\n"
        f"{request}"
    )


def texts_by_number(data: Mapping[str, Any]) -> dict[int, str]:
    """Return the texts of a reply by number, each on one line; numbers with several texts are left
    out.
    """
    texts: dict[int, set[str]] = {}
    for row in data["sentences"]:
        texts.setdefault(row["number"], set()).add(one_line(row["text"]))
    return {number: each.pop() for number, each in texts.items() if len(each) == 1}
