"""`MeaningChange`: one sign that two sentences differ in meaning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

ChangeKind: TypeAlias = Literal[
    "number", "name", "negation", "opposite", "quantity", "binding", "role", "word", "content"
]


@dataclass(frozen=True, slots=True)
class MeaningChange:
    """One sign that two sentences differ in meaning.

    ``kind`` is the rule that found it, ``detail`` the words that show it.
    """

    kind: ChangeKind
    detail: str
