"""Criterion: one question by which a judge scores a text, with the meaning of its scores."""

from __future__ import annotations

from revkit.dataclass import dataclass
from revkit.errors import PaperError
from revkit.model.review import Scale
from revkit.model.values import Json


@dataclass(frozen=True)
class Criterion:
    """One criterion of a rubric.

    ``name`` is kebab-case, ``question`` what a judge answers of the text, ``family`` the group that
    it belongs to. ``levels`` gives each allowed score, ascending, with what it means; a higher
    score is a better text. ``instructions`` state what a judge looks at and what it ignores.
    """

    name: str
    question: str
    levels: tuple[tuple[int, str], ...]
    family: str = ""
    instructions: str = ""

    def __post_init__(self) -> None:
        scores = [score for score, _ in self.levels]
        if len(scores) < 2 or scores != sorted(set(scores)):
            raise PaperError(
                f"criterion {self.name!r}: expected two or more levels in ascending order"
            )

    @property
    def scale(self) -> Scale:
        """The scale of its scores: values between two levels are not allowed."""
        scores = tuple(float(score) for score, _ in self.levels)
        return Scale(self.name, scores[0], scores[-1], values=scores)

    def to_json(self) -> dict[str, Json]:
        return {
            "name": self.name,
            "question": self.question,
            "levels": [[score, meaning] for score, meaning in self.levels],
            "family": self.family,
            "instructions": self.instructions,
        }
