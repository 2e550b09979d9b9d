"""The eight rubrics of ReviewBench, as criteria for judging reviews.

Each has the question of its dimension; the key points for one paper are materials of the review
with the role "rubric". The judges `bench-evaluator` and `control-evaluator` read them.
"""

from __future__ import annotations

from typing import ClassVar

from revkit.contracts import Rubric
from revkit.contracts.component import inherited_name
from revkit.dataclass import dataclass
from revkit.model.criterion import Criterion
from revkit.model.values import Json, digest_of
from revkit_reviewbench.dimensions import BY_NAME

FAMILY = "review quality"


class _Dimension(Rubric):
    """A rubric with the criterion of one dimension."""

    @property
    def criterion(self) -> Criterion:
        """The dimension's question and levels: 0, 1, 2, or -2, -1, 0 for the pitfall."""
        dimension = BY_NAME[inherited_name(type(self), BY_NAME)]
        return Criterion(
            dimension.name, dimension.question, dimension.levels, FAMILY, dimension.asks
        )

    def identity(self) -> Json:
        """Return the digest of the criterion's content."""
        return digest_of(self.criterion.to_json())


@dataclass(frozen=True)
class CoreContributionAccuracy(_Dimension):
    """Whether a review states the contributions correctly (ReviewBench, dimension 1)."""

    name: ClassVar[str] = "core-contribution-accuracy"
    version: ClassVar[str] = "1"


@dataclass(frozen=True)
class ResultsInterpretation(_Dimension):
    """Whether a review interprets the reported results correctly (ReviewBench, dimension 2)."""

    name: ClassVar[str] = "results-interpretation"
    version: ClassVar[str] = "1"


@dataclass(frozen=True)
class ComparativeAnalysis(_Dimension):
    """Whether a review discusses the paper's comparisons (ReviewBench, dimension 3)."""

    name: ClassVar[str] = "comparative-analysis"
    version: ClassVar[str] = "1"


@dataclass(frozen=True)
class EvidenceBasedCritique(_Dimension):
    """Whether criticism is supported by places of the paper (ReviewBench, dimension 4)."""

    name: ClassVar[str] = "evidence-based-critique"
    version: ClassVar[str] = "1"


@dataclass(frozen=True)
class CritiqueClarity(_Dimension):
    """Whether authors learn what to improve, and how (ReviewBench, dimension 5)."""

    name: ClassVar[str] = "critique-clarity"
    version: ClassVar[str] = "1"


@dataclass(frozen=True)
class CompletenessCoverage(_Dimension):
    """Whether a review covers all major parts of the paper (ReviewBench, dimension 6)."""

    name: ClassVar[str] = "completeness-coverage"
    version: ClassVar[str] = "1"


@dataclass(frozen=True)
class ConstructiveTone(_Dimension):
    """Whether a review is professional and meant to improve (ReviewBench, dimension 7)."""

    name: ClassVar[str] = "constructive-tone"
    version: ClassVar[str] = "1"


@dataclass(frozen=True)
class FalseOrContradictoryClaims(_Dimension):
    """Whether a review makes false claims, from -2 to 0 (ReviewBench, dimension 8)."""

    name: ClassVar[str] = "false-or-contradictory-claims"
    version: ClassVar[str] = "1"


RUBRICS: tuple[type[Rubric], ...] = (
    CoreContributionAccuracy,
    ResultsInterpretation,
    ComparativeAnalysis,
    EvidenceBasedCritique,
    CritiqueClarity,
    CompletenessCoverage,
    ConstructiveTone,
    FalseOrContradictoryClaims,
)
