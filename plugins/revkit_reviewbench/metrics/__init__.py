"""The metrics of ReviewBench.

Statistics come from `revkit.stats`; this package decides what is counted. Reviews are judged texts
of a second run; intervals resample the papers that they review, and what has no score is counted
beside every figure.
"""

from __future__ import annotations

from revkit.contracts import Metric
from revkit_reviewbench.metrics.bench_change import BenchChange
from revkit_reviewbench.metrics.bench_difference import BenchDifference
from revkit_reviewbench.metrics.bench_scores import BenchScores
from revkit_reviewbench.metrics.bench_vector import BenchVector
from revkit_reviewbench.metrics.bench_venues import BenchVenues
from revkit_reviewbench.metrics.evaluator_agreement import EvaluatorAgreement
from revkit_reviewbench.metrics.rating_agreement import RatingAgreement

METRICS: tuple[type[Metric], ...] = (
    BenchChange,
    BenchDifference,
    BenchScores,
    BenchVector,
    BenchVenues,
    EvaluatorAgreement,
    RatingAgreement,
)

__all__ = [
    "METRICS",
    "BenchChange",
    "BenchDifference",
    "BenchScores",
    "BenchVector",
    "BenchVenues",
    "EvaluatorAgreement",
    "RatingAgreement",
]
