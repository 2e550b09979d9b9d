"""Evaluators: judges that score reviews by verdicts on the key points of checklists."""

from __future__ import annotations

from revkit.contracts import Agent
from revkit_reviewbench.evaluators.bench import BenchEvaluator
from revkit_reviewbench.evaluators.control import ControlEvaluator

EVALUATORS: tuple[type[Agent], ...] = (BenchEvaluator, ControlEvaluator)

__all__ = ["EVALUATORS", "BenchEvaluator", "ControlEvaluator"]
