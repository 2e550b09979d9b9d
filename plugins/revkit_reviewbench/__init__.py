"""ReviewBench: a bench of papers with checklists, evaluators that score reviews, their figures."""

from __future__ import annotations

from revkit import Register, hookimpl
from revkit_reviewbench.corpora import CORPORA
from revkit_reviewbench.evaluators import EVALUATORS
from revkit_reviewbench.metrics import METRICS
from revkit_reviewbench.outline_reviewer import OutlineReviewer
from revkit_reviewbench.rubrics import RUBRICS

__all__ = ["CORPORA", "EVALUATORS", "METRICS", "RUBRICS", "OutlineReviewer"]


@hookimpl
def register_corpora(register: Register) -> None:
    """Register the bench's construction, its synthetic twin, and the reviews of a run."""
    for corpus in CORPORA:
        register(corpus)


@hookimpl
def register_rubrics(register: Register) -> None:
    """Register the eight dimensions."""
    for rubric in RUBRICS:
        register(rubric)


@hookimpl
def register_agents(register: Register) -> None:
    """Register both evaluators, and a reviewer with planted weaknesses to try them on."""
    for evaluator in EVALUATORS:
        register(evaluator)
    register(OutlineReviewer)


@hookimpl
def register_metrics(register: Register) -> None:
    """Register the figures over evaluators' scores, and over ratings and decisions."""
    for metric in METRICS:
        register(metric)
