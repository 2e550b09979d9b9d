"""The metrics of a calibration: agreement, error, bias, curves, and drift over months.

Three rules hold in every table. Disagreement never appears without error, correlation, spread and
slope beside it, since a constant has none. An item counts where all agents of a row scored it, and
what was left out is counted beside it. Intervals resample held-out items and take the maps as
fitted.
"""

from __future__ import annotations

from revkit.contracts import Metric
from revkit_asc.metrics.calibration import Calibration
from revkit_asc.metrics.calibration_agents import CalibrationAgents
from revkit_asc.metrics.calibration_bias import CalibrationBias
from revkit_asc.metrics.calibration_curve import CalibrationCurve
from revkit_asc.metrics.common_scale import CommonScale
from revkit_asc.metrics.drift import Drift, DriftCourse

METRICS: tuple[type[Metric], ...] = (
    Calibration,
    CalibrationAgents,
    CalibrationBias,
    CalibrationCurve,
    CommonScale,
    Drift,
    DriftCourse,
)

__all__ = [
    "METRICS",
    "Calibration",
    "CalibrationAgents",
    "CalibrationBias",
    "CalibrationCurve",
    "CommonScale",
    "Drift",
    "DriftCourse",
]
