"""`MeaningChange`: one sign that two sentences differ in meaning."""

from __future__ import annotations

from collections import Counter
from dataclasses import field
from typing import Literal, TypeAlias

from revkit.dataclass import dataclass

ChangeKind: TypeAlias = Literal[
    "number", "name", "negation", "opposite", "quantity", "binding", "role", "word", "content"
]


@dataclass(frozen=True, slots=True)
class MeaningChange:
    """One sign that two sentences differ in meaning.

    ``kind`` is the rule that found it, ``detail`` the words that show it. ``lost`` or ``gained``
    names the item that only the first or only the second sentence has, where there is one.
    """

    kind: ChangeKind
    detail: str
    lost: str = field(default="", compare=False, repr=False)
    gained: str = field(default="", compare=False, repr=False)


def lost_and_gained(
    kind: ChangeKind, before: Counter[str], after: Counter[str]
) -> list[MeaningChange]:
    """Return a change of one kind for each item that only one of two counts has."""
    return [MeaningChange(kind, f"lost {item}", lost=item) for item in sorted(before - after)] + [
        MeaningChange(kind, f"gained {item}", gained=item) for item in sorted(after - before)
    ]
