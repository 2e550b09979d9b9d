"""Planted statements: what an attack puts into a paper so that a review can be checked for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from revkit.dataclass import dataclass
from revkit.errors import PaperError
from revkit.model.edits import Edit
from revkit.model.strict_json import NotStrictJson, strict_json
from revkit.model.values import Json, canonical_json

KIND = "planted"
"""The kind of an edit that plants a statement; its ``about`` is `Planted.to_about`."""


@dataclass(frozen=True, slots=True)
class Planted:
    """One statement that an attack planted, or moved to another place.

    ``topic`` names the attack, and the rubric by which a judge checks reviews for the statement.
    ``statement`` is the sentence as it is in the paper. A sentence of a review mentions the
    statement if it contains one of ``marks``: words or numbers that occur nowhere else in the
    paper. Without marks, it mentions the statement if it contains most of its words.
    """

    topic: str
    statement: str
    marks: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.topic or not self.statement.strip():
            raise PaperError("a planted statement needs a topic and a text")

    def to_about(self) -> tuple[str, ...]:
        """Return the value of `Edit.about` for an edit that plants this statement."""
        return (self.topic, self.statement, *self.marks)

    def to_json(self) -> dict[str, Json]:
        return {"topic": self.topic, "statement": self.statement, "marks": list(self.marks)}

    @classmethod
    def from_json(cls, value: object) -> Planted:
        """Read the output of `to_json`. Raises `PaperError` for anything else."""
        if not isinstance(value, Mapping):
            raise PaperError("a planted statement must be an object")
        topic, statement, marks = (value.get(key) for key in ("topic", "statement", "marks"))
        if not isinstance(topic, str) or not isinstance(statement, str):
            raise PaperError("a planted statement needs a topic and a text")
        if not isinstance(marks, list) or not all(isinstance(mark, str) for mark in marks):
            raise PaperError("the marks of a planted statement must be a list of strings")
        return cls(topic, statement, tuple(marks))


def planted_in(edits: Iterable[Edit]) -> tuple[Planted, ...]:
    """Return the statements that ``edits`` plant, each once, in order of their places."""
    found = [
        Planted(edit.about[0], edit.about[1], tuple(edit.about[2:]))
        for edit in sorted(edits)
        if edit.kind == KIND and len(edit.about) > 1
    ]
    return tuple(dict.fromkeys(found))


def planted_to_text(statements: Iterable[Planted]) -> str:
    """Return ``statements`` as JSON, for a `Material` of the role "planted"."""
    return canonical_json([each.to_json() for each in statements])


def planted_from_text(text: str) -> tuple[Planted, ...]:
    """Read the output of `planted_to_text`. Raises `PaperError` for anything else."""
    try:
        rows: Any = strict_json(text)
    except NotStrictJson:
        raise PaperError("the planted statements are not JSON") from None
    if not isinstance(rows, list):
        raise PaperError("the planted statements must be a list")
    return tuple(Planted.from_json(row) for row in rows)
