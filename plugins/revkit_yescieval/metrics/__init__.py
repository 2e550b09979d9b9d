"""The metrics of YESciEval: the scores of judges, their detections and their false alarms.

Statistics come from `revkit.stats`; this package decides what is counted. In every table a pair
counts only if both sides have a score, and other pairs are counted separately. Intervals resample
papers. The ``target`` of a perturbation names its rubric and its option ``level`` its level, so
your own rubric is measured like the nine.
"""

from __future__ import annotations

from revkit.contracts import Metric
from revkit_yescieval.metrics.rubric_detection import RubricDetection
from revkit_yescieval.metrics.rubric_items import RubricItems
from revkit_yescieval.metrics.rubric_matrix import RubricDiagonal, RubricMatrix
from revkit_yescieval.metrics.rubric_optimism import RubricOptimism
from revkit_yescieval.metrics.rubric_order import RubricOrder
from revkit_yescieval.metrics.rubric_scores import RubricScores

METRICS: tuple[type[Metric], ...] = (
    RubricScores,
    RubricMatrix,
    RubricDiagonal,
    RubricDetection,
    RubricOrder,
    RubricOptimism,
    RubricItems,
)

__all__ = [
    "METRICS",
    "RubricDetection",
    "RubricDiagonal",
    "RubricItems",
    "RubricMatrix",
    "RubricOptimism",
    "RubricOrder",
    "RubricScores",
]
