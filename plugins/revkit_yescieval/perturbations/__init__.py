"""The perturbations of YESciEval: for each of nine rubrics a subtle and an extreme heuristic.

`LlmConciseness` is another writer of the second one."""

from __future__ import annotations

from revkit.contracts import Perturbation
from revkit_yescieval.perturbations.cohesion import Cohesion
from revkit_yescieval.perturbations.completeness import Completeness
from revkit_yescieval.perturbations.conciseness import Conciseness
from revkit_yescieval.perturbations.integration import Integration
from revkit_yescieval.perturbations.intrusion import (
    Coherence,
    Correctness,
    Informativeness,
    Relevancy,
)
from revkit_yescieval.perturbations.llm_conciseness import LlmConciseness
from revkit_yescieval.perturbations.readability import Readability

PERTURBATIONS: tuple[type[Perturbation], ...] = (
    Cohesion,
    Conciseness,
    Readability,
    Coherence,
    Integration,
    Relevancy,
    Correctness,
    Completeness,
    Informativeness,
    LlmConciseness,
)

__all__ = [
    "PERTURBATIONS",
    "Coherence",
    "Cohesion",
    "Completeness",
    "Conciseness",
    "Correctness",
    "Informativeness",
    "Integration",
    "LlmConciseness",
    "Readability",
    "Relevancy",
]
