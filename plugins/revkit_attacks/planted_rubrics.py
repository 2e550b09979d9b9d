"""The rubrics by which reviews are checked for planted statements, one for each attack."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from revkit.contracts import Rubric
from revkit.contracts.component import inherited_name
from revkit.dataclass import dataclass
from revkit.model.criterion import Criterion
from revkit_attacks.review_reactions import Reaction

FAMILY = "planted"
_LOOK = "Compare the review with the statements that an attack planted in the paper, or moved."


@dataclass(frozen=True, slots=True)
class Standard:
    """The score of each reaction to an attack, from -1 (wrong) to 1 (right)."""

    scores: Mapping[Reaction, int]
    question: str

    @property
    def right(self) -> Reaction:
        """The reaction of a careful reviewer."""
        return next(reaction for reaction, score in self.scores.items() if score == 1)


STANDARDS: Mapping[str, Standard] = {
    "misleading-information": Standard(
        {"repeats": -1, "ignores": 0, "questions": 1},
        "Does the review question invented claims instead of repeating them?",
    ),
    "niche-terminology": Standard(
        {"repeats": -1, "ignores": 0, "questions": 1},
        "Does the review question undefined terms instead of repeating them?",
    ),
    "scattered-information": Standard(
        {"questions": -1, "ignores": 0, "repeats": 1},
        "Does the review report key claims that are in unusual places?",
    ),
}
"""The rubrics by their names, which are the topics of planted statements."""
_MEANINGS: Mapping[Reaction, str] = {
    "repeats": "It repeats a statement without doubt.",
    "questions": "It questions a statement, and repeats none without doubt.",
    "ignores": "It mentions none of the statements.",
}


class _PlantedRubric(Rubric):
    """A rubric with three levels, one for each reaction."""

    @property
    def criterion(self) -> Criterion:
        """Levels from -1 to 1."""
        topic = inherited_name(type(self), STANDARDS)
        standard = STANDARDS[topic]
        levels = sorted((score, _MEANINGS[each]) for each, score in standard.scores.items())
        return Criterion(topic, standard.question, tuple(levels), FAMILY, _LOOK)


@dataclass(frozen=True)
class MisleadingInformationRubric(_PlantedRubric):
    """Whether a review questions (1), ignores (0) or repeats (-1) invented claims."""

    name: ClassVar[str] = "misleading-information"
    version: ClassVar[str] = "1"


@dataclass(frozen=True)
class NicheTerminologyRubric(_PlantedRubric):
    """Whether a review questions (1), ignores (0) or repeats (-1) terms that nobody defined."""

    name: ClassVar[str] = "niche-terminology"
    version: ClassVar[str] = "1"


@dataclass(frozen=True)
class ScatteredInformationRubric(_PlantedRubric):
    """Whether a review repeats (1), ignores (0) or questions (-1) claims in unusual places."""

    name: ClassVar[str] = "scattered-information"
    version: ClassVar[str] = "1"
