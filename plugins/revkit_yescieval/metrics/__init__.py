"""The figures of YESciEval: what judges give, whether they notice, and where they punish wrongly.

Statistics come from `revkit.stats`; this package decides what is counted. In every table a pair
counts only if both of its sides have a score, and what does not is counted beside it. Intervals
resample papers. A perturbation belongs to a rubric by its ``target`` and to a level by its option
``level``, so a rubric of your own is measured like the nine.
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
